// Finds the route of a request. The most literal matching path wins, so `messages/send` is not mistaken for a message
// with the id `send`.
export interface Routed {
  readonly method: string
  readonly path: string
}

export interface Match<R> {
  readonly route: R
  readonly params: Readonly<Record<string, string>>
}

interface Segment {
  readonly literal: string
  readonly param: string | undefined
}

export interface RouteTable<R extends Routed> {
  /** Undefined if no path matches; `otherMethod` if a path matches only for another method. */
  find(method: string, path: string): Match<R> | 'otherMethod' | undefined
}

export function routeTable<R extends Routed>(
  routes: readonly R[],
  { foldsCase = false }: { foldsCase?: boolean } = {},
): RouteTable<R> {
  const entries = routes.map((route) => ({ route, segments: route.path.split('/').slice(1).map(parseSegment) }))
  entries.sort((left, right) => (weight(left.segments) < weight(right.segments) ? 1 : -1))
  return {
    find(method, path) {
      const parts = path.split('/').slice(1).map(decodeSegment)
      let otherMethod = false
      for (const { route, segments } of entries) {
        const params = matchSegments(segments, parts, foldsCase)
        if (params === undefined) continue
        if (route.method === method) return { route, params }
        otherMethod = true
      }
      return otherMethod ? 'otherMethod' : undefined
    },
  }
}

function parseSegment(text: string): Segment {
  const match = /^:(\w+)(:\w+)?$/.exec(text)
  return match === null ? { literal: text, param: undefined } : { literal: match[2] ?? '', param: match[1] }
}

/** A sort key: the first more literal segment decides. */
function weight(segments: readonly Segment[]): string {
  return segments.map(({ literal, param }) => (param === undefined ? '2' : literal === '' ? '0' : '1')).join('')
}

function matchSegments(
  segments: readonly Segment[],
  parts: readonly string[],
  foldsCase: boolean,
): Record<string, string> | undefined {
  if (segments.length !== parts.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, { literal, param }] of segments.entries()) {
    const part = parts[index] ?? ''
    if (param === undefined) {
      const isSame = foldsCase ? part.toLowerCase() === literal.toLowerCase() : part === literal
      if (!isSame) return undefined
      continue
    }
    if (!part.endsWith(literal) || part.length === literal.length) return undefined
    params[param] = part.slice(0, part.length - literal.length)
  }
  return params
}

function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
