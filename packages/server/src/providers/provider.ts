/** What a provider is to the service: the table that every adapter fills in, and what it tells of changes. */
import type { Grant, ProviderKind } from '@waypost/contract'
import type { ItipMail } from '../formats/itip/mail.ts'
import type { AttendeeReply } from '../formats/itip/reading.ts'
import type { Report } from '../formats/mime/parse-worker.ts'
import type { ApiError } from '../lib/api-error.ts'
import type { QuotingError } from '../lib/log.ts'
import type { Correspondent } from './contacts/correspondent.ts'
import type { CredentialForm } from './form.ts'
import type { Identity, ProviderClient } from './identity.ts'
import type { Io, KeptSession, LocalIo, ObjectOf, SessionIo } from './io.ts'
import type { Limits } from './limits.ts'
import type { OAuth } from './oauth.ts'
import type { Capability, FiledCopy, Operations, OutgoingMessage } from './operations.ts'
import type { ScopeNames } from './scope-names.ts'

/** The resources that the service may keep for an account. */
export type KeptResource = 'contacts' | 'contactGroups'

/** One thing that was looked at when a connector is tried, in words for who sets it up. */
export interface ConnectorCheck {
  name: string
  ok: boolean
  message: string
}

/** How a connector is used. */
export interface ConnectorUse {
  scope: readonly string[]
  /** Where users are sent back to. */
  redirectUri: string
}

/** What a provider posts to tell that something changed: it only says where to look. */
export interface PushRequest {
  /** The rest of the path. */
  path: string
  query: URLSearchParams
  header(name: string): string | null
  body: Uint8Array
  /** The full address that was posted to, as the provider was told it. */
  address: string
}

/**
 * Whose changes are to be looked at: the bearer of a token of `SessionIo.push`, or all grants of an address. With
 * `renewPush`, what makes the provider tell of changes has ended, or ends if nothing is done.
 */
export type PushHint = ({ token: string } | { email: string }) & { renewPush?: true }

/** What becomes of a push: grants to look at, or what the provider wants to hear, such as a token of its own echoed. */
export type PushReceipt =
  | { hints: readonly PushHint[] }
  | { answer: { status: number; contentType: string; body: string } }

/** A block of time in which somebody is not free, in Unix seconds. */
export interface BusyBlock {
  start: number
  end: number
}

type ChangeTrigger =
  | `message.${'created' | 'updated'}`
  | `${'folder' | 'calendar' | 'event'}.${'created' | 'updated' | 'deleted'}`
  | `contact.${'updated' | 'deleted'}`

/** Something that happened at the provider, as it is told. */
export type Change = {
  [T in ChangeTrigger]: {
    trigger: T
    object: ObjectOf<T>
    /** Milliseconds. */
    happenedAt: number
    /** The account shows the headers of its mail alone: a suffix of the trigger says so. */
    suffix?: 'metadata' | undefined
    /** Of a message that came: its Message-ID and those that it answers, the direct parent last; without brackets. */
    names?: { messageId?: string | undefined; references: readonly string[] } | undefined
    /** Of a message that came: what a mail system says in it of one that was sent. */
    report?: Report | undefined
    /** Of a message that came: what it says about events, where the account's calendar server does not read it itself. */
    itip?: ItipMail | undefined
    /** Of a part of the account that the provider never tells of by itself. */
    polled?: true | undefined
  }
}[ChangeTrigger]

/** How an adapter is asked for changes. */
export interface SinceOptions {
  /** Nothing that happened before need be told; milliseconds. */
  notBefore: number
  /** The same to the millisecond where watching begins, for what is dated so; `notBefore` is in whole seconds. */
  beganAt?: number | undefined
  /** The provider said that what makes it tell of changes has ended, or ends if nothing is done: it is asked for anew. */
  renewPush?: boolean | undefined
}

/** What one look for changes found. */
export interface FoundChanges {
  changes: Change[]
  cursor: string
  /** There is more to be read at once. */
  more?: boolean
  /** Correspondents of the mail that was read, where the service stores the contacts of the kind. */
  people?: readonly Correspondent[]
  /** Parts of the account whose changes the provider refused to report in this look. */
  refused?: readonly RefusedPart[]
}

export interface RefusedPart {
  part: string
  error: ApiError
  /** How often in a row, this one included. */
  failures: number
}

/** How an adapter notices changes. There is one path for data: `since`; `wait` only says when to look. */
export interface ChangeSource<S> {
  /**
   * What changed since the cursor, and the cursor after it; `more` when it has not told all yet. Without a cursor:
   * nothing, and where watching begins.
   */
  since(session: S, cursor: string | undefined, options: SinceOptions): Promise<FoundChanges>
  /**
   * Resolves when something may have changed, or the provider wants to be asked again, then with `time`; rejects when the
   * connection is lost.
   */
  wait(session: S, signal: AbortSignal): Promise<'time' | undefined>
}

/** Why a message was not sent. The message is for the client. */
export class SendFailed extends Error implements QuotingError {
  override readonly name = 'SendFailed'
  readonly quotesProvider = true
  /** The same message would be refused again. */
  readonly permanent: boolean
  /** The connection broke at a point where the provider may have taken the message. */
  readonly maybeSent: boolean
  /** What the provider answered with, such as an SMTP reply code. */
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
  /** The id of the sent message with a Message-ID, if it is there. */
  find(session: S, messageId: string): Promise<string | undefined>
  /** Files a copy, unless there is one or the provider does so itself; answers which, where the account may be asked for it. */
  file(session: S, message: OutgoingMessage): Promise<FiledCopy | undefined>
}

/** An adapter: a table of plain functions. What is not in the table is a capability that the provider does not have. */
// Outside its folder a provider's session is opaque: whoever has one got it from the same provider.
// biome-ignore lint/suspicious/noExplicitAny: the sessions of different providers have nothing in common
export interface Provider<S = any> {
  kind: ProviderKind
  /**
   * Where accounts of the kind differ in what they have, such as a mailbox with calendars beside it: the adapters of those
   * that have more than this table says, by the names that the documentation gives them.
   */
  variants?: Readonly<Record<string, Provider<S>>>
  /** The adapter that serves a grant, where accounts of the kind differ: this one, or one that is made as its `variants` are. */
  adapterFor?(grant: Pick<Grant, 'settings'>): Provider<S>
  /** Operations of this table that an account cannot do, by its settings, such as sending without a server for it. */
  lacks?(grant: Pick<Grant, 'settings'>): readonly string[]
  /** The account is kept in our own tables: its operations run in the transaction of the request. */
  local?: {
    open(grant: Grant, io: LocalIo): S
    /** Does what a guest mailed about an event of the account, in the transaction of the session. */
    receiveReply?(session: S, eventId: string, reply: AttendeeReply): Promise<void>
    /** Tells whoever the account has invited that it goes, in the transaction of its deletion. */
    leave?(session: S): Promise<void>
  }
  /**
   * What the service keeps itself for accounts of this kind: the operations of these resources take a `KeptSession`, and
   * run in the transaction of the request.
   */
  keeps?: readonly KeptResource[]
  /**
   * Tries the credentials of custom authentication at the provider. Settings were checked against the contract; the client
   * is there for kinds with `oauth`.
   */
  authenticate(
    settings: Record<string, unknown>,
    io: Io,
    use: { client: ProviderClient; scope: readonly string[] | undefined },
  ): Promise<Identity>
  /** How users sign in at the provider's own page. */
  oauth?: OAuth
  /** What users are asked for at our page, where the provider has none; without either, users do not sign in. */
  form?: CredentialForm
  /** What a grant must have been given for an operation: one scope of each list. */
  scopes?: { readonly [C in Capability]?: readonly (readonly string[])[] }
  /** The names of scopes, by which mistakes in them are explained. */
  scopeNames?: ScopeNames
  /** What to do where accounts of the kind lack a resource, by its name: the end of the error that says so. */
  remedies?: Readonly<Record<string, string>>
  /** The fields and filters that it refuses or ignores; what is not named, it takes. */
  limits?: Limits
  /** Tries a connector: says of everything that it needs whether it will do. */
  check?(client: ProviderClient, use: ConnectorUse, io: Io): Promise<ConnectorCheck[]>
  /** Reads what the provider posted; throws `not_found` where it is not genuine. */
  receive?(request: PushRequest, io: Io): Promise<PushReceipt>
  /** Opens a session for the operations of a request, unless the account is local. */
  open?(grant: Grant, io: SessionIo): S
  /** The addresses that the account may send from beside its own. */
  aliases?(session: S): Promise<string[]>
  sent?: SentMail<S>
  /** The ids that a message may have been known by before, where the provider's ids say more than they once did. */
  formerIds?(id: string): readonly string[]
  /** What the service keeps of a message is kept under this, where ids change: it names the message as they do. */
  lastingName?(id: string): string
  /** The bytes of a draft, for changing and sending it. */
  draftSource?(session: S, at: { draft_id: string }): Promise<Uint8Array>
  /** Scheduling by mail (RFC 5546, RFC 6047), for accounts whose calendar server does none. */
  itip?: {
    /** Whether a change of an event was made, by the mark that its mails were written down with. */
    isMade(session: S, mark: string): Promise<boolean>
    /** Does in the account's calendar what a mail says that came into its mailbox. */
    receive(session: S, mail: ItipMail): Promise<void>
  }
  /** Noticing what others change in the account; without it the provider tells of its changes itself, or cannot. */
  changes?: ChangeSource<S>
  /** What availability asks of an account: when it is busy, and when it was last booked for a round-robin group. */
  availability?: {
    busy(
      session: S,
      at: { calendarIds: readonly string[]; from: number; to: number; tentativeAsBusy: boolean },
    ): Promise<BusyBlock[]>
    /** `tagged`: the events of the account whose metadata we keep, and which are marked with the group, newest first. */
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
type ProviderOperations<S> = Omit<Operations<S>, KeptResource> & {
  [R in KeptResource]: Operations<S>[R] | Operations<KeptSession>[R]
}

type Exact<P, Shape> = P & { [K in Exclude<keyof P, keyof Shape>]: never }

/** Checks an adapter against the interface, yet keeps its exact type: what is not written there does not exist. */
export const defineProvider =
  <S>() =>
  <const P extends Provider<S> & Partial<ProviderOperations<S>>>(
    provider: Exact<P, Provider<S> & ProviderOperations<S>>,
  ): P =>
    provider
