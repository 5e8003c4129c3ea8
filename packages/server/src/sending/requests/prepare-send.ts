/** Turns a send request into a message that is ready to be recorded. */

import type { Clock } from '@waypost/platform/clock'
import type { KeyRing } from '@waypost/platform/crypto/key-ring'
import type { Database } from '@waypost/store/engine/database'
import type { Sessions } from '../../grants/sessions.ts'
import type { Composed } from '../compose/compose.ts'
import type { Composer } from '../compose/composer.ts'
import type { DraftComposer } from '../compose/draft-composer.ts'
import { composeRaw } from '../compose/raw.ts'
import { accountOf, newMessageId } from '../ledger/send-ids.ts'
import { findParent } from '../replies/reply-parent.ts'
import type { DraftSendOrder, SendOrder } from '../sending.ts'
import type { TrackingPlan, trackingPlanOf } from '../tracking/tracking.ts'
import type { AnsweredSend } from './answer.ts'

export interface PrepareTools {
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
