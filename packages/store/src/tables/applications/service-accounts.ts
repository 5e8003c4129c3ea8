/** Service accounts, and the nonces of their signed requests. */
import { type Queries, sql } from '../../engine/database.ts'
import { nullable, number, type RowOf, table, text } from '../../engine/table.ts'

/** Times in milliseconds. */
const serviceAccounts = table('service_accounts', {
  id: text,
  name: text,
  /** JSON. */
  permissions: text,
  /** Ids of applications as JSON; null means all. */
  applications: nullable(text),
  /** PEM (SPKI). The private key is not stored. */
  public_key: text,
  blocked: number,
  expires_at: nullable(number),
  /** The last signed request, accurate to a minute. */
  last_used_at: nullable(number),
  created_at: number,
  updated_at: number,
})
export type ServiceAccountRow = RowOf<typeof serviceAccounts>

const insert = serviceAccounts.insert()
const get = serviceAccounts.select('get')`where id = $1`
const list = serviceAccounts.select('list')`order by name, id`
const change = serviceAccounts.update('change')`
   set name = $2, permissions = $3, applications = $4, blocked = $5, updated_at = $6 where id = $1`
const touch = serviceAccounts.update('touch')`set last_used_at = $2
   where id = $1 and (last_used_at is null or last_used_at < $2)`
const remove = serviceAccounts.delete('remove')`where id = $1`
const lock = serviceAccounts.update('lock')`set blocked = blocked where id = $1`
const insertNonce = sql('service_account_nonces.insert')`insert into service_account_nonces (service_account_id, nonce,
   expires_at) values ($1, $2, $3) on conflict do nothing`
const purge = sql('service_account_nonces.purge')`delete from service_account_nonces where expires_at < $1`

export const insertServiceAccount = (queries: Queries, row: ServiceAccountRow): Promise<number> =>
  queries.run(...insert(row))
export const getServiceAccount = (queries: Queries, id: string): Promise<ServiceAccountRow | undefined> =>
  queries.get(get, [id])
export const listServiceAccounts = (queries: Queries): Promise<ServiceAccountRow[]> => queries.all(list)

/** Locks a service account until the transaction ends. */
export const lockServiceAccount = (tx: Queries, id: string): Promise<number> => tx.run(lock, [id])
export const updateServiceAccount = (tx: Queries, row: ServiceAccountRow): Promise<number> =>
  tx.run(change, [row.id, row.name, row.permissions, row.applications, row.blocked, row.updated_at])
export const touchServiceAccount = (queries: Queries, id: string, now: number): Promise<number> =>
  queries.run(touch, [id, now])

/** Removes a service account. False if there is none. */
export const deleteServiceAccount = async (queries: Queries, id: string): Promise<boolean> =>
  (await queries.run(remove, [id])) === 1

export interface NonceUse {
  serviceAccountId: string
  nonce: string
  /** The time from which the timestamp of the request is too old. */
  expiresAt: number
}

/** Records the use of a nonce. False if it was used before, on any node. */
export const useNonce = async (queries: Queries, { serviceAccountId, nonce, expiresAt }: NonceUse): Promise<boolean> =>
  (await queries.run(insertNonce, [serviceAccountId, nonce, expiresAt])) === 1
export const purgeNonces = (queries: Queries, now: number): Promise<number> => queries.run(purge, [now])
