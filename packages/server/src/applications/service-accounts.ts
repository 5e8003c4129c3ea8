/** Service accounts: created, changed and removed by owners. Only the public key is stored. */
import {
  limits,
  type NewServiceAccount,
  type ReachedApplications,
  type ServiceAccount,
  type ServiceAccountChange,
  type ServiceAccountDraft,
} from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import { newId } from '@waypost/platform/ids'
import type { Queries } from '@waypost/store/engine/database'
import { getApplication } from '@waypost/store/tables/applications/applications'
import {
  deleteServiceAccount,
  getServiceAccount,
  insertServiceAccount,
  listServiceAccounts,
  lockServiceAccount,
  type ServiceAccountRow,
  updateServiceAccount,
} from '@waypost/store/tables/applications/service-accounts'
import type { Place } from './applications.ts'
import { lockPeople } from './people-lock.ts'
import { makeKeyPair, readPublicKey } from './service-account-keys.ts'

const day = 86_400_000

export const isExpired = ({ expires_at: at }: Pick<ServiceAccountRow, 'expires_at'>, now: number): boolean =>
  at !== null && at <= now

/** The applications that a service account can access. */
export const reachOf = ({ applications }: Pick<ServiceAccountRow, 'applications'>): ReachedApplications =>
  applications === null ? 'all' : JSON.parse(applications)

/** A service account as the API returns it. */
export const serviceAccountOf = (row: ServiceAccountRow, now: number): ServiceAccount => ({
  id: row.id,
  name: row.name,
  permissions: JSON.parse(row.permissions),
  applications: reachOf(row),
  status: row.blocked === 1 ? 'blocked' : isExpired(row, now) ? 'expired' : 'active',
  public_key: row.public_key,
  expires_at: row.expires_at === null ? null : seconds(row.expires_at),
  last_used_at: row.last_used_at === null ? null : seconds(row.last_used_at),
  created_at: seconds(row.created_at),
  updated_at: seconds(row.updated_at),
})

/** The keys of a new service account. The private key is absent if the owner registers a public key. */
export interface AccountKeys {
  publicKey: string
  privateKey?: string
}

/** Makes or reads the keys, before the transaction: making a key pair takes time. */
export const keysFor = async ({ public_key: own }: Pick<ServiceAccountDraft, 'public_key'>): Promise<AccountKeys> =>
  own === undefined ? makeKeyPair() : { publicKey: readPublicKey(own) }

/** Creates a service account, in a transaction. The result is the only place that contains the private key. */
export async function createServiceAccount(
  tx: Queries,
  draft: ServiceAccountDraft & { keys: AccountKeys },
  { place, now }: { place: Pick<Place, 'organizationId' | 'region'>; now: number },
): Promise<NewServiceAccount> {
  await lockPeople(tx, now)
  if ((await listServiceAccounts(tx)).length >= limits.serviceAccounts) {
    throw new ApiError('conflict', `an installation has at most ${limits.serviceAccounts} service accounts: remove one`)
  }
  const permissions = [...new Set(draft.permissions)]
  const { publicKey, privateKey } = draft.keys
  const row: ServiceAccountRow = {
    id: newId(),
    name: draft.name,
    permissions: JSON.stringify(permissions),
    applications: await checkedApplications(tx, draft.applications),
    public_key: publicKey,
    blocked: 0,
    expires_at: draft.expires_in ? now + draft.expires_in * day : null,
    last_used_at: null,
    created_at: now,
    updated_at: now,
  }
  await insertServiceAccount(tx, row)
  const credential = {
    ...({ type: 'service_account', name: row.name, private_key_id: row.id } as const),
    organization_id: place.organizationId,
    region: place.region,
    permissions,
  }
  return {
    ...serviceAccountOf(row, now),
    credential: privateKey === undefined ? null : { ...credential, private_key: privateKey },
  }
}

export async function needServiceAccount(queries: Queries, id: string): Promise<ServiceAccountRow> {
  const row = await getServiceAccount(queries, id)
  if (!row) throw new ApiError('not_found', 'no service account with this id')
  return row
}

/** Changes a service account, in a transaction. */
export async function changeServiceAccount(
  tx: Queries,
  id: string,
  change: ServiceAccountChange,
  now: number,
): Promise<ServiceAccount> {
  await lockServiceAccount(tx, id)
  const row = await needServiceAccount(tx, id)
  const { applications, permissions, blocked } = change
  const changed: ServiceAccountRow = {
    ...row,
    name: change.name ?? row.name,
    permissions: permissions ? JSON.stringify([...new Set(permissions)]) : row.permissions,
    applications: applications === undefined ? row.applications : await checkedApplications(tx, applications),
    blocked: blocked === undefined ? row.blocked : Number(blocked),
    updated_at: now,
  }
  await updateServiceAccount(tx, changed)
  return serviceAccountOf(changed, now)
}

export async function removeServiceAccount(tx: Queries, id: string): Promise<void> {
  if (!(await deleteServiceAccount(tx, id))) throw new ApiError('not_found', 'no service account with this id')
}

/** The stored list of applications. Throws if one does not exist. */
async function checkedApplications(tx: Queries, reached: ReachedApplications): Promise<string | null> {
  if (reached === 'all') return null
  for (const id of reached) {
    if (!(await getApplication(tx, id))) throw invalidField('applications', 'must contain ids of applications')
  }
  return JSON.stringify([...new Set(reached)])
}
