/** Sessions of grants at their providers: the only place where an adapter is opened and given its collaborators. */

import type { AttendeeReply } from '@waypost/formats/itip/reading'
import { ApiError } from '@waypost/platform/api-error'
import type { Clock } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { Secrets } from '@waypost/platform/crypto/secrets'
import type { Egress } from '@waypost/platform/egress/egress'
import type { Log } from '@waypost/platform/log'
import type { ParsePool } from '@waypost/platform/parsing/pool'
import type { Span } from '@waypost/platform/span'
import type { CallCount } from '@waypost/providers/call-count'
import type { Exchanges } from '@waypost/providers/exchanges'
import type { OAuthTokens, ProviderClient } from '@waypost/providers/identity'
import {
  type AccountMail,
  type CachedIo,
  type CachedSession,
  ioFor,
  networkIo,
  type SessionIo,
  type SharedValues,
} from '@waypost/providers/io'
import type { Operations } from '@waypost/providers/operations'
import type { Provider } from '@waypost/providers/provider'
import {
  findAdapter,
  keepsResource,
  needAdapter,
  needOperation,
  needScopes,
  type Providers,
} from '@waypost/providers/registry'
import type { ServerUrls } from '@waypost/providers/server-urls'
import type { Database, Queries } from '@waypost/store/engine/database'
import { getConnector } from '@waypost/store/tables/applications/connectors'
import { contactTables } from '@waypost/store/tables/calendars-contacts/contacts'
import type { Reach } from '@waypost/store/tables/calendars-contacts/virtual-tables'
import { findGrant, type GrantRecord, type Locator } from '@waypost/store/tables/grants/grants'
import { clientOf } from '../applications/credentials.ts'
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
  /** For jobs in the outbox. */
  seals: DataSeals
  parse: ParsePool
  /** Parses large provider responses. */
  answers?: ParsePool | undefined
  notify: Notify
  baseUrl: string
  /** One base URL for all hosts of a provider, for tests and proxies. */
  providerUrls: Readonly<Record<string, string>>
  /** The same for mail, calendar and contact servers. */
  providerServers: Readonly<Record<string, ServerUrls>>
  /** Values that adapters cache for all accounts of this node. */
  shared: SharedValues
  /** Where providers send push notifications. Undefined if they cannot reach this service. */
  push: { address(kind: string): string; tokens: PushTokens } | undefined
  pollSeconds: number
  /** The HTML of a message without the service's own tracking pixel. */
  shown(html: string): string
  /** Sends mail in the account's own name. */
  accountMail(record: GrantRecord, signal: () => AbortSignal): AccountMail
  /** The address of the service's own mail identity, if it has one. */
  mailAddress: string | undefined
  /** Whether replies to that address are read. */
  readsReplies: boolean
  /** Messages per day that an application may send through it. */
  mailPerDay: number
  /** Called for every HTTP exchange with a provider. */
  exchanges?: Exchanges | undefined
  /** Called with the outcome of every token refresh. */
  refreshed?(provider: string, outcome: Refreshed): void
  /**
   * Called when an adapter operation starts. Returns the function to call at its end, and its span if it is traced.
   */
  operated?(at: { provider: string; operation: string }, span: Span | undefined): Operated
}

/** The outcome of a token refresh. `refused` means that access to the account is lost. */
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
  /** Response headers with additional information for the client. */
  responseHeaders: Record<string, string>
  /** Default: the application's own. */
  reach?: Reach | undefined
  /** The parent span, if the request is traced. */
  readonly span?: Span | undefined
  /** The request that the session serves. */
  readonly requestId?: string | undefined
  /** Counts the provider calls of the request. */
  readonly calls?: CallCount | undefined
}

/** Time limit for notifying guests when an account is deleted. */
const leaveMs = 30_000
/** Time limit for applying a guest's reply. */
const replyMs = 30_000

export type Operation = (...args: unknown[]) => Promise<unknown>

export interface Sessions extends AsyncDisposable {
  /** Parses untrusted input in worker threads. */
  parse: ParsePool
  /** The grant that a locator identifies. Throws if its data may not be used now. */
  find(applicationId: string, locator: Locator): Promise<GrantRecord>
  /** Returns the grant. Throws if its data may not be used now. */
  usable(record: GrantRecord | undefined): GrantRecord
  providerOf(record: GrantRecord, capability: string): Provider
  /** Opens a session. Its type is private to the provider. */
  open(record: GrantRecord, capability: string, use: Use): unknown
  /** Called before a grant is deleted, in the same transaction: notifies the guests of its events. */
  leave(record: GrantRecord, tx: Queries): Promise<void>
  /** Removes some events of a deleted calendar. Returns their number, or undefined when nothing is left. */
  removeCalendarPiece(record: GrantRecord, tx: Queries, calendarId: string): Promise<number | undefined>
  /**
   * Applies a guest's emailed reply to an event, in a transaction. Throws if the grant's data may not be used now.
   */
  receiveReply(record: GrantRecord, tx: Queries, eventId: string, reply: AttendeeReply): Promise<void>
  /**
   * The error to throw for an operation's error. If the provider refused the credentials, the grant becomes invalid.
   */
  judge(record: GrantRecord, error: unknown, requestId?: string): Promise<unknown>
  /** An operation of a resource, bound to a session that opens with the first call. */
  bind(record: GrantRecord, at: { resource: string; operation: string }, use: Use): Operation
  /** Same as `bind`, typed by the adapter interface. */
  operation<R extends keyof Operations<never>, O extends keyof Operations<never>[R] & string>(
    record: GrantRecord,
    at: { resource: R; operation: O },
    use: Use,
  ): Operations<never>[R][O] extends (session: never, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never
}

export function createSessions(options: SessionsOptions): Sessions {
  const retained = createSessionCache(options.log)
  const tokens = createProviderTokens(options)
  const providerOf = (record: GrantRecord, capability: string): Provider =>
    needAdapter(options.providers, record.grant, capability)

  const open = (record: GrantRecord, capability: string, use: Use): unknown => {
    const provider = providerOf(record, capability)
    use.calls?.begin()
    if (provider.local) return provider.local.open(record.grant, localIo(options, record, use))
    if (!provider.open) throw new Error(`${provider.kind} does not open sessions`)
    return provider.open(record.grant, sessionIo({ ...options, retained, tokens, provider }, record, use))
  }

  /**
   * A session for the operations of a resource: at the provider, or in our own tables if the service stores the
   * resource.
   */
  const openFor = (record: GrantRecord, { id, resource }: { id: string; resource: string }, use: Use): unknown => {
    const provider = providerOf(record, id)
    if (provider.local || !keepsResource(provider, resource)) return open(record, id, use)
    const io = cachedIo({ ...options, retained, tokens, provider }, record, use)
    return { grant: record.grant, io } satisfies CachedSession
  }

  const bind = (record: GrantRecord, at: { resource: string; operation: string }, use: Use): Operation => {
    const id = `${at.resource}.${at.operation}`
    const provider = providerOf(record, id)
    needOperation(provider, { id, ...at })
    needScopes(provider, record.grant, id)
    use.calls?.begin()
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
      // Deleting data must not fail because of the mail quota.
      if (!(error instanceof ApiError)) throw error
      options.log.warn({ grant_id: record.grant.id, code: error.code }, 'guests of a deleted account are not notified')
    }
  }

  return {
    parse: options.parse,
    leave,
    async removeCalendarPiece(record, tx, calendarId) {
      const local = findAdapter(options.providers, record.grant)?.local
      const use = { queries: tx, signal: () => AbortSignal.timeout(leaveMs), responseHeaders: {} }
      return local?.removePiece?.(open(record, 'calendars.delete', use), calendarId)
    },
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
    // The operation with that name. The registry's types have checked it.
    operation: (record, at, use) => bind(record, at, use) as never,
    [Symbol.asyncDispose]: () => retained[Symbol.asyncDispose](),
  }
}

interface Opening extends SessionsOptions {
  retained: SessionCache
  tokens: ProviderTokens
  provider: Provider
}

/** The OAuth client of a grant. */
async function clientFor({ database, secrets }: SessionsOptions, record: GrantRecord): Promise<ProviderClient> {
  const { applicationId, grant } = record
  const connector = await getConnector(database, applicationId, grant.provider)
  if (!connector) throw new ApiError('grant_invalid', 'the connector of the grant was deleted: create it again')
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
  const { baseUrl, secrets, parse, push, retained } = options
  return {
    ...networkIo(options, grant.provider, { owner: grant.id, span: () => use.span }),
    baseUrl,
    pollSeconds: options.pollSeconds,
    shown: options.shown,
    parse,
    calls: use.calls,
    credentials: () => credentialsOf(secrets, record),
    accessToken: (refused, signal = use.signal()) => accessToken(options, record, { refused, signal }),
    client: () => clientFor(options, record),
    push: push && {
      address: push.address(grant.provider),
      // Signed lazily, because few sessions need it.
      get token() {
        return push.tokens.sign({ applicationId, grantId: grant.id })
      },
    },
    retained: (name, make) => retained.of(record, name, make),
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

/** Same as above, for data that the service stores for an account elsewhere. */
function cachedIo(options: Opening, record: GrantRecord, use: Use): CachedIo {
  const { applicationId, grant } = record
  return Object.assign(sessionIo(options, record, use), {
    contacts: contactTables(use.queries, options.seals, { applicationId, grantId: grant.id }),
    notify: notifying(options, record, use),
  } satisfies Omit<CachedIo, keyof SessionIo>)
}
