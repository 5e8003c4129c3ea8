/** Maps answers of DAV servers to errors of the API. */
import { ApiError } from '@waypost/platform/api-error'
import { parseXml, type XmlElement } from '@waypost/platform/xml/xml'
import { type Refusal, type RefusalDetail, refusalError } from '../shared/refusal.ts'
import { retryAfterSeconds } from '../shared/retry.ts'
import { hasName, nameOf } from './names.ts'

/** Seconds to wait if a server does not name a time. */
const pauseSeconds = 10

/** The API error for a refused request; `host` is the name for the message. */
export function refused(answer: Refusal, host: string): ApiError {
  return statusError({ ...saidIn(answer), status: answer.status }, host, retryAfterSeconds(answer.header))
}

/** The API error for a status inside an answer; `conditions` are the reasons that the server names. */
export const refusedInside = (status: number, conditions: readonly string[], host: string): ApiError =>
  statusError({ status, reason: conditions[0] ?? '', message: conditions.join(', ') }, host)

function statusError(said: RefusalDetail, host: string, named?: number): ApiError {
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

/** A concurrent change came first; nothing was overwritten. */
export const changedMeanwhile = (details: ApiError['details'] = {}): ApiError =>
  new ApiError(
    'conflict',
    'it was changed elsewhere in the meantime, and nothing was overwritten; read it again, then change it',
    details,
  )

/** The server speaks HTTP, but not CalDAV or CardDAV. */
export const notDav = (host: string, cause?: unknown, answer?: Pick<Refusal, 'status' | 'header'>): ApiError => {
  const type = answer?.header('content-type')?.split(';')[0]?.trim().slice(0, 60) || 'no content type'
  const answered = answer ? ` (it answered ${answer.status}, ${type})` : ''
  return new ApiError('provider_unavailable', `${host} does not answer as a CalDAV or CardDAV server does${answered}`, {
    providerError: { reason: 'malformed_answer', message: cause instanceof Error ? cause.message : '' },
    cause,
  })
}

/** The reason of a refusal: the precondition that the server names, or the words of a plain text. */
function saidIn({ status, header, body }: Refusal): RefusalDetail {
  const type = header('content-type') ?? ''
  const root = /xml/i.test(type) ? rootOf(body) : undefined
  if (root && hasName(root, 'D:error')) {
    const [first] = root.children
    return { status, reason: first ? nameOf(first) : '', message: textIn(root) || (first ? nameOf(first) : '') }
  }
  const words = /^text\/plain/i.test(type) ? Buffer.from(body.subarray(0, 2_000)).toString().trim().slice(0, 300) : ''
  return { status, reason: '', message: words }
}

/** A longer answer is a web page, not a machine-readable refusal. */
const maxRefusalLength = 64 * 1024

function rootOf(body: Uint8Array): XmlElement | undefined {
  try {
    return body.length > maxRefusalLength ? undefined : parseXml(body, { elements: 1000, attributes: 1000 })
  } catch {
    return undefined
  }
}

/** The first text in an element, at any depth. */
const textIn = (element: XmlElement): string =>
  element.text.trim().slice(0, 300) || (element.children.map(textIn).find((text) => text !== '') ?? '')

export { providerReason, providerStatus } from '../shared/refusal.ts'
