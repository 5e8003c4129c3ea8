/**
 * Sends. A message that a request brings is sent by that request (`sendNow`); scheduled ones, and those that a dead node
 * left, by whichever worker claims them (`run`). A node works on a message only once at a time (`held`); between nodes the
 * ledger decides.
 *
 * A grant has a bounded number of messages under way on each node, and so has the node.
 */
import type { Sessions } from '../grants/sessions.ts'
import { type Clock, sleep } from '../lib/clock.ts'
import type { DataSeals } from '../lib/data-seals.ts'
import { newFraction, newId } from '../lib/ids.ts'
import type { Log } from '../lib/log.ts'
import { RepeatedFailure } from '../lib/repeated-failure.ts'
import type { OutgoingMessage } from '../providers/operations.ts'
import type { Database } from '../store/database.ts'
import { claimSend, claimSends, dueSends, readSend, type SendRow, type WholeSendRow } from '../store/sends.ts'
import { openAccount } from './account.ts'
import { attemptSend, type Carried, type Claim, ClaimLost } from './attempt.ts'
import { addressOf, type End, type FailPoint, type Ledger, type Outcome, outcomeOf, outcomeOfEnd } from './ledger.ts'
import { SendQueue } from './queue.ts'
import { usualQuarantineMs } from './reconcile.ts'
import { createRecovery } from './recovery.ts'

export interface SenderOptions {
  database: Database
  clock: Clock
  log: Log
  sessions: Sessions
  ledger: Ledger
  seals: DataSeals
  nodeId: string
  /** How long a message of which nobody knows is looked for, from when its transmission began. */
  quarantineMs?: number
  /** What becomes of a message that was not found by then. Default `hold`: it is told as failed. */
  onUnknown?: 'hold' | 'resend'
  failpoint?: FailPoint
}

/** A message that is written down and sent at once. */
export interface NewLetter {
  id: string
  letter: OutgoingMessage
  /** Writes it down, claimed where a claim is given; answers undefined where there is one of its id already. */
  accept(attempt: string | undefined): Promise<WholeSendRow | undefined>
}

export interface Sender extends AsyncDisposable {
  /** Has a message written down and sends it; of one that was accepted before, answers what became of it. */
  sendNew(message: NewLetter, signal: AbortSignal): Promise<Outcome>
  /** Sends a message that was accepted, or answers what became of it. It may go on after the signal aborts, if it has begun. */
  sendNow(id: string, signal: AbortSignal): Promise<Outcome>
  /** Sends what is due until the signal aborts, then lets what is under way end. */
  run(signal: AbortSignal): Promise<void>
  /** Something may be due. */
  wake(): void
}

const lookMs = 250
const lookAgainMs = 25
const ownLookMs = 5_000
const perGrant = 2
const overall = 64
/** What is claimed ahead of one grant, so that its next message is at hand. */
const aheadPerGrant = 16
const maxClaimed = 128
/** Nodes that look at the same time want different ones of these. */
const readAtOnce = 512
/** What messages under way are given when the node stops; of those that are cut the ledger knows how far they came. */
const patienceMs = 800
/** What a request waits for the copy of its message in the sent mail. */
const copyPatienceMs = 3_000
/** Messages go before the copies of others, for so long. */
const copiesHeldBackMs = 10_000
/** How long the outcome of an attempt is kept at hand while the store does not take it. */
const settlingMs = 600_000
/** How long to rest when the store does not answer: it is back soon, or for long. */
const storeRests = { first: 250, most: 5_000 }

export function createSender(options: SenderOptions): Sender {
  const { database, clock, log, sessions, ledger, seals, nodeId } = options
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
  let ownLookAt = 0
  let pressedSince: number | undefined

  function wake(): void {
    woken = true
    awake?.()
  }

  const follow = <T>(work: Promise<T>): Promise<T> => {
    const followed = work.catch(() => undefined).finally(() => underWay.delete(followed))
    underWay.add(followed)
    return work
  }

  const queue = new SendQueue<{ row: WholeSendRow; attempt: string }>({
    grantOf: ({ row }) => row.grant_id,
    run: ({ row, attempt }) =>
      follow(sendClaimed(row, attempt)).catch((error) =>
        log.error({ error, send_id: row.id }, 'a message was not sent'),
      ),
    perGrant,
    overall: () => overall,
    onDry: wake,
  })

  /** Whether messages wait to be sent, and have not for so long that copies can wait no longer. */
  function isPressed(): boolean {
    if (queue.waiting === 0) pressedSince = undefined
    else pressedSince ??= now()
    return pressedSince !== undefined && now() - pressedSince < copiesHeldBackMs
  }

  const recovery = createRecovery({
    ...{ database, log, nodeId, ledger, seals, held, quarantineMs, onUnknown, failpoint, now, follow, settle, wake },
    ending: ending.signal,
    isPressed,
    open: (row, signal) => openAccount({ sessions, database }, row, signal),
  })

  /** Writes down how an attempt ended, however long the store takes: nobody else knows it. */
  async function settle(row: SendRow, attempt: string, end: End): Promise<boolean> {
    const failure = new RepeatedFailure(storeRests)
    for (const until = now() + settlingMs; ; await sleep(failure.rest)) {
      try {
        return await ledger.settle(row, attempt, end)
      } catch (error) {
        if (now() > until) throw error
        const facts = { error, send_id: row.id }
        if (failure.failed()) log.warn(facts, 'how a message ended could not be written down; it is tried again')
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
    claim: Claim,
  ): Promise<{ end: End; copy: Carried | undefined } | undefined> {
    try {
      const { end, carried } = await attemptSend(tools, row, claim)
      note(row, end)
      const kept = await settle(row, claim.attempt, end)
      await failpoint('settled', row.id)
      return kept ? { end, copy: end.trigger === 'take' && end.filing === 'pending' ? carried : undefined } : undefined
    } catch (error) {
      if (!(error instanceof ClaimLost)) throw error
      log.warn({ send_id: row.id }, 'a message was lost to another node')
      return undefined
    }
  }

  async function sendClaimed(row: WholeSendRow, attempt: string): Promise<void> {
    let copy: Carried | undefined
    try {
      copy = (await attemptAndSettle(row, { attempt }))?.copy
    } finally {
      if (copy) recovery.fileInTurn(row, copy)
      else held.delete(row.id)
    }
  }

  async function claimAll(rows: readonly SendRow[]): Promise<void> {
    const left = maxClaimed - queue.size
    const counts = new Map<string, number>()
    // Where there is more than this node can take, nodes take different ones.
    const inTurn = rows.length > left ? shuffled(rows) : rows
    const wanted = inTurn
      .filter(({ grant_id: grant }) => {
        const count = counts.get(grant) ?? queue.waitingOf(grant)
        counts.set(grant, count + 1)
        return count < aheadPerGrant
      })
      .slice(0, Math.max(left, 0))
    if (wanted.length === 0) return
    for (const { id } of wanted) held.add(id)
    const attempt = newId()
    const got = new Map<string, WholeSendRow>()
    try {
      const ids = wanted.map(({ id }) => id)
      for (const row of await claimSends(database, { node: nodeId, now: now(), attempt, seals }, ids))
        got.set(row.id, row)
    } finally {
      for (const { id } of wanted) if (!got.has(id)) held.delete(id)
    }
    queue.add(wanted.flatMap(({ id }) => got.get(id) ?? []).map((row) => ({ row, attempt })))
  }

  async function look(): Promise<void> {
    // While enough waits to keep the node busy, looking for more can wait.
    if (queue.waiting >= maxClaimed / 4 && queue.running >= overall * 0.75) return
    const without = queue.crowded(aheadPerGrant)
    // What this node owns it holds, but for what it lost sight of: nobody looks for that in a hurry.
    const all = queue.waiting === 0 || now() >= ownLookAt
    if (all) ownLookAt = now() + ownLookMs
    const by = { node: all ? nodeId : '', now: now() }
    const due = await dueSends(database, by, { without, limit: readAtOnce })
    const free = due.filter(({ id }) => !held.has(id))
    const ready = new Set(['accepted', 'scheduled', 'claimed'])
    await claimAll(free.filter(({ state }) => ready.has(state)))
    const pressed = isPressed()
    recovery.pump()
    recovery.tend(free.filter(({ state }) => !ready.has(state) && !(pressed && state === 'sent')))
  }

  async function sendOne(id: string, signal: AbortSignal): Promise<Outcome> {
    await failpoint('accepted', id)
    for (;;) {
      const row = await readSend(database, id, seals)
      if (!row) throw new Error('no message of this id was accepted')
      const outcome = outcomeOf(row)
      if (outcome) return outcome
      if (row.schedule_id !== null) throw new Error('a scheduled message is sent at its time')
      const own = held.has(id) ? undefined : await sendUnheld(row, signal)
      if (own) return own
      // Somebody else sends it: what they come to is the answer.
      await sleep(lookMs, signal)
      if (signal.aborted) return { state: 'unknown' }
    }
  }

  /** Sends an accepted message in the name of the request that waits for it; undefined where others have it. */
  async function sendUnheld(row: WholeSendRow, signal: AbortSignal): Promise<Outcome | undefined> {
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
    return sendHeld({ ...row, attempt, tries: row.tries + 1 }, { attempt, asked: signal })
  }

  /** Sends a message that is claimed and held, and files its copy; undefined where the books have to say what became of it. */
  async function sendHeld(row: WholeSendRow, claim: Claim): Promise<Outcome | undefined> {
    const free = (): boolean => held.delete(row.id)
    let copy: Promise<string | undefined> | undefined
    let outcome: Outcome | undefined
    try {
      const done = await attemptAndSettle(row, claim)
      outcome = done && outcomeOfEnd(done.end)
      if (done?.copy) copy = follow(recovery.file(row, done.copy))
    } finally {
      // Nobody else on this node files it meanwhile.
      if (copy) copy.then(free, free)
      else free()
    }
    if (outcome?.state !== 'sent' || !copy) return outcome
    let timer: NodeJS.Timeout | undefined
    const filed = await Promise.race([
      copy.catch((error) => void log.warn({ error, send_id: row.id }, 'a copy was not filed')),
      new Promise<void>((resolve) => {
        timer = setTimeout(resolve, copyPatienceMs)
      }),
    ]).finally(() => clearTimeout(timer))
    return typeof filed === 'string' ? { state: 'sent', messageId: filed } : outcome
  }

  async function sendFresh({ id, letter, accept }: NewLetter, signal: AbortSignal): Promise<Outcome> {
    const attempt = held.has(id) ? undefined : newId()
    if (attempt !== undefined) held.add(id)
    let row: WholeSendRow | undefined
    try {
      row = await ledger.batching(() => accept(attempt))
    } finally {
      if (!row && attempt !== undefined) held.delete(id)
    }
    if (!row || attempt === undefined) return sendOne(id, signal)
    try {
      await failpoint('accepted', id)
    } catch (error) {
      held.delete(id)
      throw error
    }
    return (await sendHeld(row, { attempt, asked: signal, letter })) ?? sendOne(id, signal)
  }

  async function finish(): Promise<void> {
    queue.clear()
    const patience = setTimeout(() => ending.abort(), patienceMs)
    await Promise.race([
      Promise.all([queue.idle(), recovery.end(), ...underWay]),
      sleep(patienceMs + 200, ending.signal),
    ])
    clearTimeout(patience)
    ending.abort()
  }

  return {
    wake,
    sendNew: (message, signal) => follow(sendFresh(message, signal)),
    sendNow: (id, signal) => follow(sendOne(id, signal)),
    async run(signal) {
      const looking = new RepeatedFailure(storeRests)
      while (!signal.aborted) {
        woken = false
        await look().then(
          () => looking.succeeded(),
          (error) => {
            if (looking.failed()) log.warn({ error }, 'messages that are due could not be read; it is tried again')
          },
        )
        if (queue.waiting > 0) await sleep(lookAgainMs, signal)
        // Whoever wakes it then needs the store that does not answer.
        if (looking.rest > 0) await sleep(looking.rest, signal)
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
