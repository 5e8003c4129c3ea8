/**
 * Administrator consent for all accounts of an organization. The administrator visits the provider's page and
 * returns, like a user who signs in, but gets neither a grant nor a code. Grants of the organization are created
 * afterwards through custom authentication with the same credential.
 */

import { ApiError, invalidField } from '@waypost/platform/api-error'
import { newToken } from '@waypost/platform/ids'
import type { ProviderClient } from '@waypost/providers/identity'
import type { OAuth } from '@waypost/providers/oauth'
import { needProvider } from '@waypost/providers/registry'
import { endLoginSession } from '@waypost/store/tables/grants/login-sessions'
import { callbackOf, leave, type SignInSession } from './sign-in.ts'
import type { SignInTools } from './sign-in-request.ts'
import { clientFor } from './verify-credentials.ts'

interface ConsentRequest {
  client: ProviderClient
  adminConsent: NonNullable<OAuth['adminConsent']>
}

async function requestedOf(
  tools: SignInTools,
  { owner, request }: SignInSession,
  kind: string,
): Promise<ConsentRequest> {
  const { adminConsent } = needProvider(tools.providers, kind, 'connect.auth').oauth ?? {}
  if (!adminConsent) throw new Error(`${kind} does not offer administrator consent`)
  const { credentialId } = request
  const { client } = await clientFor(tools.database, tools.secrets, { owner, kind, credentialId })
  if (client.type !== 'adminconsent')
    throw invalidField('credential_id', 'must be a credential of the type adminconsent')
  return { client, adminConsent }
}

/** The URL of the provider's consent page for this session. */
export async function goToAdministrator(
  tools: SignInTools,
  session: SignInSession,
  kind: string,
  signal: AbortSignal,
): Promise<string> {
  const { client, adminConsent } = await requestedOf(tools, session, kind)
  const state = newToken()
  const url = adminConsent.url(client, { redirectUri: callbackOf(tools), state }, tools.ioFor(kind, signal))
  // There is no code, so the verifier is never used.
  await leave(tools, session, { kind, state, verifier: newToken() })
  return url
}

/** Completes the flow of an administrator who returns. Returns the organization that gave consent. */
export async function consentGiven(
  tools: SignInTools,
  session: SignInSession,
  query: URLSearchParams,
): Promise<string> {
  const { row } = session
  const { client, adminConsent } = await requestedOf(tools, session, row.provider ?? '')
  const tenant = adminConsent.tenantIn(client, query)
  if (!(await endLoginSession(tools.database, row, tools.clock.now()))) throw new ApiError('login_id_invalid')
  return tenant
}
