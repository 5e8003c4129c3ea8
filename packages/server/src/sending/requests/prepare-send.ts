/** Turns a send request into a message that is ready to be recorded, and records one that is sent later. */

import type { SentMessage } from '@waypost/contract'
import type { Clock } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { KeyRing } from '@waypost/platform/crypto/key-ring'
import type { MailFile } from '@waypost/providers/operations'
import type { Database } from '@waypost/store/engine/database'
import { keepTracked } from '@waypost/store/tables/mail/tracked-messages'
import type { Sessions } from '../../grants/sessions.ts'
import type { Composed, ComposedFile } from '../compose/compose.ts'
import type { Composer } from '../compose/composer.ts'
import type { DraftComposer } from '../compose/draft-composer.ts'
import { composeRaw } from '../compose/raw.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { KeepBeside, NewSend } from '../ledger/new-sends.ts'
import { accountOf, newMessageId, type RequestHash } from '../ledger/send-keys.ts'
import { findParent } from '../replies/reply-parent.ts'
import type { DraftSendOrder, Order, Sendable, SendOrder } from '../sending.ts'
import type { TrackingPlan, trackingPlanOf } from '../tracking/tracking.ts'
import { largeFilesOf, storedLargeFiles, type UploadReader } from '../uploads/upload-reader.ts'
import type { AnsweredSend } from './answer.ts'

interface PrepareTools {
  clock: Clock
  sessions: Sessions
  database: Database
  composer: Composer
  drafts: DraftComposer
  keyRing: KeyRing
  baseUrl: string
}

export interface PreparedSend {
  composed: Composed
  plan: TrackingPlan | undefined
  /** Fields for the response. */
  answered: Omit<AnsweredSend, 'grantId' | 'composed' | 'scheduleId' | 'date'>
}

/** Composes the message of a request. */
export async function prepareSend(tools: PrepareTools, order: SendOrder, sendId: string): Promise<PreparedSend> {
  const { clock, sessions, database, composer, drafts, keyRing, baseUrl } = tools
  const { grant, content, fields } = order
  const identity = { account: accountOf(grant), messageId: newMessageId(grant), date: new Date(clock.now()) }
  const common = { fields, sendAt: undefined, tracking: undefined, metadata: undefined, replyToMessageId: undefined }
  if ('mime' in content) {
    const composed = await composeRaw({ source: content.mime, ...identity }, drafts.reading(order))
    return { composed, plan: undefined, answered: { ...common, body: undefined } }
  }
  const { request, files, signature } = content
  const reply = await findParent({ sessions, database }, order, request.reply_to_message_id)
  const plan = await composer.plan(request, { sendId, baseUrl, keyRing, signature }, order.signal)
  const useDraft = request.use_draft === true
  const rest = { ...identity, reply, signature, tracking: plan, ...(useDraft ? { keepBcc: true as const } : {}) }
  const composed = await composer.compose({ request, files, ...rest }, order.signal)
  return {
    composed,
    plan,
    answered: {
      ...common,
      body: request.body ?? '',
      replyToMessageId: request.reply_to_message_id,
      sendAt: request.send_at,
      useDraft,
      tracking: request.tracking_options,
      metadata: request.metadata,
    },
  }
}

/** Prepares the message of a draft. */
export async function prepareDraft(tools: PrepareTools, order: DraftSendOrder, sendId: string): Promise<PreparedSend> {
  const { composer, drafts, keyRing, baseUrl } = tools
  const { tracking, metadata, replyToMessageId, signature, signal } = order
  const planned = (request: Parameters<typeof trackingPlanOf>[0]): Promise<TrackingPlan | undefined> =>
    composer.plan({ ...request, tracking_options: tracking }, { sendId, baseUrl, keyRing, signature }, signal)
  const { composed, plan } = await drafts.toSend(order, planned)
  const answered = { body: undefined, fields: undefined, sendAt: undefined, tracking, metadata, replyToMessageId }
  return { composed, plan, answered }
}

interface AcceptTools {
  uploads: UploadReader
  clock: Clock
  ledger: Ledger
  seals: DataSeals
}

interface Accepting {
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
