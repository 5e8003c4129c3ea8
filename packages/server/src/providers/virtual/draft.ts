/** What a client writes to the fields of an event, checked and completed. Pure. */
import type {
  Conferencing,
  Event,
  EventChange,
  Participant,
  ParticipantInput,
  Reminders,
  When,
  WhenInput,
} from '@waypost/contract'
import { normaliseWhen } from '../../formats/when.ts'
import { invalidField } from '../../lib/api-error.ts'

/** One of the four forms of a time, or the error that names the field. */
export function needWhen(input: WhenInput): When {
  const result = normaliseWhen(input)
  if (!result.ok) throw invalidField(result.field, result.problem)
  return result.when
}

/** Guests without repetition and without the owner; an answer that a guest gave stays while the address does. */
export function participantsOf(
  inputs: readonly ParticipantInput[],
  owner: string,
  before: readonly Participant[],
): Participant[] {
  const answers = new Map(before.map((guest) => [guest.email?.toLowerCase(), guest.status]))
  const guests = new Map<string, Participant>()
  for (const input of inputs) {
    const key = input.email.trim().toLowerCase()
    const invited = answers.has(key)
    if ((key === owner.trim().toLowerCase() && !invited) || guests.has(key)) continue
    guests.set(key, {
      email: input.email.trim(),
      name: input.name ?? null,
      comment: input.comment ?? null,
      phone_number: input.phone_number ?? null,
      status: answers.get(key) ?? 'noreply',
    })
  }
  return [...guests.values()]
}

function checkReminders(reminders: Reminders | null | undefined): void {
  if (reminders?.use_default === true && (reminders.overrides?.length ?? 0) > 0) {
    throw invalidField('reminders.overrides', 'cannot be combined with use_default: true')
  }
}

/** Conferencing as given; creating a conference is a provider's work, and there is none here. */
export function conferencingOf(conferencing: Conferencing): Conferencing | undefined {
  if (conferencing.autocreate !== undefined) {
    const problem =
      conferencing.details === undefined
        ? 'a virtual calendar has no conferencing provider: send details instead'
        : 'cannot be combined with details'
    throw invalidField('conferencing.autocreate', problem)
  }
  if (Object.keys(conferencing).length === 0) return undefined
  if (!conferencing.provider) throw invalidField('conferencing.provider', 'is required')
  if (!conferencing.details?.url) throw invalidField('conferencing.details.url', 'is required')
  if (!/^https?:\/\//i.test(conferencing.details.url)) {
    throw invalidField('conferencing.details.url', 'must be an http or https address')
  }
  return conferencing
}

/** Fields that may change, on top of an event: absent fields stay, nested ones are replaced. */
export function applyChange(event: Event, change: EventChange, owner: string): Event {
  checkReminders(change.reminders)
  const next: Event = { ...event }
  if (change.title !== undefined) next.title = change.title
  if (change.description !== undefined) next.description = change.description
  if (change.location !== undefined) next.location = change.location
  if (change.when !== undefined) next.when = needWhen(change.when)
  if (change.busy !== undefined) next.busy = change.busy ?? true
  if (change.visibility !== undefined) next.visibility = visibilityOf(change.visibility)
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

const visibilityOf = (visibility: EventChange['visibility']): Event['visibility'] => {
  if (visibility === 'default') throw invalidField('visibility', 'must be public or private on a virtual calendar')
  return visibility ?? null
}

/** The zone in which a series repeats: that of its start, or UTC. */
export const seriesZone = (when: When): string =>
  (when.object === 'time' ? when.timezone : when.object === 'timespan' ? when.start_timezone : null) ?? 'UTC'
