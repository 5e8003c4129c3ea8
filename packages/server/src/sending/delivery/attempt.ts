/**
 * One attempt to send a claimed message: opens the account, transmits the message, and records the outcome in the ledger.
 */

import { errors } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { sleep } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { Log } from '@waypost/platform/log'
import { RepeatedFailure } from '@waypost/platform/repeated-failure'
import { hasLargeFiles, wireLength } from '@waypost/providers/mail/large-files'
import { transmissionMs } from '@waypost/providers/mail/transmission'
import type { FiledCopy, MailObject, SentMessage } from '@waypost/providers/operations'
import { SendFailed } from '@waypost/providers/provider'
import { type Database, StoreUnavailable } from '@waypost/store/engine/database'
import type { SendRow, WholeSendRow } from '@waypost/store/tables/mail/sends'
import { addressOf, type End, type FailPoint, type Ledger, patienceOf } from '../ledger/ledger.ts'
import { isTooLate, maxLateMs, verdictOf } from '../ledger/states.ts'
import type { SendingAccount } from './sending-account.ts'

/** Another node has claimed the message: nothing was sent, and nothing is reported. */
class ClaimLost extends Error {
  override readonly name = 'ClaimLost'
}

/** Time for everything before the transmission. */
const approachMs = 60_000
/** Some providers get large files before the message itself; they have more time, down to half a megabyte per second. */
const slowestBytesPerMs = 500
/** Adapters have their own deadline; this one applies if an adapter exceeds it. */
const overtimeMs = 5_000

/** What all work on messages uses. */
export interface SendTools {
  database: Database
  log: Log
  ledger: Ledger
  seals: DataSeals
  nodeId: string
  /** Ids of messages that this process is working on. */
  held: Set<string>
  failpoint: FailPoint
  now(): number
  open(row: SendRow, signal: AbortSignal): Promise<SendingAccount>
  /** Makes the node wait for this work when it stops. */
  follow<T>(work: Promise<T>): Promise<T>
  wake(): void
}

export interface Claim {
  attempt: string
  /** Aborts the attempt only while nothing can have been sent. */
  requested?: AbortSignal | undefined
  /** The message, if already loaded. */
  mail?: MailObject | undefined
  /** The account to send from, if already open. */
  account?: ((signal: AbortSignal) => SendingAccount) | undefined
  /** Records that the provider may accept the message from now on, if that is more than an update of its row. */
  begin?: (() => Promise<boolean>) | undefined
  /** Records an earlier failure if the message has no row yet. */
  refuse?: ((end: End) => Promise<boolean>) | undefined
}

interface Attempted {
  end: End
  /** Whether it is recorded that the provider may have accepted it. */
  begun: boolean
  carried?: Carried
}

/** The transmitted message and its account, for filing the copy. */
export interface Carried {
  mail: MailObject
  account: SendingAccount
}

async function attemptSend(
  tools: SendTools,
  row: WholeSendRow,
  { attempt, requested, mail: atHand, account: known, begin: beginOf }: Claim,
): Promise<Attempted> {
  const { ledger, now, failpoint } = tools
  const abort = new AbortController()
  let timer = setTimeout(() => abort.abort(new Error('opening the account took too long')), approachMs)
  let begun = false
  /** A message with large files continues after its request has ended. */
  let isLong = false
  const giveUp = (): void => {
    if (!begun && !isLong) abort.abort(requested?.reason)
  }
  requested?.addEventListener('abort', giveUp)
  const begin = async (): Promise<void> => {
    abort.signal.throwIfAborted()
    if (!(await (beginOf ? beginOf() : ledger.begin(addressOf(row), attempt)))) throw new ClaimLost()
    begun = true
    clearTimeout(timer)
    timer = setTimeout(() => abort.abort(new Error('the transmission took too long')), transmissionMs + overtimeMs)
    await failpoint('transmitting', row.id)
  }
  try {
    requested?.throwIfAborted()
    await failpoint('claimed', row.id)
    if (isTooLate(patienceOf(row), now())) return { end: tooLate(patienceOf(row).lateMs), begun }
    const draftId = draftIdOf(row)
    const retained = draftId === undefined ? (atHand ?? (await ledger.mailOf(row))) : undefined
    if (draftId === undefined && !retained)
      throw new SendFailed('the content of the message is no longer stored', { permanent: true })
    const account = known?.(abort.signal) ?? (await tools.open(row, abort.signal))
    const named = { messageId: row.message_id, date: new Date(now()) }
    const mail = retained ?? (await account.mailOfDraft(draftId ?? '', named))
    if (hasLargeFiles(mail)) {
      isLong = true
      clearTimeout(timer)
      const max = approachMs + wireLength(mail) / slowestBytesPerMs
      timer = setTimeout(() => abort.abort(new Error('the upload of the files took too long')), max)
    }
    const { id }: SentMessage = await account.transmit({ ...mail, replyToMessageId: answeredBy(row) }, begin)
    await failpoint('taken', row.id)
    const end: End = { trigger: 'take', providerId: id, filing: account.sent ? 'pending' : 'none' }
    return { end, begun, carried: { mail, account } }
  } catch (error) {
    if (error instanceof ClaimLost) throw error
    const given = !begun && !isLong && requested?.aborted === true
    return { end: endOf(given ? new ApiError('deadline_exceeded') : error, row, { begun, now: now() }), begun }
  } finally {
    clearTimeout(timer)
    requested?.removeEventListener('abort', giveUp)
  }
}

/** The message that is replied to, as the client named it. */
const answeredBy = ({ facts: { reply_to_message_id: id } }: WholeSendRow): string | undefined =>
  typeof id === 'string' && id !== '' ? id : undefined

/** The draft in which a scheduled message waits, if any. */
function draftIdOf({ facts, schedule_id }: WholeSendRow): string | undefined {
  if (schedule_id === null) return undefined
  const { draft_id: draftId } = facts
  return typeof draftId === 'string' ? draftId : undefined
}

const tooLate = (lateMs: number): End => ({
  trigger: 'refuse',
  error: new ApiError(
    'send_failed',
    `it could not be sent within ${lateMs === maxLateMs ? 'an hour' : 'a day'} of its time`,
  ),
  reason: 'expired',
})

/** Maps an error of an attempt to its outcome. */
function endOf(thrown: unknown, row: WholeSendRow, { begun, now }: { begun: boolean; now: number }): End {
  const { error, permanent, maybeSent } = failureOf(thrown, begun)
  const verdict = verdictOf({ permanent, maybeSent }, { ...patienceOf(row), tries: row.tries, now })
  return verdict.trigger === 'lose' ? { trigger: 'lose' } : { ...verdict, error }
}

/** Conditions that may be resolved within the hour. */
const lifted = new Set(['grant_invalid', 'resource_blocked'])

/** Errors of the account rather than the message are reported unchanged. */
const ofAccount = new Set(['grant_invalid', 'insufficient_scopes', 'provider_rate_limited'])

function failureOf(thrown: unknown, begun: boolean): { error: ApiError; permanent: boolean; maybeSent: boolean } {
  if (thrown instanceof SendFailed) {
    const { permanent, maybeSent, status, message, cause } = thrown
    if (!maybeSent && cause instanceof ApiError && ofAccount.has(cause.code))
      return { error: cause, permanent, maybeSent }
    const code = permanent ? 'send_refused' : 'provider_unreachable'
    const providerError = status === undefined ? {} : { providerError: { status, message } }
    return { error: new ApiError(code, message, { ...providerError, cause: thrown }), permanent, maybeSent }
  }
  if (thrown instanceof ApiError) {
    const permanent = !errors[thrown.code].temporary && !lifted.has(thrown.code)
    return { error: thrown, permanent, maybeSent: begun }
  }
  const code = thrown instanceof StoreUnavailable ? 'service_unavailable' : 'internal_error'
  // After an unexpected error, the message may have been sent if transmission had begun.
  return { error: new ApiError(code, undefined, { cause: thrown }), permanent: false, maybeSent: begun }
}

/** How long the outcome of an attempt stays in memory while the store rejects it. */
const settlingMs = 600_000
/** Delays between retries while the store is down. */
export const storeRests = { first: 250, max: 5_000 }

/** Records the outcome of an attempt, retrying while the store is down: no other node knows it. */
export async function settle(
  { ledger, now, log }: SendTools,
  row: SendRow,
  attempt: string,
  end: End,
): Promise<boolean> {
  const failure = new RepeatedFailure(storeRests)
  for (const until = now() + settlingMs; ; await sleep(failure.rest)) {
    try {
      return await ledger.settle(row, attempt, end)
    } catch (error) {
      if (now() > until) throw error
      const facts = { error, send_id: row.id }
      if (failure.failed()) log.warn(facts, 'the outcome of a message could not be recorded; retrying')
    }
  }
}

/** The copy of a message that is being filed. */
type Placing = Promise<FiledCopy | undefined>

export interface SettledAttempt {
  end: End
  /** Input for filing the copy, if it still has to be filed. */
  copy: Carried | undefined
  /** The copy, if filing has started. */
  placing: Placing | undefined
}

/** The outcome waits this long for the copy, so that both are recorded in one transaction. */
const copySoonMs = 20

/**
 * One attempt, until its outcome is in the ledger; undefined if another node has taken the claim. With `place`, the
 * copy is filed concurrently. If the node dies in between, recovery finds the message by its copy.
 */
export async function attemptAndSettle(
  tools: SendTools,
  row: WholeSendRow,
  claim: Claim,
  place?: (carried: Carried) => Placing,
): Promise<SettledAttempt | undefined> {
  try {
    const { end: ended, carried, begun } = await attemptSend(tools, row, claim)
    logEnd(tools.log, row, ended)
    const copy = ended.trigger === 'take' && ended.filing === 'pending' ? carried : undefined
    const placing = copy && place?.(copy)
    const soon = placing && (await within(copySoonMs, placing))
    const end = soon && ended.trigger === 'take' ? withCopy(ended, soon.value) : ended
    const retained = begun || !claim.refuse ? await settle(tools, row, claim.attempt, end) : await claim.refuse(end)
    await tools.failpoint('settled', row.id)
    return retained ? { end, copy: soon ? undefined : copy, placing } : undefined
  } catch (error) {
    if (!(error instanceof ClaimLost)) throw error
    tools.log.warn({ send_id: row.id }, 'another node has taken over a message')
    return undefined
  }
}

const withCopy = (end: End & { trigger: 'take' }, copy: FiledCopy | undefined): End => ({
  ...end,
  providerId: copy?.id ?? end.providerId,
  filing: 'done',
})

/** The value of a promise if it resolves in time; undefined if it is late or rejects. */
export async function within<T>(milliseconds: number, promise: Promise<T>): Promise<{ value: T } | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined)
  })
  const settled = promise.then(
    (value) => ({ value }),
    () => undefined,
  )
  return Promise.race([settled, late]).finally(() => clearTimeout(timer))
}

function logEnd(log: Log, row: SendRow, end: End): void {
  const facts = { send_id: row.id, grant_id: row.grant_id, schedule_id: row.schedule_id, tries: row.tries }
  if (end.trigger === 'take') log.info(facts, 'a message was sent')
  else if ('error' in end) log.warn({ ...facts, error: end.error, ended: end.trigger }, 'a message was not sent')
  else log.warn({ ...facts, ended: end.trigger }, 'the outcome of a message is unknown; it is searched for')
}
