// Who may do what: service accounts, their access tokens and their roles in the project.
import { randomBytes } from 'node:crypto'
import { decodeJwt } from 'jose'
import { createServiceAccounts, type ServiceAccountKey } from '../google/oauth/service-accounts.ts'
import { jsonAnswer, type RawAnswer, type RawRequest } from '../shared/http.ts'
import { formOf, OAuthError, oauthErrorAnswer } from '../shared/oauth/errors.ts'
import { CloudError } from './errors.ts'

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const SCOPES = ['https://www.googleapis.com/auth/pubsub', 'https://www.googleapis.com/auth/cloud-platform']
const maxAssertionSeconds = 3_600

/** The predefined roles that matter here, and their permissions. */
const ROLES = {
  'roles/pubsub.publisher': ['pubsub.topics.publish'],
  'roles/pubsub.subscriber': ['pubsub.subscriptions.consume', 'pubsub.topics.attachSubscription'],
  'roles/pubsub.viewer': ['pubsub.topics.get', 'pubsub.topics.list', 'pubsub.subscriptions.get'],
  'roles/pubsub.admin': ['*'],
} as const
export type PubSubRole = keyof typeof ROLES

export interface Access {
  add(roles: readonly PubSubRole[]): ServiceAccountKey
  setRoles(email: string, roles: readonly PubSubRole[]): void
  /** Deletes the account with its key. Its access tokens end at once, which takes some minutes at Google. */
  remove(email: string): void
  expireAccessTokens(): void
  /** The token endpoint (RFC 7523). */
  answerToken(request: RawRequest): Promise<RawAnswer>
  /** The account of the bearer token. */
  callerOf(request: RawRequest): string
  permits(email: string, permission: string): boolean
}

export function createAccess(
  world: { readonly url: string; now(): number },
  { accessTokenSeconds }: { accessTokenSeconds: number },
): Access {
  const accounts = createServiceAccounts(world)
  const roles = new Map<string, readonly PubSubRole[]>()
  const tokens = new Map<string, { email: string; until: number }>()

  async function issue(form: URLSearchParams): Promise<unknown> {
    if (form.get('grant_type') !== jwtBearer) {
      throw new OAuthError(400, 'unsupported_grant_type', `Invalid grant_type: ${form.get('grant_type')}`)
    }
    const text = form.get('assertion') ?? ''
    const { serviceAccount, scope } = await accounts.verify(text).catch(() => {
      throw new OAuthError(400, 'invalid_grant', 'Invalid JWT Signature.')
    })
    if (!roles.has(serviceAccount)) throw new OAuthError(400, 'invalid_grant', 'Invalid grant: account not found')
    const { iat = 0, exp = Number.POSITIVE_INFINITY } = decodeJwt(text)
    if (exp - iat > maxAssertionSeconds) {
      throw new OAuthError(
        400,
        'invalid_grant',
        'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.',
      )
    }
    if (!scope.split(' ').some((each) => SCOPES.includes(each))) {
      throw new OAuthError(400, 'invalid_scope', 'Invalid OAuth scope or ID token audience provided.')
    }
    const token = `ya29.${randomBytes(24).toString('base64url')}`
    tokens.set(token, { email: serviceAccount, until: world.now() + accessTokenSeconds * 1000 })
    return { access_token: token, expires_in: accessTokenSeconds - 1, token_type: 'Bearer' }
  }

  return {
    add(given) {
      const key = accounts.add()
      roles.set(key.client_email, given)
      return key
    },
    setRoles: (email, given) => void roles.set(email, given),
    remove: (email) => void roles.delete(email),
    expireAccessTokens: () => tokens.clear(),
    async answerToken(request) {
      try {
        return jsonAnswer(200, await issue(formOf(request)))
      } catch (error) {
        if (error instanceof OAuthError) return oauthErrorAnswer(error)
        throw error
      }
    },
    callerOf({ headers }) {
      const token = /^Bearer (.+)$/.exec(headers.get('authorization') ?? '')?.[1]
      const held = token === undefined ? undefined : tokens.get(token)
      if (held !== undefined && held.until > world.now() && roles.has(held.email)) return held.email
      throw new CloudError(
        'UNAUTHENTICATED',
        'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.',
      )
    },
    permits: (email, permission) =>
      (roles.get(email) ?? []).some((role) => {
        const allowed: readonly string[] = ROLES[role]
        return allowed.includes('*') || allowed.includes(permission)
      }),
  }
}
