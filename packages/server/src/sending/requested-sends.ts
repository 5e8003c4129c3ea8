/** Messages that a request waits for: they are sent in its name, or what others come to with them is its answer. */
import { sleep } from '../lib/clock.ts'
import type { DataSeals } from '../lib/data-seals.ts'
import { newId } from '../lib/ids.ts'
import type { MailObject } from '../providers/operations.ts'
import type { Database } from '../store/database.ts'
import { claimSend, readSend, type WholeSendRow } from '../store/sends.ts'
import type { Claim } from './attempt.ts'
import { addressOf, type Outcome, outcomeOf, outcomeOfEnd } from './ledger.ts'
import type { Recovery } from './recovery.ts'
import { attemptAndSettle, type SettleTools } from './settled-attempt.ts'

/** A message that is written down and sent at once. */
export interface NewMessage {
  id: string
  mail: MailObject
  /** Writes it down, claimed where a claim is given; answers undefined where there is one of its id already. */
  accept(attempt: string | undefined): Promise<WholeSendRow | undefined>
}

export interface RequestedSendsOptions {
  database: Database
  seals: DataSeals
  nodeId: string
  tools: SettleTools
  /** Messages that this process works on. */
  held: Set<string>
  recovery: Pick<Recovery, 'file'>
  /** Lets the node wait for work when it stops. */
  follow<T>(work: Promise<T>): Promise<T>
}

export interface RequestedSends {
  acceptAndSend(message: NewMessage, signal: AbortSignal): Promise<Outcome>
  sendAccepted(id: string, signal: AbortSignal): Promise<Outcome>
}

/** Between two looks at a message that somebody else sends. */
const lookMs = 250
/** What a request waits for the copy of its message in the sent mail. */
const maxCopyWaitMs = 3_000

export function createRequestedSends(options: RequestedSendsOptions): RequestedSends {
  const { database, seals, nodeId, tools, held } = options

  async function sendAccepted(id: string, signal: AbortSignal): Promise<Outcome> {
    await tools.failpoint('accepted', id)
    for (;;) {
      const row = await readSend(database, id, seals)
      if (!row) throw new Error('no message of this id was accepted')
      const outcome = outcomeOf(row)
      if (outcome) return outcome
      if (row.schedule_id !== null) throw new Error('a scheduled message is sent at its time')
      const own = held.has(id) ? undefined : await claimAndSend(row, signal)
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

  async function acceptAndSend({ id, mail, accept }: NewMessage, signal: AbortSignal): Promise<Outcome> {
    const attempt = held.has(id) ? undefined : newId()
    if (attempt !== undefined) held.add(id)
    let row: WholeSendRow | undefined
    try {
      row = await tools.ledger.batching(() => accept(attempt))
    } finally {
      if (!row && attempt !== undefined) held.delete(id)
    }
    if (!row || attempt === undefined) return sendAccepted(id, signal)
    try {
      await tools.failpoint('accepted', id)
    } catch (error) {
      held.delete(id)
      throw error
    }
    return (await sendAndFile(options, row, { attempt, asked: signal, mail })) ?? sendAccepted(id, signal)
  }

  return { acceptAndSend, sendAccepted }
}

/** Sends a message that is claimed and held, and files its copy; undefined where the ledger has to say what became of it. */
async function sendAndFile(
  { tools, held, recovery, follow }: RequestedSendsOptions,
  row: WholeSendRow,
  claim: Claim,
): Promise<Outcome | undefined> {
  const free = (): boolean => held.delete(row.id)
  let copy: Promise<string | undefined> | undefined
  let outcome: Outcome | undefined
  try {
    const done = await attemptAndSettle(tools, row, claim)
    outcome = done && outcomeOfEnd(done.end)
    if (done?.copy) copy = follow(recovery.file(row, done.copy))
  } finally {
    // Nobody else on this node files it meanwhile.
    if (copy) copy.then(free, free)
    else free()
  }
  if (outcome?.state !== 'sent' || !copy) return outcome
  const filed = await withinCopyWait(
    copy.catch((error) => {
      tools.log.warn({ error, send_id: row.id }, 'a copy was not filed')
      return undefined
    }),
  )
  return typeof filed === 'string' ? { state: 'sent', messageId: filed } : outcome
}

/** Waits for a copy to be filed, but not for long: it goes on without the request. */
function withinCopyWait<T>(filing: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), maxCopyWaitMs)
  })
  return Promise.race([filing, late]).finally(() => clearTimeout(timer))
}
