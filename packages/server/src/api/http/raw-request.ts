/**
 * Refuses ambiguous requests. Proxies and this service must agree on the path of a request, its credential and its
 * end. They may disagree if a header that must be unique appears twice, or if the path would be normalized.
 */

/** A request as it was received. */
export interface RawRequest {
  /** The request target. */
  target: string
  /** Names and values alternating. */
  headers: readonly string[]
}

/** Headers of which Node would silently drop a second one (RFC 9110 §5.3). */
const once: ReadonlySet<string> = new Set([
  'host',
  'authorization',
  'content-length',
  'content-type',
  'transfer-encoding',
  'idempotency-key',
  'x-waypost-application',
  'origin',
])

/** A quick check: most headers have none of these lengths. */
const lengths: ReadonlySet<number> = new Set(Array.from(once, (name) => name.length))

/** A host and an optional port (RFC 9110 §7.2), without anything that a URL would parse as user or path. */
const hostForm = /^(?:\[[0-9a-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i

/** The problem with a request; undefined if it is unambiguous. */
export function requestProblem({ target, headers }: RawRequest): string | undefined {
  const seen: string[] = []
  let host: string | undefined
  for (let at = 0; at < headers.length; at += 2) {
    const given = headers[at] ?? ''
    if (!lengths.has(given.length)) continue
    const name = given.toLowerCase()
    if (!once.has(name)) continue
    if (seen.includes(name)) return `the header ${name} must be given once`
    seen.push(name)
    if (name === 'host') host = headers[at + 1]
  }
  if (host !== undefined && !hostForm.test(host)) return 'the Host header is not a host and a port'
  if (seen.includes('content-length') && seen.includes('transfer-encoding')) {
    return 'Content-Length and Transfer-Encoding must not both be given'
  }
  return targetProblem(target)
}

/** Characters that end a path or are read as a slash, and the segments `.` and `..`. */
const ambiguous = /[\\#]|(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i

/** A quick check: few paths contain one of these characters. */
const perhapsAmbiguous = /[\\#.%]/

function targetProblem(target: string): string | undefined {
  const end = target.indexOf('?')
  const path = end === -1 ? target : target.slice(0, end)
  const found = perhapsAmbiguous.test(path) ? ambiguous.exec(path) : null
  if (!found) return undefined
  return /[\\#]/.test(found[0])
    ? 'the path must not hold a backslash or a #: percent-encode them'
    : 'the path must not hold the segments . and ..'
}
