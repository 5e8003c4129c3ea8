/** The requests of restricted API keys and of agents. Written in batches, never within a request. */
import { type Queries, sql } from '../../engine/database.ts'
import {
  type Condition,
  equal,
  type Keyset,
  type KeysetPage,
  type KeysetPosition,
  readKeyset,
} from '../../engine/keyset.ts'
import { writeRows } from '../../engine/row-lists.ts'
import { nullable, number, type RowOf, table, text } from '../../engine/table.ts'

const requests = table('credential_requests', {
  credential_id: text,
  /** In milliseconds. */
  at: number,
  /** The id of the request. */
  id: text,
  application_id: text,
  method: text,
  operation: text,
  tool: nullable(text),
  status: number,
  error: nullable(text),
  grant_id: nullable(text),
})
export type CredentialRequestRow = RowOf<typeof requests>

const { columns, valuesOf } = requests
const types = ['text', 'bigint', 'text', 'text', 'text', 'text', 'text', 'integer', 'text', 'text']
const add = (values: string): string => `insert into credential_requests (${columns})
   select v.column1, v.column2, v.column3, a.id, v.column5, v.column6, v.column7, v.column8, v.column9, v.column10
   from (values ${values}) as v join applications a on a.id = v.column4 where true on conflict do nothing`

/** Adds requests of applications that still exist. A request that is already there stays as it is. */
export async function addCredentialRequests(queries: Queries, rows: readonly CredentialRequestRow[]): Promise<void> {
  await writeRows(queries, rows.map(valuesOf), { name: 'credential_requests.add', types, text: add })
}

export interface CredentialRequestFilter {
  applicationId: string
  credentialId: string
  outcome?: 'succeeded' | 'failed' | undefined
  status?: number | undefined
  grantId?: string | undefined
}

const outcomes: Record<'succeeded' | 'failed', Condition> = {
  succeeded: () => 'status < 400',
  failed: () => 'status >= 400',
}
function keysetOf({ applicationId, credentialId, outcome, status, grantId }: CredentialRequestFilter): Keyset {
  const others = [...(outcome ? [outcomes[outcome]] : []), ...equal('status', status), ...equal('grant_id', grantId)]
  return {
    name: 'credential_requests.list',
    keys: ['at', 'id'],
    order: 'desc',
    walk: {
      from: 'credential_requests',
      where: [...equal('application_id', applicationId), ...equal('credential_id', credentialId)],
    },
    read: { columns, from: 'credential_requests', where: others },
    sparse: others.length > 0,
  }
}

/** A page of the requests of one credential, newest first. */
export const listCredentialRequests = (
  queries: Queries,
  filter: CredentialRequestFilter,
  page: { after?: KeysetPosition | undefined; limit: number },
): Promise<KeysetPage<CredentialRequestRow>> => readKeyset(queries, [keysetOf(filter)], page)

/** The newest requests of a credential that are kept. */
export const retainedRequests = 10_000
const beyond = sql<{ at: number; id: string }>('credential_requests.beyond')`select at, id from credential_requests
   where application_id = $1 and credential_id = $2 order by at desc, id desc limit 1 offset $3`
const removeUpTo = requests.delete('removeUpTo')`where application_id = $1 and credential_id = $2
   and (at, id) <= ($3, $4)`
/**
 * Deletes the requests of a credential beyond the newest `kept`. Returns how many. Two statements, because PostgreSQL
 * without statistics would find the first of them again for every row.
 */
export async function trimCredentialRequests(
  queries: Queries,
  { applicationId, credentialId }: { applicationId: string; credentialId: string },
  retained: number = retainedRequests,
): Promise<number> {
  const newest = await queries.get(beyond, [applicationId, credentialId, retained])
  return newest ? queries.run(removeUpTo, [applicationId, credentialId, newest.at, newest.id]) : 0
}

export const purgeCredentialRequests = requests.purge('credential_id, at, id, application_id', 'at')

const removeOfGrant = requests.delete('removeOfGrant')`where application_id = $1 and grant_id = $2`
/** Deletes the requests about a grant that is deleted. */
export const removeRequestsOf = (
  tx: Queries,
  { applicationId, id }: { applicationId: string; id: string },
): Promise<void> => tx.post(removeOfGrant, [applicationId, id])
