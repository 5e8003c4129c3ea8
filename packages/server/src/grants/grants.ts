/**
 * Grants: access, changes, revocation, deletion. Every change of state goes through `states.ts` and is written
 * together with its billing period and its notification in one transaction.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Grant, GrantChange as GrantUpdate } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { Secrets } from '@waypost/platform/crypto/secrets'
import { newOrderedId } from '@waypost/platform/ids'
import type { Log } from '@waypost/platform/log'
import type { Identity } from '@waypost/providers/identity'
import type { Queries } from '@waypost/store/engine/database'
import { lockApplication } from '@waypost/store/tables/applications/applications'
import { startBilling, stopBilling } from '@waypost/store/tables/applications/billing-periods'
import { addGrantEvent, type ExpiryReason, type GrantEventKind } from '@waypost/store/tables/grants/grant-events'
import { removeGrant } from '@waypost/store/tables/grants/grant-tombstones'
import {
  countGrants,
  findGrantByEmail,
  findGrantByExternalId,
  type GrantRecord,
  getGrant,
  insertGrant,
  lockGrant,
  updateGrant,
} from '@waypost/store/tables/grants/grants'
import { leaveBehind } from '@waypost/store/tables/notifications/leftovers'
import { begin, renew, sealCredentials } from './grant-records.ts'
import { accountKey } from './locator.ts'
import { type Notify, notificationsOf } from './notify.ts'
import { keepProviderTokens } from './provider-tokens.ts'
import { revokeLater } from './revocation.ts'
import { type GrantChange, type GrantTrigger, transition } from './states.ts'
import { type Authenticated, connectorFor, type Owner, refuseAnotherUser } from './verify-credentials.ts'
import { checkWorkspaceId, workspaceForNew } from './workspaces.ts'

export interface Tools {
  secrets: Secrets
  log: Log
  now: number
  /** Notifies the application, in the same transaction. */
  notify: Notify
  /** The hosted sign-in that caused the change. */
  loginId?: string | undefined
  /** The request that caused the change. */
  requestId?: string | undefined
}

/** Why a grant loses its access, and the provider's error if there was one. */
export interface Expiry {
  reason: ExpiryReason
  sealedMessage?: string
}

/**
 * The grant that an account's address already has. Throws if the account may not use it. Concurrent requests wait
 * until the transaction ends.
 */
export async function holderFor(
  tx: Queries,
  owner: Owner,
  account: Authenticated,
  tools: Tools,
): Promise<GrantRecord | undefined> {
  // One transaction per application at a time, so that addresses stay unique and the limit holds.
  await lockApplication(tx, owner.id)
  // Providers can be slow: the connector may have been deleted or replaced in the meantime.
  const connector = await connectorFor(tx, owner.id, account.connector.provider)
  if (connector.id !== account.connector.id) {
    throw new ApiError('conflict', 'the connector was replaced in the meantime: authenticate again')
  }
  const existing = await findGrantByEmail(tx, owner.id, accountKey(account.connector.provider, account.identity.email))
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

/** Creates a grant for an account, or re-authenticates the grant of its address. */
export async function grantAccess(tx: Queries, owner: Owner, account: Authenticated, tools: Tools): Promise<Grant> {
  const existing = await holderFor(tx, owner, account, tools)
  await refuseTakenExternalId(tx, owner.id, account.request.external_id, existing?.grant.id)
  const change = move(existing?.status ?? 'none', 'custom_authentication')
  if (change.billing === 'start') await refuseBeyondLimit(tx, owner)
  const workspaceId = await workspaceFor(tx, owner, account, existing)
  const at = { ...tools, workspaceId }
  const record = existing ? renew(existing, account, at) : begin(owner, account, at)
  await (existing ? updateGrant : insertGrant)(tx, record)
  await keepProviderTokens(tx, record, account.identity, tools)
  await afterwards(tx, record, change, tools)
  return record.grant
}

/** The workspace of an account: the one that its request names. A grant that can be used stays where it is. */
export async function workspaceFor(
  tx: Queries,
  owner: Owner,
  { identity, request }: Authenticated,
  existing: GrantRecord | undefined,
): Promise<string> {
  await checkWorkspaceId(tx, owner, request.workspace_id)
  if (request.workspace_id != null) return request.workspace_id
  if (existing && existing.status !== 'unverified') return existing.grant.workspace_id
  return workspaceForNew(tx, owner, identity.email.trim())
}

/** Refuses a new grant if the application has reached its limit. */
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

/** The effect of a trigger, which must be possible in this state. */
export function move(state: GrantRecord['status'] | 'none', trigger: GrantTrigger): GrantChange {
  const change = transition(state, trigger)
  if (!change) throw new Error(`a grant that is ${state} cannot handle ${trigger}`)
  return change
}

/** Writes the consequences of a change of state, in the same transaction. */
export async function afterwards(
  tx: Queries,
  record: GrantRecord,
  change: GrantChange,
  tools: Tools & { expiry?: Expiry },
): Promise<void> {
  const { applicationId, grant } = record
  const kind = eventOf(change)
  if (kind) await note(tx, record, kind, tools)
  if (change.billing === 'start') {
    await startBilling(tx, { applicationId, grantId: grant.id, provider: grant.provider }, tools.now)
  }
  if (change.billing === 'stop') await stopBilling(tx, applicationId, grant.id, tools.now)
  await tell(tx, record, change, tools)
}

/** The timeline entry for a change of state. */
function eventOf({ notification, reauthentication }: GrantChange): GrantEventKind | undefined {
  if (reauthentication) return 'authenticated'
  if (notification === 'grant.created') return 'created'
  return notification === 'grant.expired' ? 'expired' : undefined
}

/** Writes a timeline entry. */
const note = (
  tx: Queries,
  { applicationId, grant }: GrantRecord,
  kind: GrantEventKind,
  { now, requestId, expiry }: Pick<Tools, 'now' | 'requestId'> & { expiry?: Expiry },
): Promise<void> =>
  addGrantEvent(tx, {
    id: newOrderedId(),
    application_id: applicationId,
    grant_id: grant.id,
    at: now,
    kind,
    reason: expiry?.reason ?? null,
    sealed_message: expiry?.sealedMessage ?? null,
    request_id: requestId ?? null,
  })

async function tell(
  tx: Queries,
  record: GrantRecord,
  { notification, reauthentication }: Pick<GrantChange, 'notification' | 'reauthentication'>,
  tools: Tools,
): Promise<void> {
  if (!notification) return
  const at = { application_id: record.applicationId, grant_id: record.grant.id }
  tools.log.info({ ...at, event: notification }, 'grant changed')
  await tools.notify(tx, notificationsOf(record, notification, { reauthentication, loginId: tools.loginId }))
}

/** Applies a client's changes. The address identifies the grant and cannot change. */
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
    workspace_id: update.workspace_id ?? grant.workspace_id,
  }
  const sealed = sealCredentials(tools.secrets, at, identity?.credentials)
  const renewed = { ...record, grant: changed, sealedCredentials: sealed ?? record.sealedCredentials }
  await updateGrant(tx, renewed)
  if (identity) await keepProviderTokens(tx, renewed, identity, tools)
  if (sealed !== null || !isDeepStrictEqual(changed.scope, grant.scope)) await note(tx, renewed, 'changed', tools)
  // New credentials always count as a change.
  if (sealed !== null || !isDeepStrictEqual(changed, grant))
    await tell(tx, { ...record, grant: changed }, { notification: 'grant.updated' }, tools)
  return changed
}

/**
 * Marks a grant invalid, because its provider refuses it or somebody revoked it. The application is notified once,
 * data stays, billing continues.
 */
export async function loseAccess(
  tx: Queries,
  record: GrantRecord,
  expiry: Expiry & { purgeAt?: number },
  tools: Tools,
): Promise<Grant> {
  const change = move(record.status, 'access_lost')
  const changed: GrantRecord = {
    ...record,
    status: 'invalid',
    purgeAt: expiry.purgeAt ?? record.purgeAt,
    grant: { ...record.grant, grant_status: 'invalid' },
  }
  await updateGrant(tx, changed)
  await afterwards(tx, changed, change, { ...tools, expiry })
  return changed.grant
}

/** Blocks or unblocks a grant. */
export async function blockGrant(
  tx: Queries,
  record: GrantRecord,
  blocked: boolean,
  at: Pick<Tools, 'now' | 'requestId'>,
): Promise<Grant> {
  const grant = { ...record.grant, blocked }
  await updateGrant(tx, { ...record, grant })
  if (blocked !== record.grant.blocked) await note(tx, record, blocked ? 'blocked' : 'unblocked', at)
  return grant
}

/**
 * Deletes a grant, everything stored for it, and its undelivered notifications. The application is notified of the
 * deletion.
 */
export async function eraseGrant(tx: Queries, record: GrantRecord, tools: Tools): Promise<void> {
  const change = move(record.status, 'delete')
  const { applicationId, grant } = record
  // Waits for running changes of its data, so that their notifications are deleted too.
  await lockGrant(tx, applicationId, grant.id)
  await leaveBehind(tx, { of: 'grant', applicationId, id: grant.id }, tools.now)
  if (record.status !== 'unverified') await revokeLater(tx, record, tools)
  // The grant's notification counter is deleted with it, so the last notification is written first.
  await afterwards(tx, record, change, tools)
  await removeGrant(tx, { applicationId, id: grant.id }, tools.now)
}

/** Reads a grant again inside a transaction and locks it, so that the change builds on its current state. */
export async function needGrant(tx: Queries, applicationId: string, id: string): Promise<GrantRecord> {
  await lockApplication(tx, applicationId)
  const record = await getGrant(tx, applicationId, id)
  if (!record || record.status === 'unverified') throw new ApiError('grant_not_found')
  return record
}
