/** Verified grants in pages, by filters and in either of two orders. */
import type { Grant } from '@waypost/contract'
import { JsonTexts } from '../lib/json-text.ts'
import { dynamic, kept, type Queries, type Statement, sql, type Value } from './database.ts'

export interface GrantFilter {
  sortBy: 'created_at' | 'updated_at'
  order: 'asc' | 'desc'
  since?: number
  /** Exclusive, in milliseconds. */
  until?: number
  emailKey?: string
  status?: 'valid' | 'invalid'
  ip?: string
  provider?: string
  accountIds?: readonly string[]
  workspaceId?: string
  connectorId?: string
}
export interface GrantPosition {
  time: number
  id: string
}

export interface GrantPage {
  grants: JsonTexts<Grant>
  /** The position of the last of them, where more follow. */
  next: GrantPosition | undefined
}

interface PageRow {
  documents: string | null
  edge: string | null
}

const emptyPage: GrantPage = { grants: new JsonTexts(''), next: undefined }

/** What was made of rows that the store keeps. */
const pages = new WeakMap<PageRow, GrantPage>()

/** Verified grants after a position (or past an offset), at most `limit`. */
export async function readGrantPage(
  queries: Queries,
  applicationId: string,
  filter: GrantFilter,
  page: { limit: number; offset: number; after?: GrantPosition },
): Promise<GrantPage> {
  const parameters: Value[] = [applicationId]
  const bind = (value: Value): string => `$${parameters.push(value)}`
  // Column names and directions come from the two lists in GrantFilter, values are always bound.
  const { sortBy, order } = filter
  const where = [`application_id = $1`, `status <> 'unverified'`]
  if (filter.since !== undefined) where.push(`created_at >= ${bind(filter.since)}`)
  if (filter.until !== undefined) where.push(`created_at < ${bind(filter.until)}`)
  if (filter.emailKey !== undefined) where.push(`email_key = ${bind(filter.emailKey)}`)
  if (filter.status !== undefined) where.push(`status = ${bind(filter.status)}`)
  if (filter.ip !== undefined) where.push(`ip = ${bind(filter.ip)}`)
  if (filter.provider !== undefined) where.push(`provider = ${bind(filter.provider)}`)
  if (filter.workspaceId !== undefined) where.push(`workspace_id = ${bind(filter.workspaceId)}`)
  if (filter.connectorId !== undefined) where.push(`connector_id = ${bind(filter.connectorId)}`)
  const { accountIds } = filter
  if (accountIds) where.push(accountIds.length > 0 ? `account_id in (${accountIds.map(bind).join(', ')})` : 'false')
  // A text for each length of a client's list is too many to keep prepared: those have no name.
  const stated = <T>(name: string, text: string): Statement<T> =>
    accountIds ? sql<T>('', text) : dynamic<T>(name, text)
  const inOrder = `order by ${sortBy} ${order}, id ${order}`
  let { after } = page
  if (page.offset > 0) {
    // The place before the page by an index alone: the documents before it are not read.
    const text = `select id, ${sortBy} as time from grants where ${where.join(' and ')} ${inOrder} limit 1 offset $${parameters.length + 1}`
    after = await queries.get(stated<GrantPosition>('grants.skip', text), [...parameters, page.offset - 1])
    if (!after) return emptyPage
  }
  if (after) {
    where.push(`(${sortBy}, id) ${order === 'desc' ? '<' : '>'} (${bind(after.time)}, ${bind(after.id)})`)
  }
  // The documents as one text: as rows they cost more than all else in the request. The last of the page stands at its edge
  // together with the first behind it, if there is one; an index finds both.
  const from = `from grants where ${where.join(' and ')} ${inOrder}`
  const limit = bind(page.limit)
  const documents = `(select string_agg(document, ',') from (select document ${from} limit ${limit}) page)`
  const edge = `(select string_agg(time || ' ' || id, ',') from (select ${sortBy} as time, id ${from} limit 2 offset ${limit} - 1) edge)`
  const read = kept(stated<PageRow>('grants.page', `select ${documents} as documents, ${edge} as edge`))
  // Of all that is in the page and at its edge: what the tag says to be the same is not put together.
  const hashed = `select ${sortBy} as time, id, hashtextextended(document, 0) as content ${from} limit ${limit} + 1`
  const tag = `(select cast(hashtextextended(string_agg(time || ' ' || id || ' ' || content, ','), 0) as text) from (${hashed}) listed)`
  const unless = `case when tag = $${parameters.length + 1} then null else`
  const tagged = stated<PageRow & { tag: string | null }>(
    'grants.pageTagged',
    `select tag, ${unless} ${documents} end as documents, ${unless} ${edge} end as edge from (select ${tag} as tag) made`,
  )
  const row = await queries.get({ ...read, tagged }, parameters)
  if (!row) return emptyPage
  const known = pages.get(row) ?? pageOf(row)
  if (Object.isFrozen(row)) pages.set(row, known)
  return known
}

function pageOf({ documents, edge }: PageRow): GrantPage {
  const [last = '', following] = edge?.split(',') ?? []
  const [time, id = ''] = last.split(' ')
  return {
    grants: new JsonTexts(documents ?? ''),
    next: following === undefined ? undefined : { time: Number(time), id },
  }
}
