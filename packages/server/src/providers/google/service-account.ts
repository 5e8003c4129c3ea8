/** Google Workspace service accounts: accounts of a domain are used in their own name, without their consent. */
import { ApiError } from '../../lib/api-error.ts'
import type { OAuthTokens, ProviderClient } from '../identity.ts'
import type { Io } from '../io.ts'
import { assertionGrant, signAssertion } from '../shared/oauth-token.ts'
import { endpoint } from './token-endpoint.ts'

/** An access token in the name of an account: `email_address` and `scopes` of the credentials say whose and for what. */
export async function impersonate(
  { data }: ProviderClient,
  { email_address: subject, scopes }: Record<string, unknown>,
  io: Io,
): Promise<OAuthTokens> {
  if (typeof subject !== 'string' || !Array.isArray(scopes)) {
    throw new ApiError('grant_invalid', 'the grant does not say which account the service account stands for')
  }
  const assertion = await signAssertion(
    {
      privateKey: data.private_key,
      alg: 'RS256',
      header: { kid: String(data.private_key_id) },
      issuer: String(data.client_email),
      subject,
      audience: endpoint.url(io),
      claims: { scope: scopes.join(' ') },
      lifeSeconds: 3600,
      badKey: 'the private_key of the service account is not a PKCS #8 key in PEM form',
    },
    io,
  )
  return assertionGrant(endpoint, assertion, io)
}
