/** Runs one attempt to send a claimed message and records its outcome in the ledger. */
import { sleep } from '@waypost/platform/clock'
import type { Log } from '@waypost/platform/log'
import { RepeatedFailure } from '@waypost/platform/repeated-failure'
import type { FiledCopy } from '@waypost/providers/operations'
import type { SendRow, WholeSendRow } from '@waypost/store/tables/mail/sends'
import type { End } from '../ledger/ledger.ts'
import { type AttemptTools, attemptSend, type Carried, type Claim, ClaimLost } from './attempt.ts'

/** How long the outcome of an attempt stays in memory while the store rejects it. */
const settlingMs = 600_000
/** Delays between retries while the store is down. */
export const storeRests = { first: 250, max: 5_000 }

export interface SettleTools extends AttemptTools {
  log: Log
}

/** Records the outcome of an attempt, retrying while the store is down: no other node knows it. */
export async function settle(
  { ledger, now, log }: Pick<SettleTools, 'ledger' | 'now' | 'log'>,
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
export type Placing = Promise<FiledCopy | undefined>

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
  tools: SettleTools,
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
