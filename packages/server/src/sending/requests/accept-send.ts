/** Records messages before they are sent. */
import type { SentMessage } from '@waypost/contract'
import type { Clock } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { MailFile } from '@waypost/providers/operations'
import { keepTracked } from '@waypost/store/tables/mail/tracked-messages'
import type { ComposedFile } from '../compose/compose.ts'
import type { DraftComposer } from '../compose/draft-composer.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { KeepBeside, NewSend } from '../ledger/new-sends.ts'
import type { RequestHash } from '../ledger/send-keys.ts'
import type { Order, Sendable } from '../sending.ts'
import { largeFilesOf, storedLargeFiles } from '../uploads/large-files.ts'
import type { UploadReader } from '../uploads/upload-reader.ts'
import type { PreparedSend } from './prepare-send.ts'

export interface AcceptTools {
  uploads: UploadReader
  clock: Clock
  ledger: Ledger
  seals: DataSeals
}

export interface Accepting {
  id: string
  prepared: PreparedSend
  /** Hash of the payload of a request with an Idempotency-Key. */
  requestHash: RequestHash | undefined
  answer: SentMessage
  /** The draft in which the message waits. */
  draftId?: string | undefined
}

/** The row of a message and its tracking. */
export function newSendOf(
  { clock, seals, uploads }: Pick<AcceptTools, 'clock' | 'seals' | 'uploads'>,
  { grant: record }: Order,
  { id, prepared: { composed, plan }, requestHash, answer, draftId }: Accepting,
): { send: NewSend; keep: KeepBeside } {
  const at = { applicationId: record.applicationId, grantId: record.grant.id }
  const { messageId, from, recipients, source, attachments } = composed
  const { schedule_id: scheduleId, send_at } = answer
  // The text is stored only in the sealed bytes.
  const { body: _, snippet: __, headers: ___, ...reported } = answer
  const largeFiles = largeFilesOf(uploads, at.applicationId, attachments)
  const send: NewSend = {
    ...at,
    id,
    mail: { messageId, from, recipients, source, files: filesOf(attachments), largeFiles },
    dueAt: send_at === undefined ? clock.now() : send_at * 1_000,
    ...(scheduleId === '' ? {} : { scheduleId }),
    requestHash: requestHash?.keyed,
    facts: { ...reported, ...(draftId === undefined ? {} : { draft_id: draftId }), ...storedLargeFiles(largeFiles) },
  }
  return {
    send,
    async keep(tx) {
      if (plan) await keepTracked(tx, { ...at, mimeId: messageId, now: clock.now() }, plan.rows, seals)
    },
  }
}

/** The files of a message by part number; undefined unless every part number is known. */
function filesOf(attachments: readonly ComposedFile[]): MailFile[] | undefined {
  const files = attachments.flatMap(({ part, filename, contentId }) =>
    part === undefined ? [] : [{ part, filename, contentId }],
  )
  return files.length === attachments.length ? files : undefined
}

/** Records a message that is sent later. If it waits among the drafts, the draft is stored first. */
export async function scheduleSend(
  tools: AcceptTools & { drafts: Pick<DraftComposer, 'keep' | 'remove'> },
  order: Sendable,
  accepting: Accepting,
): Promise<SentMessage> {
  const { drafts } = tools
  const { composed, answered } = accepting.prepared
  const draftId = answered.useDraft ? await drafts.keep(order, composed) : undefined
  try {
    return await order.write(async (tx) => {
      const { send, keep } = newSendOf(tools, order, { ...accepting, draftId })
      if (await tools.ledger.accept(tx, send)) await keep(tx)
      return accepting.answer
    })
  } catch (error) {
    if (draftId !== undefined) await drafts.remove({ ...order, draftId }).catch(() => undefined)
    throw error
  }
}
