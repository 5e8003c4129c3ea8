/** Applies a client's change to the fields of an event, with validation and defaults. Pure. */
import type { Conferencing, Event, EventChange } from '@waypost/contract'
import { checkConferencing, checkReminders, needWhen, participantsOf } from './event-input.ts'

/** Conferencing as given. Creating a conference requires a provider, which is not available here. */
export function conferencingOf(conferencing: Conferencing): Conferencing | undefined {
  checkConferencing(conferencing)
  return Object.keys(conferencing).length === 0 ? undefined : conferencing
}

/** Applies a change to an event: absent fields stay, nested ones are replaced. */
export function applyChange(event: Event, change: EventChange, owner: string): Event {
  checkReminders(change.reminders)
  const next: Event = { ...event }
  if (change.title !== undefined) next.title = change.title || null
  if (change.description !== undefined) next.description = change.description || null
  if (change.location !== undefined) next.location = change.location || null
  if (change.when !== undefined) next.when = needWhen(change.when)
  if (change.busy !== undefined) next.busy = change.busy ?? true
  if (change.visibility) next.visibility = change.visibility
  else if (change.visibility === null) delete next.visibility
  if (change.hide_participants !== undefined) next.hide_participants = change.hide_participants ?? false
  if (change.participants !== undefined) {
    next.participants = participantsOf(change.participants ?? [], owner, event.participants)
  }
  if (change.resources !== undefined) next.resources = change.resources ?? []
  if (change.capacity !== undefined) next.capacity = change.capacity
  if (change.metadata !== undefined) next.metadata = change.metadata ?? {}
  if (change.conferencing !== undefined) {
    const conferencing = conferencingOf(change.conferencing ?? {})
    if (conferencing) next.conferencing = conferencing
    else delete next.conferencing
  }
  return next
}
