/**
 * Files exactly one copy of a sent message in the account's sent folder: the adapter searches for it before it files
 * one. A failure never fails the send; filing is retried for a day.
 */
import type { Log } from '@waypost/platform/log'
import type { FiledCopy, MailObject } from '@waypost/providers/operations'
import type { Database } from '@waypost/store/engine/database'
import { keepFiling, type SendRow } from '@waypost/store/tables/mail/sends'
import { addressOf, type FailPoint, type Ledger } from '../ledger/ledger.ts'
import type { SendingAccount } from './sending-account.ts'

export interface Filing {
  database: Database
  log: Log
  ledger: Ledger
  nodeId: string
  now(): number
  failpoint: FailPoint
}

const day = 86_400_000
const filingDelay = (tries: number): number => Math.min(5_000 * 2 ** tries, 3_600_000)

/** Files a copy without recording it. */
export async function placeCopy(
  { failpoint }: Pick<Filing, 'failpoint'>,
  row: SendRow,
  { account, mail }: { account: () => Promise<SendingAccount>; mail: MailObject },
): Promise<FiledCopy | undefined> {
  const { sent } = await account()
  const filed = await sent?.file(mail)
  await failpoint('filed', row.id)
  return filed
}

/** Records the result of filing for a sent message owned by this node. */
export async function closeCopy(
  { database, log, ledger, nodeId, now }: Filing,
  row: SendRow,
  placing: Promise<FiledCopy | undefined>,
): Promise<FiledCopy | undefined> {
  try {
    const filed = await placing
    await ledger.closeFiling(row, 'done', filed?.id ?? null)
    return filed
  } catch (error) {
    const tooLong = now() - (row.closed_at ?? now()) > day
    const facts = { error, send_id: row.id, grant_id: row.grant_id }
    if (tooLong) {
      log.error(facts, 'the copy of a sent message could not be filed for a day; giving up')
      await ledger.closeFiling(row, 'given_up', null)
      return undefined
    }
    log.warn(facts, 'the copy of a sent message could not be filed; retrying')
    const nextAt = now() + filingDelay(row.filing_tries)
    await keepFiling(database, addressOf(row), nodeId, { filing: 'pending', providerId: null, nextAt })
    return undefined
  }
}
