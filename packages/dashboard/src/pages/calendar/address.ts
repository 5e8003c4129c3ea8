/** What is looked at stands in the address: it can be kept, sent to others, and gone back from. */
import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'wouter'
import { isZone, localZone } from './zones.ts'

export const views = ['month', 'week', 'day', 'list'] as const
export type View = (typeof views)[number]

export interface Looked {
  view: View
  /** A day of what is shown. */
  date: string
  zone: string
  /** Ids of calendars that are switched off. */
  hidden: readonly string[]
  /** Addresses whose busy times are laid over. */
  busy: readonly string[]
  /** The event that is open, with its calendar. */
  event: { id: string; calendar: string } | undefined
}

const today = (zone: string): string => new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(new Date())
const isView = (text: string | null): text is View => views.some((view) => view === text)
const isDate = (text: string | null): text is string => text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text)
const isPhone = (): boolean => window.matchMedia('(max-width: 640px)').matches

function read(params: URLSearchParams): Looked {
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

function write(before: URLSearchParams, change: Partial<Looked>): URLSearchParams {
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

export function useLooked(): [Looked, (change: Partial<Looked>) => void] {
  const [params, setParams] = useSearchParams()
  const text = params.toString()
  const looked = useMemo(() => read(new URLSearchParams(text)), [text])
  const look = useCallback(
    // An event that is opened can be left by going back; what is only looked at otherwise takes no step of its own.
    (change: Partial<Looked>) => setParams((before) => write(before, change), { replace: !change.event }),
    [setParams],
  )
  return [looked, look]
}
