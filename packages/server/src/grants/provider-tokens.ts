/**
 * Access tokens of accounts at their providers. A token is used until one minute before it expires. One node at a
 * time fetches the next one: it first claims the right in the store, and stores the token before anything uses it.
 * Other callers wait for the result. Some providers invalidate a refresh token with each refresh, so two concurrent
 * refreshes would make one of them look as if the account were lost.
 *
 * A claim expires, so a node that dies blocks nobody. A node that was only slow stores its result unless another node
 * was faster. A replaced refresh token is retained for a day: if the new one is refused, the old one is tried before
 * the grant becomes invalid. The grant also stays valid if other tokens have been stored by then.
 */
import { ApiError } from '@waypost/platform/api-error'
import { type Clock, sleep } from '@waypost/platform/clock'
import type { Secrets } from '@waypost/platform/crypto/secrets'
import { untilAborted } from '@waypost/platform/egress/deadline'
import { newId } from '@waypost/platform/ids'
import type { Identity, OAuthTokens } from '@waypost/providers/identity'
import type { Queries } from '@waypost/store/engine/database'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import {
  beginProviderTokens,
  claimProviderTokens,
  readProviderTokens,
  releaseProviderTokens,
  renewProviderTokens,
  replaceProviderTokens,
  type TokensAddress,
} from '@waypost/store/tables/grants/provider-tokens'
import { credentialsOf } from './session-cache.ts'

/** The sealed content of a row. */
interface SealedTokens {
  access_token?: string
  /** Set if the provider replaced the refresh token of the authentication. */
  refresh_token?: string
  /** The previous refresh token and the time until which it is retained, in milliseconds. */
  previous?: { refresh_token: string; until: number }
}

export interface ProviderTokensOptions {
  database: Queries
  secrets: Secrets
  clock: Clock
}

/** Requests a new token from the provider. */
export type Refresh = (credentials: Record<string, unknown>, signal: AbortSignal) => Promise<OAuthTokens>

export interface ProviderTokens {
  /** A currently valid token. `refused` is a token that the provider has just refused. */
  current(
    record: GrantRecord,
    refresh: Refresh,
    use: { refused?: string | undefined; signal: AbortSignal },
  ): Promise<string>
}

const day = 86_400_000
/** Time limit for fetching a token. The claim lasts longer. */
const refreshMs = 15_000
const claimMs = 20_000
/** Delay before checking again whether another node has stored a token. It grows with each check. */
const pollMs = (polls: number): number => Math.min(10 * 2 ** polls, 160)

/** Until when a token is used: one minute before it expires, or half its lifetime if that is short. */
const usableUntil = (expiresAt: number, now: number): number =>
  Math.floor(expiresAt - Math.min(60_000, (expiresAt - now) / 2))

const addressOf = ({ applicationId, grant }: GrantRecord): TokensAddress => ({ applicationId, grantId: grant.id })
const contextOf = (at: TokensAddress) => ({
  table: 'provider_tokens',
  column: 'sealed_tokens',
  application: at.applicationId,
  row: at.grantId,
})

export function createProviderTokens({ database, secrets, clock }: ProviderTokensOptions): ProviderTokens {
  /** Cached tokens by grant. */
  const known = new Map<string, { token: string; usedUntil: number; credentials: string | null }>()
  /** Running refreshes by grant. */
  const underWay = new Map<string, Promise<string>>()
  const seal = (at: TokensAddress, value: SealedTokens): string => secrets.seal(JSON.stringify(value), contextOf(at))
  const isGood = (usedUntil: number): boolean => usedUntil > clock.now()

  function remember(record: GrantRecord, token: string, usedUntil: number): string {
    // Dropped entries are read again.
    if (known.size >= 10_000) known.clear()
    known.set(record.grant.id, { token, usedUntil, credentials: record.sealedCredentials })
    return token
  }

  /** Returns the stored token or fetches a new one. Undefined while another node is fetching it. */
  async function poll(
    record: GrantRecord,
    refresh: Refresh,
    { refused, signal }: { refused: string | undefined; signal: AbortSignal },
  ): Promise<string | undefined> {
    const at = addressOf(record)
    const row = await readProviderTokens(database, at)
    if (!row) {
      const made = await beginProviderTokens(database, at, { sealed: seal(at, {}), now: clock.now() })
      if (made === 0 && !(await readProviderTokens(database, at))) throw new ApiError('grant_not_found')
      return undefined
    }
    const sealed: SealedTokens = JSON.parse(secrets.open(row.sealed_tokens, contextOf(at)))
    if (sealed.access_token && sealed.access_token !== refused && isGood(row.used_until)) {
      return remember(record, sealed.access_token, row.used_until)
    }
    const claim = newId()
    const now = clock.now()
    const claimed = { generation: row.generation, claim, until: now + claimMs, now }
    if (!(await claimProviderTokens(database, at, claimed))) return undefined
    try {
      return await fetchNext(record, sealed, { refresh, generation: row.generation, signal })
    } catch (error) {
      await releaseProviderTokens(database, at, claim)
      // The previous claimant may have consumed the refresh token and stored the next one by now.
      if (isLost(error) && (await readProviderTokens(database, at))?.generation !== row.generation) return undefined
      throw error
    }
  }

  async function fetchNext(
    record: GrantRecord,
    sealed: SealedTokens,
    { refresh, generation, signal }: { refresh: Refresh; generation: number; signal: AbortSignal },
  ): Promise<string | undefined> {
    const at = addressOf(record)
    const given = credentialsOf(secrets, record)
    const now = clock.now()
    const latest = sealed.refresh_token ?? given.refresh_token
    const ask = (refreshToken: unknown): Promise<OAuthTokens> =>
      refresh({ ...given, ...(refreshToken ? { refresh_token: refreshToken } : {}) }, signal)
    const tokens = await askWithOlder(ask, latest, olderOf(sealed, now))
    const usedUntil = usableUntil(tokens.expiresAt, now)
    const next = nextSealed(sealed, tokens, { latest, now })
    const retained = { generation, sealed: seal(at, next), usedUntil, now: clock.now() }
    // If the stored tokens changed, the account was re-authenticated or another node was faster. Use theirs.
    if (!(await renewProviderTokens(database, at, retained))) return undefined
    return remember(record, tokens.accessToken, usedUntil)
  }

  async function wait(record: GrantRecord, refresh: Refresh, refused: string | undefined): Promise<string> {
    // Does not use the caller's signal: others may wait for the same token, and the provider's result must be stored.
    const until = clock.now() + claimMs + refreshMs
    for (let polls = 0; ; polls++) {
      const found = await poll(record, refresh, { refused, signal: AbortSignal.timeout(refreshMs) })
      if (found !== undefined) return found
      if (clock.now() > until) throw new ApiError('provider_unavailable', 'no access token could be obtained in time')
      await sleep(pollMs(polls))
    }
  }

  return {
    async current(record, refresh, { refused, signal }) {
      const { id } = record.grant
      const at = known.get(id)
      const isUsable = at && at.credentials === record.sealedCredentials && at.token !== refused && isGood(at.usedUntil)
      if (isUsable) return at.token
      for (;;) {
        const others = underWay.get(id)
        const waiting = others ?? wait(record, refresh, refused).finally(() => underWay.delete(id))
        if (!others) underWay.set(id, waiting)
        const token = await untilAborted(waiting, signal)
        // Callers that waited on another refresh may not have known that the token was refused. If the provider
        // returns the same token again, use it: the next 401 fails the request.
        if (token !== refused || !others) return token
      }
    },
  }
}

/** The previous refresh token, while it is retained. */
const olderOf = ({ previous }: SealedTokens, now: number): string | undefined =>
  previous && previous.until > now ? previous.refresh_token : undefined

/** Whether the provider says that access to the account is lost. */
const isLost = (error: unknown): boolean => error instanceof ApiError && error.code === 'grant_invalid'

/** Refreshes with the latest refresh token. If that is refused, tries the previous one. */
async function askWithOlder(
  ask: (refreshToken: unknown) => Promise<OAuthTokens>,
  latest: unknown,
  older: unknown,
): Promise<OAuthTokens> {
  try {
    return await ask(latest)
  } catch (error) {
    if (isLost(error) && older && older !== latest) return ask(older)
    throw error
  }
}

/** The sealed content for new tokens. A replaced refresh token is retained for a day. */
function nextSealed(
  sealed: SealedTokens,
  tokens: OAuthTokens,
  { latest, now }: { latest: unknown; now: number },
): SealedTokens {
  const isReplaced = tokens.refreshToken !== undefined && tokens.refreshToken !== latest
  const previous =
    isReplaced && typeof latest === 'string' ? { refresh_token: latest, until: now + day } : sealed.previous
  return {
    access_token: tokens.accessToken,
    ...(isReplaced || sealed.refresh_token ? { refresh_token: tokens.refreshToken ?? sealed.refresh_token } : {}),
    ...(previous ? { previous } : {}),
  }
}

/** Stores the tokens of an authentication, in the transaction that creates or renews its grant. */
export async function keepProviderTokens(
  tx: Queries,
  record: GrantRecord,
  { tokens, credentials }: Pick<Identity, 'tokens' | 'credentials'>,
  { secrets, now }: { secrets: Secrets; now: number },
): Promise<void> {
  if (!tokens) return
  const at = addressOf(record)
  const row = credentials?.refresh_token ? undefined : await readProviderTokens(tx, at)
  const before: SealedTokens = row ? JSON.parse(secrets.open(row.sealed_tokens, contextOf(at))) : {}
  // A provider that returns no refresh token on repeated consent expects the previous one to be used.
  const retained: SealedTokens = {
    access_token: tokens.accessToken,
    ...(before.refresh_token ? { refresh_token: before.refresh_token } : {}),
  }
  const sealed = secrets.seal(JSON.stringify(retained), contextOf(at))
  await replaceProviderTokens(tx, at, { sealed, usedUntil: usableUntil(tokens.expiresAt, now), now })
}

/** The credentials of an account with its latest refresh token. */
export async function latestCredentials(
  queries: Queries,
  secrets: Secrets,
  record: GrantRecord,
): Promise<Record<string, unknown>> {
  const at = addressOf(record)
  const row = await readProviderTokens(queries, at)
  const sealed: SealedTokens = row ? JSON.parse(secrets.open(row.sealed_tokens, contextOf(at))) : {}
  const given = credentialsOf(secrets, record)
  return {
    ...given,
    ...(sealed.refresh_token ? { refresh_token: sealed.refresh_token } : {}),
    ...(sealed.access_token ? { access_token: sealed.access_token } : {}),
  }
}
