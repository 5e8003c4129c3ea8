/** Service accounts: created, changed and removed by owners. Only the public key is stored. */

import { createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import {
  limits,
  type NamedRoute,
  type NewServiceAccount,
  type ServiceAccount,
  type ServiceAccountChange,
  type ServiceAccountDraft,
  type ServiceAccountPermission,
} from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import { newId } from '@waypost/platform/ids'
import type { Queries } from '@waypost/store/engine/database'
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
import { checkedApplications, lockPeople, reachOf } from './people.ts'

const day = 86_400_000

export const isExpired = ({ expires_at: at }: Pick<ServiceAccountRow, 'expires_at'>, now: number): boolean =>
  at !== null && at <= now

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
interface AccountKeys {
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

const generate = promisify(generateKeyPair)

const bits = { generated: 2048, min: 2048, max: 4096 }
/** Every tool uses this exponent. A large one would make each verification as slow as signing. */
const exponent = 65537n

/** A new key pair in PEM format. It is made in a thread. */
async function makeKeyPair(): Promise<{ publicKey: string; privateKey: string }> {
  return generate('rsa', {
    modulusLength: bits.generated,
    publicExponent: Number(exponent),
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
}

/** The public key that an owner registers, in the form that is stored. */
function readPublicKey(pem: string): string {
  const text = pem.trim()
  // Node derives a public key from a private one, which must not be sent here at all.
  if (/PRIVATE KEY/.test(text)) {
    throw invalidField('public_key', 'is a private key: keep it, and send only its public key')
  }
  if (!/^-----BEGIN (RSA )?PUBLIC KEY-----/.test(text)) {
    throw invalidField('public_key', 'must be an RSA public key in PEM format (-----BEGIN PUBLIC KEY-----)')
  }
  const key = parse(text)
  const { modulusLength = 0, publicExponent } = key?.asymmetricKeyDetails ?? {}
  if (key?.asymmetricKeyType !== 'rsa') throw invalidField('public_key', 'must be an RSA public key in PEM format')
  if (modulusLength < bits.min || modulusLength > bits.max) {
    throw invalidField('public_key', `must have ${bits.min} to ${bits.max} bits, not ${modulusLength}`)
  }
  if (publicExponent !== exponent) throw invalidField('public_key', `must have the exponent ${exponent}`)
  return key.export({ type: 'spki', format: 'pem' }).toString()
}

function parse(pem: string): KeyObject | undefined {
  try {
    return createPublicKey(pem)
  } catch {
    return undefined
  }
}

/**
 * The routes that service accounts may call, by permission. A route that is not listed accepts no signatures: people,
 * sessions, service accounts and the settings of the installation stay with people.
 */
const routesByPermission: Record<ServiceAccountPermission, readonly string[]> = {
  'apikey.create': ['apiKeys.create'],
  'apikey.get': ['apiKeys.list', 'apiKeys.get', 'apiKeys.requests'],
  'apikey.update': ['apiKeys.update'],
  'apikey.delete': ['apiKeys.delete'],
  'application.create': ['adminApplications.create'],
  'application.get': ['adminApplications.list', 'adminApplications.get'],
  'application.update': ['adminApplications.update'],
  'usage.get': ['usage.list', 'usage.get'],
  'audit.get': ['audit.list'],
  'health.get': ['health.get', 'health.series'],
}

const permissions = new Map(
  Object.entries(routesByPermission).flatMap(([permission, ids]) =>
    ids.map((id) => [id, permission as ServiceAccountPermission] as const),
  ),
)

/** The permission that a service account needs for a route. Undefined: no permission opens it. */
export const permissionFor = ({ id }: Pick<NamedRoute, 'id'>): ServiceAccountPermission | undefined =>
  permissions.get(id)
