/** The errors of each route, and their responses: one component for each set of error codes. */
import { type Audience, type ErrorCode, errors, type NamedRoute, type Route } from '@waypost/contract'
import { requestId } from '@waypost/contract/examples'
import { ApiError, type ErrorDetails } from '@waypost/platform/api-error'
import { isCustomerData } from '../../applications/rights.ts'
import { answerError, answerOAuthError } from '../http/answer.ts'
import { type Json, refer } from './json.ts'

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
function errorsByStatus(named: NamedRoute): [number, ErrorCode[]][] {
  const byStatus = Map.groupBy(errorsOf(named), (code) => errors[code].status)
  return [...byStatus].sort(([a], [b]) => a - b)
}

interface Sample {
  readonly message?: string
  readonly details?: ErrorDetails
}

/** Example messages of error codes that say more than their title. */
const samples: Partial<Record<ErrorCode, Sample>> = {
  invalid_request: {
    message: 'when.end_time: must not be before start_time',
    details: { validationErrors: { 'when.end_time': 'must not be before start_time' } },
  },
  not_supported_by_provider: { details: { fields: { provider: 'imap', capability: 'events.list' } } },
  provider_refused: {
    message: 'Invalid To header',
    details: { providerError: { code: 400, message: 'Invalid To header', status: 'INVALID_ARGUMENT' } },
  },
  provider_rate_limited: {
    details: { providerError: { code: 429, message: 'User-rate limit exceeded', status: 'RESOURCE_EXHAUSTED' } },
  },
  send_refused: { details: { providerError: { code: 550, message: '5.1.1 The mailbox does not exist' } } },
}

const errorOf = (code: ErrorCode): ApiError => new ApiError(code, samples[code]?.message, samples[code]?.details)

/** The exact body that the service sends. */
const bodyOf = (code: ErrorCode, oauth: boolean): unknown =>
  JSON.parse(
    String(
      (oauth
        ? answerOAuthError(errorOf(code), requestId, 'http://127.0.0.1:3000/docs')
        : answerError(errorOf(code), requestId)
      ).body,
    ),
  )

/** Statuses with a `Retry-After` header. */
const tellsWhen: ReadonlySet<number> = new Set([429, 503])

const isOAuth = (audience: Audience): boolean => audience === 'client'
const exampleName = (code: ErrorCode, oauth: boolean): string => `error.${oauth ? 'oauth.' : ''}${code}`
const responseName = (status: number, codes: readonly ErrorCode[], oauth: boolean): string =>
  [...(oauth ? ['oauth'] : []), String(status), ...codes.toSorted()].join('.')

function responseOf(status: number, codes: readonly ErrorCode[], oauth: boolean): Json {
  const shown = codes.map((code) => [code, refer('examples', exampleName(code, oauth))])
  return {
    description: codes.map((code) => errors[code].title).join('; '),
    headers: {
      'x-request-id': refer('headers', 'x-request-id'),
      ...(tellsWhen.has(status) ? { 'retry-after': refer('headers', 'retry-after') } : {}),
    },
    content: {
      'application/json': {
        schema: refer('schemas', oauth ? 'OAuthError' : 'Error'),
        examples: Object.fromEntries(shown),
      },
    },
  }
}

/** The error responses of a route, by status. */
export const failuresOf = (named: NamedRoute): Json =>
  Object.fromEntries(
    errorsByStatus(named).map(([status, codes]) => [
      String(status),
      refer('responses', responseName(status, codes, isOAuth(named.route.audience))),
    ]),
  )

/** The components of the error responses of these routes. */
export function errorComponents(routes: readonly NamedRoute[]): { responses: Json; examples: Json } {
  const responses: Json = {}
  const examples: Json = {}
  for (const named of routes) {
    const oauth = isOAuth(named.route.audience)
    for (const [status, codes] of errorsByStatus(named)) {
      responses[responseName(status, codes, oauth)] ??= responseOf(status, codes, oauth)
      for (const code of codes) {
        examples[exampleName(code, oauth)] ??= {
          summary: errors[code].title,
          description: errors[code].remedy,
          value: bodyOf(code, oauth),
        }
      }
    }
  }
  return { responses, examples }
}
