/** Lists of Gmail: a page of ids, and the token of the next page. */

import { ApiError, invalidField } from '@waypost/platform/api-error'
import type { JsonValue } from '@waypost/platform/json/guard'
import { object, type Read, readableItems, text } from '@waypost/platform/json/reader'
import type { Filters } from '../../mail/search.ts'
import type { Page } from '../../operations.ts'
import { providerStatus } from '../../shared/refusal.ts'
import type { Session } from '../session.ts'
import { gmailId, isInvalidLabel, isMetadataOnly, me, unknownFolder } from './gmail-api.ts'
import { type Search, searchOf } from './mapping/query.ts'

/** A list under `users/me`. */
export type Kind = 'messages' | 'threads' | 'drafts'

const listed = object({ id: gmailId, threadId: gmailId }, {})
export type ListedId = Read<typeof listed>
/** A list of messages. */
export const messageList = object({}, { messages: readableItems(listed) })

export interface IdPage {
  ids: ListedId[]
  next?: string
}

const fieldsOf: Record<Kind, string> = {
  messages: 'messages(id,threadId),nextPageToken',
  threads: 'threads/id,nextPageToken',
  drafts: 'drafts(id,message/threadId),nextPageToken',
}

const listedDraft = object({ id: gmailId }, { message: object({}, { threadId: text }) })
const answer = object(
  {},
  {
    messages: readableItems(listed),
    threads: readableItems(object({ id: gmailId }, {})),
    drafts: readableItems(listedDraft),
    nextPageToken: text,
  },
)

/** The page token in a position. */
export const tokenOf = (position: JsonValue | undefined): string | undefined =>
  typeof position === 'string' ? position : undefined

/** Refuses a search if the grant may read only headers. */
function needText(session: Session): void {
  if (!isMetadataOnly(session)) return
  throw new ApiError('insufficient_scopes', 'with gmail.metadata nothing can be searched for: ask for gmail.readonly')
}

/** Checks filters that are not sent to Gmail, because the query names a thread. */
export function checkWithinThread(session: Session, filters: Filters): void {
  searchOf(filters)
  if (filters.q !== undefined) needText(session)
}

/** One page of the ids that a query finds. */
export async function listIds(
  session: Session,
  kind: Kind,
  { filters, count, token }: { filters: Filters; count: number; token: string | undefined },
): Promise<IdPage> {
  const { labelIds, ...search } = searchOf(filters)
  if (search.q !== undefined) needText(session)
  const words = kind === 'drafts' ? { ...search, q: draftWords({ labelIds, ...search }) } : { ...search, labelIds }
  const query = { ...words, maxResults: count, pageToken: token, fields: fieldsOf[kind] }
  try {
    const { messages, threads, drafts, nextPageToken } = await session.call('gmail', 'GET', `${me}/${kind}`, {
      query,
      read: answer,
    })
    const found =
      messages ??
      threads?.map(({ id }) => ({ id, threadId: id })) ??
      drafts?.map(({ id, message }) => ({ id, threadId: message?.threadId ?? '' })) ??
      []
    return { ids: found, ...(nextPageToken ? { next: nextPageToken } : {}) }
  } catch (error) {
    throw refusedSearch(error, filters)
  }
}

/** Drafts are searched by words only. */
function draftWords({ q, labelIds = [] }: Omit<Search, 'includeSpamTrash'>): string | undefined {
  const words = labelIds.map((label) => `is:${label.toLowerCase()}`)
  const all = [...words, ...(q === undefined ? [] : [q])]
  return all.length > 0 ? all.join(' ') : undefined
}

/** Reports a folder or search that Gmail rejects as an error in the request. */
function refusedSearch(error: unknown, filters: Filters): unknown {
  if (providerStatus(error) === 404 || isInvalidLabel(error)) {
    if (filters.in !== undefined) return unknownFolder()
  }
  if (providerStatus(error) !== 400) return error
  if (filters.search_query_native === undefined) return error
  return invalidField('search_query_native', 'Gmail does not take this search')
}

/** Rounds of a list whose filter excludes most objects; a page may then have fewer objects than `limit`. */
const maxRounds = 10

/** A page of a list: `read` returns those of the objects with some ids that pass the filters. */
export async function listInRounds<T>(
  session: Session,
  kind: Kind,
  { filters, limit, at }: { filters: Filters; limit: number; at: JsonValue | undefined },
  read: (ids: readonly ListedId[]) => Promise<T[]>,
): Promise<Page<T>> {
  const items: T[] = []
  let token = tokenOf(at)
  for (let round = 0; round < maxRounds; round++) {
    const page = await listIds(session, kind, { filters, count: limit - items.length, token })
    items.push(...(await read(page.ids)))
    token = page.next
    if (token === undefined) return { items }
    if (items.length >= limit) break
    session.io.signal.throwIfAborted()
  }
  return { items, ...(token === undefined ? {} : { next: token }) }
}
