/**
 * Mail of Exchange. Graph and EWS are two APIs for the same mailboxes: each adapter implements `ExchangeMail`, and the
 * operations in this folder are written once for both.
 */
import type { Message, MessageFields } from '@waypost/contract'
import { invalidField } from '@waypost/platform/api-error'
import type { SessionIo } from '../../io.ts'
import type { MailChange, Shared } from '../../operations.ts'
import type { Conversation } from '../conversation-list.ts'
import type { ListPlace, Position } from '../position.ts'
import type { Filters } from '../search.ts'

export interface ExchangeSession {
  readonly grant: { id: string; email: string; created_at?: number | undefined }
  readonly io: SessionIo
}

/** The mailbox of the account, or one that another account shares with it. */
export interface ExchangeMailbox {
  readonly session: ExchangeSession
}

/** The bytes of a message, with its id in the API. */
export interface Source {
  id: string
  bytes: Buffer
}

/** A list of messages, newest first. `M` is a message as the provider returns it, `W` a selection of its fields. */
export interface Listing<B, M, W> {
  mailbox: B
  /** The folder id from the query; all folders if absent. */
  folder: string | undefined
  filters: Filters
  position: Position | undefined
  limit: number
  /** The fields that the caller needs. */
  wanted: W
  /** A condition that filters cannot express. */
  keep?: ((message: M) => boolean) | undefined
  /** Reads all messages instead of using the search index, which contains new messages only after a delay. */
  isScanned?: true
}

export interface MessagePage<M> {
  messages: M[]
  next?: Position
}

/** The fields of messages that a client wants. */
export interface FieldsQuery {
  fields?: MessageFields | undefined
  select?: readonly string[] | undefined
}

/** How messages are read. */
export interface MessageReading<S, B extends ExchangeMailbox, M, W> {
  mailboxFor(session: S, at?: Shared): B
  placeOf(message: M): ListPlace
  /** The id of a message in the API. */
  idOf(message: M): string
  messageOf(mailbox: B, message: M, fields?: MessageFields): Message
  /** The fields to request: for a query, for whole messages, for the folder alone, and for ids and dates alone. */
  wanted: {
    of(query: FieldsQuery): W
    standard: W
    folder: W
    names: W
  }
  listMessages(listing: Listing<B, M, W>): Promise<MessagePage<M>>
  /** Throws `not_found` with the name of the object. */
  readMessage(mailbox: B, id: string, wanted: W, what?: 'message' | 'draft'): Promise<M>
  readSource(mailbox: B, id: string, what?: 'message' | 'draft'): Promise<Source>
}

/** How messages are changed. */
export interface MessageChanging<B, M> {
  /** The provider's id of the folder that a change names; undefined if it names none. */
  targetIn(change: Pick<MailChange, 'folders'>): string | undefined
  /** Moves the messages that are not in the folder yet, and returns all of them as they are then. */
  moveAll(mailbox: B, messages: readonly M[], folder: string): Promise<M[]>
  /** Sets `unread` and `starred` where they differ, and returns all messages as they are then. */
  markAll(mailbox: B, messages: readonly M[], change: MailChange): Promise<M[]>
  /** The provider's id of Deleted Items. */
  trashOf(mailbox: B): Promise<string>
  /** Deletes a message or draft permanently. */
  removeForEver(mailbox: B, what: 'message' | 'draft', id: string): Promise<void>
}

/** How conversations are read. */
export interface ConversationReading<B, M> {
  /** Conversations by id; those without messages are left out. */
  readConversations(mailbox: B, ids: readonly string[]): Promise<Map<string, Conversation<M>>>
  /** Messages with their texts, in the same order. A message that was deleted meanwhile is returned as it was. */
  withTexts(mailbox: B, messages: readonly M[]): Promise<M[]>
  isDraft(message: M): boolean
  /** The id of Sent Items in the API; empty if the mailbox has none. */
  sentFolder(mailbox: B): Promise<string>
}

export type ExchangeMail<S, B extends ExchangeMailbox, M, W> = MessageReading<S, B, M, W> &
  MessageChanging<B, M> &
  ConversationReading<B, M>

/** The folder that a query names. */
export const folderOf = (filters: Filters): string | undefined => filters.in ?? filters.shared_folder_id

/** The address whose mailbox is shared with the account; undefined for the account's own mailbox. */
export function sharedMailbox({ shared_from: sharedFrom }: Shared): string | undefined {
  if (sharedFrom !== undefined && !/^[^\s@/]+@[^\s@/]+$/.test(sharedFrom)) {
    throw invalidField('shared_from', 'must be the address of the account that shares the mailbox')
  }
  return sharedFrom
}

/** Moves and marks messages. The move comes first, so that nothing is changed if it fails. */
export async function changeMessages<B, M>(
  { targetIn, moveAll, markAll }: MessageChanging<B, M>,
  mailbox: B,
  { messages, change }: { messages: readonly M[]; change: MailChange },
): Promise<M[]> {
  const target = targetIn(change)
  return markAll(mailbox, target === undefined ? messages : await moveAll(mailbox, messages, target), change)
}
