/**
 * A grant is stored as the document that clients read, together with the columns used to find it. Only `rowOf` writes
 * both, so that they cannot differ.
 */
import type { Grant } from '@waypost/contract'
import { JsonText } from '@waypost/platform/json/values'
import { batched } from '../../engine/batch-loader.ts'
import { type Distributable, type Queries, sql, type Value } from '../../engine/database.ts'
import { findKeyHolder, holderColumns, holderTables, type KeyHolder } from '../applications/api-keys.ts'
import { addCount, readCounts } from '../applications/application-counts.ts'
import { numberOf, shardOf } from './watch-shards.ts'

export type StoredStatus = 'unverified' | 'valid' | 'invalid'

export interface GrantRecord {
  grant: Grant
  applicationId: string
  connectorId: string
  /** The address in the form that is used for comparison. */
  emailKey: string
  status: StoredStatus
  sealedCredentials: string | null
  /** The time at which the grant is deleted unless it is authenticated again; milliseconds. */
  purgeAt: number | null
  createdAt: number
  updatedAt: number
}

interface GrantRow {
  application_id: string
  connector_id: string
  email_key: string
  status: StoredStatus
  sealed_credentials: string | null
  purge_at: number | null
  created_at: number
  updated_at: number
  document: string
}

const columns =
  'id, application_id, connector_id, provider, email_key, external_id, status, blocked, ip, account_id, workspace_id, credential_id, sealed_credentials, purge_at, created_at, updated_at, document, shard, watched, watch_mark'
const read =
  'application_id, connector_id, email_key, status, sealed_credentials, purge_at, created_at, updated_at, document'

const insert = sql('grants.insert', { raises: ['watches'] })`insert into grants (${columns})
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)`
const update = sql('grants.update', { raises: ['watches'] })`update grants
   set connector_id = $3, provider = $4, email_key = $5, external_id = $6, status = $7, blocked = $8,
   ip = $9, account_id = $10, workspace_id = $11, credential_id = $12, sealed_credentials = $13, purge_at = $14,
   created_at = $15, updated_at = $16, document = $17, shard = $18, watched = $19, watch_mark = $20 where id = $1 and application_id = $2`
// A row without a document belongs to a deleted grant (`grant-tombstones.ts`).
const lock = sql('grants.lock', { locks: ['grants'] })`select id from grants
   where application_id = $1 and id = $2 and document <> 'null'`
const remove = sql('grants.remove', { raises: ['watches'] })`delete from grants where application_id = $1 and id = $2`
const byId = sql<GrantRow>('grants.byId')`select ${read} from grants where application_id = $1 and id = $2`
const byEmail = sql<GrantRow>('grants.byEmail')`select ${read} from grants where application_id = $1 and email_key = $2`
const byExternal = sql<GrantRow>('grants.byExternal')`select ${read} from grants
   where application_id = $1 and external_id = $2`
const ofConnector = sql<GrantRow>('grants.ofConnector')`select ${read} from grants
   where application_id = $1 and connector_id = $2 and status <> 'unverified'`
const ofCredential = sql<GrantRow>('grants.ofCredential')`select ${read} from grants
   where application_id = $1 and credential_id = $2 and status <> 'unverified'`
/**
 * Across all applications: before tokens are revoked, the service checks which other grants use the same account and
 * client.
 */
const ofPerson = sql<GrantRow>('grants.ofPerson')`select ${read} from grants
   where email_key = $1 and provider = $2 and (status <> 'invalid' or purge_at is not null)`
const toPurge = sql<GrantRow>('grants.toPurge')`select ${read} from grants where purge_at <= $1 and document <> 'null'
   limit 100`
const state = sql<Pick<GrantRow, 'status'> & { provider: string; blocked: number }>('grants.state')`
   select provider, status, blocked from grants where application_id = $1 and id = $2`

function rowOf(record: GrantRecord): Value[] {
  const { grant } = record
  return [
    grant.id,
    record.applicationId,
    record.connectorId,
    grant.provider,
    record.emailKey,
    grant.external_id,
    record.status,
    grant.blocked ? 1 : 0,
    grant.ip,
    grant.account_id ?? null,
    grant.workspace_id,
    grant.credential_id,
    record.sealedCredentials,
    record.purgeAt,
    record.createdAt,
    record.updatedAt,
    JSON.stringify(grant),
    shardOf(grant.id),
    isWatched(record) ? 1 : 0,
    markOf(record),
  ]
}

/** Whether changes at the provider are watched, if it reports any. */
const isWatched = ({ status, grant }: GrantRecord): boolean =>
  status === 'valid' && !grant.blocked && grant.settings.watch !== false

/** A number that changes with each authentication and with the connection settings of the account. */
const markOf = ({ sealedCredentials, updatedAt, grant }: GrantRecord): number =>
  numberOf(JSON.stringify([updatedAt, sealedCredentials, grant.settings]))

const recordOf = (row: GrantRow): GrantRecord => ({
  grant: JSON.parse(row.document),
  applicationId: row.application_id,
  connectorId: row.connector_id,
  emailKey: row.email_key,
  status: row.status,
  sealedCredentials: row.sealed_credentials,
  purgeAt: row.purge_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** The holder of a key, joined with a grant of the same application. */
const named = <T>(name: string, columns: string) => {
  const by = (more: string, condition: string) =>
    batched(
      sql<KeyHolder & (T | { status: null })>(`${name}${more}`)`select ${holderColumns}, ${columns}
         from ${holderTables} left join grants g on g.application_id = a.id and ${condition} where k.hash = $1`,
    )
  return {
    id: by('', 'g.id = $2'),
    email: by('ByEmail', 'g.email_key = $2'),
    external: by('ByExternal', 'g.external_id = $2'),
  }
}
const holderAndGrant = named<GrantRow>(
  'api_keys.holderAndGrant',
  'g.connector_id, g.email_key, g.status, g.sealed_credentials, g.purge_at, g.created_at, g.updated_at, g.document',
)
const holderAndDocument = named<DocumentRow & { status: StoredStatus }>(
  'api_keys.holderAndDocument',
  'g.status, g.document',
)

/**
 * The holder of a key and the verified grant in one query, because most requests need both. In a distributed store, the
 * key is on the coordinator and tells which machine has the grant.
 */
export async function findKeyHolderAndGrant(
  queries: Distributable,
  hash: string,
  locator: Locator,
): Promise<{ holder: KeyHolder | undefined; record: GrantRecord | undefined }> {
  if (queries.isDistributed?.()) {
    const holder = await findKeyHolder(queries, hash)
    return { holder, record: holder && (await findGrant(queries, holder.application_id, locator)) }
  }
  const row = await queries.get(holderAndGrant[locator.by], [hash, locator.value])
  const record = row && row.status !== null && row.status !== 'unverified' ? recordOf(row) : undefined
  return { holder: row, record }
}

/** The holder of a key and only the stored document of the grant. */
export async function findKeyHolderAndDocument(
  queries: Distributable,
  hash: string,
  locator: Locator,
): Promise<{ holder: KeyHolder | undefined; document: JsonText<Grant> | undefined }> {
  if (queries.isDistributed?.()) {
    const holder = await findKeyHolder(queries, hash)
    return { holder, document: holder && (await findGrantDocument(queries, holder.application_id, locator)) }
  }
  const row = await queries.get(holderAndDocument[locator.by], [hash, locator.value])
  const isVerified = row && row.status !== null && row.status !== 'unverified'
  return { holder: row, document: isVerified ? new JsonText<Grant>(row.document) : undefined }
}

const one = async (found: Promise<GrantRow | undefined>): Promise<GrantRecord | undefined> => {
  const row = await found
  return row && row.document !== 'null' ? recordOf(row) : undefined
}

/** The name of the counter of a grant (`application-counts.ts`). */
const countedBy = (provider: string, status: string, blocked: boolean): string =>
  `grants/${provider}/${status}/${blocked ? 1 : 0}`
const countedAs = ({ grant, status }: GrantRecord): string => countedBy(grant.provider, status, grant.blocked)

/** The counter of a stored grant. The grant is locked until the transaction ends. */
async function formerlyCountedAs(tx: Queries, applicationId: string, id: string): Promise<string | undefined> {
  await holdGrant(tx, applicationId, id)
  const row = await tx.get(state, [applicationId, id])
  return row && countedBy(row.provider, row.status, row.blocked === 1)
}

export async function insertGrant(tx: Queries, record: GrantRecord): Promise<number> {
  const inserted = await tx.run(insert, rowOf(record))
  if (inserted > 0) await addCount(tx, record.applicationId, countedAs(record), 1)
  return inserted
}
export async function updateGrant(tx: Queries, record: GrantRecord): Promise<number> {
  const { applicationId, grant } = record
  const former = await formerlyCountedAs(tx, applicationId, grant.id)
  const updated = await tx.run(update, rowOf(record))
  if (former !== undefined && former !== countedAs(record)) {
    await addCount(tx, applicationId, former, -1)
    await addCount(tx, applicationId, countedAs(record), 1)
  }
  return updated
}
/** Locks the grant and its data against changes until the transaction ends. False if it does not exist. */
export const lockGrant = async (tx: Queries, applicationId: string, id: string): Promise<boolean> =>
  (await tx.get(lock, [applicationId, id])) !== undefined
/** Locks the grant without a result: later reads in the transaction are protected by the lock. */
export const holdGrant = (tx: Queries, applicationId: string, id: string): Promise<void> =>
  tx.post(lock, [applicationId, id])
/** Removes a grant from its counter. */
export async function uncountGrant(tx: Queries, applicationId: string, id: string): Promise<void> {
  const former = await formerlyCountedAs(tx, applicationId, id)
  if (former !== undefined) await addCount(tx, applicationId, former, -1)
}
export async function deleteGrant(tx: Queries, applicationId: string, id: string): Promise<number> {
  await uncountGrant(tx, applicationId, id)
  return tx.run(remove, [applicationId, id])
}
export const getGrant = (queries: Queries, applicationId: string, id: string): Promise<GrantRecord | undefined> =>
  one(queries.get(byId, [applicationId, id]))
export const findGrantByEmail = (
  queries: Queries,
  applicationId: string,
  emailKey: string,
): Promise<GrantRecord | undefined> => one(queries.get(byEmail, [applicationId, emailKey]))
export const findGrantByExternalId = (
  queries: Queries,
  applicationId: string,
  externalId: string,
): Promise<GrantRecord | undefined> => one(queries.get(byExternal, [applicationId, externalId]))
export const grantsOfConnector = async (
  queries: Queries,
  applicationId: string,
  connectorId: string,
): Promise<GrantRecord[]> => (await queries.all(ofConnector, [applicationId, connectorId])).map(recordOf)
export const grantsOfCredential = async (
  queries: Queries,
  applicationId: string,
  credentialId: string,
): Promise<GrantRecord[]> => (await queries.all(ofCredential, [applicationId, credentialId])).map(recordOf)
/** The grants of one account in all applications that may still use it. For internal use, never for a caller. */
export const grantsOfPerson = async (
  queries: Queries,
  { emailKey, provider }: { emailKey: string; provider: string },
): Promise<GrantRecord[]> => (await queries.all(ofPerson, [emailKey, provider])).map(recordOf)
export const grantsToPurge = async (queries: Queries, now: number): Promise<GrantRecord[]> =>
  (await queries.all(toPurge, [now])).map(recordOf)
/** The number of verified grants of an application. */
export const countGrants = (queries: Queries, applicationId: string): Promise<number> =>
  countGrantsBy(queries, applicationId, {})

/** The number of verified grants of an application that match filters. */
export async function countGrantsBy(
  queries: Queries,
  applicationId: string,
  of: { provider?: string | undefined; status?: string | undefined; blocked?: boolean | undefined },
): Promise<number> {
  const counts = await readCounts(queries, applicationId, 'grants')
  const isWanted = ([provider = '', status = '', blocked]: readonly string[]): boolean =>
    status !== 'unverified' &&
    (of.provider ?? provider) === provider &&
    (of.status ?? status) === status &&
    (of.blocked ?? blocked === '1') === (blocked === '1')
  return counts.filter(({ by }) => isWanted(by)).reduce((sum, { amount }) => sum + amount, 0)
}

interface DocumentRow {
  document: string
}
const documentById = sql<DocumentRow>('grants.documentById')`select document from grants
   where application_id = $1 and id = $2 and status <> 'unverified'`
const documentByEmail = sql<DocumentRow>('grants.documentByEmail')`select document from grants
   where application_id = $1 and email_key = $2 and status <> 'unverified'`
const documentByExternal = sql<DocumentRow>('grants.documentByExternal')`select document from grants
   where application_id = $1 and external_id = $2 and status <> 'unverified'`

/** A grant identifier of a path, after its form was recognized. */
export type Locator = { by: 'id' | 'email' | 'external'; value: string }

const documents = { id: documentById, email: documentByEmail, external: documentByExternal }

/** The document of a verified grant, as stored. */
export async function findGrantDocument(
  queries: Queries,
  applicationId: string,
  locator: Locator,
): Promise<JsonText<Grant> | undefined> {
  const row = await queries.get(documents[locator.by], [applicationId, locator.value])
  return row && new JsonText<Grant>(row.document)
}

const finders = { id: getGrant, email: findGrantByEmail, external: findGrantByExternalId }

/** The record of a verified grant. */
export async function findGrant(
  queries: Queries,
  applicationId: string,
  locator: Locator,
): Promise<GrantRecord | undefined> {
  const record = await finders[locator.by](queries, applicationId, locator.value)
  return record?.status === 'unverified' ? undefined : record
}
