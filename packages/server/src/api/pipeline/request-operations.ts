import type { NamedRoute } from '@waypost/contract'
import type { Operation } from '../../grants/sessions.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { Span } from '../../lib/span.ts'
import { checkLimits } from '../../providers/limits.ts'
import type { Once } from '../../providers/operations.ts'
import { keepsResource } from '../../providers/registry.ts'
import type { Queries } from '../../store/engine/database.ts'
import type { Reach } from '../../store/tables/calendars-contacts/virtual-tables.ts'
import type { GrantRecord } from '../../store/tables/grants/grants.ts'
import { tellIgnored } from './ignored-fields.ts'
import type { PipelineContext } from './pipeline-context.ts'
import type { RequestContext } from './request-context.ts'
import type { Write } from './request-writes.ts'

/** Whether a provider was asked to change something: it may have done so, however the request ends. */
export interface Outside {
  reached?: boolean
}

export interface OperationUse {
  /** The fields of the request, which are held against the limits of the provider. */
  request: { query: unknown; headers: unknown; body: unknown }
  responseHeaders: Record<string, string>
  write: Write
  signal(): AbortSignal
  reach: Reach
  outside: Outside
  once: Once | undefined
  span: Span | undefined
  requestId: string
}

/**
 * The operation for reading, and the way to run it as a change: in one transaction where we keep the account ourselves.
 * What the service keeps beside a change is written in that transaction too, or else in one after the provider's change.
 */
export function operationsOf(pipeline: PipelineContext, named: NamedRoute, record: GrantRecord, use: OperationUse) {
  const bind = (queries: Queries): Operation =>
    pipeline.sessions.bind(record, named, {
      queries,
      signal: use.signal,
      responseHeaders: use.responseHeaders,
      reach: use.reach,
      span: use.span,
      requestId: use.requestId,
    })
  const op = bind(pipeline.database)
  const provider = pipeline.sessions.providerOf(record, named.id)
  const ignored = checkLimits(provider, named.id, use.request)
  tellIgnored(use.responseHeaders, ignored)
  const isKept = keepsResource(provider, named.resource)
  const change: RequestContext['change'] = async (work, keep) => {
    const changed = (tx: Queries): Promise<unknown> => work(bind(tx), tx)
    // Changes of events lock their grant first, and are small; those of calendars may rewrite many events.
    const sharing = named.resource === 'events' ? { key: record.grant.id } : undefined
    if (isKept) return use.write(async (tx) => (keep ? keep(tx, await changed(tx)) : changed(tx)), sharing)
    use.outside.reached = true
    const made = await work(op, pipeline.database).catch((error: unknown) => {
      // What is to be deleted is gone: a former try of this request has done it.
      const isDone = use.once?.again && named.route.method === 'DELETE'
      if (isDone && error instanceof ApiError && error.code === 'not_found') return undefined
      throw error
    })
    return keep ? use.write((tx) => keep(tx, made)) : made
  }
  return { op, change }
}
