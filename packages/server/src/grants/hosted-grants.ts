/**
 * Grants that come from a hosted sign-in. The sign-in itself does not change a working grant. A new address gets an
 * unverified grant, which cannot be used and is deleted when its code expires. An existing grant stays as it is. The
 * account waits, sealed, with the code, and takes effect when the code is exchanged.
 */
import { ApiError } from '@waypost/platform/api-error'
import type { Queries } from '@waypost/store/engine/database'
import { type GrantRecord, insertGrant, updateGrant } from '@waypost/store/tables/grants/grants'
import { begin, renew } from './grant-records.ts'
import { afterwards, holderFor, move, refuseBeyondLimit, type Tools, workspaceFor } from './grants.ts'
import { keepProviderTokens } from './provider-tokens.ts'
import type { Authenticated, Owner } from './verify-credentials.ts'

/** Settings that must not change when a grant is re-authenticated through a page that anybody can fill in. */
export type Fixed = readonly string[]

/** What the service knows about the user's browser. */
export interface Visitor {
  ip: string
  userAgent: string | null
}

function refuseOtherServers({ grant }: GrantRecord, { identity }: Authenticated, fixed: Fixed): void {
  const [old, now] = [grant.settings, identity.settings]
  // A setting that was added or removed does not mean another server.
  const changed = fixed.find((name) => old[name] !== undefined && now[name] !== undefined && old[name] !== now[name])
  if (changed === undefined) return
  throw new ApiError(
    'reauth_email_invalid',
    `the address is connected with another ${changed}: the application must delete the grant first, or authenticate it itself`,
  )
}

/** Reserves a grant for an account that has signed in. A working grant does not change. */
export async function awaitExchange(
  tx: Queries,
  owner: Owner,
  account: Authenticated,
  { fixed, purgeAt, ...tools }: Tools & { fixed: Fixed; purgeAt: number },
): Promise<GrantRecord> {
  const existing = await holderFor(tx, owner, account, tools)
  const { next } = move(existing?.status ?? 'none', 'hosted_sign_in')
  if (existing && next !== 'unverified') {
    refuseOtherServers(existing, account, fixed)
    return existing
  }
  await refuseBeyondLimit(tx, owner)
  if (existing) {
    const longer = { ...existing, purgeAt: Math.max(existing.purgeAt ?? 0, purgeAt) }
    await updateGrant(tx, longer)
    return longer
  }
  const workspaceId = await workspaceFor(tx, owner, account, undefined)
  const full = begin(owner, account, { ...tools, workspaceId })
  // Nothing about the account is stored in the grant before the exchange.
  const record: GrantRecord = {
    ...full,
    status: 'unverified',
    sealedCredentials: null,
    purgeAt,
    grant: { ...full.grant, grant_status: 'invalid', provider_user_id: null, settings: {}, name: null },
  }
  await insertGrant(tx, record)
  return record
}

/** Gives a grant the account that waited for it. */
export async function completeExchange(
  tx: Queries,
  owner: Owner,
  account: Authenticated,
  { grantId, visitor, ...tools }: Tools & { grantId: string; visitor: Visitor },
): Promise<GrantRecord> {
  const holder = await holderFor(tx, owner, account, tools)
  const record = holder?.grant.id === grantId ? holder : undefined
  if (!record) throw new ApiError('invalid_grant', 'the grant of this code was deleted: authenticate again')
  const change = move(record.status, 'token_exchange')
  if (change.billing === 'start') await refuseBeyondLimit(tx, owner)
  // Workspaces may have been created since the sign-in.
  const workspaceId = await workspaceFor(tx, owner, account, record)
  const renewed = renew(record, account, { ...tools, workspaceId })
  const next: GrantRecord = {
    ...renewed,
    grant: { ...renewed.grant, ip: visitor.ip, user_agent: visitor.userAgent },
  }
  await updateGrant(tx, next)
  await keepProviderTokens(tx, next, account.identity, tools)
  await afterwards(tx, next, change, tools)
  return next
}
