import { z } from 'zod'
import { cursorPaging, GrantId, identifierParam, selectParam, Timestamp, timeParam } from './fields.ts'
import { limits } from './limits.ts'
import { checkSharedFolder, mailFilters, sharedFolder, sharedFrom } from './mail-filters.ts'
import { EmailName, Message, MessageChange } from './messages.ts'
import { route } from './route.ts'

export const LatestDraftOrMessage = Message.extend({
  object: z.enum(['message', 'draft']).meta({ description: 'Object type: message or draft' }),
}).meta({
  id: 'LatestDraftOrMessage',
  description: 'The newest message or draft of a thread, with its body',
})
export type LatestDraftOrMessage = z.output<typeof LatestDraftOrMessage>

export const Thread = z
  .object({
    id: z.string().meta({ description: 'Id of the thread: `thread_id` of its messages' }),
    grant_id: GrantId,
    object: z.literal('thread').meta({ description: 'Object type: always `thread`' }),
    subject: z.string().optional().meta({ description: 'Subject of its first message' }),
    snippet: z
      .string()
      .optional()
      .meta({ description: 'First 100 characters of the text of the last received message' }),
    latest_draft_or_message: LatestDraftOrMessage,
    has_attachments: z.boolean().meta({ description: 'Whether one of its messages or drafts has attachments' }),
    has_drafts: z.boolean().meta({ description: 'Whether it has an unsent reply' }),
    starred: z.boolean().meta({ description: 'Whether one of its messages is starred' }),
    unread: z.boolean().meta({ description: 'Whether one of its messages is unread; `false` when all are read' }),
    earliest_message_date: Timestamp.meta({ description: 'Date of its first message in Unix seconds' }),
    latest_message_received_date: Timestamp.optional().meta({
      description: 'Date of the last message from others, in Unix seconds; absent if there is none',
    }),
    latest_message_sent_date: Timestamp.optional().meta({
      description: 'Date of the last message sent by the account, in Unix seconds; absent if there is none',
    }),
    participants: z.array(EmailName).meta({
      description: 'All addresses in From, To and Cc of its messages, without duplicates',
    }),
    message_ids: z.array(z.string()).meta({ description: 'Ids of its messages, newest first' }),
    draft_ids: z.array(z.string()).meta({ description: 'Ids of its drafts, newest first' }),
    folders: z.array(z.string()).meta({ description: 'Ids of all folders that contain a message of the thread' }),
  })
  .meta({
    id: 'Thread',
    description:
      'A conversation: messages that reply to each other according to `References` and `In-Reply-To`, or as grouped by the provider',
  })
export type Thread = z.output<typeof Thread>

export const ThreadChange = MessageChange.omit({ metadata: true }).meta({
  id: 'ThreadChange',
  description: 'Changes to a thread, applied to each of its messages',
})
export type ThreadChange = z.output<typeof ThreadChange>

export const ThreadListQuery = z
  .object({
    ...mailFilters,
    thread_id: identifierParam().meta({ description: 'Only the thread with this id' }),
    latest_message_before: timeParam().meta({
      description: 'Only threads whose newest message is older than this time (exclusive), in Unix seconds',
    }),
    latest_message_after: timeParam().meta({
      description: 'Only threads whose newest message is newer than this time (exclusive), in Unix seconds',
    }),
    earliest_message_date: timeParam().meta({
      description: 'Only threads that began at or after this time, in Unix seconds',
    }),
    ...cursorPaging(20, limits.threadPageMax),
    ...selectParam,
  })
  .superRefine(checkSharedFolder)
export type ThreadListQuery = z.output<typeof ThreadListQuery>

export const ThreadQuery = z.object({ ...sharedFrom, ...sharedFolder, ...selectParam })
export type ThreadQuery = z.output<typeof ThreadQuery>

const at = '/v3/grants/:grant_id/threads'

export const threads = {
  list: route({
    right: 'mail.read',
    method: 'GET',
    path: at,
    summary: 'List threads',
    description:
      'Newest first, by the last received message. A thread matches if one of its messages does. Google does not guarantee the order.',
    audience: 'grant',
    query: ThreadListQuery,
    returns: Thread,
    list: 'cursor',
    errors: ['not_found'],
  }),
  get: route({
    right: 'mail.read',
    method: 'GET',
    path: `${at}/:thread_id`,
    summary: 'Get one thread',
    description: 'Returns the thread with the ids of its messages and its full newest message.',
    audience: 'grant',
    query: ThreadQuery,
    returns: Thread,
    errors: ['not_found'],
  }),
  update: route({
    right: 'mail.organize',
    method: 'PUT',
    path: `${at}/:thread_id`,
    summary: 'Mark, star or move all messages of a thread',
    description:
      'Applies the change to each message; `folders` replaces the list of every message. Absent fields stay unchanged.',
    audience: 'grant',
    query: ThreadQuery,
    body: ThreadChange,
    returns: Thread,
    errors: ['not_found'],
  }),
  delete: route({
    right: ['mail.organize', 'mail.delete'],
    method: 'DELETE',
    path: `${at}/:thread_id`,
    summary: 'Move all messages of a thread to the trash',
    description: 'Nothing is deleted permanently: the messages are moved to the trash, as if the user deleted them.',
    audience: 'grant',
    query: z.object({ ...sharedFrom, ...sharedFolder }),
    errors: ['not_found'],
  }),
}
