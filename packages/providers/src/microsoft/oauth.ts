/** Sign-in at Microsoft, and refreshing of access tokens. Nothing is revoked there when a grant is deleted. */
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { decodeJwt } from 'jose'
import type { Identity, OAuthTokens, ProviderClient } from '../identity.ts'
import type { Io } from '../io.ts'
import { vendorOfDomain } from '../mail/vendors.ts'
import type { OAuth, SignIn } from '../oauth.ts'
import {
  ask,
  authorizationUrl,
  exchangeCode,
  refreshTokens,
  saidBy,
  type TokenAnswer,
  text,
} from '../shared/oauth-token.ts'
import { explain } from './aadsts.ts'
import { applicationTokens, clientForm, clientIdOf } from './client.ts'
import { defaultScope, graphRoot, identityScope, openIdScope, shortScope } from './scopes.ts'
import { at, endpointFor, isDirectory, loginUrl, tenantOf } from './token-endpoint.ts'

const directoryId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

export const adminConsent: NonNullable<OAuth['adminConsent']> = {
  check(client) {
    if (isDirectory(tenantOf(client))) return
    throw invalidField(
      'credential_data.tenant',
      'is required where the connector has none: the id of the directory, or one of its domains, whose administrator gives consent',
    )
  },
  url(client, { redirectUri, state }, io) {
    // Personal accounts have no administrator. Without a directory, that of the signed-in user is used.
    const tenant = isDirectory(tenantOf(client)) ? tenantOf(client) : 'organizations'
    // All permissions of the registration: application permissions cannot be requested one by one.
    const scope = `${graphRoot}.default`
    const query = new URLSearchParams({ client_id: clientIdOf(client), scope, redirect_uri: redirectUri, state })
    return `${loginUrl(tenant, '/v2.0/adminconsent', io)}?${query}`
  },
  tenantIn(client, query) {
    const tenant = query.get('tenant') ?? ''
    if (query.get('admin_consent')?.toLowerCase() !== 'true' || !directoryId.test(tenant)) {
      throw new ApiError('authentication_failed', 'Microsoft did not say that consent was given')
    }
    const expected = tenantOf(client)
    if (directoryId.test(expected) && expected.toLowerCase() !== tenant.toLowerCase()) {
      throw new ApiError(
        'authentication_failed',
        `consent was given in another organization than the credential's: ${tenant}`,
      )
    }
    return tenant
  },
}

export async function refresh(
  client: ProviderClient,
  credentials: Record<string, unknown>,
  io: Io,
): Promise<OAuthTokens> {
  // Users can also sign in with such a credential; their own consent counts for them then.
  if (client.type === 'adminconsent' && !text(credentials.refresh_token)) return applicationTokens(client, io)
  return refreshTokens(endpointFor(client), await clientForm(client, io), text(credentials.refresh_token), io)
}

/** Graph's description of a user. */
export async function askWho(
  user: string,
  accessToken: string,
  io: Io,
): Promise<{ status: number; answer: TokenAnswer }> {
  const query = new URLSearchParams({ $select: 'id,displayName,mail,userPrincipalName' })
  const { response, answer } = await ask(
    io,
    {
      method: 'GET',
      url: at('graph', `/v1.0/${user}?${query}`, io),
      headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json' },
    },
    'Microsoft could not be asked who the account is',
  )
  return { status: response.status, answer }
}

/** A name that is an address. Names of guests, such as `ada_example.com#EXT#@contoso.onmicrosoft.com`, are not. */
const addressIn = (value: unknown): string | undefined => {
  const named = text(value)
  return named !== undefined && /^[^@\s]+@[^@\s]+$/.test(named) && !named.includes('#EXT#') ? named : undefined
}

/** The address of a user: that of the mailbox, otherwise the sign-in name. */
export const addressOf = (who: TokenAnswer): string | undefined =>
  addressIn(who.mail) ?? addressIn(who.userPrincipalName)

function claimsOf(idToken: string | undefined): TokenAnswer {
  try {
    return idToken === undefined ? {} : { ...decodeJwt(idToken) }
  } catch {
    return {}
  }
}

/** The granted scopes. Microsoft's answers omit those that an access token for Graph does not contain. */
const scopeOf = ({ scope = [], refreshToken, idToken }: OAuthTokens): string[] => {
  const implied = openIdScope.filter((name) => (name === 'offline_access' ? refreshToken : idToken) !== undefined)
  return [...new Set([...scope.map(shortScope), ...implied])]
}

/** The account that an access token belongs to, as Graph reports it; otherwise from the id token. */
export async function identify(_client: ProviderClient, tokens: OAuthTokens, io: Io): Promise<Identity> {
  const { status, answer } = await askWho('me', tokens.accessToken, io)
  const claims = claimsOf(tokens.idToken)
  const email = status === 200 ? addressOf(answer) : (addressIn(claims.email) ?? addressIn(claims.preferred_username))
  if (status >= 500 || status === 429) {
    throw new ApiError('provider_unavailable', 'Microsoft cannot say now whose account it is; try again', {
      providerError: saidBy(status, answer),
    })
  }
  if (!email) {
    throw new ApiError(
      'authentication_failed',
      'Microsoft did not say whose account it is: it must have the scope User.Read, and an address',
      { providerError: saidBy(status, answer) },
    )
  }
  return {
    email,
    name: text(answer.displayName) ?? text(claims.name) ?? null,
    providerUserId: text(answer.id) ?? text(claims.oid) ?? null,
    scope: scopeOf(tokens),
    settings: {},
    tokens,
    ...(tokens.refreshToken ? { credentials: { refresh_token: tokens.refreshToken } } : {}),
  }
}

/**
 * Further parameters of the sign-in page. With a hint it opens that account directly; without one the user chooses,
 * instead of being signed in with the account of the browser. Personal accounts are not searched among organizations.
 */
function pageOptions(tenant: string, { loginHint }: SignIn): Record<string, string> {
  const domain = loginHint?.split('@').at(-1)?.toLowerCase() ?? ''
  const isPersonal = !isDirectory(tenant) && vendorOfDomain(domain) === 'microsoft'
  return {
    response_mode: 'query',
    ...(loginHint ? {} : { prompt: 'select_account' }),
    ...(isPersonal ? { domain_hint: 'consumers' } : {}),
  }
}

export const oauth: OAuth = {
  identityScope,
  defaultScope,
  canonicalScope: shortScope,
  signInUrl(client, request, io) {
    const tenant = tenantOf(client)
    const url = loginUrl(tenant, '/oauth2/v2.0/authorize', io)
    return authorizationUrl(url, clientIdOf(client), request, pageOptions(tenant, request))
  },
  // Each directory is an issuer of its own.
  isIssuer: (issuer, io) => URL.parse(issuer)?.origin === new URL(at('login', '', io)).origin,
  exchange: async (client, answer, io) => exchangeCode(endpointFor(client), await clientForm(client, io), answer, io),
  refresh,
  identify,
  adminConsent,
  explain: ({ error, description }) => explain({ error, error_description: description })?.words,
}
