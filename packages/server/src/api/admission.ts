/** Who a request is of, what it is about, and whether it may be made now: what comes before its body is looked at. */
import type { NamedRoute, Route } from '@waypost/contract'
import { isNamed, locatorFor, parseLocator } from '../grants/locator.ts'
import { ApiError } from '../lib/api-error.ts'
import { needOperation } from '../providers/registry.ts'
import type { GrantRecord } from '../store/grants.ts'
import type { Acting } from './admin-door.ts'
import { type AuditNote, openAudit } from './audit.ts'
import { type Admitted, authenticateAdministrator, authenticateApplication, type Caller } from './authenticate.ts'
import type { Edge } from './edge.ts'
import { administrator } from './load.ts'
import { isMultipart } from './multipart.ts'
import { rateHeaders } from './rate-limit.ts'

export interface Incoming {
  request: Request
  requestId: string
  params: Record<string, string>
  /** Fields of the query that stand in the path: an alias may have them there. */
  inPath: Record<string, string>
  path: string
  /** The address of the client, for limits and logs. */
  address: string
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
  edge: Edge,
  named: NamedRoute,
  { request, address, params }: Incoming,
  parties: Parties,
): Promise<Record<string, string>> {
  const { route } = named
  if (route.audience === 'administrator') {
    parties.acting = await authenticateAdministrator(edge.authentication, request, address)
    edge.load?.learn(credentialOf(request), administrator)
    beginAudit(edge, named, { request, params }, parties)
    return {}
  }
  if (route.audience !== 'application' && route.audience !== 'grant') return {}
  const grant = route.audience === 'grant' ? parseLocator(params.grant_id ?? '') : undefined
  const { caller, named: found } = await authenticateApplication(edge.authentication, request, { address, grant })
  parties.caller = caller
  edge.load?.learn(credentialOf(request), caller.acting ? administrator : caller.id)
  if (caller.acting) {
    parties.acting = caller.acting
    beginAudit(edge, named, { request, params }, parties)
  }
  if (caller.grantId !== undefined && route.audience === 'application' && !route.token) {
    throw new ApiError('api_key_required')
  }
  if (route.audience === 'application') return countCall(edge, route, caller.id, request)
  const record = await usableGrant(edge, named, { caller, found, segment: params.grant_id ?? '' })
  parties.grant = record
  edge.activity?.used(record.grant.id)
  return countCall(edge, route, record.grant.id, request)
}

const credentialOf = ({ headers }: Request): string | undefined =>
  headers.get('authorization') ?? headers.get('cookie') ?? undefined

/** What an administrator changes is written down. */
function beginAudit(edge: Edge, named: NamedRoute, at: Pick<Incoming, 'request' | 'params'>, parties: Parties): void {
  const { acting, caller } = parties
  if (!acting || !changing.has(at.request.method)) return
  const now = (): number => edge.clock.now()
  parties.audit = openAudit({ named, params: at.params, applicationId: caller?.id, ...acting, now })
}

export const finishAudit = (edge: Edge, audit: AuditNote, status: number): Promise<void> =>
  audit.finish(edge.database, status).catch((error) => edge.log.error({ error }, 'a change could not be written down'))

/** Counts a call against the budget of its group; the headers tell what is left. */
function countCall(edge: Edge, route: Route, id: string, request: Request): Record<string, string> {
  const uploads = route.parts && isMultipart(request.headers.get('content-type'))
  const group = uploads ? 'multipart' : (route.rate ?? (route.audience === 'grant' ? 'grant' : 'application'))
  return edge.limiter && group !== 'none' ? rateHeaders(edge.limiter.take(group, id, edge.clock.now())) : {}
}

type Naming = { caller: Caller; found: Admitted['named']; segment: string }

/** The grant that a path names; the bearer of an access token names no other than its own. */
async function findFor({ sessions }: Edge, { caller: { id, grantId }, found, segment }: Naming): Promise<GrantRecord> {
  if (found) return sessions.usable(found.record)
  if (grantId === undefined) return sessions.find(id, locatorFor(segment))
  const own = await sessions.find(id, { by: 'id', value: grantId })
  if (!isNamed(own, segment)) throw new ApiError('grant_access_denied')
  return own
}

/** The grant that a path names, if its data may be used now and its provider has the operation. */
async function usableGrant(edge: Edge, named: NamedRoute, naming: Naming): Promise<GrantRecord> {
  const record = await findFor(edge, naming).catch((error) => {
    // A call that finds no grant has no budget of a grant: it counts against the application's.
    edge.limiter?.take('application', naming.caller.id, edge.clock.now())
    throw error
  })
  if (!named.route.own) needOperation(edge.sessions.providerOf(record, named.id), named)
  return record
}
