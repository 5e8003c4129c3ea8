/** The window that a list of events of a virtual calendar looks at. Pure. */
import { invalidField } from '../../lib/api-error.ts'
import { windowOf } from '../calendar/event-queries.ts'
import type { Window } from './tables.ts'

const longestWindow = 2 * 366 * 86_400

/** From now for one month, unless the query says otherwise. */
export function limitedWindowOf(query: { start?: number | undefined; end?: number | undefined }, now: number): Window {
  const window = windowOf(query, now)
  if (window.to - window.from > longestWindow) throw invalidField('end', 'must be at most two years after start')
  return window
}
