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

/** A host and perhaps a port (RFC 9110 §7.2), without what a URL would read as user or path. */
const hostForm = /^(?:\[[0-9a-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i

/** What is wrong with a request; undefined where it means one thing. */
export function requestProblem({ target, headers }: RawRequest): string | undefined {
  const seen = new Set<string>()
  let host: string | undefined
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at]?.toLowerCase() ?? ''
    if (once.has(name) && seen.has(name)) return `the header ${name} must be given once`
    seen.add(name)
    if (name === 'host') host = headers[at + 1]
  }
  if (host !== undefined && !hostForm.test(host)) return 'the Host header is not a host and a port'
  if (seen.has('content-length') && seen.has('transfer-encoding')) {
    return 'Content-Length and Transfer-Encoding must not both be given'
  }
  return targetProblem(target)
}

/** A segment that a URL would take for the same place or the one above, spelled in any way. */
const isDots = (segment: string): boolean => /^(?:\.|%2e){1,2}$/i.test(segment)

function targetProblem(target: string): string | undefined {
  const path = target.split('?', 1)[0] ?? ''
  if (/[\\#]/.test(path)) return 'the path must not hold a backslash or a #: percent-encode them'
  if (path.split('/').some(isDots)) return 'the path must not hold the segments . and ..'
  return undefined
}
