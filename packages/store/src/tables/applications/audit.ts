/** The audit log: changes by administrators, and their access to customer data. */
import { type Queries, sql, type Value } from '../../engine/database.ts'
import { type Condition, type Keyset, type KeysetPage, type KeysetPosition, readKeyset } from '../../engine/keyset.ts'

export interface AuditRow {
  id: string
  at: number
  actor: 'session' | 'password' | 'command' | 'service_account'
  address: string | null
  action: string
  application_id: string | null
  target: string | null
  status: number
  /** The grant concerned. */
  grant_id: string | null
  kind: 'change' | 'read'
  /** The person or service account, and the name at that time; null if neither was involved. */
  person_id: string | null
  person_name: string | null
}

/** The position of the last entry of a page. */
export interface AuditPosition {
  at: number
  id: string
}

const columns = 'id, at, actor, address, action, application_id, target, status, grant_id, kind, person_id, person_name'
const insert = sql({
  name: 'audit.insert',
  text: `insert into audit (${columns}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
})

type Optional = 'grant_id' | 'kind' | 'person_id' | 'person_name'
/** A new entry. By default it is a change, without grant and person. */
export type NewAuditRow = Omit<AuditRow, Optional> & Partial<Pick<AuditRow, Optional>>

export const insertAudit = (queries: Queries, row: NewAuditRow): Promise<number> =>
  queries.run(insert, [
    ...[row.id, row.at, row.actor, row.address, row.action, row.application_id, row.target, row.status],
    ...[row.grant_id ?? null, row.kind ?? 'change', row.person_id ?? null, row.person_name ?? null],
  ])

export interface AuditFilter {
  applicationId?: string | undefined
  /** The id of a route, or a prefix followed by `*`. */
  action?: string | undefined
  actor?: AuditRow['actor'] | undefined
  target?: string | undefined
  grantId?: string | undefined
  kind?: AuditRow['kind'] | undefined
  /** Actions of this person. */
  personId?: string | undefined
  /** Entries about one of these applications. */
  reached?: readonly string[] | undefined
  outcome?: 'done' | 'refused' | undefined
  /** Milliseconds; `since` is inclusive, `before` is exclusive. */
  since?: number | undefined
  before?: number | undefined
}

const equal = (column: string, value: Value | undefined): Condition[] =>
  value === undefined ? [] : [(bind) => `${column} = ${bind(value)}`]

/** The prefix of an action filter such as `apiKeys.*`. */
const beginning = (action: string | undefined): string | undefined =>
  action?.endsWith('*') ? action.slice(0, -1) : undefined
/** Not LIKE, which would treat `_` as a wildcard. */
const beginningWith = (text: string): Condition[] => [
  (bind) => `substr(action, 1, ${bind(text.length)}) = ${bind(text)}`,
]

const outcomes: Record<'done' | 'refused', Condition> = { done: () => 'status < 400', refused: () => 'status >= 400' }

/** An empty list matches no entry. */
const isAbout =
  (applications: readonly string[]): Condition =>
  (bind) =>
    applications.length > 0 ? `application_id in (${applications.map(bind).join(', ')})` : '1 = 0'

/** The list in order of time. One filter uses its index, the others apply to the rows found. */
function auditKeyset(filter: AuditFilter, order: 'asc' | 'desc'): Keyset {
  const start = beginning(filter.action)
  const byIndex = [
    equal('target', filter.target),
    equal('grant_id', filter.grantId),
    equal('person_id', filter.personId),
    start === undefined ? equal('action', filter.action) : [],
    equal('application_id', filter.applicationId),
    equal('kind', filter.kind),
  ].filter((each) => each.length > 0)
  const [indexed = [], ...rest] = byIndex
  const others = [
    ...rest.flat(),
    ...(start ? beginningWith(start) : []),
    ...equal('actor', filter.actor),
    ...(filter.reached ? [isAbout(filter.reached)] : []),
    ...(filter.outcome ? [outcomes[filter.outcome]] : []),
  ]
  const { since, before } = filter
  const span: Condition[] = [
    ...(since === undefined ? [] : [((bind) => `at >= ${bind(since)}`) satisfies Condition]),
    ...(before === undefined ? [] : [((bind) => `at < ${bind(before)}`) satisfies Condition]),
  ]
  return {
    name: 'audit.list',
    keys: ['at', 'id'],
    order,
    walk: { from: 'audit', where: [...indexed, ...span] },
    read: { columns, from: 'audit', where: others },
    sparse: others.length > 0,
  }
}

/** A page of entries in order of time. */
export const listAudit = (
  queries: Queries,
  filter: AuditFilter,
  { order, ...page }: { order: 'asc' | 'desc'; after?: KeysetPosition | undefined; limit: number },
): Promise<KeysetPage<AuditRow>> => readKeyset(queries, [auditKeyset(filter, order)], page)

const older = sql({ name: 'audit.purgeOld', text: 'delete from audit where at < $1' })
const nth = sql<AuditPosition>({
  name: 'audit.nth',
  text: 'select at, id from audit where kind = $2 order by at desc, id desc limit 1 offset $1',
})
const nthRefused = sql<AuditPosition>({
  name: 'audit.nthRefused',
  text: 'select at, id from audit where status = 401 order by at desc, id desc limit 1 offset $1',
})
const beyond = sql({ name: 'audit.purgeBeyond', text: 'delete from audit where (at, id) <= ($1, $2) and kind = $3' })
const refusedBeyond = sql({
  name: 'audit.purgeRefused',
  text: 'delete from audit where status = 401 and (at, id) <= ($1, $2)',
})

/**
 * Deletes entries older than `before`, and the oldest ones beyond a maximum number. Rejected sign-ins and reads have
 * their own maximum, so that guessing passwords or reading cannot push out recorded changes.
 */
export async function purgeAudit(
  queries: Queries,
  keep: { before: number; entries: number; refused: number; reads: number },
): Promise<void> {
  await queries.run(older, [keep.before])
  const refused = await queries.get(nthRefused, [keep.refused])
  if (refused) await queries.run(refusedBeyond, [refused.at, refused.id])
  for (const [kind, entries] of [['change', keep.entries] as const, ['read', keep.reads] as const]) {
    const last = await queries.get(nth, [entries, kind])
    if (last) await queries.run(beyond, [last.at, last.id, kind])
  }
}
