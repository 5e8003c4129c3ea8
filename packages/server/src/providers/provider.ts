import type { Grant, ProviderKind, Trigger, triggers } from '@waypost/contract'
import type { z } from 'zod'
import type { Invitation } from '../formats/invitations.ts'
import type { Report } from '../formats/parse-worker.ts'
import type { Clock } from '../lib/clock.ts'
import type { Egress } from '../lib/egress.ts'
import type { Log } from '../lib/log.ts'
import type { ParsePool } from '../lib/parse-pool.ts'
import type { Letter, Operations } from './operations.ts'
import type { VirtualTables } from './virtual/tables.ts'

/** The only ways out of the process that an adapter is given. */
export interface Io {
  request: Egress['request']
  connect: Egress['connect']
  /** For clients that open their own sockets: the addresses they may use, and what TLS must ask for. */
  resolve: Egress['resolvePublic']
  secure: Egress['secure']
  clock: Clock
  signal: AbortSignal
  log: Log
}

/** The guarded ways out, as adapters take them. */
export const waysOut = (egress: Egress): Pick<Io, 'request' | 'connect' | 'resolve' | 'secure'> => ({
  request: egress.request,
  connect: egress.connect,
  resolve: egress.resolvePublic,
  secure: egress.secure,
})

/** What a notification of a trigger carries. */
export type ObjectOf<T extends Trigger> = z.output<(typeof triggers)[T]['object']>

/** What a session is opened with, beside the ways out. */
export interface SessionIo extends Io {
  /** The service's own address, for links and ids. */
  baseUrl: string
  /** Tables for accounts that the service keeps itself; inside a change they are bound to its transaction. */
  tables: VirtualTables
  /** The service's own mail identity, where it has one; what is queued goes out after the change is kept. */
  mail: { address: string; queue(mail: Invitation): Promise<void> } | undefined
  /** How often to ask for what the provider does not tell by itself. */
  pollSeconds: number
  /** What the account's credentials are; opened at each call, and not to be kept. */
  credentials(): Record<string, unknown>
  /**
   * What the adapter keeps for this account on this node between requests, such as open connections. It is made once,
   * and disposed of when the credentials change or the node stops; `forget` is for what has ended by itself.
   */
  kept<T extends AsyncDisposable>(make: (forget: () => void) => T): T
  /** The HTML of a message as it is shown: without what would count a look at it through the API as opening it. */
  shown(html: string): string
  /** Reads what strangers wrote, apart from the other work of the node. */
  parse: ParsePool
  /** Tells the application of a change; inside a change it is kept with it. */
  notify<T extends Trigger>(trigger: T, object: ObjectOf<T>): Promise<void>
  /** Tells the client something beside the answer, in a response header. */
  remark(header: string, text: string): void
}

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
}

/** A block of time in which somebody is not free, in Unix seconds. */
export interface BusyBlock {
  start: number
  end: number
}

type ChangeTrigger = 'message.created' | 'message.updated' | 'folder.created' | 'folder.updated' | 'folder.deleted'

/** Something that happened at the provider, as it is told. */
export type Change = {
  [T in ChangeTrigger]: {
    trigger: T
    object: ObjectOf<T>
    /** Milliseconds. */
    happenedAt: number
    /** Of a message that came: its Message-ID and those that it answers, the direct parent last; without brackets. */
    names?: { messageId?: string | undefined; references: readonly string[] } | undefined
    /** Of a message that came: what a mail system says in it of one that was sent. */
    report?: Report | undefined
  }
}[ChangeTrigger]

/** How an adapter notices changes. There is one path for data: `since`; `wait` only says when to look. */
export interface ChangeSource<S> {
  /**
   * What changed since the cursor, and the cursor after it; `more` when it has not told all yet. Without a cursor:
   * nothing, and where watching begins. Nothing that happened before `notBefore`, in milliseconds, need be told.
   */
  since(
    session: S,
    cursor: string | undefined,
    options: { notBefore: number },
  ): Promise<{ changes: Change[]; cursor: string; more?: boolean }>
  /** Resolves when something may have changed, or the provider wants to be asked again; rejects when the connection is lost. */
  wait(session: S, signal: AbortSignal): Promise<void>
}

/** Why a message was not sent. The message is for the client. */
export class SendFailed extends Error {
  override readonly name = 'SendFailed'
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
  /** Files a copy, unless there is one or the provider does so itself; answers its id. */
  file(session: S, letter: Letter): Promise<string>
}

/** An adapter: a table of plain functions. What is not in the table is a capability that the provider does not have. */
// Outside its folder a provider's session is opaque: whoever has one got it from the same provider.
// biome-ignore lint/suspicious/noExplicitAny: the sessions of different providers have nothing in common
export interface Provider<S = any> {
  kind: ProviderKind
  /** The account is kept in our own tables: its operations run in the transaction of the request. */
  local?: true
  /** Tries the credentials of custom authentication at the provider. Settings were checked against the contract. */
  authenticate(settings: Record<string, unknown>, io: Io): Promise<Identity>
  /** Opens a session for the operations of a request. */
  open?(grant: Grant, io: SessionIo): S
  sent?: SentMail<S>
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
    lastBooked(session: S, at: { calendarIds: readonly string[]; group: string }): Promise<number | undefined>
  }
}

type Exact<P, Shape> = P & { [K in Exclude<keyof P, keyof Shape>]: never }

/** Checks an adapter against the interface, yet keeps its exact type: what is not written there does not exist. */
export const defineProvider =
  <S>() =>
  <const P extends Provider<S> & Partial<Operations<S>>>(provider: Exact<P, Provider<S> & Operations<S>>): P =>
    provider
