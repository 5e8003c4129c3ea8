/** Messages that a request waits for: the request sends them, or returns the outcome of another sender. */
import { ApiError } from '@waypost/platform/api-error'
import { sleep } from '@waypost/platform/clock'
import { newId } from '@waypost/platform/ids'
import type { FiledCopy } from '@waypost/providers/operations'
import { claimSend, readSend, type SendAddress, type WholeSendRow } from '@waypost/store/tables/mail/sends'
import { addressOf, type End, type Outcome, outcomeOf, outcomeOfEnd } from '../ledger/ledger.ts'
import type { KeepBeside, NewSend } from '../ledger/new-sends.ts'
import { attemptAndSettle, type Claim, type SendTools, type SettledAttempt, settle, within } from './attempt.ts'
import type { Recovery } from './recovery.ts'
import type { SendingAccount } from './sending-account.ts'

/** A message that is sent at once. */
export interface NewMessage {
  send: NewSend
  /** Stores further data with the message. */
  keep: KeepBeside
  /** The account to send from, if already open. */
  account?: ((signal: AbortSignal) => SendingAccount) | undefined
}

interface RequestedSendsOptions extends SendTools {
  recovery: Pick<Recovery, 'place' | 'close'>
}

/** Time between polls of a message that another node sends. */
const pollMs = 250
/** Time between polls of a message that another request of this process sends. */
const heldMs = 25
/** Longest time that a request waits for the copy of its message in the sent folder. */
const maxCopyWaitMs = 3_000

export function createRequestedSends(options: RequestedSendsOptions) {
  const { database, seals, nodeId, held, failpoint, now } = options

  async function sendAccepted(at: SendAddress, signal: AbortSignal): Promise<Outcome> {
    await failpoint('accepted', at.id)
    for (;;) {
      const row = await readSend(database, at, seals)
      if (!row) throw new Error('no message with this id was accepted')
      const outcome = outcomeOf(row)
      if (outcome) return outcome
      if (row.schedule_id !== null) throw new Error('a scheduled message is sent at its time')
      const own = held.has(at.id) ? undefined : await claimAndSend(row, signal)
      if (own) return own
      // Another sender has the message; its outcome is the response.
      await sleep(pollMs, signal)
      if (signal.aborted) return { state: 'unknown' }
    }
  }

  /** Claims an accepted message for the waiting request and sends it; undefined if another sender has it. */
  async function claimAndSend(row: WholeSendRow, signal: AbortSignal): Promise<Outcome | undefined> {
    const attempt = newId()
    held.add(row.id)
    try {
      if (!(await claimSend(database, addressOf(row), { node: nodeId, now: now(), attempt }))) {
        held.delete(row.id)
        return undefined
      }
    } catch (error) {
      held.delete(row.id)
      throw error
    }
    return sendAndFile(options, { ...row, attempt, tries: row.tries + 1 }, { attempt, requested: signal })
  }

  async function acceptAndSend(message: NewMessage, signal: AbortSignal): Promise<Outcome> {
    const { id } = message.send
    // Another request of this process sends the same message; its recorded outcome is the response.
    if (held.has(id)) {
      for (; held.has(id); await sleep(heldMs, signal)) if (signal.aborted) return { state: 'unknown' }
      if (await readSend(database, message.send, seals)) return sendAccepted(message.send, signal)
    }
    held.add(id)
    return (await sendNew(options, message, signal)) ?? sendAccepted(message.send, signal)
  }

  return { acceptAndSend, sendAccepted }
}

/** Sends a message that is recorded when its transmission begins; undefined if the id was recorded already. */
async function sendNew(
  options: RequestedSendsOptions,
  { send, keep, account }: NewMessage,
  requested: AbortSignal,
): Promise<Outcome | undefined> {
  const { ledger, held, follow } = options
  const attempt = newId()
  const row = ledger.approaching(send, attempt)
  let unwritten: { error: unknown } | undefined
  const begin = async (): Promise<boolean> => {
    try {
      return await ledger.beginNew(send, attempt, keep)
    } catch (error) {
      unwritten = { error }
      throw error
    }
  }
  const refuse = async (end: End): Promise<boolean> => {
    if (!unwritten) return ledger.refuseNew(send, attempt, 'error' in end ? end.error : new ApiError('send_failed'))
    // It may be unknown whether the message was recorded. If it was, this records that nothing was sent.
    void follow(settle(options, row, attempt, end)).catch(() => undefined)
    throw unwritten.error
  }
  try {
    await options.failpoint('accepted', send.id)
  } catch (error) {
    held.delete(send.id)
    throw error
  }
  return sendAndFile(options, row, { attempt, requested, mail: send.mail, account, begin, refuse })
}

/** Sends a claimed message and files its copy; undefined if the outcome must be read from the ledger. */
async function sendAndFile(
  options: RequestedSendsOptions,
  row: WholeSendRow,
  claim: Claim,
): Promise<Outcome | undefined> {
  const { held, recovery, follow } = options
  let done: SettledAttempt | undefined
  let closing: Promise<FiledCopy | undefined> | undefined
  try {
    done = await attemptAndSettle(options, row, claim, (carried) => follow(recovery.place(row, carried)))
    if (done?.copy && done.placing) closing = follow(recovery.close(row, done.placing))
  } finally {
    const free = (): boolean => held.delete(row.id)
    // Keeps the message held so that nothing else on this node files the copy.
    if (closing) closing.then(free, free)
    else free()
  }
  const outcome = done && outcomeOfEnd(done.end)
  if (outcome?.state !== 'sent') return outcome
  const filed = await within(maxCopyWaitMs, closing ?? done?.placing ?? Promise.resolve(undefined))
  const { id = outcome.messageId, reported } = filed?.value ?? {}
  return { state: 'sent', messageId: id, reported }
}
