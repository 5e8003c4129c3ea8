/** The query of a request. That of a list or of an account is kept until another one comes: who asks again asks the same. */
import type { NamedRoute } from '@waypost/contract'
import { type RawQuery, readQuery } from '../pipeline/request.ts'
import type { Incoming } from '../pipeline/request-admission.ts'

export interface ReadQuery {
  /** As it came. */
  readonly text: string
  readonly raw: Readonly<RawQuery>
  /** What its fields are; undefined until they are checked, which is after the request was admitted. */
  fields: Readonly<Record<string, unknown>> | undefined
  /** Names that the route does not know. */
  unknown: readonly string[]
  /** What a cursor is bound to of it, as text; undefined until there is a cursor. */
  filters: string | undefined
}

/** A route, and the last query that was read of it. */
export interface Queried {
  readonly named: NamedRoute
  lastQuery: ReadQuery | undefined
}

/** A longer one holds a cursor, or words that are looked for: it hardly comes again. */
const longestKept = 200

export function queryOf(route: Queried, { request: { target }, inPath }: Incoming): ReadQuery {
  const mark = target.indexOf('?')
  const text = mark === -1 ? '' : target.slice(mark + 1)
  if (!inPath && route.lastQuery?.text === text) return route.lastQuery
  const raw = readQuery(text)
  const read = {
    text,
    raw: inPath ? Object.assign(raw, inPath) : raw,
    fields: undefined,
    unknown: [],
    filters: undefined,
  }
  const { list, audience } = route.named.route
  const isKept = text === '' || ((list !== undefined || audience === 'grant') && text.length <= longestKept)
  if (isKept && !inPath) route.lastQuery = read
  return read
}
