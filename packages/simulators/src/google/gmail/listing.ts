// Lists of messages, threads and drafts: filtered, newest first, in pages.

import type { JsonObject } from '../../shared/http.ts'
import { GoogleError, invalidArgument } from '../errors.ts'
import { type ApiCall, booleanOf, integerOf } from '../http.ts'
import type { Mailbox } from './mailbox.ts'
import { findThread, mayReadBodies, threadSummary } from './resources.ts'
import { parseSearch } from './search.ts'
import type { StoredMessage } from './stored.ts'

const defaultResults = 100
const maxResults = 500

interface Dated {
  readonly id: string
  readonly at: number
}

export function listMessages(mailbox: Mailbox, call: ApiCall): JsonObject {
  const found = matching(mailbox, call)
  return page(call.query, found, 'messages', ({ message: { id, threadId } }) => ({ id, threadId }))
}

export function listThreads(mailbox: Mailbox, call: ApiCall): JsonObject {
  const threads = new Map<string, Dated>()
  for (const { message, at } of matching(mailbox, call)) {
    if (!threads.has(message.threadId)) threads.set(message.threadId, { id: message.threadId, at })
  }
  return page(call.query, [...threads.values()], 'threads', ({ id }) => threadSummary(id, findThread(mailbox, id)))
}

export function listDrafts(mailbox: Mailbox, call: ApiCall): JsonObject {
  const draftIds = new Map([...mailbox.drafts].map(([draftId, messageId]) => [messageId, draftId]))
  const found = matching(mailbox, call).flatMap((entry) => {
    const draftId = draftIds.get(entry.message.id)
    return draftId === undefined ? [] : [{ ...entry, draftId }]
  })
  return page(call.query, found, 'drafts', ({ draftId, message: { id, threadId } }) => ({
    id: draftId,
    message: { id, threadId },
  }))
}

/** The messages that have all `labelIds` and match `q`; trash and spam are included only on request. */
function matching(mailbox: Mailbox, { query, scopes, now }: ApiCall): (Dated & { message: StoredMessage })[] {
  const text = query.get('q') ?? ''
  if (text !== '' && !mayReadBodies(scopes)) {
    throw new GoogleError(403, 'forbidden', "Metadata scope does not support 'q' parameter")
  }
  const labelIds = query.getAll('labelIds')
  for (const id of labelIds) if (!mailbox.labels.has(id)) throw invalidArgument(`Invalid label: ${id}`)
  const search = parseSearch(text, { mailbox, now })
  const hidden = ['TRASH', 'SPAM'].filter((id) => !labelIds.includes(id))
  const showsAll = booleanOf(query, 'includeSpamTrash') || search.showsHidden
  const found: (Dated & { message: StoredMessage })[] = []
  for (const message of mailbox.messages.values()) {
    if (!labelIds.every((id) => message.labels.has(id))) continue
    if (!showsAll && hidden.some((id) => message.labels.has(id))) continue
    if (search.matches(message)) found.push({ id: message.id, at: message.internalDate, message })
  }
  return found.sort(newestFirst)
}

function page<T extends Dated>(
  query: URLSearchParams,
  found: readonly T[],
  name: string,
  show: (item: T) => JsonObject,
): JsonObject {
  const max = integerOf(query, 'maxResults', { fallback: defaultResults, max: maxResults }) || defaultResults
  const after = readToken(query.get('pageToken'))
  const rest = after === undefined ? found : found.filter((item) => newestFirst(after, item) < 0)
  const items = rest.slice(0, max)
  const last = items.at(-1)
  return {
    ...(items.length > 0 && { [name]: items.map(show) }),
    ...(last && items.length < rest.length && { nextPageToken: writeToken(last) }),
    resultSizeEstimate: found.length,
  }
}

function newestFirst(left: Dated, right: Dated): number {
  return right.at - left.at || (left.id < right.id ? 1 : left.id > right.id ? -1 : 0)
}

function writeToken({ id, at }: Dated): string {
  return Buffer.from(`${at}:${id}`).toString('base64url')
}

function readToken(token: string | null): Dated | undefined {
  if (token === null || token === '') return undefined
  const match = /^(-?\d+):([0-9a-f]+)$/.exec(Buffer.from(token, 'base64url').toString())
  if (match?.[1] === undefined || match[2] === undefined) throw invalidArgument('Invalid pageToken')
  return { at: Number(match[1]), id: match[2] }
}
