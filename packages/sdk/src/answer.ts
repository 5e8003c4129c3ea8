/** Parses what came back: an answer of the service, its error, or something that is neither. */
import type { Route } from '@waypost/contract'
import { z } from 'zod'
import { readFile, type WaypostFile } from './file.ts'
import { WaypostError } from './waypost-error.ts'

export interface Answer extends Partial<WaypostFile> {
  requestId: string
  headers: Headers
  data?: unknown
  nextCursor?: string
}

/** The envelope only: `data` is as the contract says, or newer, and `select` leaves fields out. */
const Envelope = z.object({
  request_id: z.string(),
  data: z.unknown().optional(),
  next_cursor: z.string().optional(),
})

const Failure = z.object({
  request_id: z.string(),
  error: z.object({
    type: z.string(),
    message: z.string(),
    provider_error: z.record(z.string(), z.unknown()).optional(),
    validation_errors: z.record(z.string(), z.string()).optional(),
  }),
})

/** What an OAuth route answers with when it fails, flat (RFC 6749 §5.2), in the shape of the others. */
const OAuthFailure = z.object({ request_id: z.string(), error: z.string(), error_description: z.string() }).transform(
  ({ request_id, error: type, error_description: message }): z.output<typeof Failure> => ({
    request_id,
    error: { type, message },
  }),
)

/** An answer without envelope, as one with it: its fields are the data. */
const Flat = z.looseObject({ request_id: z.string() }).transform(({ request_id, ...data }) => ({ request_id, data }))

/** The answer in a response to a route; throws the error in it. */
export function readAnswer(route: Route, response: Response, text: string): Answer {
  const { headers } = response
  const json = parseJson(text)
  const form: z.ZodType<z.output<typeof Envelope>> = route.flat ? Flat : Envelope
  const envelope = response.ok ? form.safeParse(json).data : undefined
  if (!envelope || !hasShape(route, envelope.data)) throw errorIn(response, json)
  const { request_id: requestId, data, next_cursor: nextCursor } = envelope
  if (!route.returns) return { requestId, headers }
  return route.list ? { requestId, headers, data, nextCursor } : { requestId, headers, data }
}

/** The file in a response to a route that answers with one; throws the error in it. */
export async function readFileAnswer(response: Response, signal: AbortSignal | undefined): Promise<Answer> {
  const { headers } = response
  const requestId = headers.get('x-request-id')
  // Every file of the service is to be saved: a page in its place is a proxy's.
  const isFile = response.ok && requestId !== null && headers.get('content-disposition')?.startsWith('attachment')
  if (!isFile) throw errorIn(response, parseJson(await response.text()))
  return { requestId, headers, ...readFile(response, signal) }
}

/** An object, or the one word that some answers are. */
const hasShape = (route: Route, data: unknown): boolean =>
  route.list
    ? Array.isArray(data)
    : !route.returns || (typeof data === 'object' && data !== null) || route.returns.safeParse(data).success

function errorIn(response: Response, json: unknown): WaypostError {
  const { status, headers } = response
  const retryAfter = secondsOf(headers.get('retry-after'))
  const failure = response.ok ? undefined : Failure.or(OAuthFailure).safeParse(json).data
  if (!failure) {
    const type = headers.get('content-type') ?? 'no content type'
    return new WaypostError(`HTTP ${status} with ${type} is not an answer of Waypost: check baseUrl and proxies`, {
      type: 'unexpected_answer',
      status,
      retryAfter,
      requestId: headers.get('x-request-id') ?? undefined,
    })
  }
  return new WaypostError(failure.error.message, {
    type: failure.error.type,
    status,
    retryAfter,
    requestId: failure.request_id,
    providerError: failure.error.provider_error,
    validationErrors: failure.error.validation_errors,
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Seconds or a date (RFC 9110 §10.2.3). */
function secondsOf(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
