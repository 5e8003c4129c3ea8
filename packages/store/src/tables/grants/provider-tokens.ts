/** Access tokens of accounts at their providers. The id of the row is that of its grant. */
import { type Queries, sql } from '../../engine/database.ts'

export interface ProviderTokensRow {
  sealed_tokens: string
  /** Incremented with each new token, so that a waiting request notices it. */
  generation: number
  /** The time at which the next token is fetched; milliseconds. */
  used_until: number
}

export interface TokensAddress {
  applicationId: string
  grantId: string
}

const read = sql<ProviderTokensRow>('provider_tokens.read')`select sealed_tokens, generation, used_until
   from provider_tokens where application_id = $1 and id = $2`
const replace = sql('provider_tokens.replace')`insert into provider_tokens (id, application_id, sealed_tokens,
   generation, used_until, claim, claimed_until, updated_at) values ($2, $1, $3, 1, $4, null, null, $5)
   on conflict (id, application_id) do update set sealed_tokens = excluded.sealed_tokens, used_until = excluded.used_until,
   generation = provider_tokens.generation + 1, claim = null, claimed_until = null, updated_at = excluded.updated_at`
const begin = sql('provider_tokens.begin')`insert into provider_tokens (id, application_id, sealed_tokens, generation,
   used_until, claim, claimed_until, updated_at)
   select id, application_id, $3, 0, 0, null, null, $4 from grants where application_id = $1 and id = $2
   on conflict (id, application_id) do nothing`
const claim = sql('provider_tokens.claim')`update provider_tokens set claim = $4, claimed_until = $5
   where application_id = $1 and id = $2 and generation = $3 and (claim is null or claimed_until <= $6)`
// Does not check the claim: a node that took longer than its claim may hold the only copy of the issued tokens.
const renew = sql('provider_tokens.renew')`update provider_tokens
   set sealed_tokens = $4, used_until = $5, generation = generation + 1, claim = null,
   claimed_until = null, updated_at = $6 where application_id = $1 and id = $2 and generation = $3`
const release = sql('provider_tokens.release')`update provider_tokens set claim = null, claimed_until = null
   where application_id = $1 and id = $2 and claim = $3`

export const readProviderTokens = (queries: Queries, at: TokensAddress): Promise<ProviderTokensRow | undefined> =>
  queries.get(read, [at.applicationId, at.grantId])
/** Writes the tokens of a new authentication. A refresh in progress with the old tokens becomes invalid. */
export const replaceProviderTokens = (
  tx: Queries,
  at: TokensAddress,
  row: { sealed: string; usedUntil: number; now: number },
): Promise<number> => tx.run(replace, [at.applicationId, at.grantId, row.sealed, row.usedUntil, row.now])
/** Creates an empty row for a grant that has none yet. */
export const beginProviderTokens = (
  queries: Queries,
  at: TokensAddress,
  row: { sealed: string; now: number },
): Promise<number> => queries.run(begin, [at.applicationId, at.grantId, row.sealed, row.now])
/** Claims the right to fetch the next token. False if another request has it, or if there is a newer token. */
export const claimProviderTokens = async (
  queries: Queries,
  at: TokensAddress,
  by: { generation: number; claim: string; until: number; now: number },
): Promise<boolean> =>
  (await queries.run(claim, [at.applicationId, at.grantId, by.generation, by.claim, by.until, by.now])) === 1
/** Stores fetched tokens. False if there is a newer token. */
export const renewProviderTokens = async (
  queries: Queries,
  at: TokensAddress,
  by: { generation: number; sealed: string; usedUntil: number; now: number },
): Promise<boolean> =>
  (await queries.run(renew, [at.applicationId, at.grantId, by.generation, by.sealed, by.usedUntil, by.now])) === 1
export const releaseProviderTokens = (queries: Queries, at: TokensAddress, by: string): Promise<number> =>
  queries.run(release, [at.applicationId, at.grantId, by])
