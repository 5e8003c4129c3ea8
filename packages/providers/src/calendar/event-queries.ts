/** The window and field filters of event lists, for all providers. Pure. */
import type { Event, EventListQuery } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'

/** Unix seconds. */
export interface EventWindow {
  from: number
  to: number
}

/** The same day one month later, or the last day of that month. */
function monthAfter(time: number): number {
  const date = new Date(time * 1000)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + 1)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, last))
  return Math.floor(date.getTime() / 1000)
}

/** One month from now by default. */
export function windowOf(query: { start?: number | undefined; end?: number | undefined }, now: number): EventWindow {
  const from = query.start ?? now
  const usual = monthAfter(now)
  const to = query.end ?? (from >= usual ? monthAfter(from) : usual)
  if (to < from) {
    throw invalidField(
      'end',
      query.start === undefined ? 'lies in the past: give start too' : 'must not be before start',
    )
  }
  return { from, to }
}

const isWordSign = (sign: string | undefined): boolean => sign !== undefined && /[\p{L}\p{N}]/u.test(sign)

/** Whether `words` occur in the text as whole words, ignoring case. */
export function hasWords(text: string | null | undefined, words: string): boolean {
  if (!text) return false
  const haystack = text.toLowerCase()
  const needle = words.toLowerCase()
  for (let at = haystack.indexOf(needle); at !== -1; at = haystack.indexOf(needle, at + 1)) {
    if (!isWordSign(haystack[at - 1]) && !isWordSign(haystack[at + needle.length])) return true
  }
  return false
}

const isInvited = ({ participants }: Event, email: string): boolean =>
  participants.some((guest) => guest.email?.toLowerCase() === email.trim().toLowerCase())

export type EventFilter = (event: Event) => boolean

/** The filters on an event's own fields, or undefined if there are none. */
export function filterOf(query: Partial<EventListQuery>): EventFilter | undefined {
  const tests: EventFilter[] = []
  const { title, description, location, busy, attendees, updated_after: after, updated_before: before } = query
  if (title !== undefined) tests.push((event) => hasWords(event.title, title))
  if (description !== undefined) tests.push((event) => hasWords(event.description, description))
  if (location !== undefined) tests.push((event) => hasWords(event.location, location))
  if (busy !== undefined) tests.push((event) => event.busy === busy)
  if (attendees !== undefined) tests.push((event) => attendees.every((email) => isInvited(event, email)))
  if (after !== undefined) tests.push((event) => (event.updated_at ?? 0) > after)
  if (before !== undefined) tests.push((event) => (event.updated_at ?? 0) < before)
  return tests.length > 0 ? (event) => tests.every((test) => test(event)) : undefined
}

/** The position of an event in a list: by start, then by id. */
export interface ListPosition {
  readonly startAt: number
  readonly id: string
}

export const inOrder = (a: ListPosition, b: ListPosition): number =>
  a.startAt - b.startAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** The error for a window that holds more than can be expanded. */
export const tooManyOccurrences = (): ApiError =>
  new ApiError('invalid_request', 'start, end: the window holds too many occurrences: ask for a shorter one')
