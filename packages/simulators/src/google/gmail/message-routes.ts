// users.messages

import type { JsonObject } from '../../shared/http.ts'
import { headerValue, parseMime } from '../../shared/mail/mime.ts'
import { invalidArgument } from '../errors.ts'
import { type ApiCall, type ApiRoute, booleanOf } from '../http.ts'
import { changeableLabels } from './labels.ts'
import { listMessages } from './listing.ts'
import type { Mailbox } from './mailbox.ts'
import { attachmentResource, findMessage, formatOf, messageReference, messageResource } from './resources.ts'
import { gmailRoute, MAIL, uploadRoutes } from './route.ts'
import { sendMessage } from './sending.ts'
import type { StoredMessage } from './stored.ts'
import type { Upload } from './uploads.ts'

const READ = [MAIL, 'gmail.modify', 'gmail.readonly', 'gmail.metadata']
const modify = [MAIL, 'gmail.modify']
const INSERT = [MAIL, 'gmail.modify', 'gmail.insert']
export const listQuery = ['includeSpamTrash', 'labelIds', 'maxResults', 'pageToken', 'q']
const maxBatch = 1000

export const messageRoutes: readonly ApiRoute[] = [
  gmailRoute({
    on: 'GET /messages',
    scopes: READ,
    query: listQuery,
    handle: (mailbox, call) => ({ json: listMessages(mailbox, call) }),
  }),
  gmailRoute({
    on: 'GET /messages/:id',
    scopes: READ,
    query: ['format', 'metadataHeaders'],
    handle(mailbox, call) {
      const format = formatOf(call)
      return { json: messageResource(findMessage(mailbox, call.params.id ?? ''), format) }
    },
  }),
  gmailRoute({
    on: 'GET /messages/:messageId/attachments/:id',
    scopes: [MAIL, 'gmail.modify', 'gmail.readonly'],
    handle(mailbox, { params }) {
      return { json: attachmentResource(findMessage(mailbox, params.messageId ?? ''), params.id ?? '') }
    },
  }),
  ...uploadRoutes({
    on: 'POST /messages/send',
    scopes: [MAIL, 'gmail.modify', 'gmail.compose', 'gmail.send'],
    handle(mailbox, { resource, raw }) {
      const { threadId } = resource
      return { json: messageReference(sendMessage(mailbox, { raw: required(raw), threadId: textOrNone(threadId) })) }
    },
  }),
  ...uploadRoutes({
    on: 'POST /messages',
    scopes: INSERT,
    query: ['internalDateSource', 'deleted'],
    handle: (mailbox, upload, call) => ({ json: messageReference(insert(mailbox, upload, call, 'receivedTime')) }),
  }),
  ...uploadRoutes({
    on: 'POST /messages/import',
    scopes: INSERT,
    query: ['internalDateSource', 'deleted', 'neverMarkSpam', 'processForCalendar'],
    handle: (mailbox, upload, call) => ({ json: messageReference(insert(mailbox, upload, call, 'dateHeader')) }),
  }),
  gmailRoute({
    on: 'POST /messages/:id/modify',
    scopes: modify,
    handle(mailbox, { params, json }) {
      const message = findMessage(mailbox, params.id ?? '')
      modifyLabels(mailbox, [message], json())
      return { json: messageReference(message) }
    },
  }),
  gmailRoute({
    on: 'POST /messages/batchModify',
    scopes: modify,
    handle(mailbox, { json }) {
      modifyLabels(mailbox, batchMessages(mailbox, json()), json())
      return {}
    },
  }),
  gmailRoute({
    on: 'POST /messages/batchDelete',
    scopes: [MAIL],
    handle(mailbox, { json }) {
      for (const message of batchMessages(mailbox, json())) mailbox.remove(message)
      return {}
    },
  }),
  gmailRoute({
    on: 'POST /messages/:id/trash',
    scopes: modify,
    handle(mailbox, { params }) {
      const message = findMessage(mailbox, params.id ?? '')
      mailbox.trash(message)
      return { json: messageReference(message) }
    },
  }),
  gmailRoute({
    on: 'POST /messages/:id/untrash',
    scopes: modify,
    handle(mailbox, { params }) {
      const message = findMessage(mailbox, params.id ?? '')
      mailbox.untrash(message)
      return { json: messageReference(message) }
    },
  }),
  gmailRoute({
    on: 'DELETE /messages/:id',
    scopes: [MAIL],
    handle(mailbox, { params }) {
      mailbox.remove(findMessage(mailbox, params.id ?? ''))
      return {}
    },
  }),
]

/** Changes the labels of messages as `addLabelIds` and `removeLabelIds` of a request say. */
export function modifyLabels(mailbox: Mailbox, messages: readonly StoredMessage[], body: JsonObject): void {
  const add = changeableLabels(mailbox, body.addLabelIds)
  const remove = changeableLabels(mailbox, body.removeLabelIds)
  if (add.length + remove.length === 0) throw invalidArgument('No label add or removes specified')
  if (add.some((id) => remove.includes(id))) throw invalidArgument('Cannot both add and remove the same label')
  const leaves = add.includes('TRASH') || add.includes('SPAM') ? ['INBOX'] : []
  for (const message of messages) mailbox.relabel(message, add, [...remove, ...leaves])
}

/** The content of a message, for calls that require it. */
export function required(raw: Uint8Array | undefined): Uint8Array {
  if (raw !== undefined && raw.length > 0) return raw
  throw invalidArgument("'raw' RFC822 payload message string or uploading message via /upload/* URL required")
}

export function textOrNone(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Messages that do not exist are skipped. */
function batchMessages({ messages }: Mailbox, { ids }: JsonObject): StoredMessage[] {
  if (!Array.isArray(ids) || ids.length === 0) throw invalidArgument('No message ids specified')
  if (ids.length > maxBatch) throw invalidArgument('Too many message ids specified')
  return ids.flatMap((id) => messages.get(String(id)) ?? [])
}

function insert(
  mailbox: Mailbox,
  { resource, raw }: Upload,
  { query, now }: ApiCall,
  defaultSource: string,
): StoredMessage {
  const content = required(raw)
  const labels = Array.isArray(resource.labelIds) ? resource.labelIds.map(String) : []
  for (const id of labels) if (!mailbox.labels.has(id)) throw invalidArgument(`Invalid label: ${id}`)
  const date = Date.parse(headerValue(parseMime(content), 'date') ?? '')
  const source = query.get('internalDateSource') ?? defaultSource
  const internalDate = source === 'dateHeader' && !Number.isNaN(date) ? date : now
  const message = mailbox.add({ raw: content, labels, internalDate, threadId: textOrNone(resource.threadId) })
  // Deleted immediately: in the real product, it remains only in archives such as Vault.
  if (booleanOf(query, 'deleted')) mailbox.remove(message)
  return message
}
