/** Who a request is of, what it is about, and whether it may be made now: what comes before its body is looked at. */
import type { NamedRoute, Route } from '@waypost/contract'
import type { Acting } from '../applications/admin-authentication.ts'
import { type AuditNote, openAudit } from '../applications/audit.ts'
import { isNamed, locatorFor, parseLocator } from '../grants/locator.ts'
import { ApiError } from '../lib/api-error.ts'
import type { Span } from '../lib/span.ts'
import { needOperation } from '../providers/registry.ts'
import type { GrantRecord } from '../store/grants.ts'
import { administrator } from '../telemetry/load.ts'
import { rateHeaders } from '../telemetry/rate-limit.ts'
import { type Admitted, authenticateAdministrator, authenticateApplication, type Caller } from './authenticate.ts'
import { isMultipart } from './multipart.ts'
import type { PipelineContext } from './pipeline-context.ts'

export interface Incoming {
  request: Request
  requestId: string
  params: Record<string, string>
  /** Fields of the query that stand in the path: an alias may have them there. */
  inPath: Record<string, string>
  path: string
  /** The address of the client, for limits and logs. */
  address: string
  /** Where the request is traced. */
  span?: Span | undefined
}

/** Who a request is of, and what it is about, as far as that is known. */
export interface Parties {
  caller: Caller | undefined
  /** The administrator, also where it calls for an application. */
  acting: Acting | undefined
  audit: AuditNote | undefined
  grant: GrantRecord | undefined
}

/** The methods of requests that change something. */
export const changing = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Finds out who calls and what about, and counts the call; answers the headers that tell of its budget. */
export async function admit(
  pipeline: PipelineContext,
  named: NamedRoute,
  { request, address, params }: Incoming,
  parties: Parties,
): Promise<Record<string, string>> {
  const { route } = named
  if (route.audience === 'administrator') {
    parties.acting = await authenticateAdministrator(pipeline.authentication, request, address)
    pipeline.load?.learn(credentialOf(request), administrator)
    beginAudit(pipeline, named, { request, params }, parties)
    return {}
  }
  if (route.audience !== 'application' && route.audience !== 'grant') return {}
  const grant = route.audience === 'grant' ? parseLocator(params.grant_id ?? '') : undefined
  const { caller, named: found } = await authenticateApplication(pipeline.authentication, request, { address, grant })
  parties.caller = caller
  pipeline.load?.learn(credentialOf(request), caller.acting ? administrator : caller.id)
  if (caller.acting) {
    parties.acting = caller.acting
    beginAudit(pipeline, named, { request, params }, parties)
  }
  if (caller.grantId !== undefined && route.audience === 'application' && !route.token) {
    throw new ApiError('api_key_required')
  }
  if (route.audience === 'application') return countCall(pipeline, route, caller.id, request)
  const record = await usableGrant(pipeline, named, { caller, found, segment: params.grant_id ?? '' })
  parties.grant = record
  pipeline.activity?.used(record.grant.id)
  return countCall(pipeline, route, record.grant.id, request)
}

const credentialOf = ({ headers }: Request): string | undefined =>
  headers.get('authorization') ?? headers.get('cookie') ?? undefined

/** What an administrator changes is written down. */
function beginAudit(
  pipeline: PipelineContext,
  named: NamedRoute,
  at: Pick<Incoming, 'request' | 'params'>,
  parties: Parties,
): void {
  const { acting, caller } = parties
  if (!acting || !changing.has(at.request.method)) return
  const now = (): number => pipeline.clock.now()
  parties.audit = openAudit({ named, params: at.params, applicationId: caller?.id, ...acting, now })
}

export const finishAudit = (pipeline: PipelineContext, audit: AuditNote, status: number): Promise<void> =>
  audit
    .finish(pipeline.database, status)
    .catch((error) => pipeline.log.error({ error }, 'a change could not be written down'))

/** Counts a call against the budget of its group; the headers tell what is left. */
function countCall(pipeline: PipelineContext, route: Route, id: string, request: Request): Record<string, string> {
  const uploads = route.parts && isMultipart(request.headers.get('content-type'))
  const group = uploads ? 'multipart' : (route.rate ?? (route.audience === 'grant' ? 'grant' : 'application'))
  return pipeline.limiter && group !== 'none' ? rateHeaders(pipeline.limiter.take(group, id, pipeline.clock.now())) : {}
}

type Naming = { caller: Caller; found: Admitted['named']; segment: string }

/** The grant that a path names; the bearer of an access token names no other than its own. */
async function findFor(
  { sessions }: PipelineContext,
  { caller: { id, grantId }, found, segment }: Naming,
): Promise<GrantRecord> {
  if (found) return sessions.usable(found.record)
  if (grantId === undefined) return sessions.find(id, locatorFor(segment))
  const own = await sessions.find(id, { by: 'id', value: grantId })
  if (!isNamed(own, segment)) throw new ApiError('grant_access_denied')
  return own
}

/** The grant that a path names, if its data may be used now and its provider has the operation. */
async function usableGrant(pipeline: PipelineContext, named: NamedRoute, naming: Naming): Promise<GrantRecord> {
  const record = await findFor(pipeline, naming).catch((error) => {
    // A call that finds no grant has no budget of a grant: it counts against the application's.
    pipeline.limiter?.take('application', naming.caller.id, pipeline.clock.now())
    throw error
  })
  if (!named.route.own) needOperation(pipeline.sessions.providerOf(record, named.id), named)
  return record
}
