import type { Grant, ProviderKind, Trigger, triggers } from '@waypost/contract'
import type { z } from 'zod'
import type { Invitation } from '../formats/invitations.ts'
import type { AttendeeReply } from '../formats/itip-reading.ts'
import type { Report } from '../formats/parse-worker.ts'
import type { Clock } from '../lib/clock.ts'
import type { Egress } from '../lib/egress.ts'
import type { Log, QuotingError } from '../lib/log.ts'
import type { ParsePool } from '../lib/parse-pool.ts'
import type { Correspondent } from './contacts/correspondent.ts'
import type { ContactTables } from './contacts/tables.ts'
import type { CredentialForm } from './form.ts'
import type { Limits } from './limits.ts'
import type { Capability, Operations, OutgoingMessage } from './operations.ts'
import type { VirtualTables } from './virtual/tables.ts'

/** The only ways out of the process that an adapter is given. */
export interface Io {
  request: Egress['request']
  connect: Egress['connect']
  /** For clients that open their own sockets: the addresses they may use, and what TLS must ask for. */
  resolve: Egress['resolvePublic']
  secure: Egress['secure']
  /** Where one address stands for all hosts of the provider, such as a simulator's: that address, without slash at the end. */
  providerUrl: string | undefined
  clock: Clock
  signal: AbortSignal
  log: Log
  /** What the adapter keeps under a name for all accounts on this node, such as the keys of its provider. */
  shared<T extends object>(name: string, make: () => T): T
}

interface NetworkParts {
  egress: Egress
  clock: Clock
  log: Log
  providerUrls: Readonly<Record<string, string>>
  shared: SharedValues
}

/** What adapters share between the accounts of a node. Each node has its own, so that two in one process share nothing. */
export type SharedValues = Map<string, object>

/** What an adapter is given whatever its work is. */
export const networkIo = (from: NetworkParts, kind: string): Omit<Io, 'signal'> => ({
  request: from.egress.request,
  connect: from.egress.connect,
  resolve: from.egress.resolvePublic,
  secure: from.egress.secure,
  providerUrl: Object.hasOwn(from.providerUrls, kind) ? from.providerUrls[kind] : undefined,
  clock: from.clock,
  log: from.log,
  shared: (name, make) => sharedValue(from.shared, `${kind} ${name}`, make),
})

function sharedValue<T extends object>(values: SharedValues, name: string, make: () => T): T {
  // A kind of provider keeps one kind of thing under a name.
  const known = values.get(name) as T | undefined
  if (known) return known
  const made = make()
  values.set(name, made)
  return made
}

/** What an adapter is given for work that no session is open for. */
export const ioFor = (from: NetworkParts, kind: string, signal: AbortSignal): Io => ({
  ...networkIo(from, kind),
  signal,
})

/** What a notification of a trigger carries. */
export type ObjectOf<T extends Trigger> = z.output<(typeof triggers)[T]['object']>

/** What a session is opened with, beside the ways out. */
export interface SessionIo extends Io {
  /** The service's own address, for links and ids. */
  baseUrl: string
  /** How often to ask for what the provider does not tell by itself. */
  pollSeconds: number
  /** What the account's credentials are; opened at each call, and not to be kept. */
  credentials(): Record<string, unknown>
  /**
   * An access token of the account that the provider takes now, for kinds with `oauth`: fetched anew once it has expired,
   * by one node at a time. `refused` is the token that the provider did not take, where it is asked for another. What is
   * kept between requests gives the signal of the request that it works for.
   */
  accessToken(refused?: string, signal?: AbortSignal): Promise<string>
  /** The client in whose name the account is used, with the settings of its connector. */
  client(): Promise<ProviderClient>
  /** Where the provider may tell of changes, and the token that shows that the grant is meant; none where it cannot reach us. */
  push: { address: string; token: string } | undefined
  /**
   * What the adapter keeps under a name for this account on this node between requests, such as open connections. It is
   * made once, and disposed of when the credentials change or the node stops; `forget` is for what has ended by itself.
   */
  kept<T extends AsyncDisposable>(name: string, make: (forget: () => void) => T): T
  /** The HTML of a message as it is shown: without what would count a look at it through the API as opening it. */
  shown(html: string): string
  /** Reads what strangers wrote, apart from the other work of the node. */
  parse: ParsePool
  /** Tells the client something beside the answer, in a response header. */
  setResponseHeader(header: string, text: string): void
}

/** The service's own mail identity, as accounts that it keeps itself use it. */
export interface SystemMailbox {
  address: string
  /** Whether answers that are mailed to it are read. */
  readsReplies: boolean
  queue(...mails: Invitation[]): Promise<void>
}

/** What a session of an account that the service keeps itself is opened with beside. */
export interface LocalIo extends SessionIo {
  /** The tables of the account; inside a change they are bound to its transaction. */
  tables: VirtualTables
  /**
   * The service's own mail identity, where it has one; what is queued goes out after the change is kept. Throws where the
   * application has sent its mails of the day.
   */
  mail: SystemMailbox | undefined
  /** Tells the application of a change; inside a change it is kept with it. */
  notify<T extends Trigger>(trigger: T, object: ObjectOf<T>): Promise<void>
}

/** What a session is opened with for resources that the service keeps itself, though the account is elsewhere. */
export interface KeptIo extends SessionIo {
  /** The contacts of the account; inside a change they are bound to its transaction. */
  contacts: ContactTables
  notify: LocalIo['notify']
}

/** A session for such resources: nothing is opened at the provider. */
export interface KeptSession {
  grant: Grant
  io: KeptIo
}

/** The resources that the service may keep for an account. */
export type KeptResource = 'contacts' | 'contactGroups'

/** A client at a provider: the connector's own, or one of its credentials. */
export interface ProviderClient {
  /** What sort of credential it is; the connector's own client is a `connector`. */
  type: 'connector' | 'serviceaccount' | 'adminconsent'
  /** Its secrets and names: client_id and client_secret, or what a service account has. */
  data: Record<string, unknown>
  /** The settings of the connector, such as a topic or a tenant, without secrets. */
  settings: Record<string, unknown>
}

export interface OAuthTokens {
  accessToken: string
  /** Milliseconds. */
  expiresAt: number
  /** Where the provider gave a new one. */
  refreshToken?: string | undefined
  /** What the user consented to, where the provider says so. */
  scope?: readonly string[] | undefined
  idToken?: string | undefined
}

/** A user's way to the provider's own sign-in page. */
export interface SignIn {
  redirectUri: string
  state: string
  /** PKCE, S256. */
  codeChallenge: string
  scope: readonly string[]
  loginHint?: string | undefined
  /** The user is asked for consent even where it was given before, so that there is a refresh token. */
  consent: boolean
  /** What the user consented to earlier is asked for as well. */
  includeGranted: boolean
}

/** How users of a provider sign in at its own page, and how their tokens are kept fresh. */
export interface OAuth {
  /** Asked of every user beside what the application asks for. */
  identityScope: readonly string[]
  /** Asked where neither the application nor its connector says what it wants. */
  defaultScope: readonly string[]
  /** The one spelling of a scope that grants, errors and comparisons have: of several that the provider takes. */
  canonicalScope(scope: string): string
  signInUrl(client: ProviderClient, request: SignIn, io: Pick<Io, 'providerUrl'>): string
  /** Whether it is the provider that sends a user back, where it names itself in `iss` (RFC 9207). */
  isIssuer(issuer: string, io: Pick<Io, 'providerUrl'>): boolean
  /** Trades the provider's code; throws `authentication_failed`. */
  exchange(
    client: ProviderClient,
    answer: { code: string; redirectUri: string; codeVerifier: string },
    io: Io,
  ): Promise<OAuthTokens>
  /** A new access token from the account's credentials; throws `grant_invalid` where the provider takes them no longer. */
  refresh(client: ProviderClient, credentials: Record<string, unknown>, io: Io): Promise<OAuthTokens>
  /** Who the tokens belong to. The credentials of the identity are what `refresh` takes. */
  identify(client: ProviderClient, tokens: OAuthTokens, io: Io): Promise<Identity>
  /** Why the provider sent a user back without a code, in words of ours; undefined where its own say enough. */
  explain?(refusal: { error: string; description: string | null }): string | undefined
  /** Consent of an administrator for all accounts of an organization, where the provider has that. */
  adminConsent?: {
    url(client: ProviderClient, request: { redirectUri: string; state: string }, io: Pick<Io, 'providerUrl'>): string
    /** The organization that an administrator came back from; throws `authentication_failed` where it is not the one meant. */
    tenantIn(client: ProviderClient, query: URLSearchParams): string
  }
  /** Ends the account's tokens at the provider, where that is done when a grant is deleted. */
  revoke?(credentials: Record<string, unknown>, io: Io): Promise<void>
}

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

/** Who an account is, once its provider accepted the credentials. */
export interface Identity {
  email: string
  name: string | null
  providerUserId: string | null
  scope: string[]
  /** Settings that may be answered. */
  settings: Record<string, unknown>
  /** What is sealed and kept to open sessions with; absent where there is nothing secret. */
  credentials?: Record<string, unknown>
  /** The access token that the account was tried with. */
  tokens?: OAuthTokens
}

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
    /** Of a part of the account that the provider never tells of by itself. */
    polled?: true | undefined
  }
}[ChangeTrigger]

/** How an adapter is asked for changes. */
export interface SinceOptions {
  /** Nothing that happened before need be told; milliseconds. */
  notBefore: number
  /** The provider said that what makes it tell of changes has ended, or ends if nothing is done: it is asked for anew. */
  renewPush?: boolean | undefined
}

/** How an adapter notices changes. There is one path for data: `since`; `wait` only says when to look. */
export interface ChangeSource<S> {
  /**
   * What changed since the cursor, and the cursor after it; `more` when it has not told all yet. Without a cursor:
   * nothing, and where watching begins.
   * `people`, where the service keeps the contacts of the kind: whom the mail names that was read on the way.
   */
  since(
    session: S,
    cursor: string | undefined,
    options: SinceOptions,
  ): Promise<{ changes: Change[]; cursor: string; more?: boolean; people?: readonly Correspondent[] }>
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
  /** Files a copy, unless there is one or the provider does so itself; answers its id, where the account may be asked for it. */
  file(session: S, message: OutgoingMessage): Promise<string | undefined>
}

/** An adapter: a table of plain functions. What is not in the table is a capability that the provider does not have. */
// Outside its folder a provider's session is opaque: whoever has one got it from the same provider.
// biome-ignore lint/suspicious/noExplicitAny: the sessions of different providers have nothing in common
export interface Provider<S = any> {
  kind: ProviderKind
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
  /** The bytes of a draft, for changing and sending it. */
  draftSource?(session: S, at: { draft_id: string }): Promise<Uint8Array>
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

/** The operations of an adapter. Resources that the service keeps have the same for every kind. */
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
