/**
 * Files exactly one copy of a sent message in the account's sent folder: the adapter searches for it before it files
 * one. A failure never fails the send; filing is retried for a day. Copies are filed a few at a time, after the messages
 * that wait to be sent.
 */
import { wireLength } from '@waypost/providers/mail/large-files'
import type { FiledCopy, MailObject } from '@waypost/providers/operations'
import { keepFiling, type SendRow } from '@waypost/store/tables/mail/sends'
import { addressOf } from '../ledger/ledger.ts'
import type { Carried, SendTools } from './attempt.ts'
import { SendQueue } from './send-queue.ts'
import type { SendingAccount } from './sending-account.ts'

interface CopyFilingOptions extends SendTools {
  ending: AbortSignal
  /** The deadline for filing one copy. */
  deadline(bytes: number): AbortSignal
  /** Whether messages wait to be sent; they have priority over copies. */
  isPressed(): boolean
}

export interface CopyFiling {
  /** Files the copy of a message that this node sent, without recording it. */
  place(row: SendRow, carried: Carried): Promise<FiledCopy | undefined>
  /** Records the result of filing a copy. */
  close(row: SendRow, placing: Promise<FiledCopy | undefined>): Promise<FiledCopy | undefined>
  /** Queues a copy. If the queue is full, recovery files it later from the ledger. */
  fileInTurn(row: SendRow, carried: Carried): void
  /** Starts as many copies as allowed. */
  pump(): void
  /** Starts no further copies and waits for the running ones. */
  end(): Promise<void>
}

/** Concurrent copies per grant, and in total. */
const [copiesPerGrant, copiesAtOnce] = [2, 16]
/** Limits of the queue: copies, and bytes held in memory. */
const [copiesAtHand, bytesAtHand] = [1_024, 33_554_432]

export function createCopyFiling(options: CopyFilingOptions): CopyFiling {
  const { log, held, ending, deadline, follow, isPressed } = options
  let bytesHeld = 0

  const place: CopyFiling['place'] = (row, { mail, account }) =>
    placeCopy(options, row, { account: async () => account.under(deadline(wireLength(mail))), mail })
  const close: CopyFiling['close'] = (row, placing) => closeCopy(options, row, placing)

  const copies = new SendQueue<{ row: SendRow; carried: Carried }>({
    grantOf: ({ row }) => row.grant_id,
    run: async ({ row, carried }) => {
      try {
        await follow(close(row, place(row, carried)))
      } catch (error) {
        log.warn({ error, send_id: row.id }, 'a copy was not filed')
      } finally {
        bytesHeld -= carried.mail.source.length
        held.delete(row.id)
      }
    },
    perGrant: copiesPerGrant,
    overall: () => (isPressed() ? 0 : copiesAtOnce),
    onDry: () => undefined,
  })

  return {
    place,
    close,
    fileInTurn(row, carried) {
      const { length } = carried.mail.source
      if (ending.aborted || copies.size >= copiesAtHand || bytesHeld + length > bytesAtHand)
        return void held.delete(row.id)
      bytesHeld += length
      copies.add([{ row, carried }])
    },
    pump: () => copies.pump(),
    end() {
      copies.clear()
      return copies.idle()
    },
  }
}

const day = 86_400_000
const filingDelay = (tries: number): number => Math.min(5_000 * 2 ** tries, 3_600_000)

/** Files a copy without recording it. */
export async function placeCopy(
  { failpoint }: Pick<SendTools, 'failpoint'>,
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
  { database, log, ledger, nodeId, now }: SendTools,
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
