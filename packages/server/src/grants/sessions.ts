/** Sessions of grants at their providers: the one place where an adapter is opened and given its ways out. */
import { ApiError } from '../lib/api-error.ts'
import type { Clock } from '../lib/clock.ts'
import type { Egress } from '../lib/egress.ts'
import { newId } from '../lib/ids.ts'
import type { Log } from '../lib/log.ts'
import type { Operations } from '../providers/operations.ts'
import type { Provider, SessionIo } from '../providers/provider.ts'
import { needOperation, needProvider, type Providers } from '../providers/registry.ts'
import type { Database, Queries } from '../store/database.ts'
import { findGrant, type GrantRecord, type Locator } from '../store/grants.ts'
import { addToOutbox } from '../store/outbox.ts'
import { virtualTables } from '../store/virtual-tables.ts'
import type { Notify } from './notify.ts'
import { refusal } from './states.ts'

export interface SessionsOptions {
  database: Database
  providers: Providers
  egress: Egress
  clock: Clock
  log: Log
  notify: Notify
  baseUrl: string
  /** The address of the service's own mail identity, where it has one. */
  mailAddress: string | undefined
}

/** What one use of a session is bound to. */
export interface Use {
  /** The transaction, inside a change. */
  queries: Queries
  signal(): AbortSignal
  /** Response headers that tell the client something beside the answer. */
  remarks: Record<string, string>
}

export type Operation = (...args: unknown[]) => Promise<unknown>

export interface Sessions {
  /** The grant that a locator names, if its data may be used now. */
  find(applicationId: string, locator: Locator): Promise<GrantRecord>
  providerOf(record: GrantRecord, capability: string): Provider
  /** Opens a session; what it is, only its provider knows. */
  open(record: GrantRecord, capability: string, use: Use): unknown
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
  const providerOf = (record: GrantRecord, capability: string): Provider =>
    needProvider(options.providers, record.grant.provider, capability)

  const open = (record: GrantRecord, capability: string, use: Use): unknown => {
    const provider = providerOf(record, capability)
    if (!provider.open) throw new Error(`${provider.kind} opens no sessions`)
    return provider.open(record.grant, waysOut(options, record, use))
  }

  const bind = (record: GrantRecord, at: { resource: string; operation: string }, use: Use): Operation => {
    const id = `${at.resource}.${at.operation}`
    const provider = providerOf(record, id)
    needOperation(provider, { id, ...at })
    const operation: Operation = Reflect.get(Reflect.get(provider, at.resource), at.operation)
    let session: unknown
    return (...args) => {
      session ??= open(record, id, use)
      return operation(session, ...args)
    }
  }

  return {
    async find(applicationId, locator) {
      const record = await findGrant(options.database, applicationId, locator)
      const refused = record ? refusal(record.status, record.grant.blocked) : 'grant_not_found'
      if (!record || refused) throw new ApiError(refused ?? 'grant_not_found')
      return record
    },
    providerOf,
    open,
    bind,
    // The operation is the one of that name: the registry's types have checked it.
    operation: (record, at, use) => bind(record, at, use) as never,
  }
}

function waysOut(options: SessionsOptions, { applicationId, grant }: GrantRecord, use: Use): SessionIo {
  const { egress, clock, log, baseUrl } = options
  const now = clock.now()
  const later = { applicationId, grantId: grant.id, kind: 'mail.send', dueAt: now, now }
  return {
    request: egress.request,
    connect: egress.connect,
    clock,
    log,
    baseUrl,
    get signal() {
      return use.signal()
    },
    tables: virtualTables(use.queries, { applicationId, grantId: grant.id, kind: grant.provider }),
    mail:
      options.mailAddress === undefined
        ? undefined
        : {
            address: options.mailAddress,
            queue: async (mail) =>
              void (await addToOutbox(use.queries, { ...later, id: newId(), payload: JSON.stringify(mail) })),
          },
    notify: (trigger, object) =>
      options.notify(use.queries, { applicationId, grantId: grant.id, provider: grant.provider, trigger, object }),
    remark: (header, text) => {
      use.remarks[header] = use.remarks[header] ? `${use.remarks[header]}, ${text}` : text
    },
  }
}
