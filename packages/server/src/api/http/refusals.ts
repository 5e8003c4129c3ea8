/**
 * The log line of a refused request: the caller, the route and the reason, and nothing from the content of the
 * request.
 */
import { type Contract, type ErrorCode, type NamedRoute, removed, routesOf, unavailable } from '@waypost/contract'
import type { ApiError } from '@waypost/platform/api-error'
import type { Known } from './ignored-fields.ts'

/** Errors whose messages contain no text from clients. */
const worded: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'unauthorized',
  'administrator_required',
  'api_key_required',
  'cross_site_request',
  'customer_data_off',
  'grant_access_denied',
  'payload_too_large',
  'rate_limited',
  'service_unavailable',
])

/** The reason for a refusal: the error code, our own message where it is safe to log, and the wrong fields. */
export function whyOf(error: ApiError, known?: { query: Known; body: Known }): Record<string, unknown> {
  const { code, message, details } = error
  const fields = Object.keys(details.validationErrors ?? {})
  const names = known && fields.length > 0 ? namesIn(known.query, namesIn(known.body)) : undefined
  return {
    refused: code,
    ...(worded.has(code) && !error.quotesProvider ? { reason: message } : {}),
    ...(names ? { fields: [...new Set(fields.map((field) => ourNames(field, names)))].slice(0, 5) } : {}),
  }
}

/** All field names of a route. */
function namesIn(known: Known, names = new Set<string>()): Set<string> {
  if (known === 'any') return names
  for (const [name, below] of known.fields) {
    names.add(name)
    namesIn(below, names)
  }
  if (known.items) namesIn(known.items, names)
  if (known.others) namesIn(known.others, names)
  return names
}

/** A field path with a star for each name that the client chose. */
const ourNames = (field: string, names: ReadonlySet<string>): string =>
  field
    .split('.')
    .map((part) => (names.has(part) ? part : '*'))
    .join('.')

/** Replaces path segments that no route or page has, because they may identify somebody. */
export function pathPattern(contract: Contract, pages: readonly { path: string }[]): (path: string) => string {
  const paths = [
    ...routesOf(contract).flatMap(({ route }: NamedRoute) => [route.path, ...(route.aliases ?? [])]),
    ...[...removed, ...unavailable].flatMap((each) => each.paths),
    ...pages.map(({ path }) => path),
  ]
  const words = new Set(paths.flatMap((path) => path.split('/')).filter((word) => !word.startsWith(':')))
  return (path) => {
    const segments = path.split('/')
    const shown = segments.slice(0, 8).map((segment) => (words.has(segment) ? segment : '*'))
    return `${shown.join('/')}${segments.length > 8 ? '/…' : ''}`
  }
}
