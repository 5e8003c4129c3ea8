/** Events of virtual accounts, bound to one grant. Times are Unix seconds, as everywhere in calendars. */
import type { Event } from '@waypost/contract'
import { JsonText } from '@waypost/platform/json/values'
import type { EventKind, EventRow, ListedRow, SeriesRow, VirtualTables } from '@waypost/providers/virtual/tables'
import { dynamic, insertingRows, type Queries, sql, type Value } from '../../engine/database.ts'
import { statementsOn } from '../../engine/table.ts'
import { piece } from '../notifications/notification-purge.ts'
import { hasRetainedSeries, keysOf, loseSeriesOfEvent, touchSeriesIn } from './calendars.ts'

const events = statementsOn('events')

interface Row {
  kind: EventKind
  master_id: string | null
  slot: string | null
  slot_at: number | null
  start_at: number
  end_at: number
  series: string | null
  created_at: number
  updated_at: number
  document: string
}
interface ListRow {
  id: string
  kind: EventKind
  start_at: number
  end_at: number
  master_id: string | null
  document: string
}

const read = 'kind, master_id, slot, slot_at, start_at, end_at, series, created_at, updated_at, document'
const ofGrant = 'application_id = $1 and grant_id = $2'
const get = sql<Row>('events.get')`select ${read} from events where ${ofGrant} and id = $3`
const overridesOf = sql<Row>('events.overridesOf')`select ${read} from events where ${ofGrant} and master_id = $3`
const all = sql<Row>('events.all')`select ${read} from events where ${ofGrant} and calendar_id = $3`
/**
 * Matches the text of the document, in which `object` is the first field of a time. A change of time zone is too rare
 * for an index.
 */
const allDay = sql<Row>('events.allDay')`select ${read} from events
   where ${ofGrant} and calendar_id = $3 and kind <> 'series' and document like $4`
const isAllDay = '%"when":{"object":"date%'
/**
 * Also matches the text of the document, because calendars are rarely deleted. Overrides contain participants only if
 * they differ from those of the series.
 */
const invitedAfter = sql<Row>('events.invitedAfter')`select ${read} from events
   where ${ofGrant} and calendar_id = $3 and end_at > $4
   and (kind = 'override' or document like $5 or document like $6)`
const hasParticipants = '%"participants":[{%'
const hasResources = '%"resources":[{%'
const insert = sql('events.insert')`insert into events (application_id, grant_id, id, calendar_id, kind, master_id,
   slot, slot_at, start_at, end_at, series,
   ical_uid, key1, key2, key3, key4, key5, created_at, updated_at, document, series_revision)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)`
/** A larger batch saves no significant time, and SQLite searches all parameters for each one. */
const insertedTogether = 10
const update = events.update('update')`
   set calendar_id = $4, kind = $5, master_id = $6, slot = $7, slot_at = $8, start_at = $9, end_at = $10,
   series = $11, ical_uid = $12, key1 = $13, key2 = $14, key3 = $15, key4 = $16, key5 = $17, created_at = $18,
   updated_at = $19, document = $20, series_revision = $21 where ${ofGrant} and id = $3`
/** An update that changes no indexed column: SQLite rewrites the index of each column that a statement names. */
const rewrite = events.update('rewrite')`set updated_at = $4, document = $5 where ${ofGrant} and id = $3`
const remove = events.delete('remove')`where ${ofGrant} and id = $3`
const removeOverrides = events.delete('removeOverrides')`where ${ofGrant} and master_id = $3`
/** Single events and series; their changed occurrences are removed last. */
const pieceOf = sql<Row>('events.pieceOf')`select ${read} from events
   where ${ofGrant} and calendar_id = $3 and kind in ('single', 'series') limit ${piece}`
const seriesIn = sql<{ id: string; start_at: number; end_at: number; series: string }>('events.seriesIn')`
   select id, start_at, end_at, series from events
   where ${ofGrant} and calendar_id = $3 and kind = 'series' and start_at < $5 and end_at > $4 order by start_at, id`
const seriesSince = sql<{ id: string; start_at: number; end_at: number; series: string }>('events.seriesSince')`
   select id, start_at, end_at, series from events
   where ${ofGrant} and calendar_id = $3 and series_revision > $4 order by series_revision`
const overriddenSlots = sql<{ master_id: string; slot: string }>('events.overriddenSlots')`select master_id, slot
   from events where ${ofGrant} and calendar_id = $3 and slot_at >= $4 and slot_at < $5`

const rowOf = (row: Row): EventRow => ({
  event: JSON.parse(row.document),
  kind: row.kind,
  masterId: row.master_id,
  slot: row.slot,
  slotAt: row.slot_at,
  startAt: row.start_at,
  endAt: row.end_at,
  series: row.series,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const listedOf = (row: ListRow): ListedRow => ({
  id: row.id,
  kind: row.kind,
  startAt: row.start_at,
  endAt: row.end_at,
  masterId: row.master_id,
  document: new JsonText<Event>(row.document),
})

const seriesOf = (row: { id: string; start_at: number; end_at: number; series: string }): SeriesRow => ({
  id: row.id,
  startAt: row.start_at,
  endAt: row.end_at,
  series: row.series,
})

/**
 * Whether a row differs from the stored one only in its document and update time. Never for series, which have
 * revisions.
 */
const hasSameIndexes = (row: EventRow, before: EventRow): boolean =>
  row.kind === 'single' &&
  before.kind === 'single' &&
  row.startAt === before.startAt &&
  row.endAt === before.endAt &&
  row.createdAt === before.createdAt &&
  row.event.calendar_id === before.event.calendar_id &&
  row.event.ical_uid === before.event.ical_uid &&
  isSame(keysOf(row.event.metadata ?? {}), keysOf(before.event.metadata ?? {}))

const isSame = (some: readonly Value[], others: readonly Value[]): boolean =>
  some.every((value, index) => value === others[index])

const readTogether = 200
const listSizes = [1, 10, 50, readTogether]
/** The documents of a list of ids, each found by its key. With `id in (…)`, PostgreSQL may read the whole grant. */
const documentsOf = (size: number) => {
  const list = Array.from({ length: size }, (_, index) => `($${index + 3})`).join(', ')
  return dynamic<{ id: string; document: string | null }>({
    name: 'events.documents',
    text: `select column1 as id, (select document from events where ${ofGrant} and id = column1) as document
     from (values ${list}) as wanted`,
  })
}

const listed = 'id, kind, start_at, end_at, master_id, document'

export function eventTables(queries: Queries, applicationId: string, grantId: string): VirtualTables['events'] {
  const at: Value[] = [applicationId, grantId]
  const values = (row: EventRow, revision: number | null): Value[] => [
    ...at,
    row.event.id,
    row.event.calendar_id,
    row.kind,
    row.masterId,
    row.slot,
    row.slotAt,
    row.startAt,
    row.endAt,
    row.series,
    row.event.ical_uid ?? '',
    ...keysOf(row.event.metadata ?? {}),
    row.createdAt,
    row.updatedAt,
    JSON.stringify(row.event),
    row.kind === 'series' ? revision : null,
  ]
  /**
   * Caches of series compare the revision of the calendar to detect changes, and those of the series to find them.
   */
  const revisionFor = async (row: EventRow): Promise<number | null> =>
    row.kind === 'series' ? touchSeriesIn(queries, at, row.event.calendar_id) : null
  return {
    async get(id) {
      const row = await queries.get(get, [...at, id])
      return row && rowOf(row)
    },
    async insert(row) {
      await queries.post(insert, values(row, await revisionFor(row)))
    },
    async insertAll(rows) {
      const revisions = new Map<string, number | null>()
      for (const row of rows) {
        const id = row.event.calendar_id
        if (row.kind === 'series' && !revisions.has(id)) revisions.set(id, await touchSeriesIn(queries, at, id))
      }
      for (let start = 0; start < rows.length; start += insertedTogether) {
        const part = rows
          .slice(start, start + insertedTogether)
          .map((row) => values(row, revisions.get(row.event.calendar_id) ?? null))
        await queries.run(insertingRows('events.insertAll', insert, part), part.flat())
      }
    },
    async update(row, before) {
      if (before && hasSameIndexes(row, before)) {
        await queries.post(rewrite, [...at, row.event.id, row.updatedAt, JSON.stringify(row.event)])
      } else await queries.post(update, values(row, await revisionFor(row)))
    },
    async remove(id) {
      await loseSeriesOfEvent(queries, at, id)
      await queries.post(remove, [...at, id])
    },
    pieceOf: async (calendarId) => (await queries.all(pieceOf, [...at, calendarId])).map(rowOf),
    async removeAll(ids) {
      // One by one, because with `id in (…)` PostgreSQL may read the whole grant. They leave together.
      for (const id of ids) await queries.post(remove, [...at, id])
    },
    removeOverrides: (masterId) => queries.post(removeOverrides, [...at, masterId]),
    overridesOf: async (masterId) => (await queries.all(overridesOf, [...at, masterId])).map(rowOf),
    allDay: async (calendarId) => (await queries.all(allDay, [...at, calendarId, isAllDay])).map(rowOf),
    invitedAfter: async (calendarId, time) =>
      (await queries.all(invitedAfter, [...at, calendarId, time, hasParticipants, hasResources])).map(rowOf),
    all: async (calendarId) => (await queries.all(all, [...at, calendarId])).map(rowOf),
    async inWindow(calendarId, { kinds, starts, window, after, limit }) {
      const parameters: Value[] = [...at, calendarId, starts.from, starts.to, window.from]
      const bind = (value: Value): string => `$${parameters.push(value)}`
      const beyond = after ? ` and (start_at, id) > (${bind(after.startAt)}, ${bind(after.id)})` : ''
      const max = bind(limit)
      // For each kind, one index range is read in order up to the limit; then the ranges are merged. An event without
      // duration counts at its start. The kinds are literals, because the planner knows how common each is.
      const arms = kinds.map(
        (
          kind,
        ) => `select * from (select ${listed} from events where ${ofGrant} and calendar_id = $3 and kind = '${kind}'
          and start_at >= $4 and start_at < $5 and (end_at > $6 or (start_at = end_at and start_at = $6))${beyond}
          order by start_at, id limit ${max}) as ${kind}s`,
      )
      const text = `${arms.join(' union all ')} order by 3, 1 limit ${max}`
      return (await queries.all(dynamic<ListRow>({ name: 'events.inWindow', text }), parameters)).map(listedOf)
    },
    async seriesIn(calendarId, { from, to }) {
      const rows = await queries.all(seriesIn, [...at, calendarId, from, to])
      return rows.map(seriesOf)
    },
    async seriesSince(calendarId, revision) {
      if (!(await hasRetainedSeries(queries, at, { calendarId, since: revision }))) return undefined
      return (await queries.all(seriesSince, [...at, calendarId, revision])).map(seriesOf)
    },
    async overriddenSlots(calendarId, { from, to }) {
      const rows = await queries.all(overriddenSlots, [...at, calendarId, from, to])
      return rows.map((row) => ({ masterId: row.master_id, slot: row.slot }))
    },
    async documents(ids) {
      const found = new Map<string, Event>()
      for (let start = 0; start < ids.length; start += readTogether) {
        const part = ids.slice(start, start + readTogether)
        // A few list lengths, so that few statements are prepared. The last id is repeated.
        const size = listSizes.find((one) => one >= part.length) ?? readTogether
        const wanted = Array.from({ length: size }, (_, index) => part[index] ?? part.at(-1) ?? '')
        for (const row of await queries.all(documentsOf(size), [...at, ...wanted])) {
          if (row.document !== null) found.set(row.id, JSON.parse(row.document))
        }
      }
      return found
    },
    async byUid(calendarId, uid, { after, limit }) {
      const parameters: Value[] = [...at, calendarId, uid, limit]
      const beyond = after ? ' and (start_at, id) > ($6, $7)' : ''
      if (after) parameters.push(after.startAt, after.id)
      const text = `select ${listed} from events where ${ofGrant} and calendar_id = $3 and ical_uid = $4${beyond}
        order by start_at, id limit $5`
      return (await queries.all(dynamic<ListRow>({ name: 'events.byUid', text }), parameters)).map(listedOf)
    },
    async byMetadata(calendarId, pairs, { after, limit }) {
      const parameters: Value[] = [...at, calendarId]
      const bind = (value: Value): string => `$${parameters.push(value)}`
      // The key names come from the fixed list of five in the contract.
      const where = pairs.map(({ key, value }) => ` and ${key} = ${bind(value)}`).join('')
      const beyond = after ? ` and (start_at, id) > (${bind(after.startAt)}, ${bind(after.id)})` : ''
      const text = `select ${listed} from events where ${ofGrant} and calendar_id = $3${where}${beyond}
        order by start_at, id limit ${bind(limit)}`
      return (await queries.all(dynamic<ListRow>({ name: 'events.byMetadata', text }), parameters)).map(listedOf)
    },
    async lastBooked(calendarIds, group) {
      const list = calendarIds.map((_, index) => `$${index + 4}`).join(', ')
      const text = `select max(created_at) as latest from events
        where ${ofGrant} and key5 = $3 and calendar_id in (${list})`
      const row = await queries.get(dynamic<{ latest: number | null }>({ name: 'events.lastBooked', text }), [
        ...at,
        group,
        ...calendarIds,
      ])
      return row?.latest ?? undefined
    },
  }
}
