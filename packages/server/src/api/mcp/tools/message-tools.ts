/** Tools that read mail. */
import { Attachment, Folder, type Message, MessageListQuery, type Thread, ThreadListQuery } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { z } from 'zod'
import { attachmentLink } from '../attachment-links.ts'
import { authenticationOf } from '../content/authentication.ts'
import { Moment, momentOf } from '../content/moment.ts'
import { untrusted } from '../content/result-text.ts'
import { defineTool, type ToolUse } from './define-tool.ts'
import {
  listedFields,
  MessageRow,
  messageRow,
  ReadMessage,
  readRow,
  readText,
  ThreadRow,
  threadRow,
} from './message-rows.ts'
import {
  counted,
  identifierOf,
  itemOf,
  itemsOf,
  nextCursor,
  optionalSeconds,
  pageOf,
  pageQuery,
  paging,
  reads,
  Time,
  timezone,
} from './parts.ts'
import { mailSearchProblem, windowProblem } from './search-arguments.ts'
import { ToolFailure } from './tool-failures.ts'

const { q, subject, from, to, any_email, in: folder, unread, starred, has_attachment } = MessageListQuery.shape
const filters = { q, subject, from, to, any_email, in: folder, unread, starred, has_attachment }

/**
 * Fails if a search found nothing because its folder does not exist: some providers then find nothing instead of refusing,
 * and models pass names of folders.
 */
async function needFolder(
  { call, grantId }: ToolUse,
  found: readonly unknown[],
  id: string | undefined,
): Promise<void> {
  if (found.length > 0 || id === undefined) return
  const isKnown = await call('folders.get', { params: { grant_id: grantId, folder_id: id } }).then(
    () => true,
    (error: unknown) => !(error instanceof ToolFailure && error.answer.status === 404),
  )
  if (!isKnown) throw new ApiError('not_found', 'in: no folder has this id. list_folders has the ids, by name')
}

export const findMessages = defineTool({
  name: 'find_messages',
  title: 'Find messages',
  description:
    'Finds messages, newest first, by words, people, folder, state and time. Without filters: the newest messages of all folders. Read one with read_message.',
  operations: ['mail.read'],
  annotations: reads,
  grant: true,
  input: {
    ...filters,
    thread_id: MessageListQuery.shape.thread_id,
    received_after: Time.optional().meta({ description: 'Only messages received after this time' }),
    received_before: Time.optional().meta({ description: 'Only messages received before this time' }),
    ...paging,
    ...timezone,
  },
  refine: ({ received_after, received_before, ...search }) =>
    mailSearchProblem(search) ??
    windowProblem(['received_after', received_after], ['received_before', received_before]),
  output: { messages: z.array(MessageRow), ...nextCursor },
  run: async (use, { limit, cursor, timezone: zone, received_after, received_before, ...given }) => {
    const { call, grantId } = use
    const page = await call('messages.list', {
      params: { grant_id: grantId },
      query: {
        ...given,
        received_after: optionalSeconds(received_after),
        received_before: optionalSeconds(received_before),
        ...pageQuery({ limit, cursor }),
        select: listedFields,
      },
    })
    await needFolder(use, itemsOf(page), given.in)
    return pageOf<Partial<Message>>(page, { name: 'messages', one: 'message' }, (each) => messageRow(each, zone))
  },
})

const reading = {
  include_quoted: z
    .boolean()
    .default(false)
    .meta({ description: 'true: with the earlier messages that it quotes; default false' }),
}

/** Bytes of text in one result of `read_message`, and for each message of `read_thread`. */
const maxText = 20_000
const maxTextOfMany = 4_000

export const readMessage = defineTool({
  name: 'read_message',
  title: 'Read a message',
  description:
    'Reads one message as plain text, with its files and what the receiving server knows about its sender (SPF, DKIM, DMARC). Long text continues at next_offset.',
  operations: ['mail.read'],
  annotations: reads,
  grant: true,
  input: {
    message_id: identifierOf('message'),
    offset: z
      .int()
      .min(0)
      .default(0)
      .meta({ description: 'Where the text begins; `next_offset` of the previous part' }),
    ...reading,
    ...timezone,
  },
  output: { message: ReadMessage },
  run: async ({ call, grantId, context }, { message_id, offset, include_quoted, timezone: zone }) => {
    const params = { grant_id: grantId, message_id }
    const message = itemOf<Message>(await call('messages.get', { params, query: { fields: 'include_headers' } }))
    const read = await readText(context, message.body, { quoted: include_quoted, offset, max: maxText })
    const authentication = authenticationOf(message.headers)
    return { summary: 'One message.', row: { name: 'message', row: readRow(message, { zone, read, authentication }) } }
  },
})

export const findThreads = defineTool({
  name: 'find_threads',
  title: 'Find threads',
  description: 'Finds conversations, newest first, by words, people, folder and state. Read one with read_thread.',
  operations: ['mail.read'],
  annotations: reads,
  grant: true,
  input: {
    ...filters,
    latest_message_after: Time.optional().meta({ description: 'Only threads with a newer message than this time' }),
    latest_message_before: Time.optional().meta({
      description: ThreadListQuery.shape.latest_message_before.description,
    }),
    ...paging,
    ...timezone,
  },
  refine: ({ latest_message_after, latest_message_before, ...search }) =>
    mailSearchProblem(search) ??
    windowProblem(['latest_message_after', latest_message_after], ['latest_message_before', latest_message_before]),
  output: { threads: z.array(ThreadRow), ...nextCursor },
  run: async (use, args) => {
    const { call, grantId } = use
    const { limit, cursor, timezone: zone, latest_message_after, latest_message_before, ...given } = args
    const page = await call('threads.list', {
      params: { grant_id: grantId },
      query: {
        ...given,
        latest_message_after: optionalSeconds(latest_message_after),
        latest_message_before: optionalSeconds(latest_message_before),
        ...pageQuery({ limit, cursor }),
      },
    })
    await needFolder(use, itemsOf(page), given.in)
    return pageOf<Thread>(page, { name: 'threads', one: 'thread' }, (thread) => threadRow(thread, zone))
  },
})

export const readThread = defineTool({
  name: 'read_thread',
  title: 'Read a thread',
  description:
    'Reads the messages of a conversation as plain text, newest first, without what they quote. Long texts are cut; read_message has the rest.',
  operations: ['mail.read'],
  annotations: reads,
  grant: true,
  input: {
    thread_id: identifierOf('thread'),
    ...paging,
    limit: z.int().min(1).max(10).default(5).meta({ description: 'Messages of a page, 1 to 10; default 5' }),
    ...reading,
    ...timezone,
  },
  output: { messages: z.array(ReadMessage), ...nextCursor },
  run: async ({ call, grantId, context }, { thread_id, limit, cursor, include_quoted, timezone: zone }) => {
    const page = await call('messages.list', {
      params: { grant_id: grantId },
      query: { thread_id, ...pageQuery({ limit, cursor }) },
    })
    const messages = itemsOf<Message>(page)
    if (messages.length === 0 && cursor === undefined) {
      throw new ApiError('not_found', 'thread_id: no thread has this id. find_threads has the ids')
    }
    const part = { quoted: include_quoted, offset: 0, max: Math.min(maxTextOfMany, 24_000 / messages.length) }
    const rows = messages.map(async (message) => {
      const read = await readText(context, message.body, part)
      return readRow(message, { zone, read })
    })
    return {
      summary: counted(messages.length, 'message'),
      rows: { name: 'messages', rows: await Promise.all(rows) },
      nextCursor: page.next_cursor,
    }
  },
})

const { id, attributes, total_count, unread_count, parent_id, name } = Folder.shape

export const listFolders = defineTool({
  name: 'list_folders',
  title: 'List folders',
  description: 'Lists the folders or labels of the mailbox, with their ids and counts.',
  operations: ['mail.read'],
  annotations: reads,
  grant: true,
  input: paging,
  output: {
    folders: z.array(
      z.object({ id, attributes, total_count, unread_count, parent_id, untrusted: untrusted({ name }) }),
    ),
    ...nextCursor,
  },
  run: async ({ call, grantId }, args) => {
    const page = await call('folders.list', { params: { grant_id: grantId }, query: pageQuery(args) })
    return pageOf<Folder>(page, { name: 'folders', one: 'folder' }, (folder) => {
      const { id, attributes, total_count, unread_count, parent_id, name } = folder
      return { facts: { id, attributes, total_count, unread_count, parent_id }, untrusted: { name } }
    })
  },
})

const file = Attachment.shape

export const getAttachment = defineTool({
  name: 'get_attachment',
  title: 'Get an attachment',
  description:
    'Returns a link that downloads one file of a message for ten minutes without further credentials. Give it to nobody but the user.',
  operations: ['mail.read'],
  annotations: { ...reads, idempotentHint: false },
  grant: true,
  input: { message_id: identifierOf('message'), attachment_id: identifierOf('attachment, as read_message shows it') },
  output: {
    attachment: z.object({
      id: file.id,
      size: file.size,
      url: z.string().meta({ description: 'Downloads the file' }),
      expires_at: Moment,
      untrusted: untrusted({ filename: file.filename, content_type: file.content_type }),
    }),
  },
  run: async ({ call, grantId, context: { api, caller } }, { message_id, attachment_id }) => {
    const params = { grant_id: grantId, attachment_id }
    const found = itemOf<Attachment>(await call('attachments.get', { params, query: { message_id } }))
    const { type, id: credentialId } = caller.credential ?? { type: 'api_key' as const, id: caller.keyId ?? '' }
    const { url, expiresAt } = attachmentLink(api, {
      by: { applicationId: caller.id, type, id: credentialId },
      grantId: found.grant_id,
      messageId: message_id,
      attachmentId: found.id,
    })
    const { id, size, filename, content_type } = found
    const facts = { id, size, url, expires_at: momentOf(Math.floor(expiresAt / 1000), 'UTC') }
    return { summary: 'One file.', row: { name: 'attachment', row: { facts, untrusted: { filename, content_type } } } }
  },
})
