/** The errors of a route. */
import { type Audience, type ErrorCode, errors, type NamedRoute, type Route } from '@waypost/contract'
import { isCustomerData } from '../../applications/rights.ts'

/** The errors of requests with the credentials of an administrator, which routes of applications accept too. */
const ofAdministrators: readonly ErrorCode[] = [
  'administrator_required',
  'second_factor_required',
  'password_change_required',
  'second_factor_setup_required',
  'insufficient_rights',
]
const ofCallers: readonly ErrorCode[] = [...ofAdministrators, 'missing_right', 'network_not_allowed']
const ofService: readonly ErrorCode[] = ['internal_error', 'service_unavailable', 'deadline_exceeded']

/** The errors of every route of an audience. */
const common: Record<Audience, readonly ErrorCode[]> = {
  public: ['internal_error'],
  client: ['invalid_request', 'internal_error', 'service_unavailable'],
  application: [
    'invalid_request',
    'unauthorized',
    ...ofCallers,
    'not_found',
    'resource_blocked',
    'rate_limited',
    ...ofService,
  ],
  guest: [
    'invalid_request',
    'invalid_session',
    'api_key_required',
    ...ofCallers,
    'not_found',
    'resource_blocked',
    'rate_limited',
    ...ofService,
  ],
  administrator: ['invalid_request', ...ofAdministrators, 'rate_limited', ...ofService],
  grant: [
    'invalid_request',
    'unauthorized',
    ...ofCallers,
    'grant_invalid',
    'grant_access_denied',
    'not_found',
    'grant_not_found',
    'not_supported_by_provider',
    'resource_blocked',
    'rate_limited',
    'provider_rate_limited',
    'provider_refused',
    'provider_unavailable',
    ...ofService,
  ],
}

/** The errors of every route that changes something. */
const onWrites: readonly ErrorCode[] = [
  'invalid_json',
  'payload_too_large',
  'unsupported_media_type',
  'invalid_idempotency_key',
  'invalid_idempotent_request',
  'concurrent_idempotent_request',
]

/** Whether the route accepts an Idempotency-Key. */
export const takesKey = ({ method, audience }: Route): boolean =>
  method !== 'GET' && audience !== 'public' && audience !== 'client'

/** Every error code that a route can answer with. */
export function errorsOf(named: NamedRoute): ErrorCode[] {
  const { route } = named
  const of = [...common[route.audience], ...(route.errors ?? [])]
  const refused: ErrorCode[] = isCustomerData(named) ? ['customer_data_off'] : []
  return [...new Set<ErrorCode>([...of, ...refused, ...(takesKey(route) ? onWrites : [])])]
}

/** The same by status, the lowest first. */
export function errorsByStatus(named: NamedRoute): [number, ErrorCode[]][] {
  const byStatus = Map.groupBy(errorsOf(named), (code) => errors[code].status)
  return [...byStatus].sort(([a], [b]) => a - b)
}
