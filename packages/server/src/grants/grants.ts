/**
 * Grants: authentication, changes, revocation, deletion. Every change of state goes through `states.ts` and is written
 * together with its billing and its notification in one transaction.
 */
import { isDeepStrictEqual } from 'node:util'
import {
  type CustomAuthentication,
  type Grant,
  type GrantChange as GrantUpdate,
  type ProviderKind,
  providerKinds,
} from '@waypost/contract'
import { parseSettings } from '../applications/connectors.ts'
import { clientOf } from '../applications/provider-client.ts'
import { ApiError, invalidField } from '../lib/api-error.ts'
import { seconds } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import type { Log } from '../lib/log.ts'
import type { Secrets } from '../lib/secrets.ts'
import type { Identity, Io } from '../providers/provider.ts'
import { needProvider, type Providers } from '../providers/registry.ts'
import { lockApplication } from '../store/applications.ts'
import { startBilling, stopBilling } from '../store/billing-periods.ts'
import { type ConnectorRow, getConnector } from '../store/connectors.ts'
import { getCredential } from '../store/credentials.ts'
import type { Queries } from '../store/database.ts'
import {
  countGrants,
  deleteGrant,
  findGrantByEmail,
  findGrantByExternalId,
  type GrantRecord,
  getGrant,
  insertGrant,
  lockGrant,
  updateGrant,
} from '../store/grants.ts'
import { eraseNotifications } from '../store/notifications.ts'
import { emailKey, reservedAddress } from './locator.ts'
import { type Notify, toldOf } from './notify.ts'
import { keepProviderTokens } from './provider-tokens.ts'
import { revokeLater } from './revocation.ts'
import { type GrantChange, type GrantTrigger, transition } from './states.ts'

/** The application in whose name something is done. */
export interface Owner {
  id: string
  workspaceId: string
  grantLimit: number | null
}

export interface Tools {
  secrets: Secrets
  log: Log
  now: number
  /** Tells the application, in the same transaction. */
  notify: Notify
  /** The hosted sign-in that the change comes from. */
  loginId?: string | undefined
}

/** An account that its provider accepted, ready to become a grant. */
export interface Authenticated {
  connector: ConnectorRow
  /** The connector's credential whose client the account was tried with. */
  credentialId: string | null
  identity: Identity
  request: CustomAuthentication
}

export function kindOf(provider: string): ProviderKind {
  if (Object.hasOwn(providerKinds, provider)) return provider as ProviderKind
  throw invalidField('provider', `must be one of ${Object.keys(providerKinds).join(', ')}`)
}

/** What credentials are tried with. */
export interface Trying {
  providers: Providers
  secrets: Secrets
  ioFor(kind: string): Io
}

/** Tries credentials at their provider; nothing is stored yet. */
export async function authenticate(
  queries: Queries,
  owner: Owner,
  request: CustomAuthentication,
  tools: Trying,
): Promise<Authenticated> {
  if (!request.provider) throw new ApiError('provider_required')
  const kind = kindOf(request.provider)
  const provider = needProvider(tools.providers, kind, 'connect.custom')
  const settings = parseSettings(providerKinds[kind].customSettings, request.settings)
  const connector = await connectorFor(queries, owner.id, kind)
  const credentialId = await credentialFor(queries, connector, request.credential_id ?? settings.credential_id)
  const client = await clientOf(queries, tools.secrets, connector, credentialId)
  const scope = request.scope ?? undefined
  const identity = await provider.authenticate(settings, tools.ioFor(kind), { client, scope })
  const reserved = reservedAddress(identity.email)
  if (reserved) throw invalidField('settings.email', reserved)
  return { connector, credentialId, identity, request }
}

/** The connector of a kind; throws the error that says how to make it. */
export async function connectorFor(queries: Queries, applicationId: string, kind: string): Promise<ConnectorRow> {
  const connector = await getConnector(queries, applicationId, kind)
  if (connector) return connector
  throw new ApiError(
    'connector_required',
    `the application has no connector for ${kind}: create one with POST /v3/connectors {"provider":"${kind}"}`,
  )
}

/** The credential that a request names, beside the settings or among them; else the connector's active one. */
export async function credentialFor(queries: Queries, connector: ConnectorRow, id: unknown): Promise<string | null> {
  if (typeof id !== 'string') return connector.active_credential_id
  const at = { applicationId: connector.application_id, connectorId: connector.id, id }
  if (await getCredential(queries, at)) return id
  throw invalidField('credential_id', 'is not a credential of this connector')
}

/** The grant that the address of an account has; throws where the account may not have it. Others wait until the transaction ends. */
export async function holderFor(
  tx: Queries,
  owner: Owner,
  account: Authenticated,
  tools: Tools,
): Promise<GrantRecord | undefined> {
  // One transaction of an application at a time: the address stays unique and the limit holds.
  await lockApplication(tx, owner.id)
  // Providers take their time: the connector may be gone since, or be another.
  const connector = await connectorFor(tx, owner.id, account.connector.provider)
  if (connector.id !== account.connector.id) {
    throw new ApiError('conflict', 'the connector was set up anew in the meantime: authenticate again')
  }
  const existing = await findGrantByEmail(tx, owner.id, emailKey(account.identity.email))
  if (existing && existing.grant.provider !== account.connector.provider) {
    if (existing.status === 'unverified') {
      await eraseGrant(tx, existing, tools)
      return undefined
    }
    throw new ApiError(
      'conflict',
      `this address has the grant ${existing.grant.id} of provider ${existing.grant.provider}; delete it first`,
    )
  }
  if (existing) refuseAnotherUser(existing, account.identity)
  return existing
}

/** Makes the grant of an account, or re-authenticates the one its address has. */
export async function grantAccess(tx: Queries, owner: Owner, account: Authenticated, tools: Tools): Promise<Grant> {
  const existing = await holderFor(tx, owner, account, tools)
  await refuseTakenExternalId(tx, owner.id, account.request.external_id, existing?.grant.id)
  const change = move(existing?.status ?? 'none', 'custom_authentication')
  if (change.billing === 'start') await refuseBeyondLimit(tx, owner)
  const record = existing ? renew(existing, account, tools) : begin(owner, account, tools)
  await (existing ? updateGrant : insertGrant)(tx, record)
  await keepProviderTokens(tx, record, account.identity, tools)
  await afterwards(tx, record, change, tools)
  return record.grant
}

/** The address alone does not make the same user: a provider may have given it to another one since. */
export function refuseAnotherUser({ grant }: GrantRecord, { providerUserId }: Identity): void {
  if (grant.provider_user_id === null || providerUserId === null || grant.provider_user_id === providerUserId) return
  throw new ApiError(
    'authentication_failed',
    'the address belongs to another user of the provider now: delete the grant first',
  )
}

/** Refuses one grant more than the application may have. */
export async function refuseBeyondLimit(tx: Queries, owner: Owner): Promise<void> {
  if (owner.grantLimit === null || (await countGrants(tx, owner.id)) < owner.grantLimit) return
  throw new ApiError(
    'grant_limit_reached',
    `this application allows ${owner.grantLimit} grants: delete one, or create an application without a limit with "waypost apps create"`,
  )
}

async function refuseTakenExternalId(
  tx: Queries,
  applicationId: string,
  externalId: string | null | undefined,
  own: string | undefined,
): Promise<void> {
  if (!externalId) return
  const holder = await findGrantByExternalId(tx, applicationId, externalId)
  if (holder && holder.grant.id !== own) {
    throw new ApiError('conflict', `external_id: the grant ${holder.grant.id} has it already`)
  }
}

/** What a trigger does; it must be one that can happen. */
export function move(state: GrantRecord['status'] | 'none', trigger: GrantTrigger): GrantChange {
  const change = transition(state, trigger)
  if (!change) throw new Error(`a grant that is ${state} cannot meet ${trigger}`)
  return change
}

const sealCredentials = (
  secrets: Secrets,
  at: { application: string; row: string },
  credentials: Record<string, unknown> | undefined,
): string | null =>
  credentials
    ? secrets.seal(JSON.stringify(credentials), { table: 'grants', column: 'sealed_credentials', ...at })
    : null

/** The scopes of a grant: what the provider says, else the request; kinds without scopes have none, whatever it says. */
const scopeOf = ({ connector, identity, request }: Authenticated): string[] =>
  identity.scope.length === 0 && providerKinds[connector.provider as ProviderKind].takesScope
    ? (request.scope ?? [])
    : identity.scope

/** The record of an account that had no grant. */
export function begin(owner: Owner, account: Authenticated, tools: Tools): GrantRecord {
  const { identity, request, connector, credentialId } = account
  const id = newId()
  const grant: Grant = {
    id,
    provider: connector.provider as ProviderKind,
    grant_status: 'valid',
    email: identity.email.trim(),
    name: identity.name,
    scope: scopeOf(account),
    user_agent: null,
    ip: null,
    state: request.state ?? null,
    settings: identity.settings,
    metadata: {},
    provider_user_id: identity.providerUserId,
    external_id: request.external_id ?? null,
    credential_id: credentialId,
    workspace_id: owner.workspaceId,
    blocked: false,
    created_at: seconds(tools.now),
    updated_at: seconds(tools.now),
  }
  return {
    grant,
    applicationId: owner.id,
    connectorId: connector.id,
    emailKey: emailKey(identity.email),
    status: 'valid',
    sealedCredentials: sealCredentials(tools.secrets, { application: owner.id, row: id }, identity.credentials),
    purgeAt: null,
    createdAt: tools.now,
    updatedAt: tools.now,
  }
}

/** The record after a re-authentication: what the account did not tell again stays. */
export function renew(record: GrantRecord, account: Authenticated, tools: Tools): GrantRecord {
  const { identity, request, connector, credentialId } = account
  const { grant } = record
  // What nobody could use so far begins now.
  const createdAt = record.status === 'unverified' ? tools.now : record.createdAt
  const at = { application: record.applicationId, row: grant.id }
  return {
    ...record,
    connectorId: connector.id,
    status: 'valid',
    sealedCredentials: sealCredentials(tools.secrets, at, identity.credentials) ?? record.sealedCredentials,
    purgeAt: null,
    createdAt,
    updatedAt: tools.now,
    grant: {
      ...grant,
      created_at: seconds(createdAt),
      grant_status: 'valid',
      name: identity.name ?? grant.name,
      scope: scopeOf(account),
      state: request.state ?? grant.state,
      settings: identity.settings,
      provider_user_id: identity.providerUserId ?? grant.provider_user_id,
      external_id: request.external_id ?? grant.external_id,
      credential_id: credentialId,
      updated_at: seconds(tools.now),
    },
  }
}

/** What follows a change of state, in the same transaction. */
export async function afterwards(tx: Queries, record: GrantRecord, change: GrantChange, tools: Tools): Promise<void> {
  const { applicationId, grant } = record
  if (change.billing === 'start') {
    await startBilling(tx, { applicationId, grantId: grant.id, provider: grant.provider }, tools.now)
  }
  if (change.billing === 'stop') await stopBilling(tx, applicationId, grant.id, tools.now)
  await tell(tx, record, change, tools)
}

async function tell(
  tx: Queries,
  record: GrantRecord,
  { notification, reauthentication }: Pick<GrantChange, 'notification' | 'reauthentication'>,
  tools: Tools,
): Promise<void> {
  if (!notification) return
  const at = { application_id: record.applicationId, grant_id: record.grant.id }
  tools.log.info({ ...at, event: notification }, 'grant changed')
  await tools.notify(tx, toldOf(record, notification, { reauthentication, loginId: tools.loginId }))
}

/** Tries new settings of a grant at its provider; nothing is stored yet. */
export async function tryNewSettings(
  queries: Queries,
  record: GrantRecord,
  given: Record<string, unknown>,
  tools: Trying,
): Promise<Identity> {
  const { grant } = record
  const provider = needProvider(tools.providers, grant.provider, 'grants.update')
  // The new settings replace the old ones; what names the account is kept where it is not given.
  const settings = parseSettings(providerKinds[grant.provider].customSettings, { ...grant.settings, ...given })
  const connector = await connectorFor(queries, record.applicationId, grant.provider)
  const client = await clientOf(queries, tools.secrets, connector, grant.credential_id)
  const identity = await provider.authenticate(settings, tools.ioFor(grant.provider), { client, scope: grant.scope })
  if (emailKey(identity.email) !== record.emailKey) {
    throw invalidField('settings.email', 'the address of a grant cannot change: authenticate the other address instead')
  }
  refuseAnotherUser(record, identity)
  return identity
}

/** Applies what a client may change; the address is the grant's name and stays. */
export async function changeGrant(
  tx: Queries,
  record: GrantRecord,
  { update, identity }: { update: GrantUpdate; identity: Identity | undefined },
  tools: Tools,
): Promise<Grant> {
  const { grant } = record
  await refuseTakenExternalId(tx, record.applicationId, update.external_id, grant.id)
  const at = { application: record.applicationId, row: grant.id }
  const changed: Grant = {
    ...grant,
    settings: identity?.settings ?? grant.settings,
    scope: update.scope ?? grant.scope,
    metadata: update.metadata ?? grant.metadata,
    external_id: update.external_id === undefined ? grant.external_id : update.external_id,
  }
  const sealed = sealCredentials(tools.secrets, at, identity?.credentials)
  const renewed = { ...record, grant: changed, sealedCredentials: sealed ?? record.sealedCredentials }
  await updateGrant(tx, renewed)
  if (identity) await keepProviderTokens(tx, renewed, identity, tools)
  // Metadata is the client's own, and nobody is told of it; new credentials count whatever they are.
  const same = isDeepStrictEqual({ ...changed, metadata: grant.metadata }, grant)
  if (sealed !== null || !same) await tell(tx, { ...record, grant: changed }, { notification: 'grant.updated' }, tools)
  return changed
}

/** Marks a grant invalid: its provider refuses it, or somebody revoked it. Told once; data stays, billing goes on. */
export async function loseAccess(
  tx: Queries,
  record: GrantRecord,
  tools: Tools,
  purgeAt: number | null = null,
): Promise<Grant> {
  const change = move(record.status, 'access_lost')
  const changed: GrantRecord = {
    ...record,
    status: 'invalid',
    purgeAt: purgeAt ?? record.purgeAt,
    grant: { ...record.grant, grant_status: 'invalid' },
  }
  await updateGrant(tx, changed)
  await afterwards(tx, changed, change, tools)
  return changed.grant
}

/** Blocks or unblocks a grant. */
export async function blockGrant(tx: Queries, record: GrantRecord, blocked: boolean): Promise<Grant> {
  const grant = { ...record.grant, blocked }
  await updateGrant(tx, { ...record, grant })
  return grant
}

/** Deletes a grant and everything stored for it, what was to be told of its data included. That it is gone is told. */
export async function eraseGrant(tx: Queries, record: GrantRecord, tools: Tools): Promise<void> {
  const change = move(record.status, 'delete')
  const { applicationId, grant } = record
  // Changes of its data that are under way end first: what they tell is erased with the rest.
  await lockGrant(tx, applicationId, grant.id)
  await eraseNotifications(tx, applicationId, grant.id)
  if (record.status !== 'unverified') await revokeLater(tx, record, tools)
  // The numbers of its notifications go with the grant: the last one is given before.
  await afterwards(tx, record, change, tools)
  await deleteGrant(tx, applicationId, grant.id)
}

/** Reads a grant again inside a transaction and holds back every other change of it, so that this one builds on what stands. */
export async function needGrant(tx: Queries, applicationId: string, id: string): Promise<GrantRecord> {
  await lockApplication(tx, applicationId)
  const record = await getGrant(tx, applicationId, id)
  if (!record || record.status === 'unverified') throw new ApiError('grant_not_found')
  return record
}
