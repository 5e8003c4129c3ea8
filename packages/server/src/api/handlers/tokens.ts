/** The tokens of the service: issued, introspected, revoked. Errors have the shape of OAuth. */
import type { AdditionalSettings, TokenAnswer, TokenRequest } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import { newId } from '@waypost/platform/ids'
import { getApplication } from '@waypost/store/tables/applications/applications'
import { findGrant, type GrantRecord } from '@waypost/store/tables/grants/grants'
import { looksLikeKey, noApplication } from '../../applications/api-keys.ts'
import {
  accessTokenSeconds,
  findLiveToken,
  type Issued,
  issueAccessToken,
  revokeToken,
  tradeRefreshToken,
} from '../../grants/access-tokens.ts'
import { tradeCode } from '../../grants/authorization-codes.ts'
import type { Caller } from '../../grants/caller.ts'
import { strictTokens } from '../../grants/pkce.ts'
import type { Owner } from '../../grants/verify-credentials.ts'
import type { Services } from '../../services/services.ts'
import { holderOf } from '../pipeline/authenticate.ts'
import type { Handlers } from '../pipeline/handler-types.ts'

type Client = Owner & { settings: AdditionalSettings }
type Bearer = string | undefined

type TokenServices = Pick<Services, 'config' | 'storage' | 'accounts' | 'notifications' | 'telemetry'>

/** A field of a request; an empty one counts as absent. */
function need(request: TokenRequest, name: keyof TokenRequest): string {
  const value = request[name]
  if (value) return value
  throw new ApiError('invalid_request', `Missing required parameter: ${name}`, {
    validationErrors: { [name]: 'is required' },
  })
}

/** A token request with its credentials and its application. */
interface PresentedToken {
  services: TokenServices
  client: Client
  request: TokenRequest
  bearer: Bearer
}

/** The caller of a bearer token; undefined if it is not valid. */
const callerOf = (
  { storage: { database, clock }, telemetry: { keyUse } }: Pick<Services, 'storage' | 'telemetry'>,
  bearer: string,
): Promise<Caller | undefined> =>
  holderOf({ queries: database, keyUse, clock }, bearer).catch((error) => {
    if (error instanceof ApiError && error.code === 'unauthorized') return undefined
    throw error
  })

/** The caller of a bearer token, which must be valid if there is one. */
const needCaller = async (
  services: Pick<Services, 'storage' | 'telemetry'>,
  bearer: Bearer,
): Promise<Caller | undefined> => {
  if (bearer === undefined) return undefined
  const caller = await callerOf(services, bearer)
  if (!caller) throw new ApiError('invalid_client', 'the bearer is no valid API key or access token')
  return caller
}

const clientOf = async (
  services: Pick<Services, 'config' | 'storage' | 'telemetry'>,
  request: TokenRequest,
): Promise<Client> => {
  const { config } = services
  const { database, clock } = services.storage
  const { limiter } = services.telemetry
  const id = need(request, 'client_id')
  const isId = id.length <= 64 && !id.includes('\0') && !looksLikeKey(id)
  const row = isId ? await getApplication(database, id) : undefined
  if (!row) throw new ApiError('invalid_client', `client_id: ${noApplication(id)}`)
  if (row.blocked === 1) throw new ApiError('resource_blocked', 'the application is blocked by the administrator')
  if (config.rateLimits) limiter.take('application', id, clock.now())
  const settings: AdditionalSettings = JSON.parse(row.additional_settings)
  return {
    id,
    workspaceId: row.default_workspace_id,
    grantLimit: row.grant_limit,
    settings: config.strictOAuth ? strictTokens(settings) : settings,
  }
}

/** Whether the client presents an API key of its application, in the body or as bearer. */
const hasKey = async ({ services, client, request, bearer }: PresentedToken): Promise<boolean> => {
  for (const key of [request.client_secret, bearer]) {
    const holder = key ? await callerOf(services, key) : undefined
    if (holder?.id === client.id && holder.grantId === undefined) return true
  }
  return false
}
const needKey = async (shown: PresentedToken): Promise<void> => {
  if (!(await hasKey(shown))) throw new ApiError('invalid_client', await keyProblem(shown))
}

/** Why the client is not authenticated, and what to send. */
async function keyProblem({ services, request, bearer }: PresentedToken): Promise<string> {
  const given = request.client_secret || bearer
  if (!given) return 'client_secret: is missing: send an API key of the application, here or as bearer'
  const holder = await callerOf(services, given)
  if (holder?.grantId !== undefined) return 'client_secret: is an access token: send an API key of the application'
  return holder
    ? 'client_secret: is an API key of another application than client_id names'
    : 'client_secret: is no valid API key: send one of the application that client_id names'
}

const answerFor = async (
  { accounts: { providers, idTokens } }: Pick<Services, 'accounts'>,
  { grant, applicationId }: GrantRecord,
  issued: Issued,
): Promise<TokenAnswer> => {
  const verified = providers[grant.provider]?.oauth !== undefined
  return {
    access_token: issued.accessToken,
    token_type: 'Bearer',
    expires_in: accessTokenSeconds,
    grant_id: grant.id,
    email: grant.email,
    scope: grant.scope.join(' '),
    ...(issued.refreshToken === undefined ? {} : { refresh_token: issued.refreshToken }),
    id_token: await idTokens.sign(grant, { applicationId, verified }),
  }
}

const grantFor = async (
  { storage: { database } }: Pick<Services, 'storage'>,
  client: Client,
  id: string,
): Promise<GrantRecord> => {
  const record = await findGrant(database, client.id, { by: 'id', value: id.toLowerCase() })
  if (!record) throw new ApiError('invalid_grant', 'no grant with this id')
  return record
}

/** The exchange for each `grant_type`. */
const trades: Record<string, (shown: PresentedToken) => Promise<TokenAnswer>> = {
  async authorization_code(shownBy) {
    const { services, client, request } = shownBy
    const { database, secrets, log, clock } = services.storage
    const { notify } = services.notifications
    const code = need(request, 'code')
    const redirectUri = need(request, 'redirect_uri')
    const verifier = request.code_verifier ?? ''
    const shown = { code, redirectUri, verifier, hasKey: await hasKey(shownBy) }
    const tools = { secrets, log, notify, now: clock.now() }
    const { record, ...issued } = await tradeCode(database, client, shown, tools)
    return { ...(await answerFor(services, record, issued)), provider: record.grant.provider }
  },
  async refresh_token(shown) {
    const { services, client, request } = shown
    const { database, clock } = services.storage
    const token = need(request, 'refresh_token')
    await needKey(shown)
    const at = { applicationId: client.id, settings: client.settings, now: clock.now() }
    const { grantId, ...issued } = await tradeRefreshToken(database, token, at)
    return answerFor(services, await grantFor(services, client, grantId), issued)
  },
  async client_credentials(shown) {
    const { services, client, request } = shown
    const { database, clock } = services.storage
    const grantId = need(request, 'grant_id')
    await needKey(shown)
    if (grantId.length > 64 || grantId.includes('\0')) throw new ApiError('invalid_grant', 'no grant with this id')
    const record = await grantFor(services, client, grantId)
    const at = { applicationId: client.id, grantId: record.grant.id, family: newId(), now: clock.now() }
    return answerFor(services, record, { accessToken: await issueAccessToken(database, at) })
  },
}

export const tokens = (services: TokenServices): Pick<Handlers['connect'], 'token' | 'tokenInfo' | 'revoke'> => {
  const { database, clock } = services.storage
  const { idTokens } = services.accounts
  return {
    token: async ({ body, bearer }) => {
      const type = need(body, 'grant_type')
      const trade = Object.hasOwn(trades, type) ? trades[type] : undefined
      if (!trade) {
        throw new ApiError('unsupported_grant_type', `grant_type: must be one of ${Object.keys(trades).join(', ')}`)
      }
      return trade({ services, client: await clientOf(services, body), request: body, bearer })
    },
    tokenInfo: async ({ query, bearer }) => {
      const { id_token: idToken, access_token: accessToken } = query
      if ((idToken === undefined) === (accessToken === undefined)) {
        throw new ApiError('invalid_request', 'give exactly one of id_token and access_token')
      }
      const caller = await needCaller(services, bearer)
      const claims =
        idToken === undefined ? await accessClaims(services, accessToken ?? '') : await idTokens.read(idToken)
      const record = claims && (await findGrant(database, claims.aud, { by: 'id', value: claims.sub }))
      const foreign = caller && claims && (caller.id !== claims.aud || (caller.grantId ?? claims.sub) !== claims.sub)
      if (!claims || !record || foreign) throw new ApiError('invalid_token')
      return { ...claims, email: record.grant.email }
    },
    revoke: async ({ query, body, bearer }) => {
      const token = query.token ?? body.token
      if (!token) throw new ApiError('invalid_request', 'Missing required parameter: token')
      const caller = await needCaller(services, bearer)
      const revoked = await revokeToken(database, token, {
        now: clock.now(),
        // A token may revoke itself; an API key revokes those of its application, an access token those of its grant.
        may: (row) =>
          !caller || (caller.id === row.application_id && (caller.grantId ?? row.grant_id) === row.grant_id),
      })
      if (!revoked) throw new ApiError('invalid_token')
    },
  }
}

async function accessClaims(
  { storage: { database, clock }, config }: Pick<Services, 'config' | 'storage'>,
  token: string,
) {
  const row = await findLiveToken(database, token, clock.now())
  if (row?.kind !== 'access') return undefined
  const { application_id: aud, grant_id: sub, created_at: created, expires_at: expires } = row
  return { iss: config.baseUrl, aud, sub, iat: seconds(created), exp: seconds(expires ?? created) }
}
