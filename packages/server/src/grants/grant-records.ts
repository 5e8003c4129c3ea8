/** Builds the records of grants from accounts that their provider accepted. */
import { type Grant, type ProviderKind, providerKinds } from '@waypost/contract'
import { seconds } from '@waypost/platform/clock'
import type { Secrets } from '@waypost/platform/crypto/secrets'
import { newId } from '@waypost/platform/ids'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import { accountKey } from './locator.ts'
import type { Authenticated, Owner } from './verify-credentials.ts'

interface At {
  secrets: Secrets
  now: number
  /** The workspace that the grant is to have. */
  workspaceId: string
}

/** Seals the credentials of an account for its row. */
export const sealCredentials = (
  secrets: Secrets,
  at: { application: string; row: string },
  credentials: Record<string, unknown> | undefined,
): string | null =>
  credentials
    ? secrets.seal(JSON.stringify(credentials), { table: 'grants', column: 'sealed_credentials', ...at })
    : null

/**
 * The scopes of a grant: those reported by the provider, otherwise those requested. Kinds without scopes have none.
 */
const scopeOf = ({ connector, identity, request }: Authenticated): string[] =>
  identity.scope.length === 0 && providerKinds[connector.provider as ProviderKind].takesScope
    ? (request.scope ?? [])
    : identity.scope

/** The record of an account without a grant. */
export function begin(owner: Owner, account: Authenticated, tools: At): GrantRecord {
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
    workspace_id: tools.workspaceId,
    blocked: false,
    created_at: seconds(tools.now),
    updated_at: seconds(tools.now),
  }
  return {
    grant,
    applicationId: owner.id,
    connectorId: connector.id,
    emailKey: accountKey(connector.provider, identity.email),
    status: 'valid',
    sealedCredentials: sealCredentials(tools.secrets, { application: owner.id, row: id }, identity.credentials),
    purgeAt: null,
    createdAt: tools.now,
    updatedAt: tools.now,
  }
}

/** The record after a re-authentication. Fields that the provider did not return stay as they were. */
export function renew(record: GrantRecord, account: Authenticated, tools: At): GrantRecord {
  const { identity, request, connector, credentialId } = account
  const { grant } = record
  // An unverified grant could not be used, so it counts as created now.
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
      workspace_id: tools.workspaceId,
      updated_at: seconds(tools.now),
    },
  }
}
