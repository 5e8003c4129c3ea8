// Responses for lists and single items: `$filter`, `$orderby`, `$count`, pages, `$expand` and `$select`.
import type { JsonObject } from '../../shared/http.ts'
import { badRequest, GraphError } from '../errors.ts'
import type { GraphAnswer, GraphCall } from '../http.ts'
import { checkExpand, checkSelect, type EntityType, project } from './entity.ts'
import { inOrder, satisfies } from './evaluate.ts'
import { type Expansion, type ODataQuery, optionOf, readQuery } from './query.ts'

const metadata = 'https://graph.microsoft.com/v1.0/$metadata#'
const pageLifetimeMs = 3_600_000

export interface ItemOptions<T> {
  readonly type: EntityType
  /** After `$metadata#`, such as `users('…')/messages`. */
  readonly context: string
  /** The resource without navigation properties. */
  json(item: T): JsonObject
  /** The form used for filters and orders; default `json`. */
  filterJson?(item: T): JsonObject
  /** The value of a navigation property. */
  expand?(item: T, expansion: Expansion): unknown
  /** The real name of a navigation property that is requested under another name. */
  readonly expandsTo?: string
}

export interface ListOptions<T> extends ItemOptions<T> {
  /** The page size without `$top`; default 10. */
  readonly pageSize?: number
  /** Default 1000. */
  readonly maxTop?: number
  /**
   * Whether the next page is requested with an opaque `$skiptoken`, which expires, or with `$skip`. Default `skip`.
   */
  readonly paging?: 'skip' | 'token'
}

/** One page of matching items; `items` are in the default order, used without `$orderby`. */
export function listAnswer<T>(call: GraphCall, items: Iterable<T>, options: ListOptions<T>): GraphAnswer {
  const query = readQuery(call.query)
  checkQuery(query, options)
  const fitting = select(items, query, options)
  const size = query.top ?? call.prefer.maxPageSize ?? options.pageSize ?? 10
  const from = startOf(call, query)
  const page = fitting.slice(from, from + size)
  const end = from + page.length
  const context = query.select === undefined ? options.context : `${options.context}(${query.select.join(',')})`
  return {
    json: {
      '@odata.context': metadata + context,
      ...(query.count && { '@odata.count': fitting.length }),
      value: page.map((item) => shown(item, query, options)),
      ...(end < fitting.length && { '@odata.nextLink': nextLink(call, options, end) }),
    },
  }
}

/** One item, with `$select` and `$expand` applied. */
export function itemAnswer<T>(call: GraphCall, item: T, options: ItemOptions<T>, status = 200): GraphAnswer {
  const query = readQuery(call.query)
  checkQuery(query, options)
  const context = query.select === undefined ? '' : `(${query.select.join(',')})`
  return {
    status,
    json: { '@odata.context': `${metadata}${options.context}${context}/$entity`, ...shown(item, query, options) },
  }
}

function checkQuery<T>({ select, expand, top }: ODataQuery, { type, maxTop = 1000 }: ListOptions<T>): void {
  checkSelect(type, select)
  checkExpand(type, expand)
  if (top === undefined || (top >= 1 && top <= maxTop)) return
  throw badRequest(
    `The query specified in the URI is not valid. The limit of '${maxTop}' for Top query has been exceeded. The value from the incoming request is '${top}'.`,
  )
}

function select<T>(items: Iterable<T>, { filter, orderBy }: ODataQuery, options: ListOptions<T>): T[] {
  const { filterJson: json = options.json } = options
  let found = [...items]
  if (filter !== undefined) found = found.filter((item) => satisfies(filter, json(item)))
  if (orderBy.length === 0) return found
  const order = inOrder(orderBy)
  return found
    .map((item) => ({ item, json: json(item) }))
    .sort((left, right) => order(left.json, right.json))
    .map(({ item }) => item)
}

/** An item as returned to the client. */
function shown<T>(item: T, { select, expand }: ODataQuery, options: ItemOptions<T>): JsonObject {
  const whole = project(options.type, options.json(item), select)
  for (const expansion of expand) {
    const value = options.expand?.(item, expansion)
    if (value !== undefined) whole[options.expandsTo ?? expansion.name] = value
  }
  return whole
}

function startOf({ world, query: parameters }: GraphCall, { skip }: ODataQuery): number {
  const token = optionOf(parameters, '$skiptoken')
  if (token === undefined) return skip
  const state = world.tokens.read<{ from: number }>(token)
  if (state !== undefined) return state.from
  throw new GraphError(400, 'ErrorInvalidUrlQuery', 'The skip token is not valid or has expired.')
}

function nextLink<T>({ world, url }: GraphCall, { paging }: ListOptions<T>, from: number): string {
  const link = new URL(world.url + url.pathname)
  for (const [name, value] of url.searchParams) {
    if (!/^\$?skip(?:token)?$/i.test(name)) link.searchParams.append(name, value)
  }
  if (paging === 'token') link.searchParams.set('$skiptoken', world.tokens.issue({ from }, pageLifetimeMs))
  else link.searchParams.set('$skip', String(from))
  return link.href.replaceAll('%24', '$')
}
