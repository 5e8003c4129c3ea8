/** Copies of sent messages on their way into the sent mail: a few at a time, behind the messages that wait to be sent. */
import type { Log } from '../lib/log.ts'
import type { FiledCopy } from '../providers/operations.ts'
import type { SendRow } from '../store/tables/mail/sends.ts'
import type { Carried } from './attempt.ts'
import { SendQueue } from './queue.ts'
import { closeCopy, type Filing, placeCopy } from './sent-copy.ts'

export interface CopyFilingOptions {
  tools: Filing
  log: Log
  /** Messages that this process works on. */
  held: Set<string>
  ending: AbortSignal
  /** Ends the filing of one copy. */
  deadline(): AbortSignal
  /** Lets the node wait for work when it stops. */
  follow<T>(work: Promise<T>): Promise<T>
  /** Whether messages wait to be sent: they go before the copies of others. */
  isPressed(): boolean
}

export interface CopyFiling {
  /** Has the copy of a message filed that this node sent, and writes nothing down. */
  place(row: SendRow, carried: Carried): Promise<FiledCopy | undefined>
  /** Writes down what became of the copy of a message that is written down as sent. */
  close(row: SendRow, placing: Promise<FiledCopy | undefined>): Promise<FiledCopy | undefined>
  /** Files it when its turn comes; where too many wait, it is left to be found in the ledger. */
  fileInTurn(row: SendRow, carried: Carried): void
  /** Begins what may begin now. */
  pump(): void
  /** Begins with no further copies, and waits for those under way. */
  end(): Promise<void>
}

/** Copies at a time: of one grant, and of all. */
const [copiesPerGrant, copiesAtOnce] = [2, 16]
/** What of the messages whose copies wait is kept at hand. */
const [copiesAtHand, bytesAtHand] = [1_024, 33_554_432]

export function createCopyFiling(options: CopyFilingOptions): CopyFiling {
  const { tools, log, held, ending, deadline, follow, isPressed } = options
  let bytesHeld = 0

  const place: CopyFiling['place'] = (row, { mail, account }) =>
    placeCopy(tools, row, { account: async () => account.under(deadline()), mail })
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
