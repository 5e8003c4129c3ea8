/**
 * Sends. A message that a request brings is sent by that request (`sendNow`); scheduled ones, and those that a dead node
 * left, by whichever worker claims them (`run`). A node works on a message only once at a time (`held`); between nodes the
 * ledger decides.
 *
 * A grant has a bounded number of messages under way on each node, and so has the node.
 */
import type { Sessions } from '../grants/sessions.ts'
import { type Clock, sleep } from '../lib/clock.ts'
import { newFraction, newId } from '../lib/ids.ts'
import type { Log } from '../lib/log.ts'
import type { Letter } from '../providers/operations.ts'
import type { Database } from '../store/database.ts'
import { claimSend, claimSends, dueSends, readSend, type SendRow, type WholeSendRow } from '../store/sends.ts'
import { openAccount } from './account.ts'
import { attemptSend, ClaimLost } from './attempt.ts'
import { addressOf, type End, type FailPoint, type Ledger, type Outcome, outcomeOf } from './ledger.ts'
import { SendQueue } from './queue.ts'
import { usualQuarantineMs } from './reconcile.ts'
import { createTending } from './tending.ts'

export interface SenderOptions {
  database: Database
  clock: Clock
  log: Log
  sessions: Sessions
  ledger: Ledger
  nodeId: string
  /** How long a message of which nobody knows is looked for, from when its transmission began. */
  quarantineMs?: number
  /** What becomes of a message that was not found by then. Default `hold`: it is told as failed. */
  onUnknown?: 'hold' | 'resend'
  failpoint?: FailPoint
}

export interface Sender extends AsyncDisposable {
  /** Sends a message that was accepted, or answers what became of it. It may go on after the signal aborts, if it has begun. */
  sendNow(id: string, signal: AbortSignal): Promise<Outcome>
  /** Sends what is due until the signal aborts, then lets what is under way end. */
  run(signal: AbortSignal): Promise<void>
  /** Something may be due. */
  wake(): void
}

const lookMs = 250
const perGrant = 2
const overall = 32
/** What is claimed ahead of one grant, so that its next message is at hand. */
const aheadPerGrant = 16
const claimedAtMost = 128
const readAtOnce = 512
/** What messages under way are given when the node stops. */
const patienceMs = 7_000
/** What a request waits for the copy of its message in the sent mail. */
const copyPatienceMs = 3_000
/** How long the outcome of an attempt is kept at hand while the store does not take it. */
const settlingMs = 600_000

export function createSender(options: SenderOptions): Sender {
  const { database, clock, log, sessions, ledger, nodeId } = options
  const { quarantineMs = usualQuarantineMs, onUnknown = 'hold', failpoint = () => undefined } = options
  /** Messages that this process works on. */
  const held = new Set<string>()
  const underWay = new Set<Promise<unknown>>()
  const ending = new AbortController()
  const now = (): number => clock.now()
  const tools = {
    ledger,
    now,
    failpoint,
    open: (row: WholeSendRow, signal: AbortSignal) => openAccount({ sessions, database }, row, signal),
  }
  let awake: (() => void) | undefined
  let woken = false

  function wake(): void {
    woken = true
    awake?.()
  }

  const follow = <T>(work: Promise<T>): Promise<T> => {
    const followed = work.catch(() => undefined).finally(() => underWay.delete(followed))
    underWay.add(followed)
    return work
  }

  const queue = new SendQueue<{ row: SendRow; attempt: string }>({
    grantOf: ({ row }) => row.grant_id,
    run: ({ row, attempt }) =>
      follow(sendClaimed(row, attempt)).catch((error) =>
        log.error({ error, send_id: row.id }, 'a message was not sent'),
      ),
    perGrant,
    overall,
    onDry: wake,
  })

  const tending = createTending({
    ...{ database, log, nodeId, ledger, held, quarantineMs, onUnknown, failpoint, now, follow, settle, wake },
    ending: ending.signal,
    open: (row, signal) => openAccount({ sessions, database }, row, signal),
  })

  /** Writes down how an attempt ended, however long the store takes: nobody else knows it. */
  async function settle(row: SendRow, attempt: string, end: End): Promise<boolean> {
    for (const until = now() + settlingMs; ; await sleep(1_000)) {
      try {
        return await ledger.settle(row, attempt, end)
      } catch (error) {
        if (now() > until) throw error
        log.warn({ error, send_id: row.id }, 'how a message ended could not be written down; it is tried again')
      }
    }
  }

  function note(row: SendRow, end: End): void {
    const facts = { send_id: row.id, grant_id: row.grant_id, schedule_id: row.schedule_id, tries: row.tries }
    if (end.trigger === 'take') log.info(facts, 'a message was sent')
    else if ('error' in end) log.warn({ ...facts, error: end.error, ended: end.trigger }, 'a message was not sent')
    else log.warn({ ...facts, ended: end.trigger }, 'nobody knows whether a message was sent; it is looked for')
  }

  /** One attempt, up to the books; undefined where another one counts by now. */
  async function attemptAndSettle(
    row: WholeSendRow,
    attempt: string,
    asked?: AbortSignal,
  ): Promise<Letter | undefined> {
    try {
      const { end, letter } = await attemptSend(tools, row, { attempt, asked })
      note(row, end)
      const kept = await settle(row, attempt, end)
      await failpoint('settled', row.id)
      return kept && end.trigger === 'take' && end.filing === 'pending' ? letter : undefined
    } catch (error) {
      if (!(error instanceof ClaimLost)) throw error
      log.warn({ send_id: row.id }, 'a message was lost to another node')
      return undefined
    }
  }

  async function sendClaimed(row: SendRow, attempt: string): Promise<void> {
    try {
      const whole = await readSend(database, row.id)
      if (whole && whole.attempt === attempt) await attemptAndSettle(whole, attempt)
    } finally {
      held.delete(row.id)
    }
  }

  async function claimAll(rows: readonly SendRow[]): Promise<void> {
    const room = claimedAtMost - queue.size
    const counts = new Map<string, number>()
    // Where there is more than this node can take, nodes take different ones.
    const inTurn = rows.length > room ? shuffled(rows) : rows
    const wanted = inTurn
      .filter(({ grant_id: grant }) => {
        const count = counts.get(grant) ?? queue.waitingOf(grant)
        counts.set(grant, count + 1)
        return count < aheadPerGrant
      })
      .slice(0, Math.max(room, 0))
    if (wanted.length === 0) return
    for (const { id } of wanted) held.add(id)
    const attempt = newId()
    let got = new Set<string>()
    try {
      const ids = wanted.map(({ id }) => id)
      got = await claimSends(database, { node: nodeId, now: now(), attempt }, ids)
    } finally {
      for (const { id } of wanted) if (!got.has(id)) held.delete(id)
    }
    queue.add(wanted.filter(({ id }) => got.has(id)).map((row) => ({ row, attempt })))
  }

  async function look(): Promise<void> {
    if (queue.size >= claimedAtMost) return
    const without = queue.crowded(aheadPerGrant)
    const due = await dueSends(database, { node: nodeId, now: now() }, { without, limit: readAtOnce })
    const free = due.filter(({ id }) => !held.has(id))
    const ready = new Set(['accepted', 'scheduled', 'claimed'])
    tending.tend(free.filter(({ state }) => !ready.has(state)))
    await claimAll(free.filter(({ state }) => ready.has(state)))
  }

  async function sendOne(id: string, signal: AbortSignal): Promise<Outcome> {
    await failpoint('accepted', id)
    for (;;) {
      const row = await readSend(database, id)
      if (!row) throw new Error('no message of this id was accepted')
      const outcome = outcomeOf(row)
      if (outcome) return outcome
      if (row.schedule_id !== null) throw new Error('a scheduled message is sent at its time')
      if (held.has(id) || !(await sendUnheld(row, signal))) {
        // Somebody else sends it: what they come to is the answer.
        await sleep(lookMs, signal)
        if (signal.aborted) return { state: 'unknown' }
      }
    }
  }

  /** Sends a message in the name of the request that waits for it, and files its copy; false where others have it. */
  async function sendUnheld(row: WholeSendRow, signal: AbortSignal): Promise<boolean> {
    const attempt = newId()
    let copy: Promise<void> | undefined
    held.add(row.id)
    try {
      if (!(await claimSend(database, addressOf(row), { node: nodeId, now: now(), attempt }))) return false
      const letter = await attemptAndSettle({ ...row, attempt, tries: row.tries + 1 }, attempt, signal)
      const sent = letter && (await readSend(database, row.id))
      if (sent) copy = follow(tending.file(sent, letter))
    } finally {
      // Nobody else on this node files it meanwhile.
      const free = (): boolean => held.delete(row.id)
      if (copy) copy.then(free, free)
      else free()
    }
    if (copy)
      await Promise.race([
        copy.catch((error) => log.warn({ error, send_id: row.id }, 'a copy was not filed')),
        sleep(copyPatienceMs),
      ])
    return true
  }

  async function finish(): Promise<void> {
    queue.clear()
    const patience = setTimeout(() => ending.abort(), patienceMs)
    await Promise.race([Promise.all([queue.idle(), ...underWay]), sleep(patienceMs + 500, ending.signal)])
    clearTimeout(patience)
    ending.abort()
  }

  return {
    wake,
    sendNow: (id, signal) => follow(sendOne(id, signal)),
    async run(signal) {
      while (!signal.aborted) {
        woken = false
        await look().catch((error) => log.warn({ error }, 'messages that are due could not be read; it is tried again'))
        if (woken) continue
        const pause = new AbortController()
        awake = () => pause.abort()
        await sleep(lookMs, AbortSignal.any([signal, pause.signal]))
        awake = undefined
      }
      await finish()
    },
    [Symbol.asyncDispose]: finish,
  }
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => [newFraction(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item)
}
