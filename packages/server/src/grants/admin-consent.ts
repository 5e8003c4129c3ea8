/**
 * Consent of an administrator for all accounts of an organization. The administrator goes to the provider's page and comes
 * back, as a user who signs in does; there is no grant and no code for it. Grants of the organization are made by custom
 * authentication afterwards, with the same credential.
 */
import { hashKey } from '../applications/api-keys.ts'
import { clientOf } from '../applications/provider-client.ts'
import { ApiError, invalidField } from '../lib/api-error.ts'
import { newToken } from '../lib/ids.ts'
import type { ProviderClient } from '../providers/identity.ts'
import type { OAuth } from '../providers/oauth.ts'
import { needProvider } from '../providers/registry.ts'
import { endLoginSession, leaveForProvider } from '../store/tables/grants/login-sessions.ts'
import { callbackOf, type SignInSession, sealVerifier, stateMs } from './sign-in.ts'
import type { SignInTools } from './sign-in-request.ts'
import { connectorFor, credentialFor } from './verify-credentials.ts'

interface Asked {
  client: ProviderClient
  adminConsent: NonNullable<OAuth['adminConsent']>
}

async function askedOf(tools: SignInTools, { owner, request }: SignInSession, kind: string): Promise<Asked> {
  const { adminConsent } = needProvider(tools.providers, kind, 'connect.auth').oauth ?? {}
  if (!adminConsent) throw new Error(`${kind} has no consent by an administrator`)
  const connector = await connectorFor(tools.database, owner.id, kind)
  const credentialId = await credentialFor(tools.database, connector, request.credentialId ?? undefined)
  const client = await clientOf(tools.database, tools.secrets, connector, credentialId)
  if (client.type !== 'adminconsent')
    throw invalidField('credential_id', 'must be a credential of the type adminconsent')
  return { client, adminConsent }
}

/** The address of the provider's page for administrators, for this session. */
export async function goToAdministrator(
  tools: SignInTools,
  session: SignInSession,
  kind: string,
  signal: AbortSignal,
): Promise<string> {
  const { client, adminConsent } = await askedOf(tools, session, kind)
  const state = newToken()
  const url = adminConsent.url(client, { redirectUri: callbackOf(tools), state }, tools.ioFor(kind, signal))
  await leaveForProvider(tools.database, session.row, {
    provider: kind,
    stateHash: hashKey(state),
    // There is no code to prove anything for.
    sealedVerifier: sealVerifier(tools, session.row, newToken()),
    expiresAt: tools.clock.now() + stateMs,
  })
  return url
}

/** Ends the way of an administrator who comes back: the organization that consent was given for. */
export async function consentGiven(
  tools: SignInTools,
  session: SignInSession,
  query: URLSearchParams,
): Promise<string> {
  const { row } = session
  const { client, adminConsent } = await askedOf(tools, session, row.provider ?? '')
  const tenant = adminConsent.tenantIn(client, query)
  if (!(await endLoginSession(tools.database, row, tools.clock.now()))) throw new ApiError('login_id_invalid')
  return tenant
}
