/**
 * Authorization codes that the hosted sign-in sends to an application, and their exchange. A code is valid once: it
 * is consumed before anything else is checked. Presenting it a second time revokes the tokens issued for it.
 */
import type { AdditionalSettings } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { Secrets } from '@waypost/platform/crypto/secrets'
import { newId, newToken } from '@waypost/platform/ids'
import type { Identity } from '@waypost/providers/identity'
import type { Database, Queries } from '@waypost/store/engine/database'
import { revokeTokenFamily } from '@waypost/store/tables/grants/access-tokens'
import {
  type AuthorizationCodeRow,
  findAuthorizationCode,
  insertAuthorizationCode,
  replayAuthorizationCode,
  useAuthorizationCode,
  wasReplayed,
} from '@waypost/store/tables/grants/authorization-codes'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import { z } from 'zod'
import { hashKey } from '../applications/api-keys.ts'
import { type Issued, issueAccessToken, issueRefreshToken } from './access-tokens.ts'
import type { Tools } from './grants.ts'
import { awaitExchange, completeExchange, type Fixed, type Visitor } from './hosted-grants.ts'
import { verifies } from './pkce.ts'
import type { SignInRequest } from './sign-in-request.ts'
import { type Authenticated, connectorFor, type Owner } from './verify-credentials.ts'

const codeMs = 600_000

/** The account that waits for the exchange. */
const Waiting = z.object({
  provider: z.string(),
  connectorId: z.string(),
  credentialId: z.string().nullable(),
  identity: z.custom<Identity>((value) => typeof value === 'object' && value !== null),
  state: z.string().nullable(),
  scope: z.array(z.string()).nullable(),
  offline: z.boolean(),
  loginId: z.string(),
  visitor: z.object({ ip: z.string(), userAgent: z.string().nullable() }),
})
type Waiting = z.output<typeof Waiting>

export interface CodeFacts {
  redirectUri: string
  challenge: { value: string; method: string } | undefined
  offline: boolean
  loginId: string
  visitor: Visitor
  fixed: Fixed
}

const contextOf = (row: { application_id: string; id: string }) => ({
  table: 'authorization_codes',
  column: 'sealed_account',
  application: row.application_id,
  row: row.id,
})

/** Creates a code for an account that its provider accepted. */
export async function makeCode(
  tx: Queries,
  owner: Owner,
  account: Authenticated,
  { fixed, ...facts }: CodeFacts,
  tools: Tools,
): Promise<string> {
  const expiresAt = tools.now + codeMs
  const { grant } = await awaitExchange(tx, owner, account, { ...tools, fixed, purgeAt: expiresAt })
  const { offline, loginId, visitor } = facts
  const waiting: Waiting = {
    provider: account.connector.provider,
    connectorId: account.connector.id,
    credentialId: account.credentialId,
    identity: account.identity,
    state: account.request.state ?? null,
    scope: account.request.scope ?? null,
    offline,
    loginId,
    visitor,
  }
  return insertCode(tx, { ...facts, applicationId: owner.id, grantId: grant.id, waiting }, tools)
}

interface NewCode extends Pick<CodeFacts, 'redirectUri' | 'challenge'> {
  applicationId: string
  grantId: string
  waiting: Waiting | typeof proof
}

async function insertCode(
  tx: Queries,
  facts: NewCode,
  { secrets, now }: Pick<Tools, 'secrets' | 'now'>,
): Promise<string> {
  const code = newToken()
  const key = { id: newId(), application_id: facts.applicationId }
  await insertAuthorizationCode(tx, {
    ...key,
    grant_id: facts.grantId,
    hash: hashKey(code),
    redirect_uri: facts.redirectUri,
    code_challenge: facts.challenge?.value ?? null,
    code_challenge_method: facts.challenge?.method ?? null,
    sealed_account: secrets.seal(JSON.stringify(facts.waiting), contextOf(key)),
    created_at: now,
    expires_at: now + codeMs,
    used_at: null,
    replayed_at: null,
  })
  return code
}

/** Stands where an account would wait. Such a code proves who owns a grant, and gives no tokens. */
const proof = { proves: true } as const

const isProof = (value: unknown): boolean => typeof value === 'object' && value !== null && 'proves' in value

/** Creates a code that proves who owns a grant. */
export const makeProofCode = (
  tx: Queries,
  facts: { applicationId: string; grantId: string; request: Pick<SignInRequest, 'redirectUri' | 'challenge'> },
  tools: Pick<Tools, 'secrets' | 'now'>,
): Promise<string> => {
  const { redirectUri, challenge } = facts.request
  return insertCode(tx, { ...facts, redirectUri, challenge: challenge ?? undefined, waiting: proof }, tools)
}

/** Exchanges a code that proves who owns a grant. Returns the id of the grant. */
export async function tradeProof(
  database: Database,
  owner: Owner,
  shown: Omit<PresentedCode, 'hasKey'>,
  { secrets, now }: Pick<Tools, 'secrets' | 'now'>,
): Promise<string> {
  const row = await take(database, shown.code, now)
  check(row, owner, { ...shown, hasKey: false }, now)
  if (!isProof(JSON.parse(open(secrets, row)))) throw refused('the code is for an application')
  return row.grant_id
}

/** What a client presents with a code. */
export interface PresentedCode {
  code: string
  redirectUri: string
  /** Empty if there is none. */
  verifier: string
  /** Whether the client authenticated with an API key. */
  hasKey: boolean
}

const refused = (message: string): ApiError => new ApiError('invalid_grant', message)

/** Consumes a code. Only the first attempt succeeds. */
async function take(database: Database, code: string, now: number): Promise<AuthorizationCodeRow> {
  const row = await findAuthorizationCode(database, hashKey(code))
  if (!row) throw refused('the code is unknown or has expired: authenticate again')
  if (await useAuthorizationCode(database, row, now)) return row
  await database.transaction(async (tx) => {
    await replayAuthorizationCode(tx, row, now)
    await revokeTokenFamily(tx, { ...row, family: row.id }, now)
  })
  throw refused(
    'the code was already used: it is valid for one attempt, and the tokens issued for it are now revoked (a callback page that is loaded twice causes this)',
  )
}

function check(row: AuthorizationCodeRow, owner: Owner, shown: PresentedCode, now: number): void {
  if (row.application_id !== owner.id) throw refused('the code was issued to another client')
  if (row.expires_at <= now) throw refused('the code has expired: authenticate again')
  if (row.redirect_uri !== shown.redirectUri)
    throw refused('redirect_uri differs from the one in the authorization request')
  const { code_challenge: value, code_challenge_method: method } = row
  if (value === null) {
    // A verifier without a challenge means that somebody removed the challenge (RFC 9700 §2.1.1).
    if (shown.verifier !== '') throw refused('the authorization request had no code_challenge')
    if (!shown.hasKey) throw new ApiError('invalid_client')
    return
  }
  if (shown.verifier === '') throw refused('code_verifier is missing: the authorization request had a code_challenge')
  if (!verifies(shown.verifier, { value, method: method ?? 'plain' })) throw refused('code_verifier does not match')
}

/** Exchanges a code: completes the grant and issues tokens for it. */
export async function tradeCode(
  database: Database,
  owner: Owner & { settings: AdditionalSettings },
  shown: PresentedCode,
  tools: Tools,
): Promise<Issued & { record: GrantRecord }> {
  const { now, secrets } = tools
  const row = await take(database, shown.code, now)
  check(row, owner, shown, now)
  const stored: unknown = JSON.parse(open(secrets, row))
  if (isProof(stored)) throw refused('the code only proves who owns an account: it gives no tokens')
  const waiting = Waiting.parse(stored)
  return database.transaction(async (tx) => {
    const { grantId, loginId, visitor } = { grantId: row.grant_id, ...waiting }
    const account = await accountOf(tx, owner.id, waiting)
    const record = await completeExchange(tx, owner, account, { ...tools, grantId, loginId, visitor })
    const at = { applicationId: owner.id, grantId, family: row.id, now, revoked: await wasReplayed(tx, row) }
    const accessToken = await issueAccessToken(tx, at)
    const refreshToken = waiting.offline ? await issueRefreshToken(tx, at, owner.settings) : undefined
    return { record, accessToken, refreshToken }
  })
}

const open = (secrets: Secrets, row: AuthorizationCodeRow): string => secrets.open(row.sealed_account, contextOf(row))

async function accountOf(tx: Queries, applicationId: string, waiting: Waiting): Promise<Authenticated> {
  const { provider, credentialId, identity, state, scope } = waiting
  const connector = await connectorFor(tx, applicationId, provider)
  if (connector.id !== waiting.connectorId) throw refused('the connector was replaced: authenticate again')
  return { connector, credentialId, identity, request: { provider, settings: {}, state, scope } }
}
