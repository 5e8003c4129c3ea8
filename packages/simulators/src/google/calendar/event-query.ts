// The queries of `events.list` and `events.instances`: which parameters can be combined, and which parameters a sync
// token stores. https://developers.google.com/workspace/calendar/api/v3/reference/events/list

import type { JsonObject } from '../../shared/http.ts'
import { GoogleError } from '../errors.ts'
import { booleanOf, integerOf } from '../http.ts'
import { isZone, parseBound } from './event-time.ts'
import { readPageToken, readSyncToken } from './tokens.ts'

export interface EventQuery {
  readonly singleEvents: boolean
  readonly showDeleted: boolean
  readonly timeMin: number | undefined
  readonly timeMax: number | undefined
  readonly updatedMin: number | undefined
  readonly orderBy: 'startTime' | 'updated' | undefined
  readonly iCalUID: string | undefined
  readonly words: readonly string[]
  readonly privateProperties: readonly string[]
  readonly sharedProperties: readonly string[]
  readonly eventTypes: readonly string[]
  readonly zone: string | undefined
  readonly maxResults: number
  readonly maxAttendees: number | undefined
  /** Only changes after this version. */
  readonly since: number | undefined
  /** The version from which the next sync starts; set by the first page. */
  readonly asOf: number
  /** The last event of the previous page. */
  readonly after: Cursor | undefined
  /** Whether the last page has a sync token. */
  readonly synchronizable: boolean
}

export type Cursor = readonly [number, number, string]

const forbiddenWithSync = [
  'iCalUID',
  'orderBy',
  'privateExtendedProperty',
  'q',
  'sharedExtendedProperty',
  'timeMin',
  'timeMax',
  'updatedMin',
]
/** How long deleted events are retained. */
const daysOfUpdates = 28

export interface QueryContext {
  readonly calendarKey: string
  readonly version: number
  readonly validFrom: number
  readonly now: number
}

export function parseEventQuery(query: URLSearchParams, context: QueryContext): EventQuery {
  const syncToken = query.get('syncToken')
  if (syncToken !== null) checkSync(query)
  const page = readPage(query, context)
  const sync = syncToken === null ? undefined : readSyncToken(syncToken, context.calendarKey, context.validFrom)
  const remembered = sync ?? (page?.since === undefined ? undefined : page)
  const timeMin = numberOf(remembered?.timeMin) ?? parseBound(query.get('timeMin'), 'timeMin')
  const timeMax = numberOf(remembered?.timeMax) ?? parseBound(query.get('timeMax'), 'timeMax')
  if (timeMin !== undefined && timeMax !== undefined && timeMin >= timeMax) {
    throw new GoogleError(400, 'timeRangeEmpty', 'The specified time range is empty.', {
      location: 'timeMax',
      locationType: 'parameter',
    })
  }
  const orderBy = parseOrder(query)
  return {
    singleEvents: remembered === undefined ? booleanOf(query, 'singleEvents') : remembered.singleEvents === true,
    showDeleted: booleanOf(query, 'showDeleted'),
    timeMin,
    timeMax,
    updatedMin: parseUpdatedMin(query, context.now),
    orderBy,
    iCalUID: query.get('iCalUID') ?? undefined,
    words: (query.get('q') ?? '').toLowerCase().split(/\s+/).filter(Boolean),
    privateProperties: query.getAll('privateExtendedProperty'),
    sharedProperties: query.getAll('sharedExtendedProperty'),
    eventTypes: query.getAll('eventTypes'),
    zone: zoneOf(query),
    maxResults: Math.max(1, integerOf(query, 'maxResults', { fallback: 250, max: 2500 })),
    maxAttendees: query.has('maxAttendees')
      ? integerOf(query, 'maxAttendees', { fallback: 1, max: 10_000 })
      : undefined,
    since: numberOf(sync?.version) ?? numberOf(page?.since),
    asOf: numberOf(page?.asOf) ?? context.version,
    after: cursorOf(page?.after),
    synchronizable: !forbiddenWithSync.some((name) => query.has(name) && !name.startsWith('time')),
  }
}

function checkSync(query: URLSearchParams): void {
  const refused = forbiddenWithSync.some((name) => query.has(name)) || query.get('showDeleted') === 'false'
  if (!refused) return
  throw new GoogleError(
    400,
    'syncTokenWithRequestRestrictions',
    'Sync token cannot be used with other request restrictions.',
    { domain: 'calendar', location: 'syncToken', locationType: 'parameter' },
  )
}

function readPage(query: URLSearchParams, { calendarKey }: QueryContext): JsonObject | undefined {
  const text = query.get('pageToken')
  return text === null || text === '' ? undefined : readPageToken(text, calendarKey)
}

function parseOrder(query: URLSearchParams): EventQuery['orderBy'] {
  const order = query.get('orderBy')
  if (order === null || order === '') return undefined
  if (order === 'updated') return order
  if (order !== 'startTime') throw new GoogleError(400, 'invalidParameter', `Invalid value '${order}'.`)
  if (query.get('singleEvents') === 'true') return order
  throw new GoogleError(400, 'badRequest', 'The requested ordering is not available for the particular query.')
}

function parseUpdatedMin(query: URLSearchParams, now: number): number | undefined {
  const updatedMin = parseBound(query.get('updatedMin'), 'updatedMin')
  if (updatedMin === undefined || updatedMin > now - daysOfUpdates * 86_400_000) return updatedMin
  throw new GoogleError(
    410,
    'updatedMinTooLongAgo',
    'The requested minimum modification time lies too far in the past.',
    {
      location: 'updatedMin',
      locationType: 'parameter',
    },
  )
}

export function zoneOf(query: URLSearchParams): string | undefined {
  const zone = query.get('timeZone')
  if (zone === null || zone === '') return undefined
  if (isZone(zone)) return zone
  throw new GoogleError(400, 'invalid', 'Invalid time zone value.', { location: 'timeZone', locationType: 'parameter' })
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

export function cursorOf(value: unknown): Cursor | undefined {
  if (!Array.isArray(value)) return undefined
  return [Number(value[0]), Number(value[1]), String(value[2])]
}
