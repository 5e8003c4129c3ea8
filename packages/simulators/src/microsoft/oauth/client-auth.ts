// Client authentication: by secret, or by an assertion signed with the application's certificate.
// https://learn.microsoft.com/entra/identity-platform/certificate-credentials
import { createPublicKey, X509Certificate } from 'node:crypto'
import { jwtVerify } from 'jose'
import { clientCredentials } from '../../shared/oauth/errors.ts'
import { AadError, missingParameter } from './errors.ts'
import type { MicrosoftClient, OAuth } from './oauth.ts'

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const signatures = ['PS256', 'RS256']

interface Presented {
  readonly form: URLSearchParams
  readonly headers: Headers
  /** The `{tenant}` of the path. */
  readonly tenant: string
}

export async function authenticateClient(oauth: OAuth, presented: Presented): Promise<MicrosoftClient> {
  const { form, headers, tenant } = presented
  const { id, secret } = clientCredentials(form, headers)
  if (!id) throw missingParameter('client_id')
  const client = oauth.clients.find(id)
  if (client === undefined) {
    throw new AadError(
      'unauthorized_client',
      700016,
      `Application with identifier '${id}' was not found in the directory '${tenant}'. This can happen if the application has not been installed by the administrator of the tenant or consented to by any user in the tenant. You may have sent your authentication request to the wrong tenant.`,
    )
  }
  const assertion = form.get('client_assertion')
  if (assertion !== null) await checkAssertion(oauth, client, presented, assertion)
  else checkSecret(client, secret)
  return client
}

function checkSecret(client: MicrosoftClient, secret: string | null): void {
  if (!secret) {
    throw refused(
      7000218,
      "The request body must contain the following parameter: 'client_assertion' or 'client_secret'.",
    )
  }
  if (secret !== client.secret) {
    throw refused(
      7000215,
      `Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, not the client secret ID, for a secret added to app '${client.id}'.`,
    )
  }
  if (client.hasExpiredSecret === true) {
    throw refused(7000222, `The provided client secret keys for app '${client.id}' are expired.`)
  }
}

async function checkAssertion(
  { world }: OAuth,
  client: MicrosoftClient,
  { form, tenant }: Presented,
  assertion: string,
): Promise<void> {
  if (form.get('client_assertion_type') !== assertionType) throw missingParameter('client_assertion_type')
  const path = `/${tenant}/oauth2/v2.0/token`
  for (const pem of client.certificates ?? []) {
    const key = pem.includes('CERTIFICATE') ? new X509Certificate(pem).publicKey : createPublicKey(pem)
    try {
      await jwtVerify(assertion, key, {
        algorithms: signatures,
        // The production URL is accepted too: some clients have a fixed audience.
        audience: [world.url + path, `https://login.microsoftonline.com${path}`],
        issuer: client.id,
        subject: client.id,
        currentDate: new Date(world.now()),
        requiredClaims: ['exp', 'jti'],
      })
      return
    } catch {
      // Another certificate may fit.
    }
  }
  throw refused(
    700027,
    'The certificate with identifier used to sign the client assertion is not registered on application, or client assertion failed signature validation.',
  )
}

function refused(number: number, message: string): AadError {
  return new AadError('invalid_client', number, message, { status: 401 })
}
