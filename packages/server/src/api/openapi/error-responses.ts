/** The responses of failed requests, one component for each set of error codes. */
import { type Audience, type ErrorCode, errors, type NamedRoute } from '@waypost/contract'
import { requestId } from '@waypost/contract/examples'
import { ApiError, type ErrorDetails } from '@waypost/platform/api-error'
import { answerError, answerOAuthError } from '../http/answer.ts'
import { errorsByStatus } from './errors-of.ts'
import { type Json, refer } from './json.ts'

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
