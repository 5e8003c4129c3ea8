/** Converts form values to an API request. A change contains only the changed fields. */
import type { Event, EventChange } from '@waypost/sdk'
import { guestLines, guestsOf } from './guests.ts'
import { type Repetition, repetitionOf, withRule, writtenRule } from './recurrence.ts'
import { type Clock, clockOf, whenOf } from './when.ts'
import { weekdayOf } from './zones.ts'

export interface Filled {
  title: string | undefined
  location: string | undefined
  description: string | undefined
  guests: readonly string[]
  busy: boolean
  /** Minutes before the start, `usual`, `none`, or `same` for no change. */
  reminder: string
  /** Name of the conferencing provider for a new conference. */
  conference: string | undefined
  clock: Clock
  repetition: Repetition
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

function remindersOf(reminder: string): EventChange['reminders'] {
  if (reminder === 'usual') return { use_default: true }
  if (reminder === 'none') return { use_default: false, overrides: [] }
  return { use_default: false, overrides: [{ reminder_minutes: Number(reminder) }] }
}

function newFields(filled: Filled, zone: string): EventChange {
  const { title, location, description, guests, busy, reminder, conference, clock, repetition } = filled
  const rule = writtenRule(repetition, clock.allDay, zone)
  return {
    title,
    location,
    description,
    busy,
    when: whenOf(clock, zone),
    ...(guests.length > 0 ? { participants: guestsOf(guests) } : {}),
    ...(rule ? { recurrence: withRule(undefined, rule) } : {}),
    ...(reminder === 'same' || reminder === 'usual' ? {} : { reminders: remindersOf(reminder) }),
    ...(conference ? { conferencing: { provider: conference, autocreate: {} } } : {}),
  }
}

/** The repetition of an event. A weekly rule uses the weekday of its first day. */
export const repetitionOfEvent = (event: Event, zone: string): Repetition =>
  repetitionOf(event.recurrence, weekdayOf(clockOf(event.when, zone).startDate), zone)

function recurrenceOf(filled: Filled, zone: string, before: Event): EventChange {
  if (same(filled.repetition, repetitionOfEvent(before, zone))) return {}
  return { recurrence: withRule(before.recurrence, writtenRule(filled.repetition, filled.clock.allDay, zone)) }
}

/** The request body. `before` is the event that the form was filled from. */
export function bodyOf(filled: Filled, zone: string, before?: Event): EventChange {
  if (!before) return newFields(filled, zone)
  const { title, location, description, guests, busy, reminder, clock } = filled
  return {
    ...(same(title ?? null, before.title?.trim() || null) ? {} : { title: title ?? null }),
    ...(same(location ?? null, before.location?.trim() || null) ? {} : { location: location ?? null }),
    ...(same(description ?? null, before.description?.trim() || null) ? {} : { description: description ?? null }),
    ...(same(guests.join('\n'), guestLines(before.participants)) ? {} : { participants: guestsOf(guests) }),
    ...(busy === before.busy ? {} : { busy }),
    ...(reminder === 'same' ? {} : { reminders: remindersOf(reminder) }),
    ...(same(clock, clockOf(before.when, zone)) ? {} : { when: whenOf(clock, zone, before.when) }),
    ...recurrenceOf(filled, zone, before),
  }
}
