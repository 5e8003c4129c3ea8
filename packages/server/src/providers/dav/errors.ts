/** From what a DAV server answered to the errors of the API. */
import { ApiError } from '../../lib/api-error.ts'
import { parseXml, type XmlElement } from '../../lib/xml/xml.ts'
import { type Refusal, refusalError, type Said } from '../shared/refusal.ts'
import { retryAfterSeconds } from '../shared/retry.ts'
import { hasName, nameOf } from './names.ts'

/** Seconds to wait where a server does not say how long. */
const pauseSeconds = 10

/** The error of the API for a request that a server refused; `host` is what it is called. */
export function refused(answer: Refusal, host: string): ApiError {
  return statusError({ ...saidIn(answer), status: answer.status }, host, retryAfterSeconds(answer.header))
}

/** The same for a status inside an answer; `conditions` are what the server names as reasons. */
export const refusedInside = (status: number, conditions: readonly string[], host: string): ApiError =>
  statusError({ status, reason: conditions[0] ?? '', message: conditions.join(', ') }, host)

function statusError(said: Said, host: string, named?: number): ApiError {
  const { status } = said
  const details = { providerError: { ...said } }
  if (status === 412) return changedMeanwhile(details)
  if (status === 423) return new ApiError('provider_refused', `${host} says that it is locked`, details)
  if (status === 507) return new ApiError('provider_refused', `${host} has no room left for the account`, details)
  if (status >= 300 && status < 400) {
    return new ApiError('provider_refused', `${host} sends us elsewhere without end`, details)
  }
  return refusalError(host, said, {
    rateLimit: status === 429 ? { named, pauseSeconds } : undefined,
    retryAfter: named,
  })
}

/** Somebody else was quicker: nothing was overwritten. */
export const changedMeanwhile = (details: ApiError['details'] = {}): ApiError =>
  new ApiError(
    'conflict',
    'it was changed elsewhere in the meantime, and nothing was overwritten; read it again, then change it',
    details,
  )

/** The server speaks HTTP, but not as one of calendars or contacts does. */
export const notDav = (host: string, cause?: unknown, answer?: Pick<Refusal, 'status' | 'header'>): ApiError => {
  const type = answer?.header('content-type')?.split(';')[0]?.trim().slice(0, 60) || 'no content type'
  const answered = answer ? ` (it answered ${answer.status}, ${type})` : ''
  return new ApiError('provider_unavailable', `${host} does not answer as a CalDAV or CardDAV server does${answered}`, {
    providerError: { reason: 'malformed_answer', message: cause instanceof Error ? cause.message : '' },
    cause,
  })
}

/** What a server says of a refusal: the precondition that it names, or the words of a plain text. */
function saidIn({ status, header, body }: Refusal): Said {
  const type = header('content-type') ?? ''
  const root = /xml/i.test(type) ? rootOf(body) : undefined
  if (root && hasName(root, 'D:error')) {
    const [first] = root.children
    return { status, reason: first ? nameOf(first) : '', message: textIn(root) || (first ? nameOf(first) : '') }
  }
  const words = /^text\/plain/i.test(type) ? Buffer.from(body.subarray(0, 2_000)).toString().trim().slice(0, 300) : ''
  return { status, reason: '', message: words }
}

/** What says more is a page, and no refusal that programs read. */
const longestRefusal = 64 * 1024

function rootOf(body: Uint8Array): XmlElement | undefined {
  try {
    return body.length > longestRefusal ? undefined : parseXml(body, { elements: 1000, attributes: 1000 })
  } catch {
    return undefined
  }
}

/** The first text of a description, at whatever depth. */
const textIn = (element: XmlElement): string =>
  element.text.trim().slice(0, 300) || (element.children.map(textIn).find((text) => text !== '') ?? '')

/** The status that a server answered with, of an error of this file. */
export { providerReason, providerStatus } from '../shared/refusal.ts'
