/**
 * Outgoing mail as the edge asks for it: composes, writes down, has it sent, and answers.
 *
 * The id of a send that comes with an Idempotency-Key follows from the key, so that a repetition finds what the first one
 * began, also where that one's node died before it could answer. After the time that keys are kept, a key names another send,
 * and so does the key of one that failed where nothing was sent and another try may succeed.
 */
import { limits, type Message, type SentMessage } from '@waypost/contract'
import type { Sessions } from '../grants/sessions.ts'
import { ApiError, isFinal } from '../lib/api-error.ts'
import type { Clock } from '../lib/clock.ts'
import type { DataSeals } from '../lib/data-seals.ts'
import { newId } from '../lib/ids.ts'
import type { KeyRing } from '../lib/key-ring.ts'
import type { Log } from '../lib/log.ts'
import type { ParsePool } from '../lib/parse-pool.ts'
import type { Database, Queries } from '../store/database.ts'
import type { GrantRecord } from '../store/grants.ts'
import { readSend, removeFailedSend, type WholeSendRow } from '../store/sends.ts'
import { keepTracked } from '../store/tracked-messages.ts'
import { type Answered, asFiled, sentMessage } from './answer.ts'
import type { Composed } from './compose.ts'
import { composeRaw } from './compose-raw.ts'
import type { Composer } from './composer.ts'
import { createDraftComposer, type DraftComposer } from './draft-composer.ts'
import { errorOf, type Ledger, type Outcome } from './ledger.ts'
import { findParent } from './reply-parent.ts'
import { createSchedules, dueTime } from './schedules.ts'
import { accountOf, hashOf, hashOfMessage, newMessageId, sendIdOf } from './send-ids.ts'
import type { Sender } from './sender.ts'
import type { Order, Sendable, Sending, SendOrder } from './sending.ts'
import type { TrackingPlan, trackingPlanOf } from './tracking.ts'

export interface SendingOptions {
  database: Database
  clock: Clock
  log: Log
  sessions: Sessions
  parse: ParsePool
  composer: Composer
  keyRing: KeyRing
  baseUrl: string
  ledger: Ledger
  sender: Sender
  seals: DataSeals
}

/** What tells payloads of one key apart. */
interface RequestHash {
  plain: string
  keyed: string
}

/** A message that is ready to be written down. */
interface Ready {
  composed: Composed
  plan: TrackingPlan | undefined
  answered: Omit<Answered, 'grantId' | 'composed' | 'scheduleId' | 'date'>
  /** Of what is asked for under a key. */
  requestHash: RequestHash | undefined
}

interface Accepting {
  id: string
  ready: Ready
  answer: SentMessage
  /** The claim of a message that is sent at once. */
  attempt: string | undefined
  /** The draft that it waits in. */
  draftId?: string | undefined
}

export function createSending(options: SendingOptions): Sending {
  const { database, clock, log, sessions, parse, composer, keyRing, baseUrl, ledger, sender, seals } = options
  const schedules = createSchedules({ database, clock })
  const drafts: DraftComposer = createDraftComposer({ clock, sessions, database, parse, composer })

  /** The id for a send, and what was written down under it already. */
  async function idFor(record: GrantRecord, key: string | undefined): Promise<{ id: string; row?: WholeSendRow }> {
    if (key === undefined) return { id: newId() }
    const at = { applicationId: record.applicationId, grantId: record.grant.id }
    const oldest = clock.now() - limits.idempotencyHours * 3_600_000
    let after: number | undefined
    for (;;) {
      const id = sendIdOf(at, key, after)
      const row = await readSend(database, id, seals)
      if (!row) return { id }
      if (row.created_at < oldest) after = row.created_at
      else if (!isOpenToRetry(row)) return { id, row }
      // It stands for nothing that was sent: the repetition is a first try.
      else await removeFailedSend(database, { applicationId: row.application_id, id })
    }
  }

  async function ready(order: SendOrder, sendId: string): Promise<Omit<Ready, 'requestHash'>> {
    const { grant, letter, fields } = order
    const date = new Date(clock.now())
    const messageId = newMessageId(grant)
    const common = { fields, sendAt: undefined, tracking: undefined, metadata: undefined, replyToMessageId: undefined }
    if ('mime' in letter) {
      const composed = await composeRaw(
        { source: letter.mime, account: accountOf(grant), messageId, date },
        drafts.reading(order),
      )
      return { composed, plan: undefined, answered: { ...common, body: undefined } }
    }
    const { request, files, signature } = letter
    const reply = await findParent({ sessions, database }, order, request.reply_to_message_id)
    const plan = await composer.plan(request, { sendId, baseUrl, keyRing, signature }, order.signal)
    const account = accountOf(grant)
    const useDraft = request.use_draft === true
    const rest = {
      account,
      messageId,
      date,
      reply,
      signature,
      tracking: plan,
      ...(useDraft ? { keepBcc: true as const } : {}),
    }
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

  /** Writes a message down, with what is tracked of it. */
  async function accept(
    tx: Queries,
    { grant: record }: Order,
    { id, ready: { composed, plan, requestHash }, answer, attempt, draftId }: Accepting,
  ): Promise<WholeSendRow | undefined> {
    const at = { applicationId: record.applicationId, grantId: record.grant.id }
    const { messageId, from, recipients, source } = composed
    const { schedule_id: scheduleId, send_at } = answer
    // The text is in the sealed bytes alone.
    const { body: _, snippet: __, headers: ___, ...told } = answer
    const added = await ledger.accept(tx, {
      ...at,
      id,
      letter: { messageId, from, recipients, source },
      dueAt: send_at === undefined ? clock.now() : send_at * 1_000,
      ...(scheduleId === '' ? {} : { scheduleId }),
      attempt,
      requestHash: requestHash?.keyed,
      facts: draftId === undefined ? told : { ...told, draft_id: draftId },
    })
    if (added && plan) await keepTracked(tx, { ...at, mimeId: messageId, now: clock.now() }, plan.rows, seals)
    return added
  }

  /** The answer to a send, as the account has the message. */
  async function answerSent(order: Order, answer: SentMessage, outcome: Outcome): Promise<SentMessage> {
    const sent = needSent(outcome)
    return asFiled(answer, sent, await readBack(order, sent))
  }

  /** The message as the account has it now; that it cannot be read fails nothing. */
  async function readBack(order: Order, id: string | undefined): Promise<Message | undefined> {
    if (id === undefined) return undefined
    try {
      const use = { queries: database, signal: () => order.signal, remarks: {} }
      return await sessions.operation(
        order.grant,
        { resource: 'messages', operation: 'get' },
        use,
      )({
        message_id: id,
      } as never)
    } catch (error) {
      log.debug({ error, grant_id: order.grant.grant.id }, 'a sent message could not be read back')
      return undefined
    }
  }

  /** Writes a message down that is sent later; one that waits among the drafts is kept there first. */
  async function schedule(order: Sendable, accepting: Accepting): Promise<SentMessage> {
    const { composed, answered } = accepting.ready
    const draftId = answered.useDraft ? await drafts.keep(order, composed) : undefined
    try {
      return await order.write(async (tx) => {
        await accept(tx, order, { ...accepting, draftId })
        return accepting.answer
      })
    } catch (error) {
      if (draftId !== undefined) await drafts.remove({ ...order, draftId }).catch(() => undefined)
      throw error
    }
  }

  async function sendReady(order: Sendable, id: string, message: Ready): Promise<SentMessage> {
    const { sendAt } = message.answered
    if (sendAt !== undefined) dueTime(sendAt, clock.now())
    const scheduleId = sendAt === undefined ? undefined : newId()
    const grantId = order.grant.grant.id
    const facts = { grantId, composed: message.composed, scheduleId, date: clock.now() }
    const answer = sentMessage({ ...message.answered, ...facts })
    if (scheduleId !== undefined) return schedule(order, { id, ready: message, answer, attempt: undefined })
    const acceptAs = (attempt: string | undefined): Promise<WholeSendRow | undefined> =>
      database.transaction((tx) => accept(tx, order, { id, ready: message, answer, attempt }))
    const outcome = await sender.sendNew({ id, letter: message.composed, accept: acceptAs }, order.signal)
    return answerSent(order, answer, outcome)
  }

  /** Under a key of ours: of a short message a plain hash would let the text be guessed. */
  const hashed = ({ grant: { applicationId } }: Order, plain: string): RequestHash => ({
    plain,
    keyed: seals.hash(plain, { table: 'sends', column: 'request_hash', application: applicationId }),
  })

  /** What was written down under a key: its outcome, or its schedule. */
  async function repeated(order: Order, row: WholeSendRow, requestHash: RequestHash | undefined): Promise<SentMessage> {
    // Earlier versions kept the plain hash.
    const isSame = row.request_hash === null || [requestHash?.keyed, requestHash?.plain].includes(row.request_hash)
    if (!isSame) throw new ApiError('invalid_idempotent_request')
    const { draft_id: _, ...facts } = row.facts
    const answer = { ...facts, body: '' } as SentMessage
    if (row.schedule_id !== null) return answer
    const sent = await answerSent(order, answer, await sender.sendNow(row.id, order.signal))
    const found = await readBack(order, sent.id)
    return { ...sent, body: found?.body ?? '', snippet: found?.snippet ?? '' }
  }

  return {
    async send(order) {
      const { id, row } = await idFor(order.grant, order.idempotencyKey)
      const requestHash =
        order.idempotencyKey === undefined ? undefined : hashed(order, await hashOfMessage(order.letter))
      return row
        ? repeated(order, row, requestHash)
        : sendReady(order, id, { ...(await ready(order, id)), requestHash })
    },

    composeDraft: drafts.compose,
    changeDraft: drafts.change,

    async sendDraft(order) {
      const { id, row } = await idFor(order.grant, order.idempotencyKey)
      const { tracking, metadata, replyToMessageId, signature } = order
      const requestHash =
        order.idempotencyKey === undefined ? undefined : hashed(order, await hashOf(['draft', order.draftId]))
      let sent: SentMessage
      if (row) sent = await repeated(order, row, requestHash)
      else {
        const tools = { sendId: id, baseUrl, keyRing, signature }
        const planned = (request: Parameters<typeof trackingPlanOf>[0]): Promise<TrackingPlan | undefined> =>
          composer.plan({ ...request, tracking_options: tracking }, tools, order.signal)
        const { composed, plan } = await drafts.toSend(order, planned)
        const answered = { body: undefined, fields: undefined, sendAt: undefined, tracking, metadata, replyToMessageId }
        sent = await sendReady(order, id, { composed, plan, answered, requestHash })
      }
      await drafts.remove(order).catch((error: unknown) => {
        const gone = error instanceof ApiError && error.code === 'not_found'
        if (!gone) log.warn({ error, grant_id: order.grant.grant.id }, 'a draft that was sent could not be removed')
      })
      return sent
    },

    listSchedules: schedules.list,
    getSchedule: schedules.get,
    cancelSchedule: schedules.cancel,
  }
}

/** Nothing was sent, and another try may end otherwise: the provider was not reached, or not ready. */
function isOpenToRetry(row: WholeSendRow): boolean {
  if (row.state !== 'failed' || row.schedule_id !== null) return false
  const error = errorOf(row)
  return !isFinal(error) && error.code !== 'outcome_unknown'
}

function needSent(outcome: Outcome): string | undefined {
  if (outcome.state === 'sent') return outcome.messageId
  throw outcome.state === 'failed' ? outcome.error : new ApiError('outcome_unknown')
}
