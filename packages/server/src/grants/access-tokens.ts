/**
 * Tokens that the service issues for grants: 256 random bits each, of which only hashes are stored. An access token
 * is valid for an hour and gives access to one grant. A refresh token is exchanged for further access tokens. Both
 * are revoked with their grant and with their family: all tokens from the same code or request.
 */
import { type AdditionalSettings, lastSecond } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { newId, newToken } from '@waypost/platform/ids'
import type { Database, Queries } from '@waypost/store/engine/database'
import {
  type AccessTokenRow,
  findAccessToken,
  insertAccessToken,
  revokeTokenFamily,
  useRefreshToken,
} from '@waypost/store/tables/grants/access-tokens'
import { hashKey } from '../applications/api-keys.ts'

export const accessTokenSeconds = 3600

const prefixes = { access: 'wpat_', refresh: 'wprt_' } as const

/** Whether a bearer token has the form of our access tokens. Operators may choose API keys of any form. */
export const isAccessToken = (bearer: string): boolean => bearer.startsWith(prefixes.access)

export interface Issued {
  accessToken: string
  refreshToken?: string | undefined
}

interface Issue {
  applicationId: string
  grantId: string
  family: string
  now: number
  /** Issue them already revoked, because the code or token they come from was presented twice. */
  revoked?: boolean
}

async function issue(
  tx: Queries,
  kind: AccessTokenRow['kind'],
  { applicationId, grantId, family, now, revoked }: Issue,
  expiresAt: number | null,
): Promise<string> {
  const token = `${prefixes[kind]}${newToken()}`
  await insertAccessToken(tx, {
    id: newId(),
    application_id: applicationId,
    grant_id: grantId,
    family,
    kind,
    hash: hashKey(token),
    created_at: now,
    expires_at: expiresAt,
    used_at: now,
    revoked_at: revoked ? now : null,
  })
  return token
}

/** Issues an access token. */
export const issueAccessToken = (tx: Queries, at: Issue): Promise<string> =>
  issue(tx, 'access', at, at.now + accessTokenSeconds * 1000)

/** Issues a refresh token. The application's settings decide its lifetime. */
export const issueRefreshToken = (tx: Queries, at: Issue, settings: AdditionalSettings): Promise<string> => {
  const life = settings.refresh_token_expiration_absolute
  return issue(tx, 'refresh', at, life ? Math.min(at.now + life * 1000, lastSecond * 1000) : null)
}

/** The token if it is valid, otherwise undefined. */
export async function findLiveToken(queries: Queries, token: string, now: number): Promise<AccessTokenRow | undefined> {
  const row = await findAccessToken(queries, hashKey(token))
  const dead = !row || row.revoked_at !== null || (row.expires_at !== null && row.expires_at <= now)
  return dead ? undefined : row
}

const refused = (message: string): ApiError => new ApiError('invalid_grant', message)

/**
 * Exchanges a refresh token. If the application rotates them, the token is consumed and the response contains the
 * next one. Presenting a consumed token again revokes the whole family, because it must have leaked.
 */
export async function tradeRefreshToken(
  database: Database,
  token: string,
  { applicationId, settings, now }: { applicationId: string; settings: AdditionalSettings; now: number },
): Promise<Issued & { grantId: string }> {
  const row = await findAccessToken(database, hashKey(token))
  if (row?.kind !== 'refresh' || row.application_id !== applicationId) {
    throw refused('the refresh token is unknown')
  }
  const idle = settings.refresh_token_expiration_idle
  const expired = (row.expires_at !== null && row.expires_at <= now) || (idle && row.used_at + idle * 1000 <= now)
  if (expired) throw refused('the refresh token has expired')
  const rotate = settings.rotate_refresh_token === true
  const at: Issue = { applicationId, grantId: row.grant_id, family: row.family, now }
  const issued = await database.transaction(async (tx) => {
    const used = await useRefreshToken(tx, row, { now, revokedAt: rotate ? now : null })
    if (!used) return undefined
    const accessToken = await issueAccessToken(tx, at)
    // The next token expires when the first one would have.
    return { accessToken, refreshToken: rotate ? await issue(tx, 'refresh', at, row.expires_at) : token }
  })
  if (issued) return { ...issued, grantId: row.grant_id }
  await revokeTokenFamily(database, row, now)
  throw refused('the refresh token was revoked or already used')
}

/** Revokes a token and its family. Returns false if it is not valid. */
export async function revokeToken(
  database: Database,
  token: string,
  { now, may }: { now: number; may(row: AccessTokenRow): boolean },
): Promise<boolean> {
  const row = await findLiveToken(database, token, now)
  if (!row || !may(row)) return false
  await revokeTokenFamily(database, row, now)
  return true
}
