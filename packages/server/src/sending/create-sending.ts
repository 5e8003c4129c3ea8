/** Implements `Sending` for the API: prepares, records and sends messages, and builds the responses. */
import type { SentMessage } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { Clock } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { KeyRing } from '@waypost/platform/crypto/key-ring'
import { newId } from '@waypost/platform/ids'
import type { Log } from '@waypost/platform/log'
import type { ParsePool } from '@waypost/platform/parsing/pool'
import type { Database } from '@waypost/store/engine/database'
import type { WholeSendRow } from '@waypost/store/tables/mail/sends'
import type { Sessions } from '../grants/sessions.ts'
import type { Composer } from './compose/composer.ts'
import { createDraftComposer, type DraftComposer } from './compose/draft-composer.ts'
import type { Sender } from './delivery/sender.ts'
import { accountOf } from './delivery/sending-account.ts'
import { addressOf, type Ledger } from './ledger/ledger.ts'
import { createSchedules, dueTime } from './ledger/schedules.ts'
import {
  checkSamePayload,
  findByKey,
  hashOf,
  hashOfMessage,
  type RequestHash,
  requestHashOf,
} from './ledger/send-keys.ts'
import { answerSent, readBack, sentMessage } from './requests/answer.ts'
import { newSendOf, type PreparedSend, prepareDraft, prepareSend, scheduleSend } from './requests/prepare-send.ts'
import type { DraftSendOrder, Sendable, Sending } from './sending.ts'
import { type UploadReader, uploadReader } from './uploads/upload-reader.ts'

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

type Tools = SendingOptions & { drafts: DraftComposer; uploads: UploadReader }

export function createSending(options: SendingOptions): Sending {
  const { database, clock, sessions, parse, composer } = options
  const uploads = uploadReader(options)
  const schedules = createSchedules({ database, clock })
  const drafts = createDraftComposer({ clock, sessions, database, parse, composer, uploads })
  const tools: Tools = { ...options, drafts, uploads }
  return {
    sendMessage: (order) =>
      sendOnce(tools, order, {
        payload: () => hashOfMessage(order.content),
        prepare: (id) => prepareSend(tools, order, id),
      }),
    async sendDraft(order) {
      const sent = await sendOnce(tools, order, {
        payload: () => hashOf(['draft', order.draftId]),
        prepare: (id) => prepareDraft(tools, order, id),
      })
      await removeSentDraft(tools, order)
      return sent
    },
    examineDraft: drafts.examine,
    composeDraft: drafts.compose,
    changeDraft: drafts.change,
    listSchedules: schedules.list,
    getSchedule: schedules.get,
    cancelSchedule: schedules.cancel,
  }
}

/** Sends a message. A repetition with the same key returns the outcome of the first request. */
async function sendOnce(
  tools: Tools,
  order: Sendable,
  { payload, prepare }: { payload(): Promise<string>; prepare(id: string): Promise<PreparedSend> },
): Promise<SentMessage> {
  const { id, row } = await findByKey(tools, order.grant, order.idempotencyKey)
  const requestHash =
    order.idempotencyKey === undefined ? undefined : requestHashOf(tools, order.grant, await payload())
  return row
    ? answerRepeated(tools, order, row, requestHash)
    : sendPrepared(tools, order, id, { prepared: await prepare(id), requestHash })
}

/** Sends a prepared message, or schedules it. */
async function sendPrepared(
  tools: Tools,
  order: Sendable,
  id: string,
  { prepared, requestHash }: { prepared: PreparedSend; requestHash: RequestHash | undefined },
): Promise<SentMessage> {
  const { clock, sender } = tools
  const { composed, answered } = prepared
  const { sendAt } = answered
  if (sendAt !== undefined) dueTime(sendAt, clock.now())
  const scheduleId = sendAt === undefined ? undefined : newId()
  const grantId = order.grant.grant.id
  const answer = sentMessage({ ...answered, grantId, composed, scheduleId, date: clock.now() })
  const accepting = { id, prepared, requestHash, answer }
  if (scheduleId !== undefined) return scheduleSend(tools, order, accepting)
  const account = (signal: AbortSignal) => accountOf(tools, order.grant, { signal, calls: order.calls })
  const outcome = await sender.acceptAndSend({ ...newSendOf(tools, order, accepting), account }, order.signal)
  return answerSent(tools, order, answer, outcome)
}

/** The outcome or schedule recorded under a key. */
async function answerRepeated(
  tools: Tools,
  order: Sendable,
  row: WholeSendRow,
  requestHash: RequestHash | undefined,
): Promise<SentMessage> {
  checkSamePayload(row, requestHash)
  const { draft_id: _, large_files: __, ...facts } = row.facts
  const answer = { ...facts, body: '' } as SentMessage
  if (row.schedule_id !== null) return answer
  const outcome = await tools.sender.sendAccepted(addressOf(row), order.signal)
  const sent = await answerSent(tools, order, answer, outcome)
  const found = await readBack(tools, order, sent.id)
  return { ...sent, body: found?.body ?? '', snippet: found?.snippet ?? '' }
}

/** Removes a sent draft from the drafts. A failure does not fail the send. */
async function removeSentDraft({ drafts, log }: Tools, order: DraftSendOrder): Promise<void> {
  await drafts.remove(order).catch((error: unknown) => {
    const gone = error instanceof ApiError && error.code === 'not_found'
    if (!gone) log.warn({ error, grant_id: order.grant.grant.id }, 'a draft that was sent could not be removed')
  })
}
