// Service accounts: a key pair that, with domain-wide delegation, can act as any user without consent.
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { decodeJwt, importSPKI, jwtVerify } from 'jose'
import type { World } from '../world.ts'

/** Google's JSON key file. */
export interface ServiceAccountKey {
  readonly type: 'service_account'
  readonly project_id: string
  readonly private_key_id: string
  readonly private_key: string
  readonly client_email: string
  readonly client_id: string
  readonly auth_uri: string
  readonly token_uri: string
  readonly auth_provider_x509_cert_url: string
  readonly universe_domain: string
}

export interface Assertion {
  readonly serviceAccount: string
  /** The user to impersonate. */
  readonly subject: string | undefined
  readonly scope: string
}

export interface ServiceAccounts {
  add(): ServiceAccountKey
  /** The claims of a signed assertion (RFC 7523); rejects if it is invalid. */
  verify(assertion: string): Promise<Assertion>
}

export function createServiceAccounts(world: Pick<World, 'url' | 'now'>): ServiceAccounts {
  const publicKeys = new Map<string, string>()
  return {
    add() {
      const { privateKey, publicKey } = generateKeyPairSync('rsa', {
        modulusLength: 2048,
        privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
        publicKeyEncoding: { type: 'spki', format: 'pem' },
      })
      const number = publicKeys.size + 1
      const email = `robot-${number}@simulated-project.iam.gserviceaccount.com`
      publicKeys.set(email, publicKey)
      return {
        type: 'service_account',
        project_id: 'simulated-project',
        private_key_id: randomBytes(20).toString('hex'),
        private_key: privateKey,
        client_email: email,
        client_id: String(110_000_000_000_000 + number),
        auth_uri: `${world.url}/o/oauth2/v2/auth`,
        token_uri: `${world.url}/token`,
        auth_provider_x509_cert_url: `${world.url}/oauth2/v1/certs`,
        universe_domain: 'googleapis.com',
      }
    },
    async verify(assertion) {
      const { payload } = await jwtVerify(
        assertion,
        () => importSPKI(publicKeys.get(issuerOf(assertion)) ?? '', 'RS256'),
        // The production URL is accepted too: some clients have a fixed audience.
        {
          algorithms: ['RS256'],
          audience: [`${world.url}/token`, 'https://oauth2.googleapis.com/token'],
          currentDate: new Date(world.now()),
        },
      )
      const { iss, sub, scope } = payload
      return {
        serviceAccount: iss ?? '',
        subject: sub === iss ? undefined : sub,
        scope: typeof scope === 'string' ? scope : '',
      }
    },
  }
}

function issuerOf(assertion: string): string {
  return decodeJwt(assertion).iss ?? ''
}
