/**
 * The complete adapter interface: the operations of providers, by resource. Every grant route of the contract has an
 * operation of the same name here, and every operation has a route, or the build fails (see `agreement` below).
 */
import type {
  Attachment,
  Calendar,
  CalendarChange,
  CalendarDraft,
  CalendarListQuery,
  CleanedMessage,
  Contact,
  ContactChange,
  ContactDraft,
  ContactGroup,
  ContactGroupDraft,
  ContactGroupListQuery,
  ContactListQuery,
  Contract,
  Draft,
  DraftListQuery,
  Event,
  EventChange,
  EventDraft,
  EventImportQuery,
  EventListQuery,
  Folder,
  FolderChange,
  FolderDraft,
  FolderListQuery,
  FolderQuery,
  FreeBusy,
  FreeBusyQuery,
  Message,
  MessageChange,
  MessageClean,
  MessageListQuery,
  MessageQuery,
  RoomResource,
  RoomResourceListQuery,
  Route,
  Rsvp,
  RsvpResult,
  Thread,
  ThreadChange,
  ThreadListQuery,
  ThreadQuery,
  Waypost,
} from '@waypost/contract'
import type { JsonValue } from '@waypost/platform/json/guard'
import type { JsonText } from '@waypost/platform/json/values'
import type { LargeMessage } from './mail/large-files.ts'
import type { Outline } from './mail/outline.ts'

/** One page; `next` is the position of the next page. */
export interface Page<T> {
  items: readonly (T | JsonText<T>)[]
  next?: JsonValue
}

export interface EventAddress {
  event_id: string
  /** The calendar of the event; all calendars of the grant if absent. */
  calendar_id?: string | undefined
}
export interface Notify {
  notify_participants?: boolean | undefined
}

/** Conditions for making a change. */
export interface Preconditions {
  /** No other event of the calendar blocks any of the event's time. */
  ifNoneOverlap?: boolean | undefined
}

/** An export reads the bytes of messages of any size. */
export interface WholeMessage {
  /** Whether a message that is too large for `raw_mime` may be returned as a stream. */
  source?: boolean | undefined
}

export interface MessageSource {
  /** The bytes of the message, in place of `raw_mime`. Whoever gets it must read or cancel it. */
  source?: ReadableStream<Uint8Array>
}

/** For exports of a whole calendar. */
export interface WholeCalendar {
  /**
   * The window may have any length, and deleted instances are returned as cancelled ones if the provider does not list
   * them with their series.
   */
  whole?: boolean | undefined
}

/** Whether tentative events count as busy, for providers that distinguish them. */
export interface Tentative {
  tentative_as_busy?: boolean | undefined
}

/** The account that shares a mailbox, if it is not the account's own. */
export interface Shared {
  shared_from?: string | undefined
  shared_folder_id?: string | undefined
}

/** The bytes of a file. When the stream ends, fails or is canceled, it releases its resources. */
export interface FileContent {
  content: ReadableStream<Uint8Array>
  contentType: string
  filename: string | null
  /** In bytes, if it is exactly known. */
  size?: number
}

/** An answer to a message. The answered message may have no Message-ID that headers could contain. */
export interface Answering {
  /** As the client named it: an id of the API or a Message-ID. */
  replyToMessageId?: string | undefined
}

/** A composed message with its envelope (RFC 5321 §2.3.1) and Message-ID, with the same bytes at every attempt. */
export interface MailObject extends Answering, LargeMessage {
  /** Without its brackets. */
  messageId: string
  from: string
  recipients: readonly string[]
  /** The draft that the message was. Sending deletes it; if it was deleted before, nothing is sent. */
  draftId?: string | undefined
  /** Its files, if the parts that contain them are known. */
  files?: readonly MailFile[] | undefined
}

/** A file of a message, and the part that contains it (RFC 3501 §6.4.5). */
export interface MailFile {
  part: string
  filename: string
  contentId?: string | undefined
}

/** The parts that the bytes of a message or draft were made of, read on demand. */
export interface Outlined {
  outline(): Promise<Outline>
}

export interface OutgoingMessage extends MailObject, Outlined {}

/** The provider's answer for a message that it accepted. */
export interface SentMessage {
  /** The id of the message in the account's sent mail, if it is already known. */
  id?: string
}

/** A copy in the account's sent mail. */
export interface FiledCopy {
  id: string
  /** Fields of the copy, if they are known without another request. */
  reported?: SentMailCopy | undefined
}

/** Fields that only the account can provide. */
export interface SentMailCopy extends Pick<Message, 'thread_id' | 'folders' | 'date'> {
  attachments?: readonly Pick<Attachment, 'id' | 'filename' | 'content_id'>[] | undefined
}

/** A request with an Idempotency-Key, which has one effect however often it is repeated. */
export interface Once {
  /**
   * Hexadecimal, and the same for every attempt. The created object gets this name, if the provider lets us choose
   * it.
   */
  name: string
  /** An earlier attempt may have succeeded. */
  again: boolean
}
export interface UnderKey {
  once?: Once | undefined
}

/** A draft that is to be stored. */
export interface OutgoingDraft extends UnderKey, Outlined, Answering, LargeMessage {
  messageId: string
  starred?: boolean
  /** For a change: the draft keeps the files that it has. */
  keepsFiles?: boolean
}

/** The service stores the metadata of messages; no provider sees it. */
export type MailChange = Omit<MessageChange, 'metadata'>

/**
 * The operations of each resource; `S` is the provider's own session. An adapter has all operations of a resource, or lacks
 * the resource. An operation with `?` is optional: an adapter that cannot do it leaves it out of its table, and the API answers
 * `not_supported_by_provider`. An adapter that uses `lazyParts` also names it in `except`.
 */
export interface Operations<S> {
  calendars: {
    list(session: S, query: CalendarListQuery, position: JsonValue | undefined): Promise<Page<Calendar>>
    get(session: S, at: { calendar_id: string }): Promise<Calendar>
    create(session: S, draft: CalendarDraft, under?: UnderKey): Promise<Calendar>
    update(session: S, at: { calendar_id: string }, change: CalendarChange): Promise<Calendar>
    delete(session: S, at: { calendar_id: string } & Notify): Promise<void>
    freeBusy?(session: S, query: FreeBusyQuery): Promise<FreeBusy[]>
  }
  roomResources: {
    list(session: S, query: RoomResourceListQuery, position: JsonValue | undefined): Promise<Page<RoomResource>>
  }
  events: {
    list(session: S, query: EventListQuery, position: JsonValue | undefined): Promise<Page<Event>>
    import(session: S, query: EventImportQuery & WholeCalendar, position: JsonValue | undefined): Promise<Page<Event>>
    get(session: S, at: EventAddress & Tentative): Promise<Event>
    create(
      session: S,
      at: { calendar_id: string } & Notify & Tentative & UnderKey & Preconditions,
      draft: EventDraft,
    ): Promise<Event>
    update(session: S, at: EventAddress & Notify & Tentative & Preconditions, change: EventChange): Promise<Event>
    delete(session: S, at: EventAddress & Notify): Promise<void>
    rsvp?(session: S, at: EventAddress & { skip_email: boolean }, answer: Rsvp): Promise<RsvpResult>
  }
  messages: {
    list(session: S, query: MessageListQuery, position: JsonValue | undefined): Promise<Page<Message>>
    clean(session: S, at: Shared, wanted: MessageClean): Promise<CleanedMessage[]>
    /**
     * Sends a message once. Calls and awaits `begin` before the first byte that could make the provider accept it.
     * Throws `SendFailed` if it was not accepted, or may have been.
     */
    send(session: S, message: OutgoingMessage, begin: () => Promise<void>): Promise<SentMessage>
    get(session: S, at: { message_id: string } & MessageQuery & WholeMessage): Promise<Message & MessageSource>
    update(session: S, at: { message_id: string } & Shared, change: MailChange): Promise<Message>
    delete(session: S, at: { message_id: string; hard_delete?: boolean | undefined } & Shared): Promise<void>
  }
  drafts: {
    list(session: S, query: DraftListQuery, position: JsonValue | undefined): Promise<Page<Draft>>
    get(session: S, at: { draft_id: string }): Promise<Draft>
    create(session: S, draft: OutgoingDraft): Promise<Draft>
    update(session: S, at: { draft_id: string }, draft: OutgoingDraft): Promise<Draft>
    delete(session: S, at: { draft_id: string }): Promise<void>
  }
  threads: {
    list(session: S, query: ThreadListQuery, position: JsonValue | undefined): Promise<Page<Thread>>
    get(session: S, at: { thread_id: string } & ThreadQuery): Promise<Thread>
    update(session: S, at: { thread_id: string } & ThreadQuery, change: ThreadChange): Promise<Thread>
    delete(session: S, at: { thread_id: string } & Shared): Promise<void>
  }
  folders: {
    list(session: S, query: FolderListQuery, position: JsonValue | undefined): Promise<Page<Folder>>
    get(session: S, at: { folder_id: string } & FolderQuery): Promise<Folder>
    create(session: S, at: Shared & UnderKey, draft: FolderDraft): Promise<Folder>
    update(session: S, at: { folder_id: string } & Shared & UnderKey, change: FolderChange): Promise<Folder>
    delete(session: S, at: { folder_id: string } & Shared): Promise<void>
  }
  attachments: {
    list(session: S, at: { message_id: string }): Promise<Attachment[]>
    get(session: S, at: { attachment_id: string; message_id: string }): Promise<Attachment>
    download(session: S, at: { attachment_id: string; message_id: string }): Promise<FileContent>
  }
  contactGroups: {
    list(session: S, query: ContactGroupListQuery, position: JsonValue | undefined): Promise<Page<ContactGroup>>
    get(session: S, at: { group_id: string }): Promise<ContactGroup>
    create(session: S, draft: ContactGroupDraft, under?: UnderKey): Promise<ContactGroup>
    update(session: S, at: { group_id: string }, change: ContactGroupDraft): Promise<ContactGroup>
    delete(session: S, at: { group_id: string }): Promise<void>
  }
  contacts: {
    list(session: S, query: ContactListQuery, position: JsonValue | undefined): Promise<Page<Contact>>
    get(session: S, at: { contact_id: string; profile_picture?: boolean | undefined }): Promise<Contact>
    create(session: S, draft: ContactDraft, under?: UnderKey): Promise<Contact>
    update(session: S, at: { contact_id: string }, change: ContactChange): Promise<Contact>
    delete(session: S, at: { contact_id: string }): Promise<void>
  }
}

/** The ids of the contract's routes that are operations of providers. */
export type GrantRouteId<C extends Contract> = {
  [R in keyof C & string]: {
    [O in keyof C[R] & string]: C[R][O] extends { own: true }
      ? never
      : C[R][O] extends Route & { audience: 'grant' }
        ? `${R}.${O}`
        : never
  }[keyof C[R] & string]
}[keyof C & string]

/** The ids of the operations of an adapter interface. */
export type OperationId<O> = { [R in keyof O & string]: `${R}.${keyof O[R] & string}` }[keyof O & string]

/** `true` if two unions of ids are the same, otherwise the ids that only one of them has. */
export type Agree<A, B> = [A] extends [B]
  ? [B] extends [A]
    ? true
    : { missingRoute: Exclude<B, A> }
  : { missingOperation: Exclude<A, B> }

/** An operation such as `events.list`. */
export type Capability = OperationId<Operations<unknown>>

export const agreement: Agree<GrantRouteId<Waypost>, Capability> = true

/** An operation with its session already bound. */
export type Bound<F> = F extends (session: never, ...rest: infer Rest) => infer Result
  ? (...rest: Rest) => Result
  : never
