/** Who changed what. */
import { dynamic, type Queries, sql, type Value } from './database.ts'

export interface AuditRow {
  id: string
  at: number
  actor: 'session' | 'password' | 'command'
  address: string | null
  action: string
  application_id: string | null
  target: string | null
  status: number
}

/** Where a page ends. */
export interface AuditPosition {
  at: number
  id: string
}

const columns = 'id, at, actor, address, action, application_id, target, status'
const insert = sql('audit.insert', `insert into audit (${columns}) values ($1, $2, $3, $4, $5, $6, $7, $8)`)

export const insertAudit = (queries: Queries, row: AuditRow): Promise<number> =>
  queries.run(insert, [row.id, row.at, row.actor, row.address, row.action, row.application_id, row.target, row.status])

/** Entries, the newest first. */
export function listAudit(
  queries: Queries,
  filter: { applicationId?: string | undefined; action?: string | undefined },
  page: { after?: AuditPosition | undefined; limit: number },
): Promise<AuditRow[]> {
  const values: Value[] = [page.limit]
  const add = (value: Value): string => `$${values.push(value)}`
  const where = [
    ...(filter.applicationId === undefined ? [] : [`application_id = ${add(filter.applicationId)}`]),
    ...(filter.action === undefined ? [] : [`action = ${add(filter.action)}`]),
    ...(page.after ? [`(at, id) < (${add(page.after.at)}, ${add(page.after.id)})`] : []),
  ]
  const condition = where.length > 0 ? `where ${where.join(' and ')}` : ''
  const text = `select ${columns} from audit ${condition} order by at desc, id desc limit $1`
  return queries.all(dynamic<AuditRow>('audit.list', text), values)
}

const older = sql('audit.purgeOld', 'delete from audit where at < $1')
const nth = sql<AuditPosition>('audit.nth', 'select at, id from audit order by at desc, id desc limit 1 offset $1')
const nthRefused = sql<AuditPosition>(
  'audit.nthRefused',
  'select at, id from audit where status = 401 order by at desc, id desc limit 1 offset $1',
)
const beyond = sql('audit.purgeBeyond', 'delete from audit where (at, id) <= ($1, $2)')
const refusedBeyond = sql('audit.purgeRefused', 'delete from audit where status = 401 and (at, id) <= ($1, $2)')

/**
 * Removes what is older than `before`, and the oldest beyond a number. Refused sign-ins have a number of their own, so
 * that nobody pushes out what was done by trying passwords.
 */
export async function purgeAudit(
  queries: Queries,
  keep: { before: number; entries: number; refused: number },
): Promise<void> {
  await queries.run(older, [keep.before])
  const refused = await queries.get(nthRefused, [keep.refused])
  if (refused) await queries.run(refusedBeyond, [refused.at, refused.id])
  const last = await queries.get(nth, [keep.entries])
  if (last) await queries.run(beyond, [last.at, last.id])
}
