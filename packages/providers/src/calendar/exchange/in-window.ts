/** Whether events are in a window. Pure. */
import type { Event } from '@waypost/contract'
import { occurrencesBetween } from '@waypost/formats/recurrence/recurrence'
import { normaliseRecurrence } from '@waypost/formats/recurrence/rule'
import { Steps } from '@waypost/formats/recurrence/steps'
import { instantsOf } from '@waypost/formats/timezones/when'
import { startOf } from '../event-input.ts'
import type { EventWindow } from '../event-queries.ts'

/**
 * Whether a series has an occurrence in the window according to its rule. A rule that cannot be expanded counts as
 * inside.
 */
function hasOccurrence({ recurrence, when }: Event, { from, to }: EventWindow): boolean {
  const start = startOf(when)
  const steps = new Steps()
  const rule = normaliseRecurrence(recurrence ?? [], start, {
    allowRdate: false,
    startOutsideRule: 'follow-rule',
    steps,
  })
  if (!rule.ok) return true
  try {
    const series = { start, recurrence: rule.value }
    const inWindow = { from, to: Math.max(to, from + 1) }
    return occurrencesBetween(series, inWindow, { allDayZone: 'UTC', limit: 1, steps }).length > 0
  } catch {
    return true
  }
}

/**
 * Whether an event is in the window. An event that only touches it is outside, unless it has no length. Days count in
 * UTC.
 */
export function isInside(event: Event, window: EventWindow): boolean {
  if (event.recurrence) return hasOccurrence(event, window)
  const { from, to } = window
  const { start, end } = instantsOf(event.when, 'UTC')
  return (end > from && start < to) || (start === end && start === from && from < to)
}
