/** What an adapter is given: its ways out of the process, and what a session of an account is opened with. */
import type { Grant, Trigger, triggers } from '@waypost/contract'
import type { z } from 'zod'
import type { Invitation } from '../formats/itip/invitations.ts'
import type { Clock } from '../lib/clock.ts'
import type { Egress, EgressRequest } from '../lib/egress/egress.ts'
import type { Log } from '../lib/log.ts'
import type { ParsePool } from '../lib/parsing/pool.ts'
import type { Span } from '../lib/span.ts'
import type { ContactTables } from './contacts/tables.ts'
import { type Exchanges, followedConnection, followedRequest } from './exchanges.ts'
import type { ProviderClient } from './identity.ts'
import type { ServerUrls } from './server-urls.ts'
import { type AnswerThreads, answerThreads } from './shared/answer-threads.ts'
import type { VirtualTables } from './virtual/tables.ts'

/** The only ways out of the process that an adapter is given. */
export interface Io {
  request: Egress['request']
  connect: Egress['connect']
  /** A connection of HTTP for one account alone. */
  connection: Egress['connection']
  /** For clients that open their own sockets: the addresses they may use, and what TLS must ask for. */
  resolve: Egress['resolvePublic']
  secure: Egress['secure']
  /** Where one address stands for all hosts of the provider, such as a simulator's: that address, without slash at the end. */
  providerUrl: string | undefined
  /** The same for its servers of mail, calendars and contacts, by their protocol. */
  providerServers: ServerUrls
  clock: Clock
  signal: AbortSignal
  log: Log
  /** Reads large answers in threads; where there is none, as in a command, they are read where they are. */
  answers?: AnswerThreads | undefined
  /** What the adapter keeps under a name for all accounts on this node, such as the keys of its provider. */
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
  /** Hears of every HTTP exchange with a provider. */
  exchanges?: Exchanges | undefined
}

/** What adapters share between the accounts of a node. Each node has its own, so that two in one process share nothing. */
export type SharedValues = Map<string, object>

/**
 * What an adapter is given whatever its work is. `owner` is for whom large answers are read, and `span` answers what it works
 * for at the moment.
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

/** The ways out over HTTP, followed where somebody listens. */
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

/** What adapters of a kind share under a name. */
export function sharedOf<T extends object>(
  values: SharedValues,
  kind: string,
  { name, make }: { name: string; make(): T },
): T {
  const key = `${kind} ${name}`
  // A kind of provider keeps one kind of thing under a name.
  const known = values.get(key) as T | undefined
  if (known) return known
  const made = make()
  values.set(key, made)
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
  /** Mails about events in the account's own name, through its own mail server. */
  accountMail: AccountMail
  /** Whom the mail of the account names, as the service has gathered it: to be read beside an address book. */
  gathered: Pick<ContactTables, 'list' | 'get'>
}

/** How an account sends mails about its events itself, where its calendar server sends none. */
export interface AccountMail {
  /**
   * Writes mails down before the change is made that they tell of. They leave once it is made, each once; `mark` is what
   * `Provider.itip.isMade` is asked with where nobody has said by then what became of the change.
   */
  hold(mails: readonly Invitation[], mark: string): Promise<HeldMails>
  /** Sends a mail and waits for it; throws why it did not leave. */
  send(mail: Invitation): Promise<void>
}

export interface HeldMails {
  /** The change is made. */
  release(): Promise<void>
  /** The change was refused: nothing is told. */
  drop(): Promise<void>
}

/** The service's own mail identity, as accounts that it keeps itself use it. */
export interface SystemMailbox {
  address: string
  /** Whether answers that are mailed to it are read. */
  readsReplies: boolean
  queue(...mails: Invitation[]): Promise<void>
}

/** What a session of an account that the service keeps itself is opened with: there is nothing to reach. */
export interface LocalIo extends Pick<SessionIo, 'baseUrl' | 'clock' | 'shared' | 'setResponseHeader'> {
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
