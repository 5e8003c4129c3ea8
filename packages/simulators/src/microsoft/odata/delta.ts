// Delta queries: the first round returns all items, later rounds return changes. Pages have a `nextLink`; the last
// page of a round has a `deltaLink`. Only the first request has options; tokens carry them to later requests.
// https://learn.microsoft.com/graph/delta-query-overview
import type { JsonObject } from '../../shared/http.ts'
import { badRequest, GraphError } from '../errors.ts'
import type { GraphAnswer, GraphCall } from '../http.ts'
import type { ChangeLog, Outcome } from './change-log.ts'
import { checkSelect, type EntityType, project } from './entity.ts'
import { inOrder, satisfies } from './evaluate.ts'
import { type ODataQuery, optionOf, readQuery } from './query.ts'

export interface DeltaOptions {
  readonly type: EntityType
  readonly log: ChangeLog
  /** After `$metadata#`. */
  readonly context: string
  /** The keys of all items. */
  keys(): Iterable<string>
  /** The resource; undefined if it is not or no longer in the collection. */
  json(key: string): JsonObject | undefined
  /** The id of a removed item. */
  removedId(key: string, was: string | undefined): string
  /** Whether an item that returned under a new id is also reported as removed under its old id; default false. */
  readonly tellsOldIds?: boolean
  /** The supported options, such as `$select`; all others are rejected. */
  readonly takes: readonly string[]
  readonly pageSize?: number
  /** Whether `$deltatoken=latest` starts with an empty round; otherwise it is ignored, as for mail. */
  readonly takesLatest?: boolean
  /** Other parameters of the first request, retained for all later rounds. */
  readonly parameters?: Readonly<Record<string, string>>
}

/** The state behind a token. */
interface DeltaState {
  readonly path: string
  /** The options of the first request. */
  readonly options: string
  readonly parameters: Readonly<Record<string, string>>
  /** The log position from which the next round starts. */
  readonly since: number
  /** The remaining outcomes of this round. */
  readonly pending?: readonly Outcome[]
  /** Whether this is the first round, which reports no removals. */
  readonly isFirst: boolean
}

/** The parameters of the first request, for a request that has a token instead. */
export function deltaParameters(call: GraphCall): Readonly<Record<string, string>> | undefined {
  const token = tokenOf(call)
  return token === undefined ? undefined : call.world.tokens.read<DeltaState>(token)?.parameters
}

export function deltaAnswer(call: GraphCall, options: DeltaOptions): GraphAnswer {
  const token = tokenOf(call)
  const state = token === undefined ? firstState(call, options) : stateOf(call, token, options)
  const round = state.pending ?? options.log.since(state.since)
  if (round === undefined) throw syncStateNotFound(options.log.forgottenCode)
  const upTo = state.pending === undefined ? options.log.now : state.since
  const query = readQuery(new URLSearchParams(state.options))
  const size = query.top ?? call.prefer.maxPageSize ?? options.pageSize ?? 10
  const page = round.slice(0, size)
  const rest = round.slice(size)
  const value = page.flatMap((outcome) => shown(outcome, { state, query, options }))
  const next: DeltaState = { ...state, since: upTo, isFirst: state.isFirst && rest.length > 0 }
  const link =
    rest.length > 0
      ? { '@odata.nextLink': linkOf(call, '$skiptoken', { ...next, pending: rest }) }
      : { '@odata.deltaLink': linkOf(call, '$deltatoken', withoutPending(next)) }
  const context = `https://graph.microsoft.com/v1.0/$metadata#${options.context}`
  return { json: { '@odata.context': context, value, ...link } }
}

function tokenOf({ query }: GraphCall): string | undefined {
  const token = optionOf(query, '$skiptoken') ?? optionOf(query, '$deltatoken')
  return token === 'latest' ? undefined : token
}

function firstState(call: GraphCall, options: DeltaOptions): DeltaState {
  const { log, type, takes, parameters = {} } = options
  for (const name of call.query.keys()) {
    const isOption = takes.includes(name) || name in parameters || name.toLowerCase() === '$deltatoken'
    if (!isOption)
      throw badRequest(`The query parameter '${name}' is not supported for change tracking over this resource.`)
  }
  const query = readQuery(call.query)
  checkSelect(type, query.select)
  const path = call.url.pathname
  const retained = new URLSearchParams([...call.query].filter(([name]) => takes.includes(name)))
  const first = { path, options: retained.toString(), parameters, since: log.now, isFirst: true }
  if (options.takesLatest === true && optionOf(call.query, '$deltatoken') === 'latest') return { ...first, pending: [] }
  return { ...first, pending: firstRound(query, options, call.world.filteredDeltaItems) }
}

/**
 * All items. With a filter, at most `maxFiltered` items are returned. Without `$orderby`, Graph does not say which
 * ones; here they are the oldest.
 */
function firstRound({ orderBy, filter }: ODataQuery, { keys, json }: DeltaOptions, maxFiltered: number): Outcome[] {
  const all = [...keys()].map((key) => ({ key, isNew: true, fields: undefined, was: [] }))
  const fitting = filter === undefined ? all : all.filter(({ key }) => satisfies(filter, json(key) ?? {}))
  const order = inOrder(orderBy)
  const sorted =
    orderBy.length === 0 ? fitting : fitting.sort((left, right) => order(json(left.key) ?? {}, json(right.key) ?? {}))
  return filter === undefined ? sorted : sorted.slice(0, maxFiltered)
}

function stateOf(call: GraphCall, token: string, { log }: DeltaOptions): DeltaState {
  const state = call.world.tokens.read<DeltaState>(token)
  if (state === undefined) throw syncStateNotFound(log.forgottenCode)
  if (state.path.toLowerCase() !== call.url.pathname.toLowerCase()) {
    throw badRequest('The delta token is not valid for this resource.')
  }
  return state
}

interface Round {
  readonly state: DeltaState
  readonly query: ODataQuery
  readonly options: DeltaOptions
}

function shown({ key, isNew, fields, was }: Outcome, { state, query, options }: Round): JsonObject[] {
  const wanted = new URLSearchParams(state.options).get('changeType')
  const json = options.json(key)
  const fits = json !== undefined && (query.filter === undefined || satisfies(query.filter, json))
  const removed = (id: string) => ({ id, '@removed': { reason: 'deleted' } })
  if (!fits) {
    if (state.isFirst || (wanted !== null && wanted !== 'deleted')) return []
    // An existing item that does not match the filter is not reported; only removed items are.
    if (json !== undefined) return []
    return [removed(options.removedId(key, was.at(-1)))]
  }
  const gone =
    state.isFirst || options.tellsOldIds !== true
      ? []
      : was.filter((id) => id !== json.id && wanted === null).map(removed)
  if (wanted !== null && wanted !== (isNew ? 'created' : 'updated')) return gone
  const whole = project(options.type, json, query.select)
  if (fields === undefined || isNew) return [...gone, whole]
  // Return only the changed properties, as for `isRead`.
  return [...gone, project(options.type, whole, [...fields])]
}

function withoutPending({ pending: _, ...state }: DeltaState): DeltaState {
  return state
}

function linkOf({ world, url }: GraphCall, name: string, state: DeltaState): string {
  return `${world.url}${url.pathname}?${name}=${world.tokens.issue(state)}`
}

function syncStateNotFound(code: string): GraphError {
  return new GraphError(410, code, 'The sync state generation is not found; generation=1;[highest=2]')
}
