/** Calendars of an account: written, updated, and removed if the file no longer has them. */
import type { Calendar } from '@waypost/contract'
import { instantsOf } from '@waypost/formats/timezones/when'
import { ApiError } from '@waypost/platform/api-error'
import type { CalendarRow } from '@waypost/providers/virtual/tables'
import type { PlannedCalendar } from './account-plan.ts'
import { decide, dropStamp, keepStamp, stampKey, type Writing } from './writing.ts'

/** The calendars of the grant after the import, by id. */
export type Calendars = Map<string, CalendarRow>

const maxCalendars = 10

function calendarOf({ grant }: Writing, planned: PlannedCalendar, before: Calendar | undefined): Calendar {
  return {
    id: planned.id,
    grant_id: grant.id,
    object: 'calendar',
    name: planned.name,
    description: planned.description,
    location: planned.location,
    timezone: planned.timezone,
    hex_color: planned.hexColor ?? before?.hex_color ?? null,
    hex_foreground_color: before?.hex_foreground_color ?? null,
    is_owned_by_user: true,
    is_primary: before?.is_primary ?? false,
    read_only: null,
    // Metadata is not migrated; metadata written by clients here stays.
    metadata: before?.metadata ?? {},
  }
}

/** Writes the calendars of the plan; an existing primary calendar stays primary. */
export async function writeCalendars(writing: Writing): Promise<Calendars> {
  const { tables, plan, result, now } = writing
  const rows: Calendars = new Map((await tables.calendars.list([])).map((row) => [row.calendar.id, row]))
  let hasPrimary = (await tables.calendars.primary()) !== undefined
  // The primary calendar first, because lists are in the order of creation.
  for (const planned of plan.calendars.toSorted((a, b) => Number(b.isPrimary) - Number(a.isPrimary))) {
    const row = rows.get(planned.id)
    const calendar = calendarOf(writing, planned, row?.calendar)
    if (!row && !hasPrimary && planned.isPrimary) {
      calendar.is_primary = true
      hasPrimary = true
    }
    const { sourceUpdatedAt } = planned
    const stamp = writing.stamps.get(stampKey('calendar', planned.id))
    const standing = { stamp, updatedAt: row?.updatedAt, sourceUpdatedAt }
    const decision = decide(standing, () => JSON.stringify(calendar) === JSON.stringify(row?.calendar))
    if (decision.what === 'create' || decision.what === 'update') {
      const next = {
        calendar,
        longestSeconds: row?.longestSeconds ?? 0,
        seriesRevision: row?.seriesRevision ?? 0,
        createdAt: row?.createdAt ?? now,
        updatedAt: now,
      }
      // A deleted calendar with this id may still be there while its events are removed.
      if (!row) await tables.calendars.remove(next.calendar.id)
      await (row ? tables.calendars.update(next) : tables.calendars.insert(next))
      if (row && row.calendar.timezone !== calendar.timezone) await moveWholeDays(writing, next)
      rows.set(planned.id, next)
      result.calendars[row ? 'updated' : 'created']++
      keepStamp(writing, { kind: 'calendar', id: planned.id, sourceUpdatedAt, importedAt: now })
    } else {
      result.calendars.unchanged++
      if (decision.what === 'unchanged' && stamp) keepStamp(writing, { ...stamp, sourceUpdatedAt })
      if (decision.what === 'refused') note(writing, planned.id, decision.reason)
    }
  }
  return rows
}

const note = ({ plan, result }: Writing, id: string, reason: string): void =>
  void result.skipped.push({ account: plan.email, object: 'calendar', id, place: plan.place, reason })

/** All-day events start at the calendar's midnight. The bounds of an all-day series are valid in every zone. */
async function moveWholeDays({ tables }: Writing, { calendar }: CalendarRow): Promise<void> {
  for (const row of await tables.events.allDay(calendar.id)) {
    const { start, end } = instantsOf(row.event.when, calendar.timezone)
    await tables.events.update({ ...row, startAt: start, endAt: end })
  }
}

/** Removes calendars of an earlier import that the file no longer has, unless they contain other events. */
export async function removeGoneCalendars(writing: Writing, calendars: Calendars): Promise<void> {
  const { plan, tables, result } = writing
  const present = new Set(plan.calendars.map(({ id }) => id))
  for (const { kind, id } of [...writing.stamps.values()]) {
    if (kind !== 'calendar' || present.has(id) || !plan.whole) continue
    const row = calendars.get(id)
    if (row?.calendar.is_primary) {
      note(writing, id, 'is gone from the file, but a primary calendar cannot be deleted')
    } else if (row && (await tables.events.all(id)).length > 0) {
      note(writing, id, 'is gone from the file, but holds events that no import made')
    } else {
      if (row) {
        await tables.calendars.remove(id)
        calendars.delete(id)
        result.calendars.deleted++
      }
      await dropStamp(writing, 'calendar', id)
    }
  }
}

export async function refuseTooManyCalendars({ tables }: Writing): Promise<void> {
  const count = await tables.calendars.count()
  if (count <= maxCalendars) return
  throw new ApiError(
    'invalid_request',
    `with those it has here the account would have ${count} calendars; a virtual account has at most ${maxCalendars}`,
  )
}
