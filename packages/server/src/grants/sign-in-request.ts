/** Validates an application's sign-in request. */
import type { ConnectAuthQuery } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import type { Clock } from '@waypost/platform/clock'
import type { Secrets } from '@waypost/platform/crypto/secrets'
import type { Log } from '@waypost/platform/log'
import type { Io } from '@waypost/providers/io'
import { findProvider, needProvider, type Providers } from '@waypost/providers/registry'
import { checkScopeNames } from '@waypost/providers/scope-names'
import type { Database } from '@waypost/store/engine/database'
import { type ConnectorRow, listConnectors } from '@waypost/store/tables/applications/connectors'
import { clientOf } from '../applications/credentials.ts'
import type { Notify } from './notify.ts'
import { challengeProblem, needProofKey } from './pkce.ts'
import { connectorFor, credentialFor, kindOf, type Owner } from './verify-credentials.ts'

/** An application's sign-in request, as it is stored. */
export interface SignInRequest {
  redirectUri: string
  /** The providers to choose from, in order. */
  kinds: readonly string[]
  scope: readonly string[] | null
  state: string | null
  loginHint: string | null
  offline: boolean
  prompt: NonNullable<ConnectAuthQuery['prompt']>
  challenge: { value: string; method: string } | null
  credentialId: string | null
  /** The account must be able to send mail. */
  sends: boolean
  includeGranted: boolean
  /** An administrator consents for an organization. Nobody signs in. */
  adminConsent?: boolean
  /** The sign-in only proves that a connected account belongs to the person at the browser. */
  proves?: boolean
  /** Languages for the pages, best first, as requested by the application or chosen by the user. */
  uiLocales?: readonly string[]
}

export interface SignInTools {
  database: Database
  clock: Clock
  log: Log
  secrets: Secrets
  notify: Notify
  providers: Providers
  ioFor(kind: string, signal: AbortSignal): Io
  baseUrl: string
  /** Whether authorization requests need a proof key (`WAYPOST_OAUTH=strict`). */
  isStrict?: boolean
}

const words = (text: string | undefined): string[] | null => text?.split(/[\s,]+/).filter(Boolean) ?? null

/** The validated request of an application. */
export async function readRequest(tools: SignInTools, owner: Owner, query: ConnectAuthQuery): Promise<SignInRequest> {
  const options = query.options ?? []
  const { code_challenge: value, code_challenge_method: method } = query
  if (value === undefined && method !== undefined) throw invalidField('code_challenge', 'is missing')
  const challenge = value === undefined ? null : { value, method: method ?? 'plain' }
  if (tools.isStrict && query.response_type === 'code') needProofKey(query)
  const problem = challenge && challengeProblem(challenge)
  if (problem) throw invalidField('code_challenge', problem)
  const kinds = await offeredKinds(tools, owner, { requested: query.provider, credentialId: query.credential_id })
  const [only, ...others] = kinds
  // With several providers to choose from, a scope may belong to another one.
  if (only !== undefined && others.length === 0) checkScopeNames(tools.providers, only, words(query.scope))
  const adminConsent = query.response_type === 'adminconsent'
  return {
    redirectUri: query.redirect_uri,
    kinds: adminConsent ? consentingKinds(tools, kinds, query) : kinds,
    scope: words(query.scope),
    state: query.state ?? null,
    loginHint: query.login_hint?.trim() || null,
    offline: query.access_type === 'offline',
    prompt: query.prompt ?? 'select_provider',
    challenge,
    credentialId: query.credential_id ?? null,
    sends: query.smtp_required === true || options.includes('smtp_required'),
    includeGranted: query.include_grant_scopes !== false && !options.includes('exclude_google_granted_scopes'),
    ...(adminConsent ? { adminConsent } : {}),
    ...(query.ui_locales === undefined ? {} : { uiLocales: words(query.ui_locales) ?? [] }),
  }
}

/** The providers among several that offer administrator consent. */
function consentingKinds(
  { providers }: SignInTools,
  kinds: readonly string[],
  { credential_id: credentialId }: ConnectAuthQuery,
): string[] {
  const consenting = kinds.filter((kind) => providers[kind]?.oauth?.adminConsent)
  if (consenting.length === 0) {
    throw new ApiError('not_supported_by_provider', `${kinds.join(', ')} does not offer administrator consent`)
  }
  if (credentialId === undefined)
    throw invalidField('credential_id', 'is required: a credential of the type adminconsent')
  return consenting
}

/** The providers that users may sign in with: the requested ones, or all that the application has set up. */
async function offeredKinds(
  tools: SignInTools,
  owner: Owner,
  { requested, credentialId }: { requested: readonly string[] | undefined; credentialId: string | undefined },
): Promise<string[]> {
  const { database, providers } = tools
  if (requested && requested.length > 0) {
    const kinds = [...new Set(requested.map((kind) => kindOf(kind.trim())))]
    for (const kind of kinds) {
      const provider = needProvider(providers, kind, 'connect.auth')
      if (!provider.oauth && !provider.form) throw invalidField('provider', `${kind} has no user sign-in`)
      const connector = await connectorFor(database, owner.id, kind)
      if (credentialId !== undefined) await credentialFor(database, connector, credentialId)
    }
    return kinds
  }
  const offered: string[] = []
  for (const connector of await listConnectors(database, owner.id)) {
    const provider = findProvider(providers, connector.provider)
    if (provider?.form || (provider?.oauth && (await hasClient(tools, connector)))) offered.push(connector.provider)
  }
  if (offered.length > 0) return inUsualOrder(providers, offered)
  throw new ApiError('connector_required', 'the application has no connector that users can sign in with')
}

/** Providers in display order: named ones in the order of the table, then the form for any other account. */
export function inUsualOrder(providers: Providers, kinds: readonly string[]): string[] {
  const all = Object.keys(providers)
  const rank = (kind: string): number => (providers[kind]?.form?.anyAddress ? all.length : all.indexOf(kind))
  return kinds.toSorted((one, other) => rank(one) - rank(other))
}

/**
 * Whether users sign in at the provider's own page: the provider has one, and the connector has an OAuth client or
 * there is no form instead.
 */
export async function signsInAtProvider(tools: SignInTools, owner: Owner, kind: string): Promise<boolean> {
  const provider = findProvider(tools.providers, kind)
  if (!provider?.oauth) return false
  return !provider.form || hasClient(tools, await connectorFor(tools.database, owner.id, kind))
}

/**
 * Whether users can be sent to a provider's own page because passwords do not work for their account: the application
 * has set the provider up and offers it, or its request contains nothing meant for another provider.
 */
export async function canLeadTo(
  tools: SignInTools,
  owner: Owner,
  { kinds, scope, credentialId }: SignInRequest,
  kind: string,
): Promise<boolean> {
  if (!kinds.includes(kind) && (scope !== null || credentialId !== null)) return false
  if (!findProvider(tools.providers, kind)?.oauth) return false
  const connector = (await listConnectors(tools.database, owner.id)).find(({ provider }) => provider === kind)
  return connector !== undefined && hasClient(tools, connector)
}

/**
 * Whether a connector has the OAuth client that the provider's sign-in page needs. Those of a sandbox may lack it.
 */
async function hasClient({ database, secrets }: SignInTools, connector: ConnectorRow): Promise<boolean> {
  const { data } = await clientOf(database, secrets, connector, connector.active_credential_id)
  return [data.client_id, data.client_secret ?? data.certificate].every((each) => typeof each === 'string')
}
