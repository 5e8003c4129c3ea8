/** Messages that a request waits for: they are sent in its name, or what others come to with them is its answer. */
import { ApiError } from '../lib/api-error.ts'
import { sleep } from '../lib/clock.ts'
import type { DataSeals } from '../lib/crypto/data-seals.ts'
import { newId } from '../lib/ids.ts'
import type { FiledCopy } from '../providers/operations.ts'
import type { Database } from '../store/engine/database.ts'
import { claimSend, readSend, type SendAddress, type WholeSendRow } from '../store/tables/mail/sends.ts'
import type { SendingAccount } from './account.ts'
import type { Claim } from './attempt.ts'
import { addressOf, type End, type Outcome, outcomeOf, outcomeOfEnd } from './ledger.ts'
import type { KeepBeside, NewSend } from './new-sends.ts'
import type { Recovery } from './recovery.ts'
import { attemptAndSettle, type SettledAttempt, type SettleTools, settle, within } from './settled-attempt.ts'

/** A message that is sent at once. */
export interface NewMessage {
  send: NewSend
  /** What else is kept with it. */
  keep: KeepBeside
  /** The account that it is sent from, where it is at hand. */
  account?: ((signal: AbortSignal) => SendingAccount) | undefined
}

export interface RequestedSendsOptions {
  database: Database
  seals: DataSeals
  nodeId: string
  tools: SettleTools
  /** Messages that this process works on. */
  held: Set<string>
  recovery: Pick<Recovery, 'place' | 'close'>
  /** Lets the node wait for work when it stops. */
  follow<T>(work: Promise<T>): Promise<T>
}

export interface RequestedSends {
  acceptAndSend(message: NewMessage, signal: AbortSignal): Promise<Outcome>
  sendAccepted(at: SendAddress, signal: AbortSignal): Promise<Outcome>
}

/** Between two looks at a message that somebody else sends. */
const lookMs = 250
/** The same within a process, where it need not be asked for. */
const heldMs = 25
/** What a request waits for the copy of its message in the sent mail. */
const maxCopyWaitMs = 3_000

export function createRequestedSends(options: RequestedSendsOptions): RequestedSends {
  const { database, seals, nodeId, tools, held } = options

  async function sendAccepted(at: SendAddress, signal: AbortSignal): Promise<Outcome> {
    await tools.failpoint('accepted', at.id)
    for (;;) {
      const row = await readSend(database, at, seals)
      if (!row) throw new Error('no message of this id was accepted')
      const outcome = outcomeOf(row)
      if (outcome) return outcome
      if (row.schedule_id !== null) throw new Error('a scheduled message is sent at its time')
      const own = held.has(at.id) ? undefined : await claimAndSend(row, signal)
      if (own) return own
      // Somebody else sends it: what they come to is the answer.
      await sleep(lookMs, signal)
      if (signal.aborted) return { state: 'unknown' }
    }
  }

  /** Claims an accepted message for the request that waits for it, and sends it; undefined where others have it. */
  async function claimAndSend(row: WholeSendRow, signal: AbortSignal): Promise<Outcome | undefined> {
    const attempt = newId()
    held.add(row.id)
    try {
      if (!(await claimSend(database, addressOf(row), { node: nodeId, now: tools.now(), attempt }))) {
        held.delete(row.id)
        return undefined
      }
    } catch (error) {
      held.delete(row.id)
      throw error
    }
    return sendAndFile(options, { ...row, attempt, tries: row.tries + 1 }, { attempt, asked: signal })
  }

  async function acceptAndSend(message: NewMessage, signal: AbortSignal): Promise<Outcome> {
    const { id } = message.send
    // Another request of this process brings the same one: what it comes to is the answer, if it is written down.
    if (held.has(id)) {
      for (; held.has(id); await sleep(heldMs, signal)) if (signal.aborted) return { state: 'unknown' }
      if (await readSend(database, message.send, seals)) return sendAccepted(message.send, signal)
    }
    held.add(id)
    return (await sendNew(options, message, signal)) ?? sendAccepted(message.send, signal)
  }

  return { acceptAndSend, sendAccepted }
}

/** Sends a message that is held and written down as it begins; undefined where another one of its id was. */
async function sendNew(
  options: RequestedSendsOptions,
  { send, keep, account }: NewMessage,
  asked: AbortSignal,
): Promise<Outcome | undefined> {
  const { tools, held, follow } = options
  const attempt = newId()
  const row = tools.ledger.approaching(send, attempt)
  let unwritten: { error: unknown } | undefined
  const begin = async (): Promise<boolean> => {
    try {
      return await tools.ledger.beginNew(send, attempt, keep)
    } catch (error) {
      unwritten = { error }
      throw error
    }
  }
  const refuse = async (end: End): Promise<boolean> => {
    if (!unwritten)
      return tools.ledger.refuseNew(send, attempt, 'error' in end ? end.error : new ApiError('send_failed'))
    // Whether it was written down may not be known: where it was, it is known that nothing was sent.
    void follow(settle(tools, row, attempt, end)).catch(() => undefined)
    throw unwritten.error
  }
  try {
    await tools.failpoint('accepted', send.id)
  } catch (error) {
    held.delete(send.id)
    throw error
  }
  return sendAndFile(options, row, { attempt, asked, mail: send.mail, account, begin, refuse })
}

/** Sends a message that is claimed and held, and files its copy; undefined where the ledger has to say what became of it. */
async function sendAndFile(
  { tools, held, recovery, follow }: RequestedSendsOptions,
  row: WholeSendRow,
  claim: Claim,
): Promise<Outcome | undefined> {
  let done: SettledAttempt | undefined
  let closing: Promise<FiledCopy | undefined> | undefined
  try {
    done = await attemptAndSettle(tools, row, claim, (carried) => follow(recovery.place(row, carried)))
    if (done?.copy && done.placing) closing = follow(recovery.close(row, done.placing))
  } finally {
    const free = (): boolean => held.delete(row.id)
    // Nobody else on this node files it meanwhile.
    if (closing) closing.then(free, free)
    else free()
  }
  const outcome = done && outcomeOfEnd(done.end)
  if (outcome?.state !== 'sent') return outcome
  const filed = await within(maxCopyWaitMs, closing ?? done?.placing ?? Promise.resolve(undefined))
  const { id = outcome.messageId, told } = filed?.value ?? {}
  return { state: 'sent', messageId: id, told }
}
