/**
 * What is to be done for messages beside sending them: those that a dead node was sending become unknown, unknown ones are
 * looked for, and copies of sent ones are filed.
 */
import type { Log } from '../lib/log.ts'
import type { Letter } from '../providers/operations.ts'
import type { Database } from '../store/database.ts'
import { lookForSendAgain, ownSend, readSend, type SendRow, type WholeSendRow } from '../store/sends.ts'
import type { SendingAccount } from './account.ts'
import { addressOf, type End, type FailPoint, type Ledger } from './ledger.ts'
import { lookFor, type Search } from './reconcile.ts'
import { fileCopy } from './sent-copy.ts'

export interface TendingOptions extends Pick<Search, 'quarantineMs' | 'onUnknown'> {
  database: Database
  log: Log
  nodeId: string
  ledger: Ledger
  /** Messages that this process works on. */
  held: Set<string>
  failpoint: FailPoint
  ending: AbortSignal
  now(): number
  open(row: SendRow, signal: AbortSignal): Promise<SendingAccount>
  /** Lets the node wait for work when it stops. */
  follow<T>(work: Promise<T>): Promise<T>
  settle(row: SendRow, attempt: string, end: End): Promise<boolean>
  wake(): void
}

export interface Tending {
  /** Begins with what is nobody's: a few grants at a time, the messages of each one after the other. */
  tend(rows: readonly SendRow[]): void
  /** Files the copy of a message that this node owns. */
  file(row: WholeSendRow, letter?: Letter): Promise<void>
}

/** Grants at a time. */
const tendedAtOnce = 16

export function createTending(options: TendingOptions): Tending {
  const { database, log, nodeId, ledger, held, failpoint, ending, now, open, follow, settle, wake } = options
  const { quarantineMs, onUnknown } = options
  const tended = new Set<string>()

  async function fileOne(row: WholeSendRow, letter?: Letter): Promise<void> {
    const bytes = letter ?? (await ledger.letterOf(row))
    if (!bytes) return
    const signal = AbortSignal.any([AbortSignal.timeout(60_000), ending])
    await fileCopy({ database, log, nodeId, now, failpoint }, row, { account: () => open(row, signal), letter: bytes })
  }

  async function lookForOne(row: SendRow): Promise<void> {
    const signal = AbortSignal.any([AbortSignal.timeout(60_000), ending])
    const account = () => open(row, signal)
    const found = await lookFor(row, account, { now: now(), quarantineMs, onUnknown })
    if ('trigger' in found) {
      if (found.trigger === 'find') log.info({ send_id: row.id }, 'a message was found in the sent mail')
      else log.warn({ send_id: row.id, ended: found.trigger }, 'a message was not found in the sent mail')
      if (row.attempt !== null) await settle(row, row.attempt, found)
      return
    }
    if (found.error) log.warn({ error: found.error, send_id: row.id }, 'the sent mail could not be looked at')
    await lookForSendAgain(database, addressOf(row), nodeId, found.again)
  }

  /** What is to be done for a message beside sending it. */
  async function tend(row: SendRow): Promise<void> {
    if (row.state === 'transmitting') {
      // Its owner died: nobody knows.
      if (row.attempt !== null) await ledger.settle(row, row.attempt, { trigger: 'lose' })
      log.warn(
        { send_id: row.id, grant_id: row.grant_id },
        'the node that was sending a message died; it is looked for',
      )
      return wake()
    }
    if (!(await ownSend(database, row, { node: nodeId, now: now() }))) return
    if (row.state === 'unknown') return lookForOne(row)
    const whole = await readSend(database, row.id)
    if (whole) await fileOne(whole)
  }

  /** One after the other for a grant: each takes a connection. */
  async function tendGrant(rows: readonly SendRow[]): Promise<void> {
    for (const row of rows) {
      try {
        if (!ending.aborted) await tend(row)
      } catch (error) {
        log.warn({ error, send_id: row.id }, 'a message could not be looked after; it is tried again')
      } finally {
        held.delete(row.id)
      }
    }
  }

  function tendAll(rows: readonly SendRow[]): void {
    for (const [grant, those] of Map.groupBy(rows, ({ grant_id }) => grant_id)) {
      if (tended.has(grant) || tended.size >= tendedAtOnce) continue
      tended.add(grant)
      for (const { id } of those) held.add(id)
      void follow(tendGrant(those)).finally(() => tended.delete(grant))
    }
  }

  return { tend: tendAll, file: fileOne }
}
