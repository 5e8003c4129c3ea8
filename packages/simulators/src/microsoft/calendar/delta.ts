// `calendarView/delta`: changes to the events in a window. A series is reported as a unit: its master, a full event
// for each exception, and only the times of the other occurrences. A deleted occurrence is not reported; it is just
// missing from the series. Events outside the window count as removed.
// https://learn.microsoft.com/graph/delta-query-events

import { itemOf, occurrencesIn, type Range, touches } from '../../shared/calendar/series.ts'
import type { JsonObject } from '../../shared/http.ts'
import { badRequest, GraphError } from '../errors.ts'
import type { GraphAnswer, GraphCall, GraphRoute } from '../http.ts'
import { optionOf } from '../odata/query.ts'
import { mailboxRoutes } from '../part.ts'
import { calendarOfCall, calendarPaths, mailboxOfCall, READ, rangeOf, viewOfCall } from './calendar-call.ts'
import { bareJson, type EventView, eventJson } from './event-json.ts'
import { calendarState, type StoredCalendar, type StoredEvent } from './state.ts'

const pageSize = 10

interface Round {
  readonly path: string
  readonly range: Range
  /** The calendar version at the start of the previous round; undefined in the first round. */
  readonly since: number | undefined
  /** The version from which the next round starts. */
  readonly version: number
  /** The keys of the remaining events of this round. */
  readonly pending?: readonly string[]
}

function delta(call: GraphCall): GraphAnswer {
  const calendar = calendarOfCall(call)
  const round = roundOf(call)
  const keys = round.pending ?? changedKeys(calendar, round.since)
  const size = call.prefer.maxPageSize ?? pageSize
  const view = viewOfCall(call, calendar)
  const value: JsonObject[] = []
  let used = 0
  // A series is never split across pages.
  while (used < keys.length && (used === 0 || value.length < size)) {
    value.push(...reportedOf(calendar, keys[used] ?? '', { round, view }))
    used++
  }
  const pending = keys.slice(used)
  const next: Round = { ...round, version: round.version, pending: pending.length > 0 ? pending : undefined }
  return {
    json: {
      '@odata.context': 'https://graph.microsoft.com/v1.0/$metadata#Collection(event)',
      value,
      ...(pending.length > 0
        ? { '@odata.nextLink': linkOf(call, '$skiptoken', next) }
        : { '@odata.deltaLink': linkOf(call, '$deltatoken', { ...next, since: round.version }) }),
    },
  }
}

function roundOf(call: GraphCall): Round {
  const { version } = calendarState(call.world)
  const token = optionOf(call.query, '$skiptoken') ?? optionOf(call.query, '$deltatoken')
  const path = call.url.pathname.toLowerCase()
  if (token === undefined) {
    checkOptions(call.query)
    return { path, range: rangeOf(call.query), since: undefined, version }
  }
  const round = call.world.tokens.read<Round>(token)
  if (round === undefined || round.version < mailboxOfCall(call).validFrom) {
    throw new GraphError(410, 'SyncStateNotFound', 'The sync state generation is not found; generation=1;[highest=2]')
  }
  if (round.path !== path) throw badRequest('The delta token is not valid for this resource.')
  return round.pending === undefined ? { ...round, version } : round
}

function checkOptions(query: URLSearchParams): void {
  for (const name of query.keys()) {
    if (/^(?:startDateTime|endDateTime)$/i.test(name)) continue
    throw badRequest(`The query parameter '${name}' is not supported for change tracking over the 'event' resource.`)
  }
}

/** The keys of changed events: all in the first round, then in the order of the changes. */
function changedKeys({ events, removals }: StoredCalendar, since: number | undefined): string[] {
  if (since === undefined) return [...events.keys()]
  const changed = [...events.values(), ...removals].filter(({ version }) => version > since)
  return changed.sort((left, right) => left.version - right.version).map(({ key }) => key)
}

function reportedOf(
  calendar: StoredCalendar,
  key: string,
  { round, view }: { round: Round; view: EventView },
): JsonObject[] {
  const event = calendar.events.get(key)
  const reported = event === undefined ? [] : shownOf(event, round.range, view)
  if (reported.length > 0) return reported
  return round.since === undefined ? [] : [{ '@removed': { reason: 'deleted' }, id: view.idOf(key) }]
}

function shownOf(event: StoredEvent, range: Range, view: EventView): JsonObject[] {
  const item = itemOf(event)
  const whole = (one: typeof item) => ({ '@odata.type': '#microsoft.graph.event', ...eventJson(one, view) })
  if (event.recurrence === null) return touches(item, range) ? [whole(item)] : []
  const occurrences = [...occurrencesIn(event, range)]
  if (occurrences.length === 0) return []
  return [whole(item), ...occurrences.map((one) => (one.kind === 'exception' ? whole(one) : bareJson(one, view)))]
}

function linkOf({ world, url }: GraphCall, name: string, round: Round): string {
  return `${world.url}${url.pathname}?${name}=${world.tokens.issue(round)}`
}

export const deltaRoutes: readonly GraphRoute[] = calendarPaths.flatMap((root) =>
  mailboxRoutes(`GET ${root}/calendarView/delta`, READ, delta),
)
