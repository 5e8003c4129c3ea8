/** Tries credentials at their provider. Nothing is stored here. */
import { type CustomAuthentication, type ProviderKind, providerKinds } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import type { Secrets } from '@waypost/platform/crypto/secrets'
import type { Identity } from '@waypost/providers/identity'
import type { Io } from '@waypost/providers/io'
import type { OAuth } from '@waypost/providers/oauth'
import { needProvider, type Providers } from '@waypost/providers/registry'
import { checkScopeNames } from '@waypost/providers/scope-names'
import { sandboxScopes } from '@waypost/providers/settings'
import type { Queries } from '@waypost/store/engine/database'
import { getApplication } from '@waypost/store/tables/applications/applications'
import { type ConnectorRow, getConnector } from '@waypost/store/tables/applications/connectors'
import { getCredential } from '@waypost/store/tables/applications/credentials'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import { parseSettings } from '../applications/connectors.ts'
import { clientOf } from '../applications/credentials.ts'
import { accountKey, reservedAddress } from './locator.ts'

/** The application that owns the grant. */
export interface Owner {
  id: string
  /** The default workspace. */
  workspaceId: string
  grantLimit: number | null
}

/** An account that its provider accepted, ready to become a grant. */
export interface Authenticated {
  connector: ConnectorRow
  /** The connector's credential whose OAuth client was used. */
  credentialId: string | null
  identity: Identity
  request: CustomAuthentication
}

export function kindOf(provider: string): ProviderKind {
  if (Object.hasOwn(providerKinds, provider)) return provider as ProviderKind
  throw invalidField('provider', `must be one of ${Object.keys(providerKinds).join(', ')}`)
}

/** Collaborators for trying credentials. */
interface Trying {
  providers: Providers
  secrets: Secrets
  ioFor(kind: string): Io
}

/** Tries credentials at their provider. Nothing is stored yet. */
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
  checkScopeNames(tools.providers, kind, request.scope)
  const named = request.credential_id ?? settings.credential_id
  const { connector, credentialId, client } = await clientFor(queries, tools.secrets, {
    owner,
    kind,
    credentialId: named,
  })
  const scope = request.scope ?? (provider.oauth ? undefined : scopeOfConnector(connector))
  const bounded = { connector, oauth: provider.oauth }
  await refuseWiderScopes(queries, bounded, scope)
  const identity = await provider.authenticate(settings, tools.ioFor(kind), { client, scope })
  await refuseWiderScopes(queries, bounded, identity.scope)
  const reserved = reservedAddress(identity.email)
  if (reserved) throw invalidField('settings.email', reserved)
  return { connector, credentialId, identity, request }
}

/** Default scopes if the request has none: those of the connector, at providers that ask users for consent. */
function scopeOfConnector(connector: ConnectorRow): string[] | undefined {
  const scope: string[] = JSON.parse(connector.scope)
  return scope.length > 0 ? scope : undefined
}

/** The connector of a kind. Throws an error that says how to create it. */
export async function connectorFor(queries: Queries, applicationId: string, kind: string): Promise<ConnectorRow> {
  const connector = await getConnector(queries, applicationId, kind)
  if (connector) return connector
  throw new ApiError(
    'connector_required',
    `the application has no connector for ${kind}: create one with POST /v3/connectors {"provider":"${kind}"}`,
  )
}

/** The credential that a request names, next to or inside the settings; otherwise the connector's active one. */
export async function credentialFor(queries: Queries, connector: ConnectorRow, id: unknown): Promise<string | null> {
  if (typeof id !== 'string') return connector.active_credential_id
  const at = { applicationId: connector.application_id, connectorId: connector.id, id }
  if (await getCredential(queries, at)) return id
  throw invalidField('credential_id', 'is not a credential of this connector')
}

/** The OAuth client for a request: that of the credential which it names, otherwise of the connector's active one. */
export async function clientFor(
  queries: Queries,
  secrets: Secrets,
  { owner, kind, credentialId: named }: { owner: Pick<Owner, 'id'>; kind: string; credentialId: unknown },
) {
  const connector = await connectorFor(queries, owner.id, kind)
  const credentialId = await credentialFor(queries, connector, named)
  return { connector, credentialId, client: await clientOf(queries, secrets, connector, credentialId) }
}

/** Tries new settings of a grant at its provider. Nothing is stored yet. */
export async function tryNewSettings(
  queries: Queries,
  record: GrantRecord,
  given: Record<string, unknown>,
  tools: Trying,
): Promise<Identity> {
  const { grant } = record
  const provider = needProvider(tools.providers, grant.provider, 'grants.update')
  // New settings replace the old ones. Settings that identify the account stay if they are not given.
  const settings = parseSettings(providerKinds[grant.provider].customSettings, { ...grant.settings, ...given })
  const connector = await connectorFor(queries, record.applicationId, grant.provider)
  const client = await clientOf(queries, tools.secrets, connector, grant.credential_id)
  const identity = await provider.authenticate(settings, tools.ioFor(grant.provider), { client, scope: grant.scope })
  if (accountKey(grant.provider, identity.email) !== record.emailKey) {
    throw invalidField('settings.email', 'the address of a grant cannot change: authenticate the other address instead')
  }
  refuseAnotherUser(record, identity)
  await refuseWiderScopes(queries, { connector, oauth: provider.oauth }, identity.scope)
  return identity
}

/** The same address does not mean the same user: the provider may have reassigned it. */
export function refuseAnotherUser({ grant }: GrantRecord, { providerUserId }: Identity): void {
  if (grant.provider_user_id === null || providerUserId === null || grant.provider_user_id === providerUserId) return
  throw new ApiError(
    'authentication_failed',
    'the address now belongs to another user of the provider: delete the grant first',
  )
}

/**
 * The fixed scopes of a connector in canonical spelling. Undefined if they are not fixed. Those of the sandbox are: they
 * are the maximum for its grants, and neither a request nor the provider's token can go beyond them. Other applications
 * may request any scopes.
 */
export async function fixedScopes(
  queries: Queries,
  connector: ConnectorRow,
  oauth: OAuth | undefined,
): Promise<ReadonlySet<string> | undefined> {
  if (!oauth || !Object.hasOwn(sandboxScopes, connector.provider)) return undefined
  const application = await getApplication(queries, connector.application_id)
  if (application?.environment !== 'sandbox') return undefined
  const fixed: string[] = JSON.parse(connector.scope)
  return new Set([...oauth.identityScope, ...fixed].map(oauth.canonicalScope))
}

/** Refuses scopes beyond the fixed scopes of a connector. */
export async function refuseWiderScopes(
  queries: Queries,
  { connector, oauth }: { connector: ConnectorRow; oauth: OAuth | undefined },
  scopes: readonly string[] | null | undefined,
): Promise<void> {
  if (!oauth || !scopes?.length) return
  const fixed = await fixedScopes(queries, connector, oauth)
  const beyond = fixed ? scopes.filter((scope) => !fixed.has(oauth.canonicalScope(scope))) : []
  if (beyond.length === 0) return
  throw new ApiError(
    'invalid_scope',
    `the sandbox application has fixed scopes, which do not include ${beyond.slice(0, 10).join(' ').slice(0, 400)}: leave them out, or create an application of your own`,
  )
}
