/**
 * Access tokens of accounts at their providers. A token is used until a minute before it expires; the next one is fetched
 * by one node at a time, which claims the right in the store first, and is kept before anybody uses it. Whoever comes
 * meanwhile waits for what the other one gets: at a provider whose refresh tokens are used up by each refresh, two at once
 * would make one of them look as if the account were lost.
 *
 * A claim ends after a while by itself, so that a node that dies holds up nobody; one that was only held up keeps what it
 * got, unless another was faster. A refresh token that the provider replaced is kept for a day: where the new one is not
 * taken, the old one is tried before the account is given up. Nor is it where there are other tokens by then.
 */
import { ApiError } from '../lib/api-error.ts'
import { type Clock, sleep } from '../lib/clock.ts'
import type { Secrets } from '../lib/crypto/secrets.ts'
import { untilAborted } from '../lib/egress/deadline.ts'
import { newId } from '../lib/ids.ts'
import type { Identity, OAuthTokens } from '../providers/identity.ts'
import type { Queries } from '../store/engine/database.ts'
import type { GrantRecord } from '../store/tables/grants/grants.ts'
import {
  beginProviderTokens,
  claimProviderTokens,
  readProviderTokens,
  releaseProviderTokens,
  renewProviderTokens,
  replaceProviderTokens,
  type TokensAddress,
} from '../store/tables/grants/provider-tokens.ts'
import { credentialsOf } from './session-cache.ts'

/** What is sealed. */
interface Sealed {
  access_token?: string
  /** Where the provider gave another one than the account was authenticated with. */
  refresh_token?: string
  /** The one before, and until when it is kept; milliseconds. */
  previous?: { refresh_token: string; until: number }
}

export interface ProviderTokensOptions {
  database: Queries
  secrets: Secrets
  clock: Clock
}

/** Asks the provider for a new token. */
export type Refresh = (credentials: Record<string, unknown>, signal: AbortSignal) => Promise<OAuthTokens>

export interface ProviderTokens {
  /** A token that the provider takes now; `refused` is one that it did not. */
  current(
    record: GrantRecord,
    refresh: Refresh,
    use: { refused?: string | undefined; signal: AbortSignal },
  ): Promise<string>
}

const day = 86_400_000
/** What fetching a token may take; the claim outlasts it. */
const refreshMs = 15_000
const claimMs = 20_000
/** How long to wait before the next look for what another node gets: longer each time. */
const lookMs = (looks: number): number => Math.min(10 * 2 ** looks, 160)

/** Until when a token is used: a minute before it expires, or for half its life where that is short. */
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
  /** Tokens that this node has read, by grant. */
  const known = new Map<string, { token: string; usedUntil: number; credentials: string | null }>()
  /** What this node is waiting for, by grant. */
  const underWay = new Map<string, Promise<string>>()
  const seal = (at: TokensAddress, value: Sealed): string => secrets.seal(JSON.stringify(value), contextOf(at))
  const isGood = (usedUntil: number): boolean => usedUntil > clock.now()

  function remember(record: GrantRecord, token: string, usedUntil: number): string {
    // Grants come and go; what is dropped is read again.
    if (known.size >= 10_000) known.clear()
    known.set(record.grant.id, { token, usedUntil, credentials: record.sealedCredentials })
    return token
  }

  /** One look: the token that is there, or that this node fetches; undefined while another one fetches it. */
  async function look(
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
    const sealed: Sealed = JSON.parse(secrets.open(row.sealed_tokens, contextOf(at)))
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
      // Whoever had the claim before may have used the refresh token up, and have kept the next one by now.
      if (isLost(error) && (await readProviderTokens(database, at))?.generation !== row.generation) return undefined
      throw error
    }
  }

  async function fetchNext(
    record: GrantRecord,
    sealed: Sealed,
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
    const kept = { generation, sealed: seal(at, next), usedUntil, now: clock.now() }
    // Where there are others, the account was authenticated anew, or another node was faster: theirs count.
    if (!(await renewProviderTokens(database, at, kept))) return undefined
    return remember(record, tokens.accessToken, usedUntil)
  }

  async function wait(record: GrantRecord, refresh: Refresh, refused: string | undefined): Promise<string> {
    // Not the caller's signal: others may wait for the same token, and what the provider gave must be kept.
    const until = clock.now() + claimMs + refreshMs
    for (let looks = 0; ; looks++) {
      const found = await look(record, refresh, { refused, signal: AbortSignal.timeout(refreshMs) })
      if (found !== undefined) return found
      if (clock.now() > until) throw new ApiError('provider_unavailable', 'no access token could be had in time')
      await sleep(lookMs(looks))
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
        // Who began to wait before may not have known that it was refused. A provider that gives the same one again
        // is taken at its word: who asked with it is refused once more, and says so.
        if (token !== refused || !others) return token
      }
    },
  }
}

/** The refresh token before the latest one, as long as it is kept. */
const olderOf = ({ previous }: Sealed, now: number): string | undefined =>
  previous && previous.until > now ? previous.refresh_token : undefined

/** Whether the provider says that the account is lost. */
const isLost = (error: unknown): boolean => error instanceof ApiError && error.code === 'grant_invalid'

/** Asks with the latest refresh token, and where that one is refused, with the one before it. */
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

/** What is kept of new tokens; a refresh token that was replaced is kept for a day. */
function nextSealed(sealed: Sealed, tokens: OAuthTokens, { latest, now }: { latest: unknown; now: number }): Sealed {
  const isReplaced = tokens.refreshToken !== undefined && tokens.refreshToken !== latest
  const previous =
    isReplaced && typeof latest === 'string' ? { refresh_token: latest, until: now + day } : sealed.previous
  return {
    access_token: tokens.accessToken,
    ...(isReplaced || sealed.refresh_token ? { refresh_token: tokens.refreshToken ?? sealed.refresh_token } : {}),
    ...(previous ? { previous } : {}),
  }
}

/** Keeps the tokens that an account was authenticated with, in the transaction that makes or renews its grant. */
export async function keepProviderTokens(
  tx: Queries,
  record: GrantRecord,
  { tokens, credentials }: Pick<Identity, 'tokens' | 'credentials'>,
  { secrets, now }: { secrets: Secrets; now: number },
): Promise<void> {
  if (!tokens) return
  const at = addressOf(record)
  const row = credentials?.refresh_token ? undefined : await readProviderTokens(tx, at)
  const before: Sealed = row ? JSON.parse(secrets.open(row.sealed_tokens, contextOf(at))) : {}
  // A provider that gives no refresh token at a second consent means the one it gave before.
  const kept: Sealed = {
    access_token: tokens.accessToken,
    ...(before.refresh_token ? { refresh_token: before.refresh_token } : {}),
  }
  const sealed = secrets.seal(JSON.stringify(kept), contextOf(at))
  await replaceProviderTokens(tx, at, { sealed, usedUntil: usableUntil(tokens.expiresAt, now), now })
}

/** The credentials of an account as they count now: with the refresh token that its provider gave last. */
export async function latestCredentials(
  queries: Queries,
  secrets: Secrets,
  record: GrantRecord,
): Promise<Record<string, unknown>> {
  const at = addressOf(record)
  const row = await readProviderTokens(queries, at)
  const sealed: Sealed = row ? JSON.parse(secrets.open(row.sealed_tokens, contextOf(at))) : {}
  const given = credentialsOf(secrets, record)
  return {
    ...given,
    ...(sealed.refresh_token ? { refresh_token: sealed.refresh_token } : {}),
    ...(sealed.access_token ? { access_token: sealed.access_token } : {}),
  }
}
