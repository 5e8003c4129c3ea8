/** Recurring events: identifies an occurrence and applies a change to it, to all following, or to all occurrences. */
import type { Event, EventDraft } from '@waypost/sdk'
import type { SeriesCut } from './recurrence.ts'

export const scopes = ['one', 'following', 'all'] as const
export type Scope = (typeof scopes)[number]

/** An occurrence is identified by its original start in the rule, even if it was moved. */
export function cutOf(event: Event): SeriesCut {
  const stamp = /_(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})Z)?$/.exec(event.id)
  const { when } = event
  if (stamp) {
    const [, year, month, day, hour, minute, second] = stamp
    const date = `${year}-${month}-${day}`
    return hour === undefined ? { date } : { seconds: Date.parse(`${date}T${hour}:${minute}:${second}Z`) / 1000 }
  }
  if (when.object === 'date') return { date: when.date }
  if (when.object === 'datespan') return { date: when.start_date }
  return { seconds: event.original_start_time ?? (when.object === 'time' ? when.time : when.start_time) }
}

/** Whether this is the first occurrence. Then "this and following" means the whole series. */
export function isFirst(event: Event, master: Event): boolean {
  const [cut, first] = [cutOf(event), cutOf({ ...master, id: '' })]
  if ('date' in cut) return 'date' in first && cut.date <= first.date
  return 'seconds' in first && cut.seconds <= first.seconds
}

/** Fields that a second series copies from the first. */
export function copyOf(master: Event): Omit<EventDraft, 'when'> {
  const { title, description, location, busy, visibility, metadata, conferencing, reminders } = master
  const guests = master.participants.flatMap(({ email, name }) => (email ? [{ email, name }] : []))
  return {
    title,
    description,
    location,
    busy,
    metadata,
    ...(visibility && visibility !== 'default' ? { visibility } : {}),
    ...(master.hide_participants ? { hide_participants: true } : {}),
    ...(guests.length > 0 ? { participants: guests } : {}),
    ...(master.resources.length > 0 ? { resources: master.resources } : {}),
    ...(conferencing?.details?.url
      ? { conferencing: { provider: conferencing.provider, details: conferencing.details } }
      : {}),
    ...(reminders && !reminders.use_default
      ? { reminders: { use_default: false, overrides: reminders.overrides } }
      : {}),
    ...(master.capacity ? { capacity: master.capacity } : {}),
    ...(master.color_id ? { color_id: master.color_id } : {}),
  }
}
