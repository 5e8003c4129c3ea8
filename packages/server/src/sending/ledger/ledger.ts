/**
 * The ledger of outgoing mail. Every step of a message (`states.ts`) is one transaction that also writes its
 * notifications and deletes data that is no longer needed. A message is stored completely, under its Message-ID,
 * before any of its content is sent. Every attempt sends the same bytes.
 */
import { errors } from '@waypost/contract'
import type { ApiError } from '@waypost/platform/api-error'
import { type Clock, seconds } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { Secrets } from '@waypost/platform/crypto/secrets'
import type { MailObject, SentMailCopy } from '@waypost/providers/operations'
import { messageNamesOf } from '@waypost/providers/registry'
import type { Database, Queries } from '@waypost/store/engine/database'
import { getGrant } from '@waypost/store/tables/grants/grants'
import { keepMessageMetadata } from '@waypost/store/tables/mail/message-metadata'
import { readSendSource, removeSendSource } from '@waypost/store/tables/mail/send-sources'
import {
  beginSend,
  isUnnamedSend,
  keepFiling,
  readSend,
  type SendAddress,
  type SendRow,
  type Settled,
  settleSend,
  type WholeSendRow,
} from '@waypost/store/tables/mail/sends'
import { nameTracked } from '@waypost/store/tables/mail/tracked-messages'
import type { Notify } from '../../grants/notify.ts'
import { recordedLargeFiles, uploadReader } from '../uploads/upload-reader.ts'
import { createNewSends, type NewSends } from './new-sends.ts'
import {
  errorOf,
  maxLateMs,
  maxQueuedLateMs,
  nextState,
  type Patience,
  type ReadyState,
  type SendState,
  type SendTrigger,
  statesBefore,
  storedError,
} from './states.ts'

export type Outcome =
  | { state: 'sent'; messageId: string | undefined; reported?: SentMailCopy | undefined }
  | { state: 'failed'; error: ApiError }
  | { state: 'unknown' }

/** The outcome of an attempt, or of the search for a message. */
export type End =
  | { trigger: 'take'; providerId: string | undefined; filing: 'pending' | 'none' | 'done' }
  /** `reason` is reported in the notification if the error code says less. */
  | { trigger: 'refuse' | 'give_up'; error: ApiError; reason?: string }
  | { trigger: 'postpone'; at: number; error: ApiError }
  | { trigger: 'lose' | 'resend' }
  | { trigger: 'find'; providerId: string }

/** Named points at which tests end the process. */
export type FailPoint = (
  moment: 'accepted' | 'claimed' | 'transmitting' | 'taken' | 'settled' | 'filed',
  sendId: string,
) => Promise<void> | void

export interface LedgerOptions {
  database: Database
  clock: Clock
  secrets: Secrets
  seals: DataSeals
  notify: Notify
  nodeId: string
  /**
   * Stores further data about a sent message in the same transaction; called again when its id becomes known later.
   */
  onSent?(tx: Queries, row: WholeSendRow, sent: { providerId: string | undefined; now: number }): Promise<void>
  /** Called after the outcome of an attempt or search is recorded. */
  settled?(trigger: End['trigger']): void
}

export interface Ledger extends NewSends {
  /** The bytes to send; undefined after they were deleted because the message is settled. */
  mailOf(row: WholeSendRow): Promise<MailObject | undefined>
  /** Records that the provider may accept the message from now on; false if another attempt has replaced this one. */
  begin(at: SendAddress, attempt: string): Promise<boolean>
  /** Records the outcome of an attempt; false if another attempt has replaced this one. */
  settle(row: SendRow | WholeSendRow, attempt: string, end: End): Promise<boolean>
  /** Records that the copy of a message owned by this node needs no more work. */
  closeFiling(row: SendRow, filing: 'done' | 'given_up', providerId: string | null): Promise<void>
}

export const readyStateOf = ({ schedule_id }: Pick<SendRow, 'schedule_id'>): ReadyState =>
  schedule_id === null ? 'accepted' : 'scheduled'

/** How long a message is retried. */
export const patienceOf = ({ schedule_id, due_at, facts }: WholeSendRow): Patience => ({
  isAwaited: schedule_id === null && facts.queued !== true,
  dueAt: due_at,
  lateMs: facts.queued === true ? maxQueuedLateMs : maxLateMs,
})

export const addressOf = ({ application_id, id }: SendRow): SendAddress => ({ applicationId: application_id, id })

/** The states from which an attempt can be settled. */
const settledFrom = (trigger: SendTrigger): SendState[] =>
  statesBefore(trigger).filter((state) => state !== 'accepted' && state !== 'scheduled')

export function createLedger(options: LedgerOptions): Ledger {
  const { database, clock, secrets, seals, notify, nodeId, onSent, settled: hear } = options
  const uploads = uploadReader({ database, seals })
  async function tell(tx: Queries, row: WholeSendRow, end: End): Promise<void> {
    if (row.schedule_id === null) return
    const record = await getGrant(tx, row.application_id, row.grant_id)
    if (!record) return
    const at = { applicationId: row.application_id, grantId: row.grant_id, provider: record.grant.provider }
    const object = reportedObject(row)
    const data = { grant_id: row.grant_id }
    if (end.trigger === 'refuse' || end.trigger === 'give_up') {
      const { reason = end.error.code } = end
      const failure = { ...data, reason, error: reportedError(end.error) }
      await notify(tx, { ...at, trigger: 'message.send_failed', object, data: failure })
    } else {
      await notify(tx, { ...at, trigger: 'message.send_success', object, data })
    }
  }

  return {
    ...createNewSends({ database, clock, secrets, seals, nodeId, refused: () => hear?.('refuse') }),

    async mailOf(row) {
      // A row that was altered in the store is not sent.
      if (row.recipients.length === 0) return undefined
      const source = await readSendSource(database, addressOf(row), secrets)
      if (!source) return undefined
      const largeFiles = recordedLargeFiles(uploads, row)
      return { messageId: row.message_id, from: row.sender, recipients: row.recipients, source, largeFiles }
    },

    begin: (at, attempt) => beginSend(database, at, attempt, clock.now()),

    async settle(row, attempt, end) {
      const isRetained = await database.transaction(async (tx) => {
        const settled = settledAs(row, end, { now: clock.now(), nodeId })
        if (!(await settleSend(tx, addressOf(row), { attempt, seals }, settled))) return false
        const { state, filing } = settled
        if (state === 'failed' || (state === 'sent' && filing !== 'pending')) await removeSendSource(tx, addressOf(row))
        const whole = state === 'sent' || state === 'failed' ? await wholeOf(tx, row, settled, seals) : undefined
        if (!whole) return true
        const providerId = whole.provider_id ?? undefined
        if (state === 'sent') await onSent?.(tx, whole, { providerId, now: clock.now() })
        await tell(tx, whole, end)
        return true
      })
      if (isRetained) hear?.(end.trigger)
      return isRetained
    },

    closeFiling: (row, filing, providerId) =>
      database.transaction(async (tx) => {
        const at = addressOf(row)
        const isNamed = providerId !== null && (await isUnnamedSend(tx, at))
        if (!(await keepFiling(tx, at, nodeId, { filing, providerId, nextAt: null }))) return
        await removeSendSource(tx, at)
        // Some providers report the id of a message only once it is in the sent folder.
        const whole = isNamed ? await readSend(tx, at, seals) : undefined
        if (whole && providerId !== null) await onSent?.(tx, whole, { providerId, now: whole.closed_at ?? clock.now() })
      }),
  }
}

/** The row after a step. */
async function wholeOf(
  tx: Queries,
  row: SendRow | WholeSendRow,
  { state, providerId, error, filing }: Settled,
  seals: DataSeals,
): Promise<WholeSendRow | undefined> {
  if (!('facts' in row)) return readSend(tx, addressOf(row), seals)
  return { ...row, state, filing, error, provider_id: providerId ?? row.provider_id }
}

/** The row after an attempt or a search. */
function settledAs(row: SendRow, end: End, { now, nodeId }: { now: number; nodeId: string }): Settled {
  const from = settledFrom(end.trigger)
  const state = from[0] && nextState(from[0], end.trigger, readyStateOf(row))
  if (!state) throw new Error(`an attempt cannot end with ${end.trigger}`)
  const filing = end.trigger === 'take' ? end.filing : end.trigger === 'find' ? 'done' : row.filing
  const pending = state === 'sent' && filing === 'pending'
  const open = state !== 'sent' && state !== 'failed'
  return {
    from,
    state,
    nextAt: end.trigger === 'postpone' ? end.at : open || pending ? now : null,
    // The node that sent the message also files the copy.
    owner: pending ? nodeId : null,
    filing,
    providerId: 'providerId' in end ? (end.providerId ?? null) : null,
    error: 'error' in end ? storedError(end.error) : null,
    closedAt: open ? null : now,
  }
}

/** The outcome recorded in a row; undefined if there is none yet. */
export function outcomeOf(row: WholeSendRow): Outcome | undefined {
  if (row.state === 'sent') return { state: 'sent', messageId: row.provider_id ?? undefined }
  if (row.state === 'failed') return { state: 'failed', error: errorOf(row) }
  return row.state === 'unknown' ? { state: 'unknown' } : undefined
}

/** The outcome of a recorded attempt; undefined if the message is not settled by it. */
export function outcomeOfEnd(end: End): Outcome | undefined {
  if (end.trigger === 'take') return { state: 'sent', messageId: end.providerId }
  if (end.trigger === 'refuse') return { state: 'failed', error: errorOf({ error: storedError(end.error) }) }
  return end.trigger === 'lose' ? { state: 'unknown' } : undefined
}

const reportedFields = ['subject', 'snippet', 'from', 'to', 'cc', 'bcc', 'reply_to', 'attachments'] as const

/** A scheduled message for notifications: without its text and without the content of its files. */
function reportedObject(row: WholeSendRow): object {
  const { facts } = row
  const id = row.provider_id ?? undefined
  return {
    object: 'message',
    grant_id: row.grant_id,
    ...(id === undefined ? {} : { id }),
    ...Object.fromEntries(reportedFields.flatMap((name) => (facts[name] === undefined ? [] : [[name, facts[name]]]))),
    schedule_id: row.schedule_id,
    send_at: seconds(row.due_at),
  }
}

const reportedError = ({ code, message, status, details }: ApiError): Record<string, unknown> => ({
  type: errors[code].type,
  message,
  status_code: status,
  ...(details.providerError === undefined ? {} : { provider_error: details.providerError }),
})

interface SendFacts {
  metadata?: Record<string, string>
  tracking_options?: unknown
}

/**
 * Stores the metadata and the tracking of a message under its API id, which is known only after sending. Runs in the
 * transaction that marks the message as sent.
 */
export async function keepSentMetadata(
  tx: Queries,
  row: WholeSendRow,
  { providerId, now }: { providerId: string | undefined; now: number },
): Promise<void> {
  const { application_id: applicationId, grant_id: grantId, id: sendId } = row
  const { metadata = {}, tracking_options: tracking }: SendFacts = row.facts
  if (tracking) await nameTracked(tx, { applicationId, sendId }, { messageId: providerId ?? null, sentAt: now })
  if (providerId === undefined || Object.keys(metadata).length === 0) return
  const record = await getGrant(tx, applicationId, grantId)
  const at = { applicationId, grantId, ...(record ? messageNamesOf(record.grant) : {}) }
  await keepMessageMetadata(tx, at, { messageId: providerId, metadata, now })
}
