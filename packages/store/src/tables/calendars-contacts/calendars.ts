/** Calendars of virtual accounts, bound to one grant. */
import type { Calendar } from '@waypost/contract'
import type { CalendarRow, VirtualTables } from '@waypost/providers/virtual/tables'
import { dynamic, type Queries, sql, type Value } from '../../engine/database.ts'
import { isRemovedInPieces, readSetAside, removeRest, setCalendarAside } from './removed-calendars.ts'

interface Row {
  document: string
  longest_seconds: number
  series_revision: number
  created_at: number
  updated_at: number
}

const read = 'document, longest_seconds, series_revision, created_at, updated_at'
const get = sql<Row>('calendars.get')`select ${read} from calendars
   where application_id = $1 and grant_id = $2 and id = $3 and removed_at is null`
const primary = sql<Row>('calendars.primary')`select ${read} from calendars
   where application_id = $1 and grant_id = $2 and is_primary = 1 and removed_at is null`
const count = sql<{ n: number }>('calendars.count')`select count(*) as n from calendars
   where application_id = $1 and grant_id = $2 and removed_at is null`
// The revision starts with the creation time, so that a calendar created again under an old id does not repeat its
// numbers.
const insert = sql('calendars.insert')`insert into calendars (application_id, grant_id, id, is_primary, timezone,
   longest_seconds, key1, key2, key3, key4, key5, created_at, updated_at, document, series_revision)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $12)`
const update = sql('calendars.update')`update calendars
   set is_primary = $4, timezone = $5, longest_seconds = $6, key1 = $7, key2 = $8, key3 = $9, key4 = $10,
   key5 = $11, created_at = $12, updated_at = $13, document = $14
   where application_id = $1 and grant_id = $2 and id = $3`
const remove = sql('calendars.remove')`delete from calendars where application_id = $1 and grant_id = $2 and id = $3`
const stretch = sql('calendars.stretch')`update calendars set longest_seconds = $4
   where application_id = $1 and grant_id = $2 and id = $3 and longest_seconds < $4`

const touchSeries = sql<{ series_revision: number }>('calendars.touchSeries')`update calendars
   set series_revision = series_revision + 1
   where application_id = $1 and grant_id = $2 and id = $3 returning series_revision`
const loseSeries = sql('calendars.loseSeries')`update calendars
   set series_revision = series_revision + 1, series_lost = series_revision + 1
   where application_id = $1 and grant_id = $2 and id = $3`
const loseSeriesOf = sql('calendars.loseSeriesOf')`update calendars
   set series_revision = series_revision + 1, series_lost = series_revision + 1
   where application_id = $1 and grant_id = $2 and id = (
     select calendar_id from events where application_id = $1 and grant_id = $2 and id = $3 and kind = 'series')`
const lostSince = sql<{ series_lost: number }>('calendars.lostSince')`select series_lost from calendars
   where application_id = $1 and grant_id = $2 and id = $3 and series_lost <= $4`

/** Increments the series revision of a calendar and returns it; the changed series are stored with it. */
export const touchSeriesIn = async (
  queries: Queries,
  at: readonly Value[],
  calendarId: string,
): Promise<number | null> => (await queries.get(touchSeries, [...at, calendarId]))?.series_revision ?? null
/** Records that a calendar loses a series. Has no effect for other events. */
export const loseSeriesOfEvent = (queries: Queries, at: readonly Value[], eventId: string): Promise<void> =>
  queries.post(loseSeriesOf, [...at, eventId])
/** Whether no series was removed from a calendar since a revision. */
export const hasRetainedSeries = async (
  queries: Queries,
  at: readonly Value[],
  { calendarId, since }: { calendarId: string; since: number },
): Promise<boolean> => (await queries.get(lostSince, [...at, calendarId, since])) !== undefined

const rowOf = (row: Row): CalendarRow => ({
  calendar: JSON.parse(row.document) as Calendar,
  longestSeconds: row.longest_seconds,
  seriesRevision: row.series_revision,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** The five indexed values of an object's metadata. */
export const keysOf = (metadata: Record<string, string>): Value[] =>
  ['key1', 'key2', 'key3', 'key4', 'key5'].map((key) => metadata[key] ?? null)

export function calendarTables(queries: Queries, applicationId: string, grantId: string): VirtualTables['calendars'] {
  const at: Value[] = [applicationId, grantId]
  const values = ({ calendar, longestSeconds, createdAt, updatedAt }: CalendarRow): Value[] => [
    ...at,
    calendar.id,
    calendar.is_primary ? 1 : 0,
    calendar.timezone,
    longestSeconds,
    ...keysOf(calendar.metadata),
    createdAt,
    updatedAt,
    JSON.stringify(calendar),
  ]
  return {
    async list(filter) {
      const where = filter.map(({ key }, index) => ` and ${key} = $${index + 3}`).join('')
      const text = `select ${read} from calendars where application_id = $1 and grant_id = $2 and removed_at is null${where} order by created_at, id`
      const rows = await queries.all(dynamic<Row>({ name: 'calendars.list', text }), [
        ...at,
        ...filter.map(({ value }) => value),
      ])
      return rows.map(rowOf)
    },
    async get(id) {
      const row = await queries.get(get, [...at, id])
      return row && rowOf(row)
    },
    async primary() {
      const row = await queries.get(primary, at)
      return row && rowOf(row)
    },
    count: async () => (await queries.get(count, at))?.n ?? 0,
    insert: (row) => queries.post(insert, values(row)),
    update: (row) => queries.post(update, values(row)),
    remove: (id) => queries.post(remove, [...at, id]),
    isRemovedInPieces: (id, now) => isRemovedInPieces(queries, { applicationId, grantId, id }, now),
    setAside: (id, how) => setCalendarAside(queries, { applicationId, grantId, id }, how),
    async setAsideOf(id) {
      const found = await readSetAside(queries, { applicationId, grantId, id })
      return found && { calendar: JSON.parse(found.document), tellsGuests: found.tellsGuests }
    },
    removeRest: (id) => removeRest(queries, { applicationId, grantId, id }),
    touchSeries: (id) => queries.post(loseSeries, [...at, id]),
    stretch: (id, seconds) => queries.post(stretch, [...at, id, seconds]),
  }
}
