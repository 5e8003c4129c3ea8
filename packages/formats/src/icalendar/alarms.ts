/**
 * Maps VALARM components to reminders (RFC 5545 §3.6.6). An alarm before the start is a reminder, whether its trigger
 * is relative to the start, relative to the end, or an absolute time. Other alarms stay in the text but are not
 * returned: alarms after the start, snoozes (RELATED-TO), and alarms without an effect, such as Apple's marker for
 * "no alarm".
 */
import type { Reminders } from '@waypost/contract'
import { parseBasic } from '../recurrence/series.ts'
import { SECONDS_PER_DAY } from '../timezones/dates.ts'
import { dayStartOf } from '../timezones/timezones.ts'
import { readDuration, type Span } from './calendar-times.ts'
import { ComponentNode } from './content-lines.ts'

export type Reminder = Reminders['overrides'][number]

const METHODS: Readonly<Record<string, Reminder['reminder_method']>> = {
  DISPLAY: 'display',
  AUDIO: 'sound',
  EMAIL: 'email',
}

/** The reminders of an event. Whole days begin in the zone of floating times. */
export function remindersOf(event: ComponentNode, span: Span, floating: string): Reminders {
  const overrides: Reminder[] = []
  for (const item of event.items) {
    const reminder =
      item.name === 'VALARM' && item instanceof ComponentNode ? reminderOf(item, span, floating) : undefined
    if (reminder) overrides.push(reminder)
  }
  return { use_default: false, overrides }
}

/** An alarm as a reminder, or undefined if a reminder cannot express it. */
export function reminderOf(alarm: ComponentNode, span: Span, floating: string): Reminder | undefined {
  const method = METHODS[(alarm.line('ACTION')?.value ?? 'DISPLAY').trim().toUpperCase()]
  const before = secondsBefore(alarm, span, floating)
  if (method === undefined || before === undefined || before < 0 || alarm.line('RELATED-TO')) return undefined
  return { reminder_minutes: Math.floor(before / 60), reminder_method: method }
}

function secondsBefore(alarm: ComponentNode, span: Span, floating: string): number | undefined {
  const trigger = alarm.line('TRIGGER')
  if (trigger === undefined) return undefined
  const text = trigger.value.trim()
  const duration = readDuration(text)
  if (duration) {
    const before = -(duration.days * SECONDS_PER_DAY + duration.seconds)
    return trigger.parameter('RELATED')?.toUpperCase() === 'END' ? before - lengthOf(span) : before
  }
  const moment = parseBasic(text)
  if (moment?.seconds === undefined) return undefined
  const start = span.kind === 'timed' ? span.start : dayStartOf(floating, span.day)
  return start - (moment.day * SECONDS_PER_DAY + moment.seconds)
}

const lengthOf = (span: Span): number => (span.kind === 'timed' ? span.end - span.start : span.days * SECONDS_PER_DAY)
