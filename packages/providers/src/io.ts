/** The environment of an adapter: its network access, and the values that a session of an account is opened with. */
import type { Grant, Trigger, triggers } from '@waypost/contract'
import type { Invitation } from '@waypost/formats/itip/invitations'
import type { Clock } from '@waypost/platform/clock'
import type { Egress, EgressRequest } from '@waypost/platform/egress/egress'
import type { Log } from '@waypost/platform/log'
import type { ParsePool } from '@waypost/platform/parsing/pool'
import type { Span } from '@waypost/platform/span'
import type { z } from 'zod'
import type { CallCount } from './call-count.ts'
import type { ContactTables } from './contacts/tables.ts'
import { type Exchanges, followedConnection, followedRequest } from './exchanges.ts'
import type { ProviderClient } from './identity.ts'
import type { ServerUrls } from './server-urls.ts'
import { type AnswerThreads, answerThreads } from './shared/answer-threads.ts'
import type { VirtualTables } from './virtual/tables.ts'

/** The only network access of an adapter. */
export interface Io {
  request: Egress['request']
  connect: Egress['connect']
  /** An HTTP connection for a single account. */
  connection: Egress['connection']
  /** For clients that open their own sockets: the allowed addresses, and the TLS options. */
  resolve: Egress['resolvePublic']
  secure: Egress['secure']
  /** One URL that replaces all hosts of the provider, such as a simulator; without a slash at the end. */
  providerUrl: string | undefined
  /** The same for its servers of mail, calendars and contacts, by protocol. */
  providerServers: ServerUrls
  clock: Clock
  signal: AbortSignal
  log: Log
  /** Counts the calls of the request that the work is for. */
  calls?: CallCount | undefined
  /** Threads that read large answers; absent in a command, which reads them on the main thread. */
  answers?: AnswerThreads | undefined
  /** A value that the adapter caches under a name for all accounts on this node, such as the keys of its provider. */
  shared<T extends object>(name: string, make: () => T): T
}

interface NetworkParts {
  egress: Egress
  clock: Clock
  log: Log
  providerUrls: Readonly<Record<string, string>>
  providerServers?: Readonly<Record<string, ServerUrls>> | undefined
  shared: SharedValues
  /** Threads that read large answers. */
  answers?: ParsePool | undefined
  /** Observes every HTTP request to a provider. */
  exchanges?: Exchanges | undefined
}

/** Values that adapters share between the accounts of a node. Two nodes in one process share nothing. */
export type SharedValues = Map<string, object>

/**
 * The environment of an adapter for any work. `owner` is the account that large answers are read for; `span` returns
 * the current span.
 */
export const networkIo = (
  from: NetworkParts,
  kind: string,
  { owner = kind, span = () => undefined }: { owner?: string; span?: () => Span | undefined } = {},
): Omit<Io, 'signal'> => ({
  ...httpOf(from, kind, span),
  connect: from.egress.connect,
  resolve: from.egress.resolvePublic,
  secure: from.egress.secure,
  providerUrl: Object.hasOwn(from.providerUrls, kind) ? from.providerUrls[kind] : undefined,
  providerServers: from.providerServers?.[kind] ?? {},
  clock: from.clock,
  log: from.log,
  answers: from.answers && answerThreads(from.answers, owner),
  shared: (name, make) => sharedOf(from.shared, kind, { name, make }),
})

/** HTTP access, observed if there is an observer. */
function httpOf(
  { egress, exchanges }: NetworkParts,
  kind: string,
  span: () => Span | undefined,
): Pick<Io, 'request' | 'connection'> {
  if (!exchanges) return { request: egress.request, connection: egress.connection }
  const begin = (request: EgressRequest) => exchanges.begin(kind, request, span())
  return {
    request: followedRequest(egress.request, begin),
    connection: followedConnection(egress.connection, begin),
  }
}

/** A value that adapters of a kind share under a name. */
export function sharedOf<T extends object>(
  values: SharedValues,
  kind: string,
  { name, make }: { name: string; make(): T },
): T {
  const key = `${kind} ${name}`
  // A kind of provider uses a name for one type of value.
  const known = values.get(key) as T | undefined
  if (known) return known
  const made = make()
  values.set(key, made)
  return made
}

/** The environment of an adapter for work without a session. */
export const ioFor = (from: NetworkParts, kind: string, signal: AbortSignal): Io => ({
  ...networkIo(from, kind),
  signal,
})

/** The object of a notification. The plain text of an event's description is added where notifications are written. */
export type ObjectOf<T extends Trigger> = T extends 'event.created' | 'event.updated'
  ? Omit<z.output<(typeof triggers)[T]['object']>, 'text_description'>
  : z.output<(typeof triggers)[T]['object']>

/** The values that a session is opened with, in addition to network access. */
export interface SessionIo extends Io {
  /** The URL of the service, for links and ids. */
  baseUrl: string
  /** The poll interval for changes that the provider does not push. */
  pollSeconds: number
  /** The account's credentials; unsealed at each call, and not to be cached. */
  credentials(): Record<string, unknown>
  /**
   * A valid access token of the account, for kinds with `oauth`. An expired one is refreshed by one node at a time.
   * `refused` is a token that the provider refused, to get another one. A value that outlives a request passes the
   * signal of the request that it works for.
   */
  accessToken(refused?: string, signal?: AbortSignal): Promise<string>
  /** The client that acts for the account, with the settings of its connector. */
  client(): Promise<ProviderClient>
  /**
   * The URL for pushes, and the token that identifies the grant; undefined if the provider cannot reach this service.
   */
  push: { address: string; token: string } | undefined
  /**
   * A value that the adapter caches under a name for this account on this node between requests, such as open
   * connections. It is created once, and disposed of when the credentials change or the node stops. `forget` is for a
   * value that has ended by itself.
   */
  retained<T extends AsyncDisposable>(name: string, make: (forget: () => void) => T): T
  /**
   * The HTML of a message without tracking pixels of this service, so that reading it through the API does not count
   * as opening.
   */
  shown(html: string): string
  /** Parses untrusted content in other threads. */
  parse: ParsePool
  /** Sets a response header with information for the client. */
  setResponseHeader(header: string, text: string): void
  /** Sends mail about events from the account itself, through its own mail server. */
  accountMail: AccountMail
  /**
   * The correspondents that the service collected from the account's mail, to be read together with an address book.
   */
  gathered: Pick<ContactTables, 'list' | 'get'>
}

/** Sends mail about events from an account whose calendar server sends none. */
export interface AccountMail {
  /**
   * Stores mails before the change that they announce. They are sent once the change is made, each once. `mark` is
   * passed to `Provider.itip.isMade` if the outcome of the change was not reported.
   */
  hold(mails: readonly Invitation[], mark: string): Promise<HeldMails>
  /** Sends a mail and waits for it; throws if it was not sent. */
  send(mail: Invitation): Promise<void>
}

export interface HeldMails {
  /** The change is made. */
  release(): Promise<void>
  /** The change was refused: no mail is sent. */
  drop(): Promise<void>
}

/** The service's own mail identity, which accounts stored by the service use. */
export interface SystemMailbox {
  address: string
  /** Whether mailed answers are read. */
  readsReplies: boolean
  queue(...mails: Invitation[]): Promise<void>
}

/** The values that a session of an account stored by the service is opened with. It has no network access. */
export interface LocalIo extends Pick<SessionIo, 'baseUrl' | 'clock' | 'shared' | 'setResponseHeader'> {
  /** The tables of the account; inside a change they are bound to its transaction. */
  tables: VirtualTables
  /**
   * The service's own mail identity, if it has one. Queued mail is sent after the change is committed. Throws if the
   * application has reached its daily limit.
   */
  mail: SystemMailbox | undefined
  /** Notifies the application of a change; inside a change it is stored in the same transaction. */
  notify<T extends Trigger>(trigger: T, object: ObjectOf<T>): Promise<void>
}

/** The values that a session is opened with for resources that the service stores for accounts at a provider. */
export interface CachedIo extends SessionIo {
  /** The contacts of the account; inside a change they are bound to its transaction. */
  contacts: ContactTables
  notify: LocalIo['notify']
}

/** A session for such resources: nothing is opened at the provider. */
export interface CachedSession {
  grant: Grant
  io: CachedIo
}
