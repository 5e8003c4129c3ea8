/** Reads the calendars of an account and the events of the visible range. */
import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query'
import type { Calendar, Event, Grant } from '@waypost/sdk'
import { api } from '../../api.ts'
import { queries } from '../../queries.ts'

/** The grant whose calendars are shown. */
export interface Account {
  application: string
  grant: Grant
}

/** Start and end in Unix seconds. */
export interface Range {
  start: number
  end: number
}

/** Maximum number of pages of 200 events read per calendar. */
const maxPages = 10
/** Google event types. Google omits all except the default type unless they are requested. */
const googleTypes = ['default', 'outOfOffice', 'focusTime', 'workingLocation', 'fromGmail', 'birthday']

export const keyOf = ({ application, grant }: Account, ...rest: unknown[]): unknown[] => [
  'calendar',
  application,
  grant.id,
  ...rest,
]

export const useCalendars = (account: Account) =>
  useQuery({
    queryKey: keyOf(account, 'calendars'),
    queryFn: async ({ signal }) => {
      const found: Calendar[] = []
      const request = { grant_id: account.grant.id, query: { limit: 200 }, signal }
      for await (const each of api(account.application).calendars.list.all(request)) {
        found.push(each)
        if (found.length >= 1000) break
      }
      return found
    },
  })

export interface EventsOfCalendar {
  events: Event[]
  /** Whether the range has more events than were read. */
  more: boolean
}

async function readEvents(
  { application, grant }: Account,
  calendar: string,
  range: Range,
  signal: AbortSignal,
): Promise<EventsOfCalendar> {
  const events: Event[] = []
  const query = {
    calendar_id: calendar,
    ...range,
    expand_recurring: true,
    limit: 200,
    ...(grant.provider === 'google' ? { event_type: googleTypes } : {}),
  }
  let page_token: string | undefined
  for (let page = 0; page < maxPages; page += 1) {
    const request = { grant_id: grant.id, query: { ...query, ...(page_token ? { page_token } : {}) }, signal }
    const { data, nextCursor } = await api(application).events.list(request)
    events.push(...data)
    page_token = nextCursor
    if (nextCursor === undefined) return { events, more: false }
  }
  return { events, more: true }
}

export interface CalendarState {
  isPending: boolean
  error: Error | null
  more: boolean
}

/** The events of the given calendars in a range, and the query state of each calendar. */
export function useEvents(account: Account, calendars: readonly string[], range: Range | undefined) {
  return useQueries({
    queries: calendars.map((calendar) => ({
      queryKey: keyOf(account, 'events', calendar, range),
      queryFn: ({ signal }: { signal: AbortSignal }) => readEvents(account, calendar, range as Range, signal),
      enabled: range !== undefined,
    })),
    combine: together,
  })
}

/** Keeps the same array while its contents are unchanged. */
const together = (results: UseQueryResult<EventsOfCalendar>[]) => ({
  events: results.flatMap(({ data }) => data?.events ?? []),
  states: results.map(({ isPending, error, data }): CalendarState => ({ isPending, error, more: data?.more ?? false })),
})

export const eventQuery = (account: Account, event: { id: string; calendar: string }) => ({
  queryKey: keyOf(account, 'event', event.calendar, event.id),
  queryFn: async ({ signal }: { signal?: AbortSignal }) =>
    (
      await api(account.application).events.get({
        grant_id: account.grant.id,
        event_id: event.id,
        query: event.calendar ? { calendar_id: event.calendar } : {},
        signal,
      })
    ).data,
})

export const refreshEvents = (account: Account): Promise<void> =>
  queries.invalidateQueries({ queryKey: keyOf(account), predicate: ({ queryKey }) => queryKey[3] !== 'calendars' })
