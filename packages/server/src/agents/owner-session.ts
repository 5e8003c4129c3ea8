/**
 * The session of an account's owner. A browser proves through the hosted sign-in of an application that it owns an
 * account. The result is a sealed cookie that names the application and the accounts of this browser. It opens the
 * pages about agents and approvals, and nothing else: it is no credential of the API.
 *
 * Nothing is stored. Every account has its own end, twelve hours after its sign-in. Account ids are compared with the
 * store at each visit, so a session ends for an account that is disconnected from the application.
 */
import { hash, timingSafeEqual } from 'node:crypto'
import { ApiError } from '@waypost/platform/api-error'
import type { Clock } from '@waypost/platform/clock'
import { type SealContext, type Secrets, SecretsError } from '@waypost/platform/crypto/secrets'
import { newToken } from '@waypost/platform/ids'
import type { Database } from '@waypost/store/engine/database'
import { getGrant } from '@waypost/store/tables/grants/grants'
import { z } from 'zod'
import { tradeProof } from '../grants/authorization-codes.ts'
import { newProofKey } from '../grants/pkce.ts'
import type { Owner } from '../grants/verify-credentials.ts'

/** The accounts that a browser proved to own. */
export interface AccountOwner {
  applicationId: string
  /** The ids of connected accounts; never empty. */
  grantIds: readonly string[]
  /** A secret of the session, for the CSRF tokens of its forms. */
  secret: string
}

export interface OwnerSessionTools {
  database: Database
  clock: Clock
  secrets: Secrets
}

const sessionMs = 12 * 3_600_000
const attemptMs = 3_600_000
/** Browsers accept cookies of 4,096 bytes; this many accounts fit. */
const maxAccounts = 30
/** A longer path would not fit into the cookie. */
export const maxReturnLength = 2_000

const Session = z.object({
  secret: z.string(),
  accounts: z.array(z.object({ grantId: z.string(), until: z.number() })),
})
type Session = z.output<typeof Session>

const Attempt = z.object({
  applicationId: z.string(),
  state: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
  expiresAt: z.number(),
})
type Attempt = z.output<typeof Attempt>

const sessionContext = (applicationId: string): SealContext => ({
  table: 'cookie',
  column: 'account',
  application: applicationId,
  row: '',
})
const attemptContext: SealContext = { table: 'cookie', column: 'account-sign-in', application: '', row: '' }

/** The content of a sealed cookie; undefined if it is not ours. */
function opened<T>(secrets: Secrets, schema: z.ZodType<T>, sealed: string, context: SealContext): T | undefined {
  try {
    return schema.safeParse(JSON.parse(secrets.open(sealed, context))).data
  } catch (error) {
    if (error instanceof SecretsError) return undefined
    throw error
  }
}

/** The part of a cookie's name that stands for an application. */
export const applicationMark = (applicationId: string): string => hash('sha256', applicationId, 'hex').slice(0, 16)

function readSession(tools: OwnerSessionTools, applicationId: string, sealed: string | undefined): Session | undefined {
  if (sealed === undefined) return undefined
  const session = opened(tools.secrets, Session, sealed, sessionContext(applicationId))
  const now = tools.clock.now()
  return session && { ...session, accounts: session.accounts.filter(({ until }) => until > now) }
}

const sealSession = ({ secrets }: OwnerSessionTools, applicationId: string, session: Session): string =>
  secrets.seal(JSON.stringify(session), sessionContext(applicationId))

/** The owner behind a session cookie; undefined if the browser must sign in. */
export async function readOwner(
  tools: OwnerSessionTools,
  applicationId: string,
  sealed: string | undefined,
): Promise<AccountOwner | undefined> {
  const session = readSession(tools, applicationId, sealed)
  if (!session) return undefined
  const found = await Promise.all(
    session.accounts.map(({ grantId }) => getGrant(tools.database, applicationId, grantId)),
  )
  const grantIds = found.flatMap((record) => (record && record.status !== 'unverified' ? [record.grant.id] : []))
  return grantIds.length > 0 ? { applicationId, grantIds, secret: session.secret } : undefined
}

export interface NewAttempt {
  /** For the browser, until it returns. */
  sealed: string
  state: string
  challenge: string
}

/** Begins a sign-in of an owner, which ends at a path of this service. */
export function beginAttempt(
  { secrets, clock }: OwnerSessionTools,
  { applicationId, returnTo }: { applicationId: string; returnTo: string },
): NewAttempt {
  const { verifier, challenge } = newProofKey()
  const attempt: Attempt = {
    applicationId,
    state: newToken(),
    verifier,
    returnTo: internalPath(returnTo),
    expiresAt: clock.now() + attemptMs,
  }
  return { sealed: secrets.seal(JSON.stringify(attempt), attemptContext), state: attempt.state, challenge }
}

/** Refuses everything but a path of the pages that owners use, so that no link leads a browser elsewhere. */
export function internalPath(text: string): string {
  const url = URL.parse(text, 'http://internal.invalid')
  const isOwn = url?.origin === 'http://internal.invalid' && `${url.pathname}${url.search}` === text
  const isKnown = isOwn && /^\/(?:account|oauth)(?:\/|$)/.test(url.pathname)
  if (!isKnown || text.length > maxReturnLength)
    throw new ApiError('invalid_request', 'the page to return to is unknown')
  return text
}

const isSame = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** The attempt of a browser that returns with this state; undefined if it began none, or too long ago. */
export function readAttempt(
  { secrets, clock }: OwnerSessionTools,
  sealed: string | undefined,
  state: string | null,
): Attempt | undefined {
  const attempt = sealed === undefined ? undefined : opened(secrets, Attempt, sealed, attemptContext)
  if (!attempt || attempt.expiresAt <= clock.now()) return undefined
  return state !== null && isSame(state, attempt.state) ? attempt : undefined
}

/** Exchanges the code of a sign-in, and adds its account to the session. Returns the new session cookie. */
export async function completeAttempt(
  tools: OwnerSessionTools,
  owner: Owner,
  attempt: Attempt,
  given: { code: string; redirectUri: string; session: string | undefined },
): Promise<string> {
  const { database, secrets, clock } = tools
  const now = clock.now()
  const shown = { code: given.code, redirectUri: given.redirectUri, verifier: attempt.verifier }
  const grantId = await tradeProof(database, owner, shown, { secrets, now })
  const known = readSession(tools, owner.id, given.session)
  const others = known?.accounts.filter((account) => account.grantId !== grantId) ?? []
  return sealSession(tools, owner.id, {
    secret: known?.secret ?? newToken(),
    accounts: [...others, { grantId, until: now + sessionMs }].slice(-maxAccounts),
  })
}

export const sessionSeconds = sessionMs / 1_000
export const attemptSeconds = attemptMs / 1_000
