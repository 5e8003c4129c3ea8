/** Google Workspace service accounts, which act for accounts of a domain without their consent. */
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { signAssertion } from '@waypost/platform/crypto/assertion'
import type { OAuthTokens, ProviderClient } from '../identity.ts'
import type { Io } from '../io.ts'
import { assertionGrant } from '../shared/oauth-token.ts'
import { endpoint } from './token-endpoint.ts'

/** An access token for the account and the scopes in the credentials (`email_address`, `scopes`). */
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
      privateKey: String(data.private_key),
      alg: 'RS256',
      header: { kid: String(data.private_key_id) },
      issuer: String(data.client_email),
      subject,
      audience: endpoint.url(io),
      claims: { scope: scopes.join(' ') },
      lifeSeconds: 3600,
      unreadableKey: () =>
        invalidField('credential_id', 'the private_key of the service account is not a PKCS #8 key in PEM form'),
    },
    io.clock.now(),
  )
  return assertionGrant(endpoint, assertion, io)
}
