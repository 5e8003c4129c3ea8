/** The state of the calendar page in the URL, so that it can be bookmarked, shared and navigated. */
import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'wouter'
import { isZone, localZone } from './zones.ts'

export const views = ['month', 'week', 'day', 'list'] as const
export type View = (typeof views)[number]

export interface CalendarPlace {
  view: View
  /** A day within the visible range. */
  date: string
  zone: string
  /** Ids of hidden calendars. */
  hidden: readonly string[]
  /** Addresses of people whose busy times are shown. */
  busy: readonly string[]
  /** The open event and its calendar. */
  event: { id: string; calendar: string } | undefined
}

const today = (zone: string): string => new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(new Date())
const isView = (text: string | null): text is View => views.some((view) => view === text)
const isDate = (text: string | null): text is string => text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text)
const isPhone = (): boolean => window.matchMedia('(max-width: 640px)').matches

function read(params: URLSearchParams): CalendarPlace {
  const named = params.get('zone')
  const zone = named !== null && isZone(named) ? named : localZone()
  const view = params.get('view')
  const date = params.get('date')
  const event = params.get('event')
  return {
    view: isView(view) ? view : isPhone() ? 'list' : 'month',
    date: isDate(date) ? date : today(zone),
    zone,
    hidden: params.getAll('hide'),
    busy: params.getAll('busy'),
    event: event === null ? undefined : { id: event, calendar: params.get('calendar') ?? '' },
  }
}

function write(before: URLSearchParams, change: Partial<CalendarPlace>): URLSearchParams {
  const after = new URLSearchParams(before)
  const put = (name: string, values: readonly string[]): void => {
    after.delete(name)
    for (const value of values) after.append(name, value)
  }
  if (change.view) put('view', [change.view])
  if (change.date) put('date', [change.date])
  if (change.zone) put('zone', change.zone === localZone() ? [] : [change.zone])
  if (change.hidden) put('hide', change.hidden)
  if (change.busy) put('busy', change.busy)
  if ('event' in change) {
    put('event', change.event ? [change.event.id] : [])
    put('calendar', change.event ? [change.event.calendar] : [])
  }
  return after
}

export function useCalendarPlace(): [CalendarPlace, (change: Partial<CalendarPlace>) => void] {
  const [params, setParams] = useSearchParams()
  const text = params.toString()
  const place = useMemo(() => read(new URLSearchParams(text)), [text])
  const setPlace = useCallback(
    // Opening an event adds a history entry, so that the Back button closes it. Other changes replace the current
    // entry.
    (change: Partial<CalendarPlace>) => setParams((before) => write(before, change), { replace: !change.event }),
    [setParams],
  )
  return [place, setPlace]
}
