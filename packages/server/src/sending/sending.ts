/**
 * Outgoing mail as the edge sees it. Requests are checked before they come here: addresses and headers are sound, the
 * template is rendered into `subject` and `body`, the signature read, the files decoded, `send_at` within its limits.
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
import type { OutgoingDraft, UnderKey } from '../providers/operations.ts'
import type { Queries } from '../store/engine/database.ts'
import type { GrantRecord } from '../store/tables/grants/grants.ts'
import type { Mailbox } from '../store/tables/mail/message-metadata.ts'
import type { SendFile } from './compose/compose.ts'

/** Whatever is asked for is asked by an application for one of its grants, within a request. */
export interface Order {
  grant: GrantRecord
  signal: AbortSignal
  /** Response headers that tell the client something beside the answer. */
  responseHeaders: Record<string, string>
}

/** What a message is made from: the fields of the request, or the bytes of a message that the client composed. */
export type Material<Request> = {
  /** Without template, signature_id and attachments: what they stood for is in it or beside it. */
  request: Request
  files: readonly SendFile[]
  /** HTML of the signature, never with `is_plaintext`. */
  signature: string | undefined
}

/** A send as the edge asks for it. */
export interface Sendable extends Order {
  /**
   * A repetition with the same key finds the send that the first one began: `sendIdOf(application, grant, key)`. The edge
   * has made sure that the payload is the same within the time that keys are kept (`limits.idempotencyHours`); a send that is
   * older than that is another one.
   */
  idempotencyKey: string | undefined
  /** The one transaction of the request, for a send that is accepted now and sent later: keeps its answer too. */
  write(work: (tx: Queries) => Promise<SentMessage>): Promise<SentMessage>
}

export interface SendOrder extends Sendable {
  content: Material<SendRequest> | { mime: Uint8Array }
  /** Which headers the answer tells. */
  fields: SentFields
}

export interface DraftOrder extends Order, Material<DraftRequest>, UnderKey {}

export interface DraftChangeOrder extends Order {
  draftId: string
  change: DraftChange
  /** Replaces all files of the draft; undefined leaves them. */
  files: readonly SendFile[] | undefined
}

export interface DraftSendOrder extends Sendable {
  draftId: string
  /** HTML to put at the end. */
  signature: string | undefined
  /** What was set with the draft. */
  tracking: TrackingRequest | undefined
  replyToMessageId: string | undefined
  /** Kept with the sent message as it was with the draft. */
  metadata: Record<string, string> | undefined
}

export interface Sending {
  /**
   * Sends a message and answers with what was sent, or, with `send_at`, keeps it and answers with its schedule_id. Throws
   * `send_refused`, `send_failed`, `provider_unreachable` or `outcome_unknown`. Keeps `metadata` for the sent message.
   */
  sendMessage(order: SendOrder): Promise<SentMessage>
  /** A new draft; the caller has the provider keep it. */
  composeDraft(order: DraftOrder): Promise<OutgoingDraft>
  /** A draft after a change: what the change leaves out is taken from the draft as it is. */
  changeDraft(order: DraftChangeOrder): Promise<OutgoingDraft>
  /** Sends a draft as `sendMessage` does and removes it from the drafts. */
  sendDraft(order: DraftSendOrder): Promise<SentMessage>
  /** All that wait, and those whose time was in the last 72 hours. */
  listSchedules(at: Mailbox): Promise<ScheduledMessage[]>
  getSchedule(at: Mailbox, scheduleId: string): Promise<ScheduledMessage | undefined>
  /** Decided by one statement; a message that was stopped before is `stopped` again. */
  cancelSchedule(tx: Queries, at: Mailbox, scheduleId: string): Promise<'stopped' | 'too late' | 'not found'>
}
