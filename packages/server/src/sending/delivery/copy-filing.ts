/** Files copies of sent messages in the sent folder: a few at a time, after the messages that wait to be sent. */
import type { Log } from '@waypost/platform/log'
import { wireLength } from '@waypost/providers/mail/large-files'
import type { FiledCopy } from '@waypost/providers/operations'
import type { SendRow } from '@waypost/store/tables/mail/sends'
import type { Carried } from './attempt.ts'
import { SendQueue } from './send-queue.ts'
import { closeCopy, type Filing, placeCopy } from './sent-copy.ts'

export interface CopyFilingOptions {
  tools: Filing
  log: Log
  /** Ids of messages that this process is working on. */
  held: Set<string>
  ending: AbortSignal
  /** The deadline for filing one copy. */
  deadline(bytes: number): AbortSignal
  /** Makes the node wait for this work when it stops. */
  follow<T>(work: Promise<T>): Promise<T>
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
  const { tools, log, held, ending, deadline, follow, isPressed } = options
  let bytesHeld = 0

  const place: CopyFiling['place'] = (row, { mail, account }) =>
    placeCopy(tools, row, { account: async () => account.under(deadline(wireLength(mail))), mail })
  const close: CopyFiling['close'] = (row, placing) => closeCopy(tools, row, placing)

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
