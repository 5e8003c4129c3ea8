/** Pages of verified grants, with filters and two possible orders. */
import { conferencingKinds, type Grant } from '@waypost/contract'
import { JsonTexts } from '@waypost/platform/json/values'
import {
  type Database,
  dynamic,
  type Engine,
  type Queries,
  type Statement,
  statement,
  type Value,
} from '../../engine/database.ts'
import { type GrantScope, scopedGrants } from './grant-scope.ts'

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
  /** The grants that the caller may see; undefined: all. */
  scope?: GrantScope | undefined
}
export interface GrantPosition {
  time: number
  id: string
}

export interface GrantPage {
  grants: JsonTexts<Grant>
  /** The position of the last grant, if more follow. */
  next: GrantPosition | undefined
}

/** A grant of a page on SQLite. */
interface GrantRow extends GrantPosition {
  document: string
}

/** A whole page on PostgreSQL. */
interface PageRow {
  documents: string | null
  edge: string | null
}

const emptyPage: GrantPage = { grants: new JsonTexts(''), next: undefined }

const by = (comparison: string) => (place: string) => `${comparison} ${place}`

/** All grants of an address: accounts that only create conferences have the kind in front of their keys. */
const ofAddress = (place: string): string =>
  `email_key in (${[place, ...[...conferencingKinds].map((kind) => `'${kind}:' || ${place}`)].join(', ')})`

/** The comparison of each filter with its one parameter. */
const comparisons = [
  ['since', by('created_at >=')],
  ['until', by('created_at <')],
  ['emailKey', ofAddress],
  ['status', by('status =')],
  ['ip', by('ip =')],
  ['provider', by('provider =')],
  ['workspaceId', by('workspace_id =')],
  ['connectorId', by('connector_id =')],
] as const

/** The statements for a page. Their parameters: application, filters, position, limit. */
interface PageStatements {
  /** The position before a page that starts at an offset; the offset is the last parameter. */
  skip: Statement<GrantPosition>
  read: Statement<PageRow>
  /** For SQLite, where one text of all documents takes longer than rows. One row more shows whether others follow. */
  rows: Statement<GrantRow>
}

/** Keyed by everything that affects the text: the filters in use, the order, and whether there is a position. */
const statements = new Map<number, PageStatements>()

function statementsFor(engine: Engine, filter: GrantFilter, isAfter: boolean): PageStatements {
  const { sortBy, order, accountIds } = filter
  // Without a name: a text for each length of a client's list would be too many prepared statements.
  if (accountIds || filter.scope) {
    return pageStatements(engine, filter, isAfter, (declared) => statement({ ...declared, name: '' }))
  }
  let form = (sortBy === 'created_at' ? 1 : 0) + (order === 'desc' ? 2 : 0) + (isAfter ? 4 : 0)
  let bit = 8
  for (const [name] of comparisons) {
    if (filter[name] !== undefined) form += bit
    bit *= 2
  }
  let known = statements.get(form)
  if (!known) {
    known = pageStatements(engine, filter, isAfter, dynamic)
    statements.set(form, known)
  }
  return known
}

function pageStatements(engine: Engine, filter: GrantFilter, isAfter: boolean, stated: typeof dynamic): PageStatements {
  let count = 1
  const next = (): string => `$${++count}`
  // Column names and directions come from the two lists in GrantFilter; values are always bound.
  const { sortBy, order, accountIds } = filter
  const where = [`application_id = $1`, `status <> 'unverified'`]
  for (const [name, compare] of comparisons) if (filter[name] !== undefined) where.push(compare(next()))
  if (accountIds) where.push(accountIds.length > 0 ? `account_id in (${accountIds.map(next).join(', ')})` : 'false')
  for (const condition of scopedGrants(engine, filter.scope)) where.push(condition(next))
  const inOrder = `order by ${sortBy} ${order}, id ${order}`
  // Uses the index only and reads no documents before the page.
  const skip = `select id, ${sortBy} as time from grants where ${where.join(' and ')} ${inOrder} limit 1 offset $${count + 1}`
  if (isAfter) where.push(`(${sortBy}, id) ${order === 'desc' ? '<' : '>'} (${next()}, ${next()})`)
  // PostgreSQL sends one text: as rows, the documents would cost more than the rest of the request. `edge` contains the
  // position of the last grant, and that of the next one if there is any. An index finds both.
  const from = `from grants where ${where.join(' and ')} ${inOrder}`
  const limit = next()
  const documents = `(select string_agg(document, ',') from (select document ${from} limit ${limit}) page)`
  const edge = `(select string_agg(time || ' ' || id, ',') from (select ${sortBy} as time, id ${from} limit 2 offset ${limit} - 1) edge)`
  const page = `select ${documents} as documents, ${edge} as edge`
  return {
    skip: stated<GrantPosition>({ name: 'grants.skip', text: skip }),
    read: stated<PageRow>({ name: 'grants.page', text: page }),
    rows: stated<GrantRow>({
      name: 'grants.pageRows',
      text: `select ${sortBy} as time, id, document ${from} limit ${limit} + 1`,
    }),
  }
}

interface GrantPageQuery {
  limit: number
  offset: number
  after?: GrantPosition | undefined
}

/** At most `limit` verified grants after a position or an offset. */
export async function readGrantPage(
  queries: Queries & Pick<Database, 'engine'>,
  applicationId: string,
  filter: GrantFilter,
  { limit, offset, after }: GrantPageQuery,
): Promise<GrantPage> {
  const values: Value[] = [applicationId]
  for (const [name] of comparisons) {
    const value = filter[name]
    if (value !== undefined) values.push(value)
  }
  if (filter.accountIds) values.push(...filter.accountIds)
  for (const condition of scopedGrants(queries.engine, filter.scope)) condition((value) => `$${values.push(value)}`)
  const place =
    offset === 0 ? after : await queries.get(statementsFor(queries.engine, filter, false).skip, [...values, offset - 1])
  // The offset is beyond the last grant.
  if (offset > 0 && !place) return emptyPage
  if (place) values.push(place.time, place.id)
  const { read, rows } = statementsFor(queries.engine, filter, place !== undefined)
  values.push(limit)
  if (queries.engine === 'sqlite') return pageOfRows(await queries.all(rows, values), limit)
  const row = await queries.get(read, values)
  return row ? pageOf(row) : emptyPage
}

function pageOfRows(rows: readonly GrantRow[], limit: number): GrantPage {
  const page = rows.slice(0, limit)
  return {
    grants: new JsonTexts(page.map(({ document }) => document).join(',')),
    next: rows.length > limit ? page.at(-1) : undefined,
  }
}

function pageOf({ documents, edge }: PageRow): GrantPage {
  const [last = '', following] = edge?.split(',') ?? []
  const [time, id = ''] = last.split(' ')
  return {
    grants: new JsonTexts(documents ?? ''),
    next: following === undefined ? undefined : { time: Number(time), id },
  }
}
