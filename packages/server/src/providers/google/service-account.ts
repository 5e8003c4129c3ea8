/** Google Workspace service accounts: accounts of a domain are used in their own name, without their consent. */
import { importPKCS8, SignJWT } from 'jose'
import { ApiError, invalidField } from '../../lib/api-error.ts'
import type { Io, OAuthTokens, ProviderClient } from '../provider.ts'
import { askForTokens } from './token-endpoint.ts'

/** The audience that Google asks for, wherever its token endpoint is reached. */
const audience = 'https://oauth2.googleapis.com/token'

/** An access token in the name of an account: `email_address` and `scopes` of the credentials say whose and for what. */
export async function impersonate(
  { data }: ProviderClient,
  { email_address: subject, scopes }: Record<string, unknown>,
  io: Io,
): Promise<OAuthTokens> {
  if (typeof subject !== 'string' || !Array.isArray(scopes)) {
    throw new ApiError('grant_invalid', 'the grant does not say which account the service account stands for')
  }
  const key = await importPKCS8(String(data.private_key), 'RS256').catch(() => {
    throw invalidField('credential_id', 'the private_key of the service account is not a PKCS #8 key in PEM form')
  })
  const now = Math.floor(io.clock.now() / 1000)
  const assertion = await new SignJWT({ scope: scopes.join(' ') })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: String(data.private_key_id) })
    .setIssuer(String(data.client_email))
    .setSubject(subject)
    .setAudience(io.providerUrl ? `${io.providerUrl}/token` : audience)
    .setIssuedAt(now)
    .setExpirationTime(now + 3600)
    .sign(key)
  return askForTokens({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }, io)
}
