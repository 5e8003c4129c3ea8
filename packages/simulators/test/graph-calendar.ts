// Helpers shared by the tests of the simulated calendar.
import type { Client } from '@microsoft/microsoft-graph-client'

export const berlin = (dateTime: string) => ({ dateTime, timeZone: 'W. Europe Standard Time' })
export const utc = (dateTime: string) => ({ dateTime, timeZone: 'UTC' })
export const person = (address: string, type = 'required') => ({ emailAddress: { address }, type })

/** A daily series at ten in Berlin, across the clock change of spring 2026. */
export const STANDUP = {
  subject: 'Standup',
  start: berlin('2026-03-27T10:00:00'),
  end: berlin('2026-03-27T10:15:00'),
  recurrence: {
    pattern: { type: 'daily', interval: 1 },
    range: { type: 'numbered', startDate: '2026-03-27', numberOfOccurrences: 4 },
  },
}

export const MARCH = 'startDateTime=2026-03-01T00:00:00Z&endDateTime=2026-04-30T00:00:00Z'

export interface EventJson {
  readonly id: string
  readonly iCalUId: string
  readonly seriesMasterId: string | null
  readonly type: string
  readonly subject: string
  readonly isCancelled: boolean
  readonly showAs: string
  readonly start: { readonly dateTime: string; readonly timeZone: string }
  readonly end: { readonly dateTime: string }
  readonly '@odata.etag': string
  readonly '@removed'?: object
}

/** The events in a response. */
export async function eventsOf(graph: Client, path: string): Promise<EventJson[]> {
  return (await graph.api(path).get()).value
}

export async function instancesOf(graph: Client, id: string): Promise<EventJson[]> {
  return eventsOf(graph, `/me/events/${id}/instances?${MARCH}`)
}
