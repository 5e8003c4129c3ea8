/** What a request works with: the operation of its provider, and its transactions. */
import type { Audience } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { within } from '@waypost/platform/span'
import type { CallCount } from '@waypost/providers/call-count'
import { checkLimits } from '@waypost/providers/limits'
import { keepsResource } from '@waypost/providers/registry'
import type { Database, Queries } from '@waypost/store/engine/database'
import type { DiskRoom } from '@waypost/store/engine/disk-room'
import type { Reach } from '@waypost/store/tables/calendars-contacts/virtual-tables'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import { isLimited, mayUseGrant } from '../../applications/key-rights.ts'
import type { Caller } from '../../grants/caller.ts'
import type { Operation } from '../../grants/sessions.ts'
import { outcomeOf } from '../../telemetry/provider-calls.ts'
import type { WireAnswer } from '../http/answer.ts'
import { tellIgnored } from '../http/ignored-fields.ts'
import type { ApiServices } from './api-services.ts'
import type { RequestContext, Write } from './request-context.ts'
import type { ResponseBuilder } from './response-builder.ts'

/**
 * Gives a request the operation of its provider: `op` for reading, and `change` to run it as a change. If the service itself
 * stores the account, the change runs in one transaction. Anything else that is stored with the change is written in that
 * transaction too, or else in one after the provider's change.
 */
export function addOperations(api: ApiServices, context: RequestContext, record: GrantRecord): void {
  const { named } = context.served
  const { query, headers, body, responseHeaders, span, requestId, application, calls } = context
  const bind = (queries: Queries): Operation =>
    api.accounts.sessions.bind(record, named, {
      queries,
      signal: () => context.signal,
      responseHeaders,
      reach: application ? reachOf(application) : 'application',
      span,
      requestId,
      calls,
    })
  const op = bind(api.storage.database)
  const provider = api.accounts.sessions.providerOf(record, named.id)
  tellIgnored(responseHeaders, checkLimits(provider, named.id, { query, headers, body }))
  const isOurs = keepsResource(provider, named.resource)
  context.op = op
  context.change = async (work, keep) => {
    if (isOurs) {
      const changed = (tx: Queries): Promise<unknown> => work(bind(tx), tx)
      // Changes of events lock their grant first, and are small; changes of calendars may rewrite many events.
      const sharing =
        named.resource === 'events' ? { key: record.grant.id, applicationId: record.applicationId } : undefined
      return context.write(async (tx) => (keep ? keep(tx, await changed(tx)) : changed(tx)), sharing)
    }
    context.reachedProvider = true
    const made = await work(op, api.storage.database).catch((error: unknown) => {
      // An earlier attempt of this request has already deleted the object.
      const isDone = context.once?.again && named.route.method === 'DELETE'
      if (isDone && error instanceof ApiError && error.code === 'not_found') return undefined
      throw error
    })
    return keep ? context.write((tx) => keep(tx, made)) : made
  }
}

/** A request that reads objects of its grant besides its own operation. */
export interface GrantReading {
  grant: GrantRecord
  signal: AbortSignal
  calls: CallCount
}

/** How a handler opens a session of its own. */
export const useFor = (
  context: Pick<GrantReading, 'signal' | 'calls'>,
  queries: Queries,
  responseHeaders: Record<string, string> = {},
) => ({ queries, signal: () => context.signal, responseHeaders, calls: context.calls })

/** The accounts that a caller may access besides that of its request. */
export function reachOf({ grantId, credential }: Pick<Caller, 'grantId' | 'credential'>): Reach {
  if (grantId !== undefined) return 'grant'
  return credential && isLimited(credential) ? (grant) => mayUseGrant(credential, grant) : 'application'
}

/** Administrators can always sign in and change settings, to make room on a full disk. */
const limited: ReadonlySet<string> = new Set<Audience>(['grant', 'application', 'guest'])

/**
 * Gives a request its transactions. With the change they store its audit entry, and its answer under an Idempotency-Key.
 * `stored` is that answer, once it is in the store.
 */
export function addWrites(
  { database, room }: { database: Database; room?: Pick<DiskRoom, 'needRoom'> | undefined },
  context: RequestContext,
  response: ResponseBuilder,
): { stored(): WireAnswer | undefined } {
  const { audit, attempt, span } = context
  let stored: WireAnswer | undefined
  const { method } = context.request
  const { audience } = context.served.named.route
  const isLimited = method !== 'DELETE' && limited.has(audience)
  const write: Write = async (work, sharing) => {
    if (isLimited) room?.needRoom()
    const before = { stored, responseHeaders: { ...context.responseHeaders } }
    const run = async (tx: Queries): Promise<unknown> => {
      // Work that shares a transaction may run twice: headers of the first run do not count.
      response.restore(before.responseHeaders)
      const value = await work(tx)
      await audit?.keep(tx, value)
      if (attempt && !before.stored) {
        stored = await response.answer(value)
        await attempt.complete(tx, stored)
      }
      return value
    }
    // Audited work has a transaction of its own, so that its entry is written once.
    const transaction = (): Promise<unknown> => database.transaction(run, audit ? undefined : sharing)
    const value = await within(span?.child('store transaction', 'internal'), transaction, outcomeOf)
    audit?.retained()
    return value
  }
  context.write = write
  return { stored: () => stored }
}
