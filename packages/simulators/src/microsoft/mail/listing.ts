// Lists of messages: which combinations of `$filter`, `$orderby` and `$search` are allowed.

import type { JsonObject } from '../../shared/http.ts'
import {
  type Matcher,
  parseKeywordQuery,
  QuerySyntaxError,
  type SearchedMessage,
} from '../../shared/mail/keyword-query.ts'
import { badRequest, GraphError } from '../errors.ts'
import type { GraphAnswer, GraphCall } from '../http.ts'
import { type ItemOptions, listAnswer } from '../odata/collection.ts'
import { unknownProperty } from '../odata/entity.ts'
import { pathsOf } from '../odata/evaluate.ts'
import type { Expansion } from '../odata/query.ts'
import { optionOf, readQuery } from '../odata/query.ts'
import type { Mailbox } from './mailbox.ts'
import { ATTACHMENT, attachmentJson, filterJson, MESSAGE, messageJson } from './message-json.ts'
import type { StoredAttachment, StoredFolder, StoredMessage } from './stored.ts'

const maxHits = 1000
/** Properties that Exchange cannot filter by: it has no index for them. */
const notFilterable = [
  'toRecipients',
  'ccRecipients',
  'bccRecipients',
  'replyTo',
  'body',
  'uniqueBody',
  'attachments',
  'internetMessageHeaders',
]
const filterable = [...MESSAGE.properties, ...(MESSAGE.navigations ?? [])]
const anyAttachment = ['id', 'lastModifiedDateTime', 'name', 'contentType', 'size', 'isInline']
/** The properties that `Mail.ReadBasic` omits. */
const notBasic = ['body', 'bodyPreview', 'uniqueBody', 'internetMessageHeaders']

export function listMessages(call: GraphCall, mailbox: Mailbox, folder?: StoredFolder): GraphAnswer {
  const { filter, orderBy, search, skip } = readQuery(call.query)
  const options = messageOptions(call, folder)
  if (search === undefined) {
    checkFilter(
      filter === undefined ? [] : pathsOf(filter),
      orderBy.map(({ path }) => path),
      filter !== undefined,
    )
    return listAnswer(call, mailbox.list(folder), options)
  }
  if (orderBy.length > 0)
    throw new GraphError(400, 'SearchWithOrderBy', "The query parameter '$orderby' is not supported with '$search'.")
  if (filter !== undefined)
    throw new GraphError(400, 'SearchWithFilter', "The query parameter '$filter' is not supported with '$search'.")
  if (skip > 0 && optionOf(call.query, '$skiptoken') === undefined) {
    throw new GraphError(400, 'SearchWithSkip', "The query parameter '$skip' is not supported with '$search'.")
  }
  const matches = searchOf(search, call.now)
  const hits = mailbox
    .list(folder)
    .filter((message) => matches(searched(message)))
    .sort((left, right) => (right.content.sentAt ?? right.receivedAt) - (left.content.sentAt ?? left.receivedAt))
  return listAnswer(call, hits.slice(0, maxHits), { ...options, paging: 'token', pageSize: 25 })
}

function searchOf(text: string, now: number): Matcher {
  try {
    return parseKeywordQuery(text, { now })
  } catch (error) {
    if (error instanceof QuerySyntaxError) throw badRequest(error.message)
    throw error
  }
}

function searched({ content, attachments, marks, receivedAt, raw }: StoredMessage): SearchedMessage {
  const { isRead, categories, flag } = marks
  const isFlagged = flag.flagStatus === 'flagged'
  return { content, attachments, isRead, categories, isFlagged, receivedAt, size: raw?.length ?? 0, kind: 'email' }
}

export function messageOptions(call: GraphCall, folder?: StoredFolder): ItemOptions<StoredMessage> {
  const { owner, prefer, caller } = call
  const inFolder = folder === undefined ? '' : `/mailFolders('${encodeURIComponent(folder.id)}')`
  const isBasic = ['Mail.Read', 'Mail.ReadWrite'].every(
    (scope) => !caller.scopes.has(scope) && !caller.scopes.has(`${scope}.Shared`),
  )
  return {
    type: MESSAGE,
    context: `users('${owner.id}')${inFolder}/messages`,
    filterJson,
    json: (message) => (isBasic ? basic(messageJson(message, prefer)) : messageJson(message, prefer)),
    expand: (message, expansion) => expanded(call, message, expansion),
  }
}

function expanded({ prefer }: GraphCall, message: StoredMessage, { name, select }: Expansion): unknown {
  if (name !== 'attachments') return []
  return message.attachments.map((attachment) => {
    const json = attachmentJson(message, attachment, prefer)
    if (select === undefined) return json
    const names = select.map((name) => selectedName(name, attachment))
    const retained = Object.entries(json).filter(([key]) => key.startsWith('@') || key === 'id' || names.includes(key))
    return Object.fromEntries(retained)
  })
}

/** Properties of all attachments are selected by name; properties of one kind need the type as a prefix. */
function selectedName(name: string, { kind }: StoredAttachment): string {
  const [, type, own] = /^microsoft\.graph\.(\w+)Attachment\/(\w+)$/.exec(name) ?? []
  if (own !== undefined) return type === kind ? own : ''
  if (anyAttachment.includes(name)) return name
  throw unknownProperty(ATTACHMENT, name, 'Select and Expand')
}

function basic(json: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(json).filter(([name]) => !notBasic.includes(name)))
}

/** Properties in `$orderby` must come first in `$filter`, in the same order. Not every property can be filtered. */
function checkFilter(filtered: readonly string[], ordered: readonly string[], hasFilter: boolean): void {
  const unknown = filtered.find((path) => !filterable.includes(path.split('/')[0] ?? ''))
  if (unknown !== undefined) throw unknownProperty(MESSAGE, unknown, 'Filter')
  const [unfit] = filtered.filter((path) => notFilterable.includes(path.split('/')[0] ?? ''))
  if (unfit !== undefined) {
    throw new GraphError(400, 'ErrorInvalidUrlQueryFilter', 'The query filter contains one or more invalid nodes.')
  }
  if (!hasFilter || ordered.length === 0) return
  const distinct = [...new Set(filtered)]
  if (ordered.every((path, index) => distinct[index] === path)) return
  throw new GraphError(400, 'InefficientFilter', 'The restriction or sort order is too complex for this operation.')
}
