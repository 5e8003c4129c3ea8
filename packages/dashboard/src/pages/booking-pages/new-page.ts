/** The answers of the three steps, their defaults, and the configuration that they make. Pure. */
import type { ConfigurationDraft, GroupEventDraft } from '@waypost/sdk'
import { type GroupEventValues, groupEventOf } from './group/group-event.ts'
import { blocksOf, type HoursBlock, usualWeek } from './hours.ts'
import type { Kind, RoundRobinMethod } from './kinds.ts'
import { slugOf } from './slug.ts'

/** An account whose calendar is used. */
export interface Host {
  grantId: string
  email: string
  name: string
  provider: string
  /** The calendar that is checked and gets the events; undefined until it is known. */
  calendarId: string | undefined
}

/** Where the meeting takes place. */
export type Place = 'none' | 'location' | 'conference' | 'link'

export interface Answers {
  kind: Kind
  hosts: readonly Host[]
  method: RoundRobinMethod
  title: string
  duration: number
  place: Place
  /** The location, or the address of the online meeting. */
  where: string
  hours: readonly HoursBlock[]
  zone: string
  slug: string
  needsConfirmation: boolean
  /** The first event of a group page. */
  event: GroupEventValues
}

/** `date` is the day of the first event of a group page. */
export const firstAnswers = (zone: string, date: string): Answers => ({
  kind: 'one-on-one',
  hosts: [],
  method: 'max-availability',
  title: '',
  duration: 30,
  place: 'none',
  where: '',
  hours: blocksOf(usualWeek, { timezone: undefined, exdates: [] }),
  zone,
  slug: '',
  needsConfirmation: false,
  event: { title: '', date, time: '10:00', minutes: 60, capacity: 10, repeat: '', times: 8 },
})

export const takesOneHost = (kind: Kind): boolean => kind === 'one-on-one' || kind === 'group'

/** Answers with another kind. Kinds with one host keep the first one. */
export const withKind = (answers: Answers, kind: Kind): Answers => ({
  ...answers,
  kind,
  hosts: takesOneHost(kind) ? answers.hosts.slice(0, 1) : answers.hosts,
})

/** Online meetings that a provider creates by itself. */
const conferences: Readonly<Record<string, string>> = { google: 'Google Meet', microsoft: 'Microsoft Teams' }

/** The online meeting that the calendars of all hosts can create; undefined if there is none. */
export function conferenceOf(hosts: readonly Pick<Host, 'provider'>[]): string | undefined {
  const [first, ...others] = hosts.map(({ provider }) => conferences[provider])
  return others.every((each) => each === first) ? first : undefined
}

/** A name for the page of a host. */
export const usualTitle = ({ kind, duration, hosts }: Answers): string => {
  if (kind === 'group') return 'Group session'
  const [first] = hosts
  const who = hosts.length > 1 ? 'the team' : first?.name || first?.email.split('@')[0]
  return who ? `${duration} minutes with ${who}` : `${duration}-minute meeting`
}

/** A slug that is free in the application: `intro-call`, `intro-call-2`. */
export function freeSlug(title: string, taken: ReadonlySet<string>): string {
  const wanted = slugOf(title) || 'meeting'
  for (let number = 1; ; number += 1) {
    const slug = number === 1 ? wanted : `${wanted}-${number}`
    if (!taken.has(slug)) return slug
  }
}

/** What the first step lacks; undefined if it is complete. */
export function missingIn({ kind, hosts }: Answers): string | undefined {
  if (hosts.length === 0) return 'Choose an account.'
  if (!takesOneHost(kind) && hosts.length < 2) return 'Choose at least two accounts.'
  const without = hosts.find(({ calendarId }) => !calendarId)
  return without && `${without.email} has no calendar. Create one, or choose another account.`
}

function conferencingOf({ place, where, hosts }: Answers) {
  if (place === 'link') return { conferencing: { provider: 'Online meeting', details: { url: where.trim() } } }
  const provider = place === 'conference' ? conferenceOf(hosts) : undefined
  return provider ? { conferencing: { provider, autocreate: {} } } : {}
}

function groupDraft(answers: Answers): ConfigurationDraft {
  const { hosts, title, slug, event } = answers
  return {
    type: 'group',
    name: title.trim(),
    slug,
    group_booking: {
      calendar_id: hosts[0]?.calendarId ?? '',
      default_capacity: event.capacity,
      ...conferencingOf(answers),
    },
  }
}

/** The first event of a group page. Without one, guests would see an empty page. */
export const firstEventOf = ({ event, title, zone }: Answers): GroupEventDraft =>
  groupEventOf({ ...event, title }, zone)

export function draftOf(answers: Answers): ConfigurationDraft {
  if (answers.kind === 'group') return groupDraft(answers)
  const { kind, hosts, method, title, duration, place, where, hours, zone, slug, needsConfirmation } = answers
  const isRoundRobin = kind === 'round-robin'
  return {
    name: title.trim(),
    slug,
    participants: hosts.map(({ grantId, email, name, calendarId = '' }, index) => ({
      email,
      name: name || email,
      grant_id: grantId,
      is_organizer: !isRoundRobin && index === 0,
      availability: { calendar_ids: [calendarId] },
      booking: { calendar_id: calendarId },
    })),
    availability: {
      duration_minutes: duration,
      availability_rules: {
        availability_method: isRoundRobin ? method : 'collective',
        default_open_hours: hours.map((block) => ({ ...block, timezone: zone })),
      },
    },
    event_booking: {
      title: title.trim(),
      timezone: zone,
      booking_type: needsConfirmation ? 'organizer-confirmation' : 'booking',
      ...(place === 'location' && where.trim() ? { location: where.trim() } : {}),
      ...conferencingOf(answers),
    },
  }
}
