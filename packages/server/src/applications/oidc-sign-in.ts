/**
 * Administrator sign-in with OpenID Connect. A sign-in is bound to the browser that started it by a sealed cookie,
 * and is valid once: it is consumed in the transaction that creates the session.
 */

import type { Clock } from '@waypost/platform/clock'
import { type SealContext, type Secrets, SecretsError } from '@waypost/platform/crypto/secrets'
import type { Egress } from '@waypost/platform/egress/egress'
import type { Log } from '@waypost/platform/log'
import { type OidcSettings, oidcPaths } from '@waypost/platform/settings/oidc-settings'
import type { Database, Queries } from '@waypost/store/engine/database'
import { useOnce } from '@waypost/store/tables/applications/admin-sessions'
import type { PersonRow } from '@waypost/store/tables/applications/people'
import type { Config } from '../config.ts'
import type { AdminAuthentication } from './admin-authentication.ts'
import { hashKey } from './api-keys.ts'
import { Attempt, authorizationAddress, nameOf, newAttempt, OidcError, profileIn, verifiedAddress } from './oidc.ts'
import type { OidcProvider } from './oidc-provider.ts'
import type { Visitor } from './own-page.ts'
import { type Identity, personOfIdentity } from './people.ts'
import { signIn } from './sign-in.ts'

export interface OidcSignIn {
  /** Label of the button. */
  name: string
  /** Starts a sign-in that ends at a dashboard page. Returns the URL for the browser and the cookie value. */
  begin(to: string): Promise<{ location: string; retained: string }>
  /**
   * Completes a sign-in. Returns the cookies of the new session and the page to open. Throws an OidcError on failure.
   */
  finish(visitor: Visitor, returned: { query: URLSearchParams; retained: string | undefined }): Promise<OidcOutcome>
}

export interface OidcOutcome {
  cookies: string[]
  to: string
}

export interface OidcSignInOptions {
  settings: OidcSettings
  clientSecret: string | undefined
  /** The redirect URI registered at the provider. */
  redirectUri: string
  database: Database
  clock: Clock
  egress: Egress
  secrets: Secrets
  log: Log
  adminAuthentication: AdminAuthentication
}

const sealedAs: SealContext = { table: 'cookie', column: 'oidc', application: '', row: '' }
/** Maximum number of concurrent token requests of a node: anybody can send a callback with a code. */
const maxConcurrent = 20

/** Undefined if the settings name no provider. */
export function openOidcSignIn(
  { oidc: settings, baseUrl }: Pick<Config, 'oidc' | 'baseUrl'>,
  options: Omit<OidcSignInOptions, 'settings' | 'redirectUri'>,
): OidcSignIn | undefined {
  return settings && createOidcSignIn({ ...options, settings, redirectUri: `${baseUrl}${oidcPaths.callback}` })
}

function createOidcSignIn(options: OidcSignInOptions): OidcSignIn {
  const { settings, clientSecret, redirectUri, secrets, clock, log } = options
  const { issuer, clientId } = settings
  /** The library for OpenID is loaded with the first sign-in. */
  let loaded: Promise<OidcProvider> | undefined
  const provider = (): Promise<OidcProvider> => {
    loaded ??= import('./oidc-provider.ts').then(({ createOidcProvider }) =>
      createOidcProvider({ issuer, clientId, clientSecret, redirectUri, egress: options.egress, clock }),
    )
    return loaded
  }
  let underWay = 0

  const identityBehind = async (query: URLSearchParams, attempt: Attempt): Promise<Identity> => {
    const claims = await (await provider()).claims(query, attempt)
    const profile = profileIn(claims)
    return { issuer, subject: claims.sub, email: verifiedAddress(profile), name: nameOf(profile) }
  }

  const findPerson = async (tx: Queries, identity: Identity, attempt: Attempt): Promise<PersonRow> => {
    const now = clock.now()
    const fresh = await useOnce(tx, hashKey(`oidc ${attempt.state}`), { now, expiresAt: attempt.expiresAt })
    if (!fresh) throw new OidcError('expired', 'the sign-in was already used')
    const person = await personOfIdentity(tx, identity, { role: settings.role, now })
    if (person) return person
    if (identity.email === undefined) throw new OidcError('unverified', 'the provider has not verified the address')
    throw new OidcError('unknown', 'the person was not invited, or is blocked')
  }

  const finish: OidcSignIn['finish'] = async (visitor, { query, retained }) => {
    const attempt = retained === undefined ? undefined : opened(secrets, retained)
    if (!attempt || attempt.expiresAt <= clock.now()) {
      throw new OidcError('expired', 'no sign-in was started in this browser')
    }
    if (query.getAll('state').join() !== attempt.state) {
      throw new OidcError('expired', 'the state does not match the sign-in')
    }
    const identity = await identityBehind(query, attempt)
    const find = (tx: Queries): Promise<PersonRow> => findPerson(tx, identity, attempt)
    const { cookies } = await signIn(options, { visitor, way: 'oidc', action: 'session.create', find })
    return { cookies, to: attempt.to }
  }

  return {
    name: settings.name,
    async begin(to) {
      const attempt = newAttempt(to, clock.now())
      const location = authorizationAddress(await (await provider()).authorizationEndpoint(), {
        clientId,
        redirectUri,
        attempt,
      })
      return { location, retained: secrets.seal(JSON.stringify(attempt), sealedAs) }
    },
    async finish(visitor, returned) {
      if (underWay >= maxConcurrent) throw new OidcError('unreachable', 'too many concurrent sign-ins')
      underWay++
      try {
        return await finish(visitor, returned)
      } catch (error) {
        if (error instanceof OidcError) {
          log.warn({ refusal: error.refusal, reason: error.message, address: visitor.address }, 'sign-in refused')
          if (error.refusal !== 'cancelled') await options.adminAuthentication.noteRefusal(visitor.address)
        }
        throw error
      } finally {
        underWay--
      }
    },
  }
}

/** The sign-in in a browser's cookie. Undefined if the cookie is not ours. */
function opened(secrets: Secrets, retained: string): Attempt | undefined {
  try {
    return Attempt.parse(JSON.parse(secrets.open(retained, sealedAs)))
  } catch (error) {
    if (error instanceof SecretsError) return undefined
    throw error
  }
}
