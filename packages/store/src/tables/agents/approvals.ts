/**
 * Approvals as they are stored. Every change of state compares the state before, so an approval is decided once and
 * settled once, whoever tries.
 */
import type { ApprovalKind, ApprovalStatus } from '@waypost/contract'
import { type Queries, sql } from '../../engine/database.ts'
import { among, equal, type Keyset, type KeysetPage, type KeysetPosition, readKeyset } from '../../engine/keyset.ts'
import { nullable, number, type RowOf, table, text, word } from '../../engine/table.ts'

const approvals = table('approvals', {
  id: text,
  application_id: text,
  /** null for an action of the application. */
  grant_id: nullable(text),
  credential_type: word<'api_key' | 'agent'>(),
  credential_id: text,
  kind: word<ApprovalKind>(),
  operation: text,
  status: word<ApprovalStatus>(),
  /** Of the stored request. */
  bytes: number,
  sealed_document: text,
  sealed_outcome: nullable(text),
  /** Milliseconds. */
  decided_at: nullable(number),
  expires_at: number,
  created_at: number,
  updated_at: number,
})
export type ApprovalRow = RowOf<typeof approvals>

export interface ApprovalAddress {
  applicationId: string
  id: string
}

const { columns } = approvals

const insert = approvals.insert()
const byId = approvals.select('byId')`where application_id = $1 and id = $2`
const open = sql<{ credential_id: string; n: number; bytes: number }>('approvals.open')`
   select credential_id, count(*) as n, cast(sum(bytes) as bigint) as bytes from approvals
   where application_id = $1 and status in ('pending', 'approved') group by credential_id`
const decide = approvals.update('decide')`set status = $3, sealed_outcome = $4, decided_at = $5, updated_at = $5
   where application_id = $1 and id = $2 and status = 'pending' and expires_at > $5`
const expire = approvals.update('expire')`set status = 'expired', updated_at = $3
   where application_id = $1 and id = $2 and status = 'pending' and expires_at <= $3`
const settle = approvals.update('settle')`set status = $3, sealed_outcome = $4, updated_at = $5
   where application_id = $1 and id = $2 and status = 'approved'`
const old = sql<{ id: string; application_id: string }>('approvals.old')`select id, application_id from approvals
   where updated_at < $1 and status not in ('pending', 'approved') order by updated_at, id limit 100`
const remove = approvals.delete('remove')`where application_id = $1 and id = $2
   and status not in ('pending', 'approved')`
const pending = sql<{ n: number }>('approvals.pending')`select count(*) as n
   from (select 1 from approvals where status in ('pending', 'approved') limit 100000) as counted`

const waiting = sql<{ n: number }>('approvals.waiting')`select count(*) as n from (select 1 from approvals
   where application_id = $1 and status in ('pending', 'approved') and status = 'pending' limit 101) as counted`

export const insertApproval = (tx: Queries, row: ApprovalRow): Promise<void> => tx.post(...insert(row))

export const readApproval = (
  queries: Queries,
  { applicationId, id }: ApprovalAddress,
): Promise<ApprovalRow | undefined> => queries.get(byId, [applicationId, id])

/** The approvals of an application that are not settled: their number for a credential, and the bytes of all. */
export async function openApprovals(
  tx: Queries,
  { applicationId, credentialId }: { applicationId: string; credentialId: string },
): Promise<{ ofCredential: number; bytes: number }> {
  const rows = await tx.all(open, [applicationId])
  return {
    ofCredential: Number(rows.find(({ credential_id }) => credential_id === credentialId)?.n ?? 0),
    bytes: rows.reduce((sum, { bytes }) => sum + Number(bytes), 0),
  }
}

/** Writes a decision. False if the approval was decided before, or has expired. */
export const decideApproval = async (
  tx: Queries,
  { applicationId, id }: ApprovalAddress,
  to: { status: ApprovalStatus; sealedOutcome: string; now: number },
): Promise<boolean> => (await tx.run(decide, [applicationId, id, to.status, to.sealedOutcome, to.now])) === 1

/** Ends an approval whose time is over. False if it was decided before. */
export const expireApproval = async (
  tx: Queries,
  { applicationId, id }: ApprovalAddress,
  now: number,
): Promise<boolean> => (await tx.run(expire, [applicationId, id, now])) === 1

/** Writes the outcome of an approved action. False if another process has written it. */
export const settleApproval = async (
  tx: Queries,
  { applicationId, id }: ApprovalAddress,
  to: { status: ApprovalStatus; sealedOutcome: string; now: number },
): Promise<boolean> => (await tx.run(settle, [applicationId, id, to.status, to.sealedOutcome, to.now])) === 1

/** Removes some settled approvals that have not changed since a time in milliseconds. True if there may be more. */
export async function purgeApprovals(queries: Queries, before: number): Promise<boolean> {
  const rows = await queries.all(old, [before])
  for (const { id, application_id } of rows) await queries.run(remove, [application_id, id])
  return rows.length === 100
}

/** The number of approvals of all applications that are not settled. */
export const countOpenApprovals = async (queries: Queries): Promise<number> => (await queries.get(pending))?.n ?? 0

/** The approvals of an application that wait for a person, exactly up to 100. */
export async function countWaitingApprovals(
  queries: Queries,
  applicationId: string,
): Promise<{ count: number; more: boolean }> {
  const found = (await queries.get(waiting, [applicationId]))?.n ?? 0
  return { count: Math.min(found, 100), more: found > 100 }
}

export interface ApprovalFilter {
  applicationId: string
  status?: ApprovalStatus | undefined
  /** One or several grants. */
  grantIds?: readonly string[] | undefined
  credentialId?: string | undefined
}

/** Newest first. The walk uses the index of one filter; the others apply to the rows found. */
function keysetOf({ applicationId, status, grantIds, credentialId }: ApprovalFilter): Keyset {
  const oneGrant = grantIds?.length === 1 ? equal('grant_id', grantIds[0]) : []
  const manyGrants = grantIds && oneGrant.length === 0 ? [among('grant_id', grantIds)] : []
  const [indexed = [], ...rest] = [equal('credential_id', credentialId), oneGrant].filter((each) => each.length > 0)
  return {
    name: 'approvals.list',
    keys: ['created_at', 'id'],
    order: 'desc',
    walk: { from: 'approvals', where: [...equal('application_id', applicationId), ...indexed] },
    read: { columns, from: 'approvals', where: [...rest.flat(), ...manyGrants, ...equal('status', status)] },
    sparse: rest.length > 0 || manyGrants.length > 0 || status !== undefined,
  }
}

export const listApprovals = async (
  queries: Queries,
  filter: ApprovalFilter,
  page: { after?: KeysetPosition | undefined; limit: number },
): Promise<KeysetPage<ApprovalRow>> =>
  filter.grantIds?.length === 0 ? { rows: [], next: undefined } : readKeyset(queries, [keysetOf(filter)], page)
