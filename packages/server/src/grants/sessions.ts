/** Sessions of grants at their providers: the one place where an adapter is opened and given its ways out. */
import { clientOf } from '../applications/provider-client.ts'
import type { AttendeeReply } from '../formats/itip/reading.ts'
import { ApiError } from '../lib/api-error.ts'
import type { Clock } from '../lib/clock.ts'
import type { DataSeals } from '../lib/crypto/data-seals.ts'
import type { Secrets } from '../lib/crypto/secrets.ts'
import type { Egress } from '../lib/egress/egress.ts'
import type { Log } from '../lib/log.ts'
import type { ParsePool } from '../lib/parsing/pool.ts'
import type { Span } from '../lib/span.ts'
import type { Exchanges } from '../providers/exchanges.ts'
import type { OAuthTokens, ProviderClient } from '../providers/identity.ts'
import {
  type AccountMail,
  ioFor,
  type KeptIo,
  type KeptSession,
  networkIo,
  type SessionIo,
  type SharedValues,
} from '../providers/io.ts'
import type { Operations } from '../providers/operations.ts'
import type { Provider } from '../providers/provider.ts'
import {
  findAdapter,
  keepsResource,
  needAdapter,
  needOperation,
  needScopes,
  type Providers,
} from '../providers/registry.ts'
import type { ServerUrls } from '../providers/server-urls.ts'
import type { Database, Queries } from '../store/engine/database.ts'
import { getConnector } from '../store/tables/applications/connectors.ts'
import { contactTables } from '../store/tables/calendars-contacts/contacts.ts'
import type { Reach } from '../store/tables/calendars-contacts/virtual-tables.ts'
import { findGrant, type GrantRecord, type Locator } from '../store/tables/grants/grants.ts'
import { localIo, notifying, sayInHeader } from './local-io.ts'
import type { Notify } from './notify.ts'
import { createProviderTokens, type ProviderTokens } from './provider-tokens.ts'
import type { PushTokens } from './push-tokens.ts'
import { judgeRefusal } from './refused-credentials.ts'
import { createSessionCache, credentialsOf, type SessionCache } from './session-cache.ts'
import { refusal } from './states.ts'

export interface SessionsOptions {
  database: Database
  providers: Providers
  egress: Egress
  clock: Clock
  log: Log
  secrets: Secrets
  /** For what waits in the outbox. */
  seals: DataSeals
  parse: ParsePool
  /** Reads large answers of providers. */
  answers?: ParsePool | undefined
  notify: Notify
  baseUrl: string
  /** Where one address stands for all hosts of a provider. */
  providerUrls: Readonly<Record<string, string>>
  /** The same for servers of mail, calendars and contacts. */
  providerServers: Readonly<Record<string, ServerUrls>>
  /** What adapters keep for all accounts of this node. */
  shared: SharedValues
  /** Where providers may tell of changes; none where they cannot reach us. */
  push: { address(kind: string): string; tokens: PushTokens } | undefined
  pollSeconds: number
  /** The HTML of a message without the service's own pixel. */
  shown(html: string): string
  /** How an account sends in its own name. */
  accountMail(record: GrantRecord, signal: () => AbortSignal): AccountMail
  /** The address of the service's own mail identity, where it has one. */
  mailAddress: string | undefined
  /** Whether what is mailed to it is read. */
  readsReplies: boolean
  /** Mails that an application sends by it in a day. */
  mailPerDay: number
  /** Hears of every HTTP exchange with a provider. */
  exchanges?: Exchanges | undefined
  /** Hears how every question for an access token ended. */
  refreshed?(provider: string, outcome: Refreshed): void
  /** One operation of an adapter begins; answers what is to be called at its end, and its span where it is traced. */
  operated?(at: { provider: string; operation: string }, span: Span | undefined): Operated
}

/** How a question for a token ended; where it was refused, the account is lost. */
export type Refreshed = 'refreshed' | 'refused' | 'failed'

export interface Operated {
  span: Span | undefined
  ended(error: unknown): void
}

/** What one use of a session is bound to. */
export interface Use {
  /** The transaction, inside a change. */
  queries: Queries
  signal(): AbortSignal
  /** Response headers that tell the client something beside the answer. */
  responseHeaders: Record<string, string>
  /** Those of the application, unless it says otherwise. */
  reach?: Reach | undefined
  /** What it is worked for, where that is traced. */
  readonly span?: Span | undefined
  /** The request that it is for. */
  readonly requestId?: string | undefined
}

/** What telling guests may take when an account goes. */
const leaveMs = 30_000
/** What it may take to do what a guest mailed. */
const replyMs = 30_000

export type Operation = (...args: unknown[]) => Promise<unknown>

export interface Sessions extends AsyncDisposable {
  /** Reads what strangers wrote, apart from the other work of the node. */
  parse: ParsePool
  /** The grant that a locator names, if its data may be used now. */
  find(applicationId: string, locator: Locator): Promise<GrantRecord>
  /** A grant that was found, if its data may be used now. */
  usable(record: GrantRecord | undefined): GrantRecord
  providerOf(record: GrantRecord, capability: string): Provider
  /** Opens a session; what it is, only its provider knows. */
  open(record: GrantRecord, capability: string, use: Use): unknown
  /** Before a grant is deleted, in the same transaction: whoever its account has invited is told. */
  leave(record: GrantRecord, tx: Queries): Promise<void>
  /** Does what a guest mailed about an event of a grant, in a transaction; refuses where its data may not be used now. */
  receiveReply(record: GrantRecord, tx: Queries, eventId: string, reply: AttendeeReply): Promise<void>
  /** What to throw for what an operation threw; where the provider refused the credentials, the grant is invalid now. */
  judge(record: GrantRecord, error: unknown, requestId?: string): Promise<unknown>
  /** The operation of a resource, with a session bound that is opened at the first call. */
  bind(record: GrantRecord, at: { resource: string; operation: string }, use: Use): Operation
  /** The same, typed by the interface of the adapters. */
  operation<R extends keyof Operations<never>, O extends keyof Operations<never>[R] & string>(
    record: GrantRecord,
    at: { resource: R; operation: O },
    use: Use,
  ): Operations<never>[R][O] extends (session: never, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never
}

export function createSessions(options: SessionsOptions): Sessions {
  const kept = createSessionCache(options.log)
  const tokens = createProviderTokens(options)
  const providerOf = (record: GrantRecord, capability: string): Provider =>
    needAdapter(options.providers, record.grant, capability)

  const open = (record: GrantRecord, capability: string, use: Use): unknown => {
    const provider = providerOf(record, capability)
    if (provider.local) return provider.local.open(record.grant, localIo(options, record, use))
    if (!provider.open) throw new Error(`${provider.kind} opens no sessions`)
    return provider.open(record.grant, sessionIo({ ...options, kept, tokens, provider }, record, use))
  }

  /** A session for the operations of a resource: at the provider, or where the service keeps it, in our own tables. */
  const openFor = (record: GrantRecord, { id, resource }: { id: string; resource: string }, use: Use): unknown => {
    const provider = providerOf(record, id)
    if (provider.local || !keepsResource(provider, resource)) return open(record, id, use)
    const io = keptIo({ ...options, kept, tokens, provider }, record, use)
    return { grant: record.grant, io } satisfies KeptSession
  }

  const bind = (record: GrantRecord, at: { resource: string; operation: string }, use: Use): Operation => {
    const id = `${at.resource}.${at.operation}`
    const provider = providerOf(record, id)
    needOperation(provider, { id, ...at })
    needScopes(provider, record.grant, id)
    const operation: Operation = Reflect.get(Reflect.get(provider, at.resource), at.operation)
    let session: unknown
    const traced = { ...use, span: use.span }
    return async (...args) => {
      session ??= openFor(record, { id, resource: at.resource }, traced)
      const operated = options.operated?.({ provider: provider.kind, operation: id }, use.span)
      if (operated?.span) traced.span = operated.span
      try {
        const result = await operation(session, ...args)
        operated?.ended(undefined)
        return result
      } catch (error) {
        operated?.ended(error)
        throw await judge(record, error, use.requestId)
      }
    }
  }

  const usable = (record: GrantRecord | undefined): GrantRecord => {
    const refused = record ? refusal(record.status, record.grant.blocked) : 'grant_not_found'
    if (!record || refused) throw new ApiError(refused ?? 'grant_not_found')
    return record
  }

  const judge = (record: GrantRecord, error: unknown, requestId?: string): Promise<unknown> =>
    judgeRefusal(options, record, { error, requestId })

  const leave = async (record: GrantRecord, tx: Queries): Promise<void> => {
    const local = findAdapter(options.providers, record.grant)?.local
    if (!local?.leave) return
    const use = { queries: tx, signal: () => AbortSignal.timeout(leaveMs), responseHeaders: {} }
    try {
      await local.leave(open(record, 'grants.delete', use))
    } catch (error) {
      // Who wants data deleted does not wait for the quota of mails.
      if (!(error instanceof ApiError)) throw error
      options.log.warn({ grant_id: record.grant.id, code: error.code }, 'guests of a deleted account are not told')
    }
  }

  return {
    parse: options.parse,
    leave,
    async receiveReply(record, tx, eventId, reply) {
      const receive = findAdapter(options.providers, record.grant)?.local?.receiveReply
      if (!receive) return
      const use = { queries: tx, signal: () => AbortSignal.timeout(replyMs), responseHeaders: {} }
      await receive(open(usable(record), 'events.rsvp', use), eventId, reply)
    },
    find: async (applicationId, locator) => usable(await findGrant(options.database, applicationId, locator)),
    usable,
    providerOf,
    open,
    judge,
    bind,
    // The operation is the one of that name: the registry's types have checked it.
    operation: (record, at, use) => bind(record, at, use) as never,
    [Symbol.asyncDispose]: () => kept[Symbol.asyncDispose](),
  }
}

interface Opening extends SessionsOptions {
  kept: SessionCache
  tokens: ProviderTokens
  provider: Provider
}

/** The client in whose name a grant is used. */
async function clientFor({ database, secrets }: SessionsOptions, record: GrantRecord): Promise<ProviderClient> {
  const { applicationId, grant } = record
  const connector = await getConnector(database, applicationId, grant.provider)
  if (!connector) throw new ApiError('grant_invalid', 'the connector of the grant was deleted: set it up anew')
  return clientOf(database, secrets, connector, grant.credential_id)
}

function accessToken(
  options: Opening,
  record: GrantRecord,
  { refused, signal }: { refused: string | undefined; signal: AbortSignal },
): Promise<string> {
  const { provider, tokens } = options
  const { oauth } = provider
  if (!oauth) throw new Error(`${provider.kind} has no access tokens`)
  const refresh = async (credentials: Record<string, unknown>, signal: AbortSignal): Promise<OAuthTokens> => {
    try {
      const client = await clientFor(options, record)
      const fresh = await oauth.refresh(client, credentials, ioFor(options, provider.kind, signal))
      options.refreshed?.(provider.kind, 'refreshed')
      return fresh
    } catch (error) {
      const isRefused = error instanceof ApiError && error.code === 'grant_invalid'
      options.refreshed?.(provider.kind, isRefused ? 'refused' : 'failed')
      throw error
    }
  }
  return tokens.current(record, refresh, { refused, signal })
}

function sessionIo(options: Opening, record: GrantRecord, use: Use): SessionIo {
  const { applicationId, grant } = record
  const { baseUrl, secrets, parse, push, kept } = options
  return {
    ...networkIo(options, grant.provider, { owner: grant.id, span: () => use.span }),
    baseUrl,
    pollSeconds: options.pollSeconds,
    shown: options.shown,
    parse,
    credentials: () => credentialsOf(secrets, record),
    accessToken: (refused, signal = use.signal()) => accessToken(options, record, { refused, signal }),
    client: () => clientFor(options, record),
    push: push && {
      address: push.address(grant.provider),
      // Signed when it is asked for: few sessions do.
      get token() {
        return push.tokens.sign({ applicationId, grantId: grant.id })
      },
    },
    kept: (name, make) => kept.of(record, name, make),
    get accountMail() {
      return options.accountMail(record, use.signal)
    },
    get signal() {
      return use.signal()
    },
    get gathered() {
      return contactTables(use.queries, options.seals, { applicationId, grantId: grant.id })
    },
    setResponseHeader: (header, text) => sayInHeader(use.responseHeaders, header, text),
  }
}

/** The same for what we keep of an account that is elsewhere. */
function keptIo(options: Opening, record: GrantRecord, use: Use): KeptIo {
  const { applicationId, grant } = record
  return Object.assign(sessionIo(options, record, use), {
    contacts: contactTables(use.queries, options.seals, { applicationId, grantId: grant.id }),
    notify: notifying(options, record, use),
  } satisfies Omit<KeptIo, keyof SessionIo>)
}
