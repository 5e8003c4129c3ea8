/**
 * Requests that could mean two things: refused before anybody reads them as one of the two. Proxies and this service must
 * agree on where a request goes, in whose name, and where it ends; where a header that counts once stands there twice, or
 * the path would be rewritten on the way to its route, they might not.
 */

/** What a request is asked by, as it came over the wire. */
export interface RawRequest {
  /** The request target. */
  target: string
  /** Names and values in turn. */
  headers: readonly string[]
}

/** Headers of which a second one would be dropped in silence (RFC 9110 §5.3). */
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

/** Most headers are none of them, as their length tells. */
const lengths: ReadonlySet<number> = new Set(Array.from(once, (name) => name.length))

/** A host and perhaps a port (RFC 9110 §7.2), without what a URL would read as user or path. */
const hostForm = /^(?:\[[0-9a-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i

/** What is wrong with a request; undefined where it means one thing. */
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

/** Signs that end a path or are read as a slash, and a segment that a URL would take for the same place or the one above. */
const ambiguous = /[\\#]|(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i

/** One of the signs that it begins with: hardly any path has one. */
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
