/** Validates and completes event fields from clients, for all providers. Pure. */

import {
  type Conferencing,
  isAddress,
  type Participant,
  type ParticipantInput,
  type RemindersInput,
  type Resource,
  type When,
  type WhenInput,
} from '@waypost/contract'
import type { SeriesStart } from '@waypost/formats/recurrence/series'
import { dayOf } from '@waypost/formats/timezones/dates'
import { resolveTimeZone } from '@waypost/formats/timezones/timezones'
import { normaliseWhen } from '@waypost/formats/timezones/when'
import { invalidField } from '@waypost/platform/api-error'

/** One of the four forms of a time; throws an error that names the invalid field. */
export function needWhen(input: WhenInput): When {
  const result = normaliseWhen(input)
  if (!result.ok) throw invalidField(result.field, result.problem)
  return result.when
}

interface Invited {
  participants?: readonly Pick<ParticipantInput, 'email'>[] | null | undefined
  resources?: readonly Pick<Resource, 'email'>[] | null | undefined
}

/**
 * Guests and rooms are invited by mail, so each needs a mail address. An address that the event already has may stay.
 * Virtual calendars do not require one: their guests may be other virtual accounts.
 */
export function checkAddresses(
  { participants, resources }: Invited,
  before: readonly { email?: string | undefined }[],
): void {
  const known = new Set(before.map(({ email }) => email?.toLowerCase()))
  for (const [field, people] of Object.entries({ participants, resources })) {
    for (const [index, { email }] of (people ?? []).entries()) {
      if (isAddress(email.trim()) || known.has(email.trim().toLowerCase())) continue
      throw invalidField(`${field}.${index}.email`, 'must be an email address such as ann@example.com')
    }
  }
}

/** Guests without duplicates and without the owner. A guest's answer stays as long as the address does. */
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

/** Default reminders and overrides exclude each other. */
export function checkReminders(reminders: RemindersInput | null | undefined): void {
  if (reminders?.use_default === true && (reminders.overrides?.length ?? 0) > 0) {
    throw invalidField('reminders.overrides', 'cannot be combined with use_default: true')
  }
}

/** Conferencing is empty, a conference to create, or a described one. */
export function checkConferencing({ provider, details, autocreate, ...rest }: Conferencing): void {
  if (autocreate !== undefined && details !== undefined) {
    throw invalidField('conferencing.autocreate', 'cannot be combined with details')
  }
  if (autocreate === undefined && provider === undefined && details === undefined && Object.keys(rest).length === 0)
    return
  if (!provider) throw invalidField('conferencing.provider', 'is required')
  if (autocreate !== undefined) return
  if (!details?.url) throw invalidField('conferencing.details.url', 'is required')
  if (!/^https?:\/\//i.test(details.url)) {
    throw invalidField('conferencing.details.url', 'must be an http or https address')
  }
}

/** The zone in which a series repeats: that of its start, or UTC. */
export const seriesZone = (when: When): string =>
  (when.object === 'time' ? when.timezone : when.object === 'timespan' ? when.start_timezone : null) ?? 'UTC'

/** The start of a series with this time. */
export function startOf(when: When): SeriesStart {
  switch (when.object) {
    case 'time':
      return { kind: 'timed', at: when.time, zone: seriesZone(when), seconds: 0 }
    case 'timespan':
      return { kind: 'timed', at: when.start_time, zone: seriesZone(when), seconds: when.end_time - when.start_time }
    case 'date':
      return { kind: 'all-day', date: when.date, days: 1 }
    case 'datespan':
      return { kind: 'all-day', date: when.start_date, days: dayOf(when.end_date) - dayOf(when.start_date) + 1 }
  }
}

/** The IANA name of a zone from a client. */
export function needTimeZone(name: string): string {
  const zone = resolveTimeZone(name)
  if (zone === undefined) throw invalidField('timezone', 'is not a time zone: use an IANA name such as Europe/Berlin')
  return zone
}
