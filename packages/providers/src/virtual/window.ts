/** The window of a list of events of a virtual calendar. Pure. */
import { invalidField } from '@waypost/platform/api-error'
import { windowOf } from '../calendar/event-queries.ts'
import type { Window } from './tables.ts'

const maxWindow = 2 * 366 * 86_400

/** One month from now by default. */
export function limitedWindowOf(query: { start?: number | undefined; end?: number | undefined }, now: number): Window {
  const window = windowOf(query, now)
  if (window.to - window.from > maxWindow) throw invalidField('end', 'must be at most two years after start')
  return window
}
