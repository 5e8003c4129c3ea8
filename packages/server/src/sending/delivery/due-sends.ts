/**
 * Sends messages that are due and that no node works on: claims them in advance and sends a few at a time per grant.
 */
import { newFraction, newId } from '@waypost/platform/ids'
import { claimSends, dueSends, type SendRow, type WholeSendRow } from '@waypost/store/tables/mail/sends'
import { addressOf } from '../ledger/ledger.ts'
import { attemptAndSettle, type Carried, type SendTools } from './attempt.ts'
import type { Recovery } from './recovery.ts'
import { SendQueue } from './send-queue.ts'

interface DueSendsOptions extends SendTools {
  /** A function, because recovery in turn needs to know whether messages wait here. */
  recovery(): Recovery
}

export interface DueSends {
  /** Number of messages that wait to be sent. */
  readonly waiting: number
  /** Whether messages wait to be sent. After `copiesHeldBackMs` copies are allowed anyway. */
  isPressed(): boolean
  /** Reads due messages, claims those that can be sent soon and passes the others to recovery. */
  poll(): Promise<void>
  /** Starts no further messages and waits for the running ones. */
  end(): Promise<void>
}

interface Claimed {
  row: WholeSendRow
  attempt: string
}

const ownPollMs = 5_000
const perGrant = 2
const overall = 64
/** Messages claimed in advance per grant. */
const aheadPerGrant = 16
const maxClaimed = 128
/** Enough rows that several nodes reading at the same time can claim different ones. */
const readAtOnce = 512
/** Messages have priority over copies for this long. */
const copiesHeldBackMs = 10_000
/** States from which a message is sent; recovery handles the others. */
const readyStates: ReadonlySet<string> = new Set(['accepted', 'scheduled', 'claimed'])

export function createDueSends(options: DueSendsOptions): DueSends {
  const { database, nodeId, held, follow, wake, now, log } = options
  let ownPollAt = 0
  let pressedSince: number | undefined

  const queue = new SendQueue<Claimed>({
    grantOf: ({ row }) => row.grant_id,
    run: (claimed) =>
      follow(sendQueued(options, claimed)).catch((error) =>
        log.error({ error, send_id: claimed.row.id }, 'a message was not sent'),
      ),
    perGrant,
    overall: () => overall,
    onDry: wake,
  })

  function isPressed(): boolean {
    if (queue.waiting === 0) pressedSince = undefined
    else pressedSince ??= now()
    return pressedSince !== undefined && now() - pressedSince < copiesHeldBackMs
  }

  async function poll(): Promise<void> {
    // Enough messages wait to keep the node busy, so polling can wait.
    if (queue.waiting >= maxClaimed / 4 && queue.running >= overall * 0.75) return
    const without = queue.crowded(aheadPerGrant)
    // This node already holds the messages it owns. Ones it lost track of are read rarely.
    const all = queue.waiting === 0 || now() >= ownPollAt
    if (all) ownPollAt = now() + ownPollMs
    const by = { node: all ? nodeId : '', now: now() }
    const due = await dueSends(database, by, { without, limit: readAtOnce })
    const free = due.filter(({ id }) => !held.has(id))
    const ready = free.filter(({ state }) => readyStates.has(state))
    queue.add(await claimForQueue(options, choose(ready, queue)))
    const pressed = isPressed()
    const recovery = options.recovery()
    recovery.pump()
    recovery.tend(free.filter(({ state }) => !readyStates.has(state) && !(pressed && state === 'sent')))
  }

  return {
    get waiting() {
      return queue.waiting
    },
    isPressed,
    poll,
    end() {
      queue.clear()
      return queue.idle()
    },
  }
}

/** Chooses the messages to claim, limited per grant and in total. */
function choose(rows: readonly SendRow[], queue: SendQueue<Claimed>): SendRow[] {
  const left = maxClaimed - queue.size
  const counts = new Map<string, number>()
  // If there are more than this node can take, nodes choose randomly to avoid conflicts.
  const inTurn = rows.length > left ? shuffled(rows) : rows
  return inTurn
    .filter(({ grant_id: grant }) => {
      const count = counts.get(grant) ?? queue.waitingOf(grant)
      counts.set(grant, count + 1)
      return count < aheadPerGrant
    })
    .slice(0, Math.max(left, 0))
}

/** Claims messages; those that another node has claimed are left out. */
async function claimForQueue(
  { database, seals, nodeId: node, held, now }: DueSendsOptions,
  wanted: readonly SendRow[],
): Promise<Claimed[]> {
  if (wanted.length === 0) return []
  for (const { id } of wanted) held.add(id)
  const attempt = newId()
  const got = new Map<string, WholeSendRow>()
  try {
    const by = { node, now: now(), attempt, seals }
    for (const row of await claimSends(database, by, wanted.map(addressOf))) got.set(row.id, row)
  } finally {
    for (const { id } of wanted) if (!got.has(id)) held.delete(id)
  }
  return wanted.flatMap(({ id }) => got.get(id) ?? []).map((row) => ({ row, attempt }))
}

/** Sends a message of the queue; its copy is filed later. */
async function sendQueued(options: DueSendsOptions, { row, attempt }: Claimed): Promise<void> {
  let copy: Carried | undefined
  try {
    copy = (await attemptAndSettle(options, row, { attempt }))?.copy
  } finally {
    if (copy) options.recovery().fileInTurn(row, copy)
    else options.held.delete(row.id)
  }
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => [newFraction(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item)
}
