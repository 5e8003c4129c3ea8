/**
 * The adapter interface, all of it: what the providers can do, by resource. Every grant route of the contract has an
 * operation of the same name here and every operation a route, or the build breaks (see `agreement` below).
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
import type { JsonValue } from '../lib/json/guard.ts'
import type { JsonText } from '../lib/json/text.ts'
import type { Outline } from './mail/outline.ts'

/** One page; `next` is the position that the next page begins after. */
export interface Page<T> {
  items: readonly (T | JsonText<T>)[]
  next?: JsonValue
}

export interface EventAddress {
  event_id: string
  /** Where to look; all calendars of the grant when absent. */
  calendar_id?: string | undefined
}
export interface Notify {
  notify_participants?: boolean | undefined
}

/** What must hold for a change to be made. */
export interface Preconditions {
  /** No other event of the calendar blocks any of the event's time. */
  ifNoneOverlap?: boolean | undefined
}

/** Whether what is only pencilled in counts as busy, on providers that tell it apart. */
export interface Tentative {
  tentative_as_busy?: boolean | undefined
}

/** Who shares the mailbox that is meant, where it is not the account's own. */
export interface Shared {
  shared_from?: string | undefined
  shared_folder_id?: string | undefined
}

/** The bytes of a file. The stream ends, fails or is cancelled; whatever it holds open ends with it. */
export interface FileContent {
  content: ReadableStream<Uint8Array>
  contentType: string
  filename: string | null
  /** In bytes, where it is known for certain. */
  size?: number
}

/** What is an answer: the message that it answers may have no Message-ID by which its headers could name it. */
export interface Answering {
  /** As the client named it: an id of the API or a Message-ID. */
  replyToMessageId?: string | undefined
}

/** A message with its envelope (RFC 5321 §2.3.1): composed, named, and the same bytes at every attempt. */
export interface MailObject extends Answering {
  /** Without its brackets. */
  messageId: string
  from: string
  recipients: readonly string[]
  source: Uint8Array
  /** The draft that the message was until now: it is gone with the sending, and where it is gone before nothing is sent. */
  draftId?: string | undefined
  /** Its files, where it is known which parts of it they are. */
  files?: readonly MailFile[] | undefined
}

/** A file of a message, and the part of it that it is (RFC 3501 §6.4.5). */
export interface MailFile {
  part: string
  filename: string
  contentId?: string | undefined
}

/** What messages and drafts are given to adapters with: the parts that the bytes were made of, read when they are asked for. */
export interface Outlined {
  outline(): Promise<Outline>
}

/** A message on its way out. */
export interface OutgoingMessage extends MailObject, Outlined {}

/** What a provider says of a message that it took. */
export interface Sent {
  /** The id of the message in the account's sent mail, where it is known already. */
  id?: string
}

/** A copy in the account's sent mail. */
export interface FiledCopy {
  id: string
  /** What the account says of it, where that is known without asking for it. */
  told?: ToldCopy | undefined
}

/** What only the account says of a message. */
export interface ToldCopy extends Pick<Message, 'thread_id' | 'folders' | 'date'> {
  attachments?: readonly Pick<Attachment, 'id' | 'filename' | 'content_id'>[] | undefined
}

/** A request that comes under an Idempotency-Key, and has one effect however often it is repeated. */
export interface Once {
  /** Hexadecimal, and the same for every try: what is made is named after it, where the provider lets us choose. */
  name: string
  /** A former try may have done it already. */
  again: boolean
}
export interface UnderKey {
  once?: Once | undefined
}

/** A draft as it is to be kept. */
export interface OutgoingDraft extends UnderKey, Outlined, Answering {
  messageId: string
  source: Uint8Array
  starred?: boolean
  /** Of a draft that is changed: its files are those that it has already. */
  keepsFiles?: boolean
}

/** Metadata of messages is kept by the service: no provider sees it. */
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
    import(session: S, query: EventImportQuery, position: JsonValue | undefined): Promise<Page<Event>>
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
     * Sends a message once. Calls and awaits `begin` before the first byte that could make the provider take it; throws
     * `SendFailed` where it was not taken, or may have been.
     */
    send(session: S, message: OutgoingMessage, begin: () => Promise<void>): Promise<Sent>
    get(session: S, at: { message_id: string } & MessageQuery): Promise<Message>
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

/** The ids of a contract's routes that are operations of providers. */
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

/** `true` when two unions of ids are the same, else the ids that only one of them has. */
export type Agree<A, B> = [A] extends [B]
  ? [B] extends [A]
    ? true
    : { missingRoute: Exclude<B, A> }
  : { missingOperation: Exclude<A, B> }

/** "events.list" and its kind. */
export type Capability = OperationId<Operations<unknown>>

export const agreement: Agree<GrantRouteId<Waypost>, Capability> = true

/** An operation with its session already bound. */
export type Bound<F> = F extends (session: never, ...rest: infer Rest) => infer Result
  ? (...rest: Rest) => Result
  : never
