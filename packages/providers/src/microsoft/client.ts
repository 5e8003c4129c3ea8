/** The client of a connector or credential at the identity platform, with a secret or a certificate. */
import { createHash, X509Certificate } from 'node:crypto'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { signAssertion } from '@waypost/platform/crypto/assertion'
import { newId } from '@waypost/platform/ids'
import type { OAuthTokens, ProviderClient } from '../identity.ts'
import type { Io } from '../io.ts'
import { secretClient } from '../shared/oauth-client.ts'
import { assertedClient, type ClientForm, clientCredentials, text } from '../shared/oauth-token.ts'
import { graphRoot } from './scopes.ts'
import { endpointFor, isDirectory, tenantOf } from './token-endpoint.ts'

const assertionSeconds = 300

/** The client's id; throws if the connector has none. */
export function clientIdOf(client: ProviderClient): string {
  const id = text(client.data.client_id)
  return id ?? secretClient(client, 'microsoft').client_id
}

/** What a client presents to the token endpoint. */
export async function clientForm(client: ProviderClient, io: Io): Promise<ClientForm> {
  const { data } = client
  const certificate = text(data.certificate)
  if (certificate === undefined) return secretClient(client, 'microsoft')
  const id = clientIdOf(client)
  const assertion = await signAssertion(
    {
      privateKey: String(data.private_key),
      alg: 'PS256',
      header: { 'x5t#S256': thumbprintOf(certificate) },
      issuer: id,
      subject: id,
      audience: endpointFor(client).url(io),
      claims: { jti: newId() },
      hasNotBefore: true,
      lifeSeconds: assertionSeconds,
      unreadableKey: () =>
        invalidField('credential_id', 'the private_key of the credential is not a PKCS #8 key in PEM form'),
    },
    io.clock.now(),
  )
  return assertedClient(id, assertion)
}

/** The thumbprint of a certificate (https://learn.microsoft.com/entra/identity-platform/certificate-credentials). */
function thumbprintOf(certificate: string): string {
  try {
    return createHash('sha256').update(new X509Certificate(certificate).raw).digest('base64url')
  } catch {
    throw invalidField('credential_id', 'the certificate of the credential is not an X.509 certificate in PEM form')
  }
}

/** An access token of the client itself, for the permissions that an administrator gave it in an organization. */
export async function applicationTokens(client: ProviderClient, io: Io): Promise<OAuthTokens> {
  if (!isDirectory(tenantOf(client))) {
    throw new ApiError(
      'connector_required',
      'the credential must name its tenant, the id of the directory or one of its domains: an application is let in by one organization at a time',
    )
  }
  return clientCredentials(endpointFor(client), await clientForm(client, io), `${graphRoot}.default`, io)
}
