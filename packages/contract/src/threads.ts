import { z } from 'zod'
import { cursorPaging, GrantId, identifierParam, selectParam, Timestamp, timeParam } from './fields.ts'
import { limits } from './limits.ts'
import { checkSharedFolder, mailFilters, sharedFolder, sharedFrom } from './mail-filters.ts'
import { EmailName, Message, MessageChange } from './messages.ts'
import { route } from './route.ts'

export const LatestDraftOrMessage = Message.extend({
  object: z.enum(['message', 'draft']).meta({ description: 'Which of the two it is' }),
}).meta({
  id: 'LatestDraftOrMessage',
  description: 'The newest of a thread, a message or a draft, with its body',
})
export type LatestDraftOrMessage = z.output<typeof LatestDraftOrMessage>

export const Thread = z
  .object({
    id: z.string().meta({ description: 'Id of the thread: `thread_id` of its messages' }),
    grant_id: GrantId,
    object: z.literal('thread').meta({ description: 'What the object is: always `thread`' }),
    subject: z.string().optional().meta({ description: 'Subject of its first message' }),
    snippet: z
      .string()
      .optional()
      .meta({ description: 'The first 100 characters of the text of the message that was received last' }),
    latest_draft_or_message: LatestDraftOrMessage,
    has_attachments: z.boolean().meta({ description: 'Whether one of its messages or drafts has attachments' }),
    has_drafts: z.boolean().meta({ description: 'Whether an answer is begun and not sent' }),
    starred: z.boolean().meta({ description: 'Whether one of its messages is starred' }),
    unread: z.boolean().meta({ description: 'Whether one of its messages is unread; `false` when all are read' }),
    earliest_message_date: Timestamp.meta({ description: 'Date of its first message, in Unix seconds' }),
    latest_message_received_date: Timestamp.optional().meta({
      description: 'Date of the last message from others, in Unix seconds; left out where there is none',
    }),
    latest_message_sent_date: Timestamp.optional().meta({
      description: 'Date of the last message that the account sent, in Unix seconds; left out where there is none',
    }),
    participants: z.array(EmailName).meta({
      description: 'Everybody who stands in From, To or Cc of its messages, each address once',
    }),
    message_ids: z.array(z.string()).meta({ description: 'Ids of its messages, the newest first' }),
    draft_ids: z.array(z.string()).meta({ description: 'Ids of its drafts, the newest first' }),
    folders: z.array(z.string()).meta({ description: 'Ids of all folders that hold a message of the thread' }),
  })
  .meta({
    id: 'Thread',
    description:
      'A conversation: messages that answer each other, by `References` and `In-Reply-To` or as the provider groups them',
  })
export type Thread = z.output<typeof Thread>

export const ThreadChange = MessageChange.omit({ metadata: true }).meta({
  id: 'ThreadChange',
  description: 'What is to be another about a thread: it is done to every message of it',
})
export type ThreadChange = z.output<typeof ThreadChange>

export const ThreadListQuery = z
  .object({
    ...mailFilters,
    thread_id: identifierParam().meta({ description: 'The thread with this id alone' }),
    latest_message_before: timeParam().meta({
      description: 'Threads whose newest message is older than this time, in Unix seconds; the time itself is excluded',
    }),
    latest_message_after: timeParam().meta({
      description: 'Threads whose newest message is newer than this time, in Unix seconds; the time itself is excluded',
    }),
    earliest_message_date: timeParam().meta({
      description: 'Threads that began at this time or later, in Unix seconds',
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
    description: 'One thread with the ids of its messages and its newest message whole.',
    audience: 'grant',
    query: ThreadQuery,
    returns: Thread,
    errors: ['not_found'],
  }),
  update: route({
    method: 'PUT',
    path: `${at}/:thread_id`,
    summary: 'Mark, star or move all messages of a thread',
    description:
      'The change is made to each message of the thread; `folders` replaces the list of every one. What is left out stays as it is.',
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
    description: 'Nothing is deleted for ever: the messages lie in the trash, as after a deletion by the user.',
    audience: 'grant',
    query: z.object({ ...sharedFrom, ...sharedFolder }),
    errors: ['not_found'],
  }),
}
