/**
 * Authenticates requests to administration routes that a service account signed. Each step may only spend what the step
 * before it has allowed: headers and timestamp, then one row, then a small body, then one verification. The nonce is used
 * last, so that nobody without the private key can use up a nonce.
 */
import { limits } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { decodeUtf8 } from '@waypost/platform/json/guard'
import {
  getServiceAccount,
  type ServiceAccountRow,
  touchServiceAccount,
  useNonce,
} from '@waypost/store/tables/applications/service-accounts'
import type { Acting } from '../../applications/acting.ts'
import { reachOf } from '../../applications/people.ts'
import { isExpired, permissionFor } from '../../applications/service-accounts.ts'
import {
  hasSignature,
  isSignedBy,
  type RequestSignature,
  readSignature,
  signatureWindowMs,
} from '../../applications/signed-request.ts'
import { networkOf } from '../../telemetry/password-guessing.ts'
import { rateHeaders } from '../../telemetry/rate-limit.ts'
import { readBody } from '../http/request.ts'
import type { ApiServices } from './api-services.ts'
import type { RequestContext } from './request-context.ts'

/** Wrong signatures per minute from one network for one key, known or not. */
const wrongSignatures = 30
/** How accurately the last use is recorded. */
const useMs = 60_000

/** Whether a request is signed. A request with another credential as well is refused: it must say who calls. */
export function isSigned({ request }: RequestContext): boolean {
  if (!hasSignature((name) => request.header(name))) return false
  if (request.header('authorization') === null) return true
  throw new ApiError(
    'administrator_required',
    'send either the Authorization header or the signature headers of a service account, not both',
  )
}

/** The service account that signed a request. Every reason for which a signature does not count has the same answer. */
export async function authenticateServiceAccount(api: ApiServices, context: RequestContext): Promise<Acting> {
  const { request, address } = context
  const now = api.storage.clock.now()
  const signed = readSignature((name) => request.header(name), now)
  const noteWrong = api.limiter?.takeFailure(`signature ${networkOf(address)} ${signed.kid}`, wrongSignatures, now)
  const refuse = (error: ApiError): ApiError => {
    noteWrong?.()
    return error
  }
  // An id has 122 random bits, so that nobody finds one by the time that an answer takes.
  const account = await getServiceAccount(api.storage.database, signed.kid)
  if (!account || account.blocked === 1 || isExpired(account, now)) throw refuse(notAccepted())
  const payload = await payloadOf(api, context)
  const { method } = request
  if (!isSignedBy(account.public_key, { method, path: signedPathOf(context), payload }, signed)) {
    throw refuse(notAccepted())
  }
  context.budget = api.limiter && rateHeaders(api.limiter.take('serviceAccount', account.id, now))
  if (!(await useOnce(api, account, signed))) {
    throw refuse(
      new ApiError('administrator_required', 'x-nylas-nonce: was used before; sign every request with a new one'),
    )
  }
  if ((account.last_used_at ?? 0) <= now - useMs) await touchServiceAccount(api.storage.database, account.id, now)
  return actingOf(account, address)
}

/** The path that clients sign: as it was sent, without the path of the base address and without the query. */
function signedPathOf({ request, path }: RequestContext): string {
  const [sent = ''] = request.target.split(/[?#]/, 1)
  return sent.endsWith('/') && !path.endsWith('/') ? `${path}/` : path
}

/** The text of a body that is signed. Its bytes are kept, because a body is read once. */
async function payloadOf(api: ApiServices, context: RequestContext): Promise<string | undefined> {
  const { request } = context
  if (!['POST', 'PUT', 'PATCH'].includes(request.method)) return undefined
  const bytes = await api.telemetry.underWay.within(readBody(request, limits.signedBodyBytes))
  context.bodyBytes = bytes
  if (bytes.byteLength === 0) return undefined
  const text = decodeUtf8(bytes)
  if (text === undefined) throw new ApiError('invalid_json', 'the body is not valid UTF-8')
  return text
}

/** Uses the nonce. Of concurrent requests with the same one, on any nodes, exactly one gets true. */
const useOnce = (
  { storage: { database } }: Pick<ApiServices, 'storage'>,
  { id }: ServiceAccountRow,
  { nonce, timestamp }: RequestSignature,
): Promise<boolean> =>
  useNonce(database, { serviceAccountId: id, nonce, expiresAt: timestamp * 1000 + signatureWindowMs })

/** The rights of a service account: those of an administrator without customer data, within its permissions. */
function actingOf(row: ServiceAccountRow, address: string): Acting {
  const { id, name } = row
  return {
    actor: 'service_account',
    address,
    person: null,
    serviceAccount: { id, name, permissions: JSON.parse(row.permissions) },
    rights: { role: 'administrator', applications: reachOf(row), customer_data: false },
    requiredAction: null,
    guesser: { address, account: '' },
  }
}

const notAccepted = (): ApiError =>
  new ApiError(
    'administrator_required',
    'the signature is not accepted: check x-nylas-kid, the private key, that the service account is active, and that method, path and body were sent exactly as signed',
  )

/** Refuses a route that the permissions of the service account do not open. */
export function needPermission({ serviceAccount }: Acting, { served: { named } }: RequestContext): void {
  if (!serviceAccount) return
  const permission = permissionFor(named)
  if (permission === undefined) {
    throw new ApiError('insufficient_rights', 'service accounts cannot call this route')
  }
  if (!serviceAccount.permissions.includes(permission)) {
    throw new ApiError('insufficient_rights', `this service account needs the permission ${permission}`)
  }
}
