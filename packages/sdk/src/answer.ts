/** Parses a response: a result of the service, its error, or something else. */
import { readFile, type WaypostFile } from './file.ts'
import { isObject, isText, type JsonObject, parseJson } from './json.ts'
import type { RouteFacts } from './route-facts.ts'
import { WaypostError } from './waypost-error.ts'

export interface Answer extends Partial<WaypostFile> {
  requestId: string
  headers: Headers
  data?: unknown
  nextCursor?: string | undefined
}

/** Only the envelope is checked: `data` follows the contract or a newer one, and `select` omits fields. */
interface Envelope {
  requestId: string
  data?: unknown
  nextCursor?: string | undefined
}

function envelopeOf(json: unknown): Envelope | undefined {
  if (!isObject(json) || !isText(json.request_id)) return undefined
  const { request_id: requestId, data, next_cursor: nextCursor } = json
  return nextCursor === undefined || isText(nextCursor) ? { requestId, data, nextCursor } : undefined
}

/** Converts a response without an envelope: its fields become the data. */
function flatOf(json: unknown): Envelope | undefined {
  if (!isObject(json) || !isText(json.request_id)) return undefined
  const { request_id: requestId, ...data } = json
  return { requestId, data }
}

interface Failure {
  requestId: string
  type: string
  message: string
  providerError?: JsonObject | undefined
  validationErrors?: Record<string, string> | undefined
}

const isTexts = (value: unknown): value is Record<string, string> =>
  isObject(value) && Object.values(value).every(isText)

/** The error in a response; for an OAuth route it is flat (RFC 6749 §5.2). */
function failureOf(json: unknown): Failure | undefined {
  if (!isObject(json) || !isText(json.request_id)) return undefined
  const { request_id: requestId, error } = json
  if (isText(error)) {
    const message = json.error_description
    return isText(message) ? { requestId, type: error, message } : undefined
  }
  if (!isObject(error) || !isText(error.type) || !isText(error.message)) return undefined
  const { type, message, provider_error: providerError, validation_errors: validationErrors } = error
  if (providerError !== undefined && !isObject(providerError)) return undefined
  if (validationErrors !== undefined && !isTexts(validationErrors)) return undefined
  return { requestId, type, message, providerError, validationErrors }
}

/** Parses the response of a route; throws the error in it. */
export function readAnswer(route: RouteFacts, response: Response, text: string): Answer {
  const { headers } = response
  const json = parseJson(text)
  const envelope = response.ok ? (route.answer === 'flat' ? flatOf(json) : envelopeOf(json)) : undefined
  if (!envelope || !hasShape(route, envelope.data)) throw errorIn(response, json)
  const { requestId, data, nextCursor } = envelope
  if (route.answer === 'empty') return { requestId, headers }
  return route.answer === 'list' ? { requestId, headers, data, nextCursor } : { requestId, headers, data }
}

/** The file in the response of a route that returns one; throws the error in it. */
export async function readFileAnswer(response: Response, signal: AbortSignal | undefined): Promise<Answer> {
  const { headers } = response
  const requestId = headers.get('x-request-id')
  // The service sends every file as an attachment, so anything else comes from a proxy.
  const isFile = response.ok && requestId !== null && headers.get('content-disposition')?.startsWith('attachment')
  if (!isFile) throw errorIn(response, parseJson(await response.text()))
  return { requestId, headers, ...readFile(response, signal) }
}

/** An object, or the single word that some responses contain. */
function hasShape(route: RouteFacts, data: unknown): boolean {
  if (route.answer === 'empty') return true
  if (route.answer === 'list') return Array.isArray(data)
  if (data === undefined && route.sometimes) return true
  return isObject(data) || (route.word !== undefined && data === route.word)
}

function errorIn(response: Response, json: unknown): WaypostError {
  const { status, headers } = response
  const retryAfter = secondsOf(headers.get('retry-after'))
  const failure = response.ok ? undefined : failureOf(json)
  if (!failure) {
    const type = headers.get('content-type') ?? 'no content type'
    return new WaypostError(`HTTP ${status} with ${type} is not an answer of Waypost: check baseUrl and proxies`, {
      type: 'unexpected_answer',
      status,
      retryAfter,
      requestId: headers.get('x-request-id') ?? undefined,
    })
  }
  const { message, ...facts } = failure
  return new WaypostError(message, { ...facts, status, retryAfter })
}

/** Seconds or a date (RFC 9110 §10.2.3). */
function secondsOf(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
