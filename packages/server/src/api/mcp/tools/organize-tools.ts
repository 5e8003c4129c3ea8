/** Tools that move, flag and delete messages. */
import { Message, MessageChange } from '@waypost/contract'
import { z } from 'zod'
import { defineTool } from './define-tool.ts'
import { acts, compact, identifierOf, itemOf, sets } from './parts.ts'

const { unread, starred, folders } = MessageChange.shape

export const updateMessage = defineTool({
  name: 'update_message',
  title: 'Move or flag a message',
  description: 'Marks a message as read or unread, stars it, or moves it: `folders` replaces all its folders.',
  operations: ['mail.organize'],
  annotations: sets,
  grant: true,
  input: { message_id: identifierOf('message'), unread, starred, folders },
  refine: ({ unread, starred, folders }) =>
    unread === undefined && starred === undefined && folders === undefined
      ? 'unread, starred, folders: give at least one'
      : undefined,
  output: {
    message: z.object({
      id: Message.shape.id,
      unread: Message.shape.unread,
      starred: Message.shape.starred,
      folders: Message.shape.folders,
    }),
  },
  run: async ({ call, grantId }, { message_id, ...change }) => {
    const answer = await call('messages.update', {
      params: { grant_id: grantId, message_id },
      body: compact(change),
    })
    const { id, unread, starred, folders } = itemOf<Message>(answer)
    return { summary: 'Changed.', row: { name: 'message', row: { facts: { id, unread, starred, folders } } } }
  },
})

export const deleteMessage = defineTool({
  name: 'delete_message',
  title: 'Delete a message',
  description:
    'Moves a message to the trash. permanently: true deletes it for good; this waits for the approval of a person unless the credential says otherwise, and the application must allow it.',
  operations: ['mail.delete'],
  annotations: { ...acts, idempotentHint: true },
  approval: ['delete'],
  grant: true,
  input: {
    message_id: identifierOf('message'),
    permanently: z.boolean().default(false).meta({ description: 'true: cannot be restored; default false' }),
  },
  output: { deleted: z.enum(['moved_to_trash', 'permanently']).meta({ description: 'What happened' }) },
  run: async ({ call, grantId }, { message_id, permanently }) => {
    await call('messages.delete', {
      params: { grant_id: grantId, message_id },
      query: { hard_delete: permanently || undefined },
    })
    return { summary: 'Deleted.', facts: { deleted: permanently ? 'permanently' : 'moved_to_trash' } }
  },
})
