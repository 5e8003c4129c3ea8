import { z } from 'zod'
import { cursorPaging, Id, identifierParam, selectParam, Timestamp, timeParam } from './fields.ts'
import { limits } from './limits.ts'
import {
  checkSharedFolder,
  EmailName,
  Message,
  MessageChange,
  mailFilters,
  sharedFolder,
  sharedFrom,
} from './messages.ts'
import { route } from './route.ts'

export const LatestDraftOrMessage = Message.extend({ object: z.enum(['message', 'draft']) }).meta({
  id: 'LatestDraftOrMessage',
})
export type LatestDraftOrMessage = z.output<typeof LatestDraftOrMessage>

export const Thread = z
  .object({
    id: z.string(),
    grant_id: Id,
    object: z.literal('thread'),
    subject: z.string().optional(),
    snippet: z.string().optional().meta({ description: 'Of the message that was received last' }),
    latest_draft_or_message: LatestDraftOrMessage,
    has_attachments: z.boolean(),
    has_drafts: z.boolean(),
    starred: z.boolean(),
    unread: z.boolean().meta({ description: 'false when all messages are read' }),
    earliest_message_date: Timestamp,
    latest_message_received_date: Timestamp.optional(),
    latest_message_sent_date: Timestamp.optional(),
    participants: z.array(EmailName),
    message_ids: z.array(z.string()),
    draft_ids: z.array(z.string()),
    folders: z.array(z.string()).meta({ description: 'Ids of all folders that hold a message of the thread' }),
  })
  .meta({ id: 'Thread' })
export type Thread = z.output<typeof Thread>

export const ThreadChange = MessageChange.omit({ metadata: true }).meta({
  id: 'ThreadChange',
  description: 'Done to every message of the thread',
})
export type ThreadChange = z.output<typeof ThreadChange>

export const ThreadListQuery = z
  .object({
    ...mailFilters,
    thread_id: identifierParam().meta({ description: 'That thread alone' }),
    latest_message_before: timeParam().meta({ description: 'Unix time in seconds, itself excluded' }),
    latest_message_after: timeParam().meta({ description: 'Unix time in seconds, itself excluded' }),
    earliest_message_date: timeParam().meta({ description: 'Unix time: threads that began then or later' }),
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
    method: 'GET',
    path: at,
    summary: 'List threads, newest first by the message that was received last',
    description: 'A thread matches where one of its messages does. Google does not promise the order.',
    audience: 'grant',
    query: ThreadListQuery,
    returns: Thread,
    list: 'cursor',
    errors: ['not_found'],
  }),
  get: route({
    method: 'GET',
    path: `${at}/:thread_id`,
    summary: 'Get one thread',
    audience: 'grant',
    query: ThreadQuery,
    returns: Thread,
    errors: ['not_found'],
  }),
  update: route({
    method: 'PUT',
    path: `${at}/:thread_id`,
    summary: 'Mark, star or move all messages of a thread',
    audience: 'grant',
    query: ThreadQuery,
    body: ThreadChange,
    returns: Thread,
    errors: ['not_found'],
  }),
  delete: route({
    method: 'DELETE',
    path: `${at}/:thread_id`,
    summary: 'Move all messages of a thread to the trash',
    audience: 'grant',
    query: z.object({ ...sharedFrom, ...sharedFolder }),
    errors: ['not_found'],
  }),
}
