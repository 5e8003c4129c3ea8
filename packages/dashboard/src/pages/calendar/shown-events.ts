/** Converts events of the API for the grid. */
import type { EventInput } from '@fullcalendar/react'
import type { Calendar, Event } from '@waypost/sdk'
import { colorOf } from './colors.ts'
import type { Account } from './data.ts'
import type { Marks } from './grid.tsx'
import { fixedBecause, invitationOf } from './rights.ts'
import { spanOf } from './when.ts'

export const titleOf = ({ title }: { title: string | null }): string => title?.trim() || 'Untitled'

export function shownEvents(account: Account, calendars: readonly Calendar[], events: readonly Event[]): EventInput[] {
  const places = new Map(calendars.map((calendar, index) => [calendar.id, { calendar, index }]))
  return events.map((event) => {
    const { calendar, index = 0 } = places.get(event.calendar_id) ?? {}
    const isFixed = fixedBecause(event, account.grant, calendar) !== undefined
    const marks: Marks = {
      calendar: event.calendar_id,
      calendarName: calendar?.name ?? '',
      isSeries: Boolean(event.master_event_id) || (event.recurrence?.length ?? 0) > 0,
      isFixed,
      isFree: !event.busy,
      isMaybe: event.status === 'maybe',
      isDeclined: invitationOf(event, account.grant, calendar)?.status === 'no',
    }
    return {
      id: event.id,
      title: titleOf(event),
      ...spanOf(event.when),
      color: calendar ? colorOf(calendar, index) : 'var(--accent)',
      editable: !isFixed,
      durationEditable: !isFixed && event.when.object !== 'time',
      extendedProps: marks,
    }
  })
}
