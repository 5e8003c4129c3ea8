/**
 * Matches request paths. Paths are compiled into a tree of segments: `:name` matches any segment that is not empty,
 * and `*` at the end matches the path before it and everything below. If several paths match, they are tried in the
 * order in which they were added. Pure.
 */

/** A value under a path. */
interface Entry<T> {
  readonly order: number
  /** Undefined for all methods. */
  readonly method: string | undefined
  /** The positions of its parameters. */
  readonly params: readonly { readonly at: number; readonly name: string }[]
  readonly value: T
}

export interface Match<T> {
  readonly value: T
  readonly params: Record<string, string>
}

class Segment<T> {
  readonly literals = new Map<string, Segment<T>>()
  param: Segment<T> | undefined
  /** Paths that end here. */
  readonly entries: Entry<T>[] = []
  /** Paths that match everything from here on. */
  readonly below: Entry<T>[] = []
}

export class PathMatcher<T> {
  readonly #root = new Segment<T>()
  #size = 0

  add(method: string | undefined, path: string, value: T): void {
    const segments = path.split('/')
    const isWide = segments.at(-1) === '*'
    if (isWide) segments.pop()
    const params: { at: number; name: string }[] = []
    let place = this.#root
    for (const [at, segment] of segments.entries()) {
      if (at === 0) continue
      if (segment.startsWith(':')) {
        params.push({ at, name: segment.slice(1) })
        place.param ??= new Segment()
        place = place.param
      } else place = literal(place, segment)
    }
    const entry = { order: this.#size++, method, params, value }
    if (isWide) place.below.push(entry)
    else place.entries.push(entry)
  }

  /** The values whose paths match, first choice first. */
  match(method: string, path: string): Match<T>[] {
    const segments = path.split('/')
    const found: Entry<T>[] = []
    collect(this.#root, 1, { segments, method, found })
    if (found.length > 1) found.sort((a, b) => a.order - b.order)
    return found.map(({ value, params }) => ({ value, params: paramsIn(segments, params) }))
  }
}

function literal<T>(place: Segment<T>, segment: string): Segment<T> {
  const known = place.literals.get(segment)
  if (known) return known
  const fresh = new Segment<T>()
  place.literals.set(segment, fresh)
  return fresh
}

interface Search<T> {
  segments: readonly string[]
  method: string
  found: Entry<T>[]
}

function collect<T>(place: Segment<T>, at: number, search: Search<T>): void {
  take(place.below, search)
  if (at === search.segments.length) {
    take(place.entries, search)
    return
  }
  const segment = search.segments[at] ?? ''
  const next = place.literals.get(segment)
  if (next) collect(next, at + 1, search)
  // An empty segment is an id that the client left out; it matches no parameter.
  if (place.param && segment !== '') collect(place.param, at + 1, search)
}

function take<T>(entries: readonly Entry<T>[], { method, found }: Search<T>): void {
  for (const entry of entries) if (entry.method === undefined || entry.method === method) found.push(entry)
}

function paramsIn(segments: readonly string[], params: Entry<unknown>['params']): Record<string, string> {
  const found: Record<string, string> = {}
  for (const { at, name } of params) found[name] = textOf(segments[at] ?? '')
  return found
}

/** A segment as text. Text that no stored value can contain is replaced, so that it matches nothing. */
function textOf(segment: string): string {
  const text = segment.includes('%') ? decoded(segment) : segment
  return text.includes('\0') || !text.isWellFormed() ? '\uFFFD' : text
}

/** Invalid percent-encoding stays as it is. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment.replace(/(?:%[0-9a-f]{2})+/gi, (part) => {
      try {
        return decodeURIComponent(part)
      } catch {
        return part
      }
    })
  }
}
