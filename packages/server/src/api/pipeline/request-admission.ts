/** Who a request is of, what it is about, and whether it may be made now: what comes before its body is looked at. */
import type { NamedRoute, Route } from '@waypost/contract'
import type { Acting } from '../../applications/acting.ts'
import { type AuditNote, openAudit } from '../../applications/audit.ts'
import { isCustomerData } from '../../applications/customer-data.ts'
import { needNoActionFirst } from '../../applications/required-actions.ts'
import { judge } from '../../applications/rights.ts'
import { isNamed, locatorFor, parseLocator } from '../../grants/locator.ts'
import { ApiError } from '../../lib/api-error.ts'
import { after, type Ready } from '../../lib/ready.ts'
import type { Span } from '../../lib/span.ts'
import { needOperation } from '../../providers/registry.ts'
import type { GrantRecord } from '../../store/tables/grants/grants.ts'
import { administrator } from '../../telemetry/load.ts'
import { rateHeaders } from '../../telemetry/rate-limit.ts'
import type { HttpRequest } from '../http/http.ts'
import { isMultipart } from '../http/multipart.ts'
import {
  type Admitted,
  authenticateAdministrator,
  authenticateApplication,
  type Caller,
  type FoundDocument,
} from './authenticate.ts'
import type { PipelineContext } from './pipeline-context.ts'

export interface Incoming {
  request: HttpRequest
  requestId: string
  params: Record<string, string>
  /** Fields of the query that stand in the path: an alias may have them there. */
  inPath: Record<string, string> | undefined
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
  /** What was read of the grant that the path names, together with the key. */
  found: FoundDocument | undefined
  /** The headers that tell of the budget that the call is counted against. */
  budget: Record<string, string> | undefined
}

/** The methods of requests that change something. */
export const changing = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Finds out who calls and what about, and counts the call. */
export function admit(pipeline: PipelineContext, named: NamedRoute, incoming: Incoming, parties: Parties): Ready<void> {
  const { route } = named
  const { request, address, params } = incoming
  if (route.audience === 'administrator') return admitAdministrator(pipeline, named, incoming, parties)
  if (route.audience !== 'application' && route.audience !== 'grant') return undefined
  const wants = route.audience === 'grant' ? 'record' : 'document'
  const isAsked = params.grant_id !== undefined && (wants === 'record' || route.method === 'GET')
  const grant = isAsked ? parseLocator(params.grant_id ?? '') : undefined
  return after(authenticateApplication(pipeline.authentication, request, { address, grant, wants }), (admitted) =>
    admitCaller(pipeline, named, { incoming, admitted }, parties),
  )
}

async function admitAdministrator(
  pipeline: PipelineContext,
  named: NamedRoute,
  { request, address, params }: Incoming,
  parties: Parties,
): Promise<void> {
  parties.acting = await authenticateAdministrator(pipeline.authentication, request, address)
  pipeline.load?.learn(credentialOf(request), administrator)
  beginAudit(pipeline, named, { request, params }, parties)
  needRight(parties.acting, named, params.application_id)
}

function admitCaller(
  pipeline: PipelineContext,
  named: NamedRoute,
  { incoming: { request, params }, admitted }: { incoming: Incoming; admitted: Admitted },
  parties: Parties,
): Ready<void> {
  const { route } = named
  const { caller } = admitted
  parties.caller = caller
  parties.found = admitted.found
  pipeline.load?.learn(credentialOf(request), caller.acting ? administrator : caller.id)
  if (caller.acting) {
    parties.acting = caller.acting
    beginAudit(pipeline, named, { request, params }, parties)
    needRight(caller.acting, named, caller.id)
    pipeline.customerData?.need(named)
  }
  if (caller.grantId !== undefined && route.audience === 'application' && !route.token) {
    throw new ApiError('api_key_required')
  }
  if (route.audience === 'application') {
    parties.budget = countCall(pipeline, route, caller.id, request)
    return undefined
  }
  const naming = { caller, found: admitted.named, segment: params.grant_id ?? '' }
  return usableGrant(pipeline, named, naming).then((record) => {
    parties.grant = record
    pipeline.activity?.used(record.grant.id)
    parties.budget = countCall(pipeline, route, record.grant.id, request)
  })
}

const credentialOf = (request: HttpRequest): string | undefined =>
  request.header('authorization') ?? request.header('cookie') ?? undefined

/** Refuses what somebody has no right to; an application that they do not reach is one that there is not. */
function needRight({ rights, requiredAction }: Acting, named: NamedRoute, applicationId: string | undefined): void {
  needNoActionFirst(requiredAction, named)
  const judgement = judge(rights, named, applicationId)
  if (judgement === 'no such application') throw new ApiError('not_found', 'no application with this id')
  if (judgement === 'refused') throw new ApiError('insufficient_rights')
}

/** What an administrator changes is written down, and what it reads of customers. */
function beginAudit(
  pipeline: PipelineContext,
  named: NamedRoute,
  at: Pick<Incoming, 'request' | 'params'>,
  parties: Parties,
): void {
  const { acting, caller } = parties
  const changes = changing.has(at.request.method)
  if (!acting || !(changes || isCustomerData(named))) return
  const about = { named, params: at.params, applicationId: caller?.id, grantId: () => parties.grant?.grant.id }
  if (changes) {
    parties.audit = openAudit({ ...about, ...acting, now: () => pipeline.clock.now() })
    return
  }
  const now = pipeline.clock.now()
  const who = acting.session?.id ?? [acting.actor, acting.person?.id, acting.address].join(' ')
  const note = openAudit({ ...about, ...acting, now: () => now, kind: 'read' })
  const what = [who, caller?.id, named.id, ...Object.values(at.params)].join(' ')
  parties.audit = pipeline.customerData?.once(note, { what, now })
}

/** Writes down what came of a request. A change stays made where that fails; what was read is not shown then. */
export const finishAudit = (pipeline: PipelineContext, audit: AuditNote, status: number): Promise<void> =>
  audit.finish(pipeline.database, status).catch((error) => {
    if (audit.kind === 'read' && status < 400) throw error
    pipeline.log.error({ error }, `a ${audit.kind} could not be written down`)
  })

/** Counts a call against the budget of its group; the headers tell what is left. */
function countCall(
  pipeline: PipelineContext,
  route: Route,
  id: string,
  request: HttpRequest,
): Record<string, string> | undefined {
  const uploads = route.parts && isMultipart(request.header('content-type'))
  const group = uploads ? 'multipart' : (route.rate ?? (route.audience === 'grant' ? 'grant' : 'application'))
  return pipeline.limiter && group !== 'none'
    ? rateHeaders(pipeline.limiter.take(group, id, pipeline.clock.now()))
    : undefined
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
