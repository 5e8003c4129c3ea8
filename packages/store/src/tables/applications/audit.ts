/** The audit log: changes by administrators, and their access to customer data. */
import { type Queries, sql } from '../../engine/database.ts'
import {
  among,
  type Condition,
  equal,
  type Keyset,
  type KeysetPage,
  type KeysetPosition,
  readKeyset,
  within,
} from '../../engine/keyset.ts'
import { nullable, number, type RowOf, table, text, word } from '../../engine/table.ts'

const audit = table('audit', {
  id: text,
  at: number,
  actor: word<'session' | 'password' | 'command' | 'service_account'>(),
  address: nullable(text),
  action: text,
  application_id: nullable(text),
  target: nullable(text),
  status: number,
  /** The grant concerned. */
  grant_id: nullable(text),
  kind: word<'change' | 'read'>(),
  /** The person or service account, and the name at that time; null if neither was involved. */
  person_id: nullable(text),
  person_name: nullable(text),
})
export type AuditRow = RowOf<typeof audit>

/** The position of the last entry of a page. */
export interface AuditPosition {
  at: number
  id: string
}

const { columns } = audit
const insert = audit.insert()

type Optional = 'grant_id' | 'kind' | 'person_id' | 'person_name'
/** A new entry. By default it is a change, without grant and person. */
export type NewAuditRow = Omit<AuditRow, Optional> & Partial<Pick<AuditRow, Optional>>

export const insertAudit = (queries: Queries, row: NewAuditRow): Promise<number> =>
  queries.run(...insert({ grant_id: null, kind: 'change', person_id: null, person_name: null, ...row }))

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

/** The prefix of an action filter such as `apiKeys.*`. */
const beginning = (action: string | undefined): string | undefined =>
  action?.endsWith('*') ? action.slice(0, -1) : undefined
/** Not LIKE, which would treat `_` as a wildcard. */
const beginningWith = (text: string): Condition[] => [
  (bind) => `substr(action, 1, ${bind(text.length)}) = ${bind(text)}`,
]

const outcomes: Record<'done' | 'refused', Condition> = { done: () => 'status < 400', refused: () => 'status >= 400' }

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
    ...(filter.reached ? [among('application_id', filter.reached)] : []),
    ...(filter.outcome ? [outcomes[filter.outcome]] : []),
  ]
  return {
    name: 'audit.list',
    keys: ['at', 'id'],
    order,
    walk: { from: 'audit', where: [...indexed, ...within('at', filter)] },
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

const older = audit.delete('purgeOld')`where at < $1`
const nth = sql<AuditPosition>('audit.nth')`select at, id from audit where kind = $2 order by at desc, id desc
   limit 1 offset $1`
const nthRefused = sql<AuditPosition>('audit.nthRefused')`select at, id from audit where status = 401
   order by at desc, id desc limit 1 offset $1`
const beyond = audit.delete('purgeBeyond')`where (at, id) <= ($1, $2) and kind = $3`
const refusedBeyond = audit.delete('purgeRefused')`where status = 401 and (at, id) <= ($1, $2)`

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
