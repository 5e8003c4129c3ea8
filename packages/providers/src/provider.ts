/** The table that every adapter provides, and the changes that it reports. */
import type { Grant, ProviderKind, requestedTriggers } from '@waypost/contract'
import type { ItipMail } from '@waypost/formats/itip/mail'
import type { AttendeeReply } from '@waypost/formats/itip/reading'
import type { Report } from '@waypost/formats/parse-worker'
import type { ApiError, QuotingError } from '@waypost/platform/api-error'
import type { Conferences } from './conferences.ts'
import type { Correspondent } from './contacts/tables.ts'
import type { CredentialForm } from './form.ts'
import type { Identity, ProviderClient } from './identity.ts'
import type { CachedSession, Io, LocalIo, ObjectOf, SessionIo } from './io.ts'
import type { Limits } from './limits.ts'
import type { PlaceChanges, PlaceMemory } from './mail/tables.ts'
import type { OAuth } from './oauth.ts'
import type { Capability, FiledCopy, Operations, OutgoingMessage } from './operations.ts'
import type { ScopeNames } from './scope-names.ts'

/** The resources that the service can store for an account. */
export type CachedResource = 'contacts' | 'contactGroups'

/** The result of one test of a connector, for the person who sets it up. */
export interface ConnectorCheck {
  name: string
  ok: boolean
  message: string
}

/** How a connector is used. */
export interface ConnectorUse {
  scope: readonly string[]
  /** The redirect URI. */
  redirectUri: string
}

/** A push of a provider: it says that something changed, not what. */
export interface PushRequest {
  /** The rest of the path. */
  path: string
  query: URLSearchParams
  header(name: string): string | null
  body: Uint8Array
  /** The full URL of the push, as it was given to the provider. */
  address: string
}

/**
 * The grants to poll after a push: by a token of `SessionIo.push`, or all grants of an address. With `renewPush` the
 * push subscription has ended, or will end if it is not renewed.
 */
export type PushHint = ({ token: string } | { email: string }) & { renewPush?: true }

/** The result of a push: grants to poll, or the answer that the provider expects, such as its own token. */
export type PushReceipt =
  | { hints: readonly PushHint[] }
  | { answer: { status: number; contentType: string; body: string } }

/** A block of time in which an account is busy, in Unix seconds. */
export interface BusyBlock {
  start: number
  end: number
}

/** An event that does not count as busy, because it is about to move. */
export interface MovingEvent {
  id: string
  /** Identifies the copies of the event in calendars of its participants. */
  icalUid?: string | null | undefined
  /** When it takes place now, in Unix seconds. */
  start: number
  end: number
}

type ChangeTrigger =
  | `message.${'created' | 'updated' | 'deleted'}`
  | `${'folder' | 'calendar' | 'event'}.${'created' | 'updated' | 'deleted'}`
  | `contact.${'updated' | 'deleted'}`

/** A change at the provider. */
export type Change = {
  [T in ChangeTrigger]: {
    trigger: T
    object: ObjectOf<T>
    /** Milliseconds. */
    happenedAt: number
    /** The grant may read only headers of mail; the trigger gets a suffix. */
    suffix?: 'metadata' | undefined
    /** For a new message: its Message-ID and those that it answers, the direct parent last; without brackets. */
    names?: { messageId?: string | undefined; references: readonly string[] } | undefined
    /** For a new message: whether its body is HTML. */
    isHtml?: boolean | undefined
    /** For a new message: the delivery report in it about a sent message. */
    report?: Report | undefined
    /** For a new message: its invitation or reply, if the account's calendar server does not process it. */
    itip?: ItipMail | undefined
    /** For a part of the account that the provider never pushes. */
    polled?: true | undefined
  }
}[ChangeTrigger]

/** A trigger that is sent only to applications that subscribe to it. */
export type RequestedTrigger = (typeof requestedTriggers)[number]

/** Options of a poll. */
export interface SinceOptions {
  /** Earlier changes need not be notified; milliseconds. */
  notBefore: number
  /**
   * The same in milliseconds at the start of the watch, for objects with such dates; `notBefore` is in whole seconds.
   */
  beganAt?: number | undefined
  /** The provider reported that the push subscription has ended or is about to end, so it is renewed. */
  renewPush?: boolean | undefined
  /** The triggers that are sent only on request and that the application requests. */
  requested?: ReadonlySet<RequestedTrigger> | undefined
  /** The stored places of messages, if the application subscribes to deletions. */
  places?: PlaceMemory | undefined
}

/** The result of one poll. */
export interface FoundChanges {
  changes: Change[]
  cursor: string
  /** There is more to be read at once. */
  more?: boolean
  /** Changes of the stored places of messages. */
  places?: PlaceChanges | undefined
  /** All mail of the account was read, for the first time or again. */
  isRead?: boolean | undefined
  /** Correspondents of the mail that was read, where the service stores the contacts of the kind. */
  people?: readonly Correspondent[]
  /** Parts of the account whose changes the provider refused to report in this poll. */
  refused?: readonly RefusedPart[]
}

export interface RefusedPart {
  part: string
  error: ApiError
  /** How often in a row, including this one. */
  failures: number
}

/** How an adapter reports changes. `since` is the only path for data; `wait` only says when to poll. */
export interface ChangeSource<S> {
  /**
   * The changes since the cursor, and the next cursor; `more` if there are further changes. Without a cursor: no
   * changes, and the cursor at which the watch starts.
   */
  since(session: S, cursor: string | undefined, options: SinceOptions): Promise<FoundChanges>
  /**
   * Resolves when something may have changed, or with `time` when the next poll is due; rejects if the connection is
   * lost.
   */
  wait(session: S, signal: AbortSignal): Promise<'time' | undefined>
}

/** Why a message was not sent. The message is for the client. */
export class SendFailed extends Error implements QuotingError {
  override readonly name = 'SendFailed'
  readonly quotesProvider = true
  /** The same message would be refused again. */
  readonly permanent: boolean
  /** The connection broke at a point where the provider may have accepted the message. */
  readonly maybeSent: boolean
  /** The provider's status, such as an SMTP reply code. */
  readonly status: number | undefined

  constructor(
    message: string,
    marks: { permanent?: boolean; maybeSent?: boolean; status?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, marks.cause === undefined ? undefined : { cause: marks.cause })
    this.permanent = marks.permanent ?? false
    this.maybeSent = marks.maybeSent ?? false
    this.status = marks.status
  }
}

/** The account's sent mail, for a provider that sends. */
export interface SentMail<S> {
  /** The id of the sent message with a Message-ID, if it exists. */
  find(session: S, messageId: string): Promise<string | undefined>
  /**
   * Files a copy, unless there is one or the provider does so itself. Returns the copy, if the account may be read.
   */
  file(session: S, message: OutgoingMessage): Promise<FiledCopy | undefined>
}

/**
 * An adapter: a table of plain functions. A function that is missing is a capability that the provider does not have.
 */
// Outside its folder a provider's session is opaque: only functions of the same provider use it.
// biome-ignore lint/suspicious/noExplicitAny: the sessions of different providers have nothing in common
export interface Provider<S = any> {
  kind: ProviderKind
  /**
   * If accounts of the kind differ, such as mailboxes with and without calendars: the adapters of accounts with more
   * capabilities than this table, by their names in the documentation.
   */
  variants?: Readonly<Record<string, Provider<S>>>
  /** The adapter of a grant, if accounts of the kind differ: this one, or one like those in `variants`. */
  adapterFor?(grant: Pick<Grant, 'settings'>): Provider<S>
  /**
   * Operations of this table that an account cannot do because of its settings, such as sending without an SMTP
   * server.
   */
  lacks?(grant: Pick<Grant, 'settings'>): readonly string[]
  /** The account is stored in our own tables: its operations run in the transaction of the request. */
  local?: {
    open(grant: Grant, io: LocalIo): S
    /** Applies a guest's mailed reply to an event of the account, in the transaction of the session. */
    receiveReply?(session: S, eventId: string, reply: AttendeeReply): Promise<void>
    /** Notifies the guests of the account that it is deleted, in the transaction of its deletion. */
    leave?(session: S): Promise<void>
    /**
     * Removes some events of a deleted calendar, in the transaction of the session. Returns their number, or undefined
     * when nothing is left.
     */
    removePiece?(session: S, calendarId: string): Promise<number | undefined>
  }
  /**
   * Resources that the service stores for accounts of this kind. Their operations take a `KeptSession` and run in the
   * transaction of the request.
   */
  keeps?: readonly CachedResource[]
  /**
   * Tests the credentials of custom authentication at the provider. Settings were validated by the contract; the
   * client is set for kinds with `oauth`.
   */
  authenticate(
    settings: Record<string, unknown>,
    io: Io,
    use: { client: ProviderClient; scope: readonly string[] | undefined },
  ): Promise<Identity>
  /** Sign-in at the provider's own page. */
  oauth?: OAuth
  /** The form of our sign-in page, if the provider has none. Without either, users cannot sign in. */
  form?: CredentialForm
  /** The scopes that an operation needs: one of each list. */
  scopes?: { readonly [C in Capability]?: readonly (readonly string[])[] }
  /** The names of scopes, used to explain mistakes. */
  scopeNames?: ScopeNames
  /** Advice for accounts that lack a resource, by resource; the end of the error message. */
  remedies?: Readonly<Record<string, string>>
  /** The fields and filters that the provider refuses or ignores; all others are accepted. */
  limits?: Limits
  /** The largest message that the provider accepts; undefined if its server says so itself, or there is no limit. */
  maxMessageBytes?: number
  /** Fields of group events that the provider does not support, with the reason and the alternative. */
  groupEventLimits?: Readonly<{ recurrence?: string; capacity?: string }>
  /** Tests everything that a connector needs. */
  check?(client: ProviderClient, use: ConnectorUse, io: Io): Promise<ConnectorCheck[]>
  /** Reads a push; throws `not_found` if it is not genuine. */
  receive?(request: PushRequest, io: Io): Promise<PushReceipt>
  /** Opens a session for the operations of a request, unless the account is local. */
  open?(grant: Grant, io: SessionIo): S
  /** The addresses that the account may send from, in addition to its own. */
  aliases?(session: S): Promise<string[]>
  sent?: SentMail<S>
  /** Former ids of a message, if the provider's ids contain more than they once did. */
  formerIds?(id: string): readonly string[]
  /**
   * The key under which the service stores data of a message, if ids change: it identifies the message as the id
   * does.
   */
  lastingName?(id: string): string
  /** The bytes of a draft, for changing and sending it. */
  draftSource?(session: S, at: { draft_id: string }): Promise<Uint8Array>
  /** Scheduling by mail (RFC 5546, RFC 6047), for accounts whose calendar server does none. */
  itip?: {
    /** Whether a change of an event was made, by the mark of its mails. */
    isMade(session: S, mark: string): Promise<boolean>
    /** Applies a received mail to the account's calendar. */
    receive(session: S, mail: ItipMail): Promise<void>
  }
  /** Creates conferences for events of any account of the application. */
  conferences?: Conferences<S>
  /** Watches for changes of other clients. Without it the service notifies changes itself, or there are none. */
  changes?: ChangeSource<S>
  /** Data for availability: when the account is busy, and when it was last booked for a round-robin group. */
  availability?: {
    busy(
      session: S,
      at: {
        calendarIds: readonly string[]
        from: number
        to: number
        tentativeAsBusy: boolean
        except?: MovingEvent | undefined
      },
    ): Promise<BusyBlock[]>
    /** `tagged`: the events whose stored metadata contain the group, newest first. */
    lastBooked(
      session: S,
      at: {
        calendarIds: readonly string[]
        group: string
        tagged: readonly { calendarId: string; id: string; madeAt: number }[]
      },
    ): Promise<number | undefined>
  }
}

/** The operations of an adapter. Those of resources that the service stores are the same for every kind. */
type ProviderOperations<S> = Omit<Operations<S>, CachedResource> & {
  [R in CachedResource]: Operations<S>[R] | Operations<CachedSession>[R]
}

type Exact<P, Shape> = P & { [K in Exclude<keyof P, keyof Shape>]: never }

/** Checks an adapter against the interface and retains its exact type: what is not in the table does not exist. */
export const defineProvider =
  <S>() =>
  <const P extends Provider<S> & Partial<ProviderOperations<S>>>(
    provider: Exact<P, Provider<S> & ProviderOperations<S>>,
  ): P =>
    provider
