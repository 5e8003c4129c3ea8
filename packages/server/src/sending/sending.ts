/**
 * The interface of outgoing mail for the API. The API has validated requests already: addresses and headers are
 * valid, the template is rendered into `subject` and `body`, the signature is loaded, files are decoded, `send_at` is
 * within its limits.
 */
import type {
  DraftChange,
  DraftRequest,
  ScheduledMessage,
  SendRequest,
  SentFields,
  SentMessage,
  TrackingRequest,
} from '@waypost/contract'
import type { WholeMessage } from '@waypost/formats/mime/whole'
import type { CallCount } from '@waypost/providers/call-count'
import type { OutgoingDraft, UnderKey } from '@waypost/providers/operations'
import type { Queries } from '@waypost/store/engine/database'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import type { Mailbox } from '@waypost/store/tables/mail/message-metadata'
import type { Composed, SendFile } from './compose/compose.ts'

/** A request of an application for one of its grants. */
export interface Order {
  grant: GrantRecord
  signal: AbortSignal
  /** Response headers with additional information. */
  responseHeaders: Record<string, string>
  /** Counts the provider calls of the request. */
  calls?: CallCount | undefined
}

/** The content of a message: the fields of the request, or MIME from the client. */
export type Material<Request> = {
  /** Without template, signature_id and attachments; they are already resolved. */
  request: Request
  files: readonly SendFile[]
  /** HTML of the signature, never with `is_plaintext`. */
  signature: string | undefined
}

/** A send request. */
export interface Sendable extends Order {
  /**
   * A repetition with the same key finds the first send: `sendIdOf(application, grant, key)`. The API has checked
   * that the payload is the same while keys are retained (`limits.idempotencyHours`). An older send is a different
   * one.
   */
  idempotencyKey: string | undefined
  /** Runs the transaction of the request for a message that is sent later; also stores the response. */
  write(work: (tx: Queries) => Promise<SentMessage>): Promise<SentMessage>
}

export interface SendOrder extends Sendable {
  content: Material<SendRequest> | { mime: Uint8Array }
  /** Which headers the response contains. */
  fields: SentFields
}

export interface DraftOrder extends Order, Material<DraftRequest>, UnderKey {}

export interface DraftChangeOrder extends Order {
  draftId: string
  change: DraftChange
  /** Replaces all files of the draft; undefined leaves them unchanged. */
  files: readonly SendFile[] | undefined
}

export interface DraftExamination extends Order {
  draftId: string
  /** HTML to append. */
  signature: string | undefined
  /** Tracking options stored with the draft. */
  tracking: TrackingRequest | undefined
}

export interface DraftSendOrder extends Sendable, DraftExamination {
  replyToMessageId: string | undefined
  /** Moves from the draft to the sent message. */
  metadata: Record<string, string> | undefined
  /**
   * The digest that `examineDraft` gave. Somebody can change the draft after it was checked or approved, so what is read to
   * be sent is compared.
   */
  onlyAs?: string | undefined
}

/** A draft as it would be sent now. */
export interface ExaminedDraft {
  /** Of everything that decides what is sent: the whole message, the signature, tracking, and the account's own name. */
  digest: string
  /** With all recipients. Without tracking, which changes the targets of links. */
  composed: Composed
  whole: WholeMessage
}

export interface Sending {
  /**
   * Sends a message and returns it. With `send_at`, stores it and returns its schedule_id. Throws `send_refused`,
   * `send_failed`, `provider_unreachable` or `outcome_unknown`. Stores `metadata` for the sent message.
   */
  sendMessage(order: SendOrder): Promise<SentMessage>
  /** A new draft; the caller stores it at the provider. */
  composeDraft(order: DraftOrder): Promise<OutgoingDraft>
  /** A draft after a change: omitted fields are taken from the existing draft. */
  changeDraft(order: DraftChangeOrder): Promise<OutgoingDraft>
  /** Reads everything that sending a draft would send. */
  examineDraft(order: DraftExamination): Promise<ExaminedDraft>
  /** Sends a draft like `sendMessage` and removes it from the drafts. Throws `conflict` if it is not as `onlyAs` says. */
  sendDraft(order: DraftSendOrder): Promise<SentMessage>
  /** All pending schedules, and those due in the last 72 hours. */
  listSchedules(at: Mailbox): Promise<ScheduledMessage[]>
  getSchedule(at: Mailbox, scheduleId: string): Promise<ScheduledMessage | undefined>
  /** A single statement decides. Canceling a message again returns `stopped` again. */
  cancelSchedule(tx: Queries, at: Mailbox, scheduleId: string): Promise<'stopped' | 'too late' | 'not found'>
}
