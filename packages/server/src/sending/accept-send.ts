/** Writes messages down before they are sent. */
import type { SentMessage } from '@waypost/contract'
import type { Clock } from '../lib/clock.ts'
import type { DataSeals } from '../lib/data-seals.ts'
import type { Queries } from '../store/database.ts'
import type { WholeSendRow } from '../store/sends.ts'
import { keepTracked } from '../store/tracked-messages.ts'
import type { DraftComposer } from './draft-composer.ts'
import type { Ledger } from './ledger.ts'
import type { PreparedSend } from './prepare-send.ts'
import type { RequestHash } from './send-keys.ts'
import type { Order, Sendable } from './sending.ts'

export interface AcceptTools {
  clock: Clock
  ledger: Ledger
  seals: DataSeals
}

export interface Accepting {
  id: string
  prepared: PreparedSend
  /** Of what is asked for under a key. */
  requestHash: RequestHash | undefined
  answer: SentMessage
  /** The claim of a message that is sent at once. */
  attempt?: string | undefined
  /** The draft that it waits in. */
  draftId?: string | undefined
}

/** Writes a message down, with what is tracked of it; undefined where there is one of its id already. */
export async function acceptSend(
  { clock, ledger, seals }: AcceptTools,
  tx: Queries,
  { grant: record }: Order,
  { id, prepared: { composed, plan }, requestHash, answer, attempt, draftId }: Accepting,
): Promise<WholeSendRow | undefined> {
  const at = { applicationId: record.applicationId, grantId: record.grant.id }
  const { messageId, from, recipients, source } = composed
  const { schedule_id: scheduleId, send_at } = answer
  // The text is in the sealed bytes alone.
  const { body: _, snippet: __, headers: ___, ...told } = answer
  const added = await ledger.accept(tx, {
    ...at,
    id,
    mail: { messageId, from, recipients, source },
    dueAt: send_at === undefined ? clock.now() : send_at * 1_000,
    ...(scheduleId === '' ? {} : { scheduleId }),
    attempt,
    requestHash: requestHash?.keyed,
    facts: draftId === undefined ? told : { ...told, draft_id: draftId },
  })
  if (added && plan) await keepTracked(tx, { ...at, mimeId: messageId, now: clock.now() }, plan.rows, seals)
  return added
}

/** Writes a message down that is sent later; one that waits among the drafts is kept there first. */
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
      await acceptSend(tools, tx, order, { ...accepting, draftId })
      return accepting.answer
    })
  } catch (error) {
    if (draftId !== undefined) await drafts.remove({ ...order, draftId }).catch(() => undefined)
    throw error
  }
}
