/** Admission: the caller, the grant, the rights of the caller and its rate limit. It comes before the body is read. */
import { isDeepStrictEqual } from 'node:util'
import type { NamedRoute, Route } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { needOperation } from '@waypost/providers/registry'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import type { Acting } from '../../applications/acting.ts'
import { type AuditNote, openAudit } from '../../applications/audit.ts'
import { isCustomerData, judge } from '../../applications/rights.ts'
import { needNoActionFirst } from '../../applications/second-factor-policy.ts'
import { sessionIdIn } from '../../booking/scheduling-sessions.ts'
import { type Caller, needInReach } from '../../grants/caller.ts'
import { isNamed, locatorFor, parseLocator } from '../../grants/locator.ts'
import { administrator } from '../../telemetry/load.ts'
import { rateHeaders } from '../../telemetry/rate-limit.ts'
import type { HttpRequest } from '../http/http.ts'
import { isMultipart } from '../http/multipart.ts'
import type { ApiServices } from './api-services.ts'
import { type Authenticated, authenticateAdministrator, authenticateApplication } from './authenticate.ts'
import { admitCredential } from './key-admission.ts'
import type { RequestContext } from './request-context.ts'
import { authenticateServiceAccount, isSigned, needPermission } from './service-account.ts'
import { isVisitor } from './visits.ts'

/** The methods of requests that change something. */
export const changingMethods = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Finds the caller and the grant of a request, checks the rights of the caller, and counts the call. */
export async function admit(api: ApiServices, context: RequestContext): Promise<void> {
  const { route } = context.served.named
  const { request, address, params } = context
  if (context.internal) return admitInternal(api, context, context.internal.caller)
  if (route.audience === 'administrator') return admitAdministrator(api, context)
  if (route.audience === 'guest') return admitGuest(api, context)
  if (route.audience !== 'application' && route.audience !== 'grant') return
  const wants = route.audience === 'grant' ? 'record' : 'document'
  const readsGrant = params.grant_id !== undefined && (wants === 'record' || route.method === 'GET')
  const grant = readsGrant ? parseLocator(params.grant_id ?? '') : undefined
  const authenticated = await authenticateApplication(api.authentication, request, { address, grant, wants })
  await admitCaller(api, context, authenticated)
}

/** Admits a call within the process. The rights, limits and audit of the caller apply as to its own requests. */
async function admitInternal(api: ApiServices, context: RequestContext, caller: Caller): Promise<void> {
  const { audience } = context.served.named.route
  if (audience === 'application' || audience === 'grant' || audience === 'guest') {
    return admitCaller(api, context, { caller })
  }
  throw new Error(`${context.served.named.id} cannot be called within the process`)
}

async function admitAdministrator(api: ApiServices, context: RequestContext): Promise<void> {
  const { request, params } = context
  const { named } = context.served
  const signed = isSigned(context)
  context.acting = signed
    ? await authenticateServiceAccount(api, context)
    : await authenticateAdministrator(api.authentication.admin, context.visitor)
  if (!signed) api.telemetry.load.learn(credentialOf(request), administrator)
  beginAudit(api, context)
  needPermission(context.acting, context)
  needRight(context.acting, named, params.application_id)
}

/**
 * A guest presents nothing or a scheduling session, which the handler looks for. An API key, or an administrator who names
 * the application, is admitted as for a route of the application. The cookie of the dashboard alone counts for nothing:
 * browsers send it from booking pages too.
 */
async function admitGuest(api: ApiServices, context: RequestContext): Promise<void> {
  const { request, address } = context
  if (isVisitor(request)) {
    context.schedulingSession = sessionIdIn(request.header('authorization'))
    context.budget = api.visits.count(request, context.served.named.route)
    return
  }
  const wants = { address, grant: undefined, wants: 'document' } as const
  const authenticated = await asGuest(() => authenticateApplication(api.authentication, request, wants))
  await admitCaller(api, context, authenticated)
}

/** A bearer token that is no key is no session either, and the answer is the same. */
async function asGuest<T>(authenticate: () => Promise<T>): Promise<T> {
  try {
    return await authenticate()
  } catch (error) {
    throw error instanceof ApiError && error.code === 'unauthorized' ? new ApiError('invalid_session') : error
  }
}

async function admitCaller(
  api: ApiServices,
  context: RequestContext,
  { caller, found, named: namedGrant }: Authenticated,
): Promise<void> {
  const { request, params } = context
  const { named } = context.served
  const { route } = named
  context.application = caller
  context.found = found
  if (!context.internal) api.telemetry.load.learn(credentialOf(request), caller.acting ? administrator : caller.id)
  if (caller.acting) {
    context.acting = caller.acting
    beginAudit(api, context)
    needRight(caller.acting, named, caller.id)
    api.administration.customerData.need(named)
  }
  const isOfApplication = route.audience === 'application' || route.audience === 'guest'
  if (caller.grantId !== undefined && isOfApplication && !route.token) throw new ApiError('api_key_required')
  const { credential } = caller
  if (credential) {
    admitCredential(context, credential)
    if (isOfApplication && params.grant_id !== undefined) {
      await needInReach(api.storage.database, caller, locatorFor(params.grant_id))
    }
  }
  if (isOfApplication) {
    context.budget = countCall(api, route, caller.id, request)
    return
  }
  const naming = { caller, found: namedGrant, segment: params.grant_id ?? '' }
  const record = await usableGrant(api, named, naming)
  context.grant = record
  api.accounts.activity.used(record.grant.id)
  context.budget = countCall(api, route, record.grant.id, request)
}

const credentialOf = (request: HttpRequest): string | undefined =>
  request.header('authorization') ?? request.header('cookie') ?? undefined

/** Refuses a caller without the right. An application out of reach looks like one that does not exist. */
function needRight({ rights, requiredAction }: Acting, named: NamedRoute, applicationId: string | undefined): void {
  needNoActionFirst(requiredAction, named)
  const judgement = judge(rights, named, applicationId)
  if (judgement === 'no such application') throw new ApiError('not_found', 'no application with this id')
  if (judgement === 'refused') throw new ApiError('insufficient_rights')
}

/** Opens the audit entry of an administrator's request that changes something or reads customer data. */
function beginAudit(api: ApiServices, context: RequestContext): void {
  const { acting, application, params, request } = context
  const { named } = context.served
  const changes = changingMethods.has(request.method)
  if (!acting || !(changes || isCustomerData(named))) return
  const about = { named, params, applicationId: application?.id, grantId: () => context.grant?.grant.id }
  if (changes) {
    const person = acting.person ?? acting.serviceAccount
    context.audit = openAudit({ ...about, ...acting, person, now: () => api.storage.clock.now() })
    return
  }
  const now = api.storage.clock.now()
  const who = acting.session?.id ?? [acting.actor, acting.person?.id, acting.address].join(' ')
  const note = openAudit({ ...about, ...acting, now: () => now, kind: 'read' })
  const what = [who, application?.id, named.id, ...Object.values(params)].join(' ')
  context.audit = api.administration.customerData.once(note, { what, now })
}

/** Records the outcome in the audit log. If that fails, a change stays made, but data that was read is not sent. */
export const finishAudit = (api: ApiServices, audit: AuditNote, status: number): Promise<void> =>
  audit.finish(api.storage.database, status).catch((error) => {
    if (audit.kind === 'read' && status < 400) throw error
    api.storage.log.error({ error }, `a ${audit.kind} could not be audited`)
  })

/** Counts a call against the rate limit of its group; returns the headers about it. */
function countCall(
  api: ApiServices,
  route: Route,
  id: string,
  request: HttpRequest,
): Record<string, string> | undefined {
  const uploads = route.parts && isMultipart(request.header('content-type'))
  // The rate of a guest route is that of visitors.
  const own = route.audience === 'guest' ? undefined : route.rate
  const group = uploads ? 'multipart' : (own ?? (route.audience === 'grant' ? 'grant' : 'application'))
  return api.limiter && group !== 'none' ? rateHeaders(api.limiter.take(group, id, api.storage.clock.now())) : undefined
}

/** Whether a caller may still make its request, by its credential and rights as they are now. Changed rights may not. */
export async function isStillAdmitted(api: ApiServices, context: RequestContext): Promise<boolean> {
  const { request, address, application } = context
  try {
    const wants = { address, grant: undefined, wants: 'document' } as const
    const { caller } = await authenticateApplication(api.authentication, request, wants)
    if (caller.acting) needRight(caller.acting, context.served.named, caller.id)
    if (caller.credential) admitCredential(context, caller.credential)
    const isSame = caller.id === application?.id && caller.grantId === application.grantId
    return isSame && isDeepStrictEqual(caller.credential, application?.credential)
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return false
    throw error
  }
}

type Naming = { caller: Caller; found: Authenticated['named']; segment: string }

/** The grant that a path names. An access token opens only its own grant. */
async function findFor(
  { storage: { database }, accounts: { sessions } }: ApiServices,
  { caller, found, segment }: Naming,
): Promise<GrantRecord> {
  const { id, grantId } = caller
  // Before anything is said about the state of the grant.
  if (caller.credential) await needInReach(database, caller, locatorFor(segment))
  if (found) return sessions.usable(found.record)
  if (grantId === undefined) return sessions.find(id, locatorFor(segment))
  const own = await sessions.find(id, { by: 'id', value: grantId })
  if (!isNamed(own, segment)) throw new ApiError('grant_access_denied')
  return own
}

/** The grant that a path names, if its data may be used now and its provider has the operation. */
async function usableGrant(api: ApiServices, named: NamedRoute, naming: Naming): Promise<GrantRecord> {
  const record = await findFor(api, naming).catch((error) => {
    // A call that names no grant counts against the limit of the application.
    api.limiter?.take('application', naming.caller.id, api.storage.clock.now())
    throw error
  })
  if (!named.route.own) needOperation(api.accounts.sessions.providerOf(record, named.id), named)
  return record
}
