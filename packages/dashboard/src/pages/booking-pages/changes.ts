/** Changes of a configuration in the editor, and the request that saves them. Pure. */
import type { Configuration, ConfigurationChange } from '@waypost/sdk'
import type { HoursBlock } from './hours.ts'

type Rules = NonNullable<Configuration['availability']['availability_rules']>

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/**
 * The body of a PUT. It contains the changed members only, each one complete, because the service replaces nested
 * objects as a whole.
 */
export function changesOf(before: Configuration, after: Configuration): ConfigurationChange {
  const { id: _, ...members } = after
  return Object.fromEntries(
    Object.entries(members).filter(([name, value]) => !same(value, before[name as keyof Configuration])),
  )
}

export const isChanged = (before: Configuration, after: Configuration): boolean =>
  Object.keys(changesOf(before, after)).length > 0

/** An edit takes a draft and returns the changed one. */
export type Edit = (draft: Configuration) => Configuration

export const setAvailability =
  (change: Partial<Configuration['availability']>): Edit =>
  (draft) => ({ ...draft, availability: { ...draft.availability, ...change } })

export const setRules =
  (change: Partial<Rules>): Edit =>
  (draft) =>
    setAvailability({ availability_rules: { ...draft.availability.availability_rules, ...change } })(draft)

export const setEvent =
  (change: Partial<Configuration['event_booking']>): Edit =>
  (draft) => ({ ...draft, event_booking: { ...draft.event_booking, ...change } })

export const setScheduler =
  (change: Partial<Configuration['scheduler']>): Edit =>
  (draft) => ({ ...draft, scheduler: { ...draft.scheduler, ...change } })

export const setMailTemplate =
  (change: Partial<NonNullable<Configuration['scheduler']['email_template']>>): Edit =>
  (draft) =>
    setScheduler({ email_template: { ...draft.scheduler.email_template, ...change } })(draft)

export const setGroup =
  (change: Partial<NonNullable<Configuration['group_booking']>>): Edit =>
  (draft) => ({
    ...draft,
    group_booking: { calendar_id: '', ...draft.group_booking, ...change },
  })

/** Sets a text or color of the page; an empty one is removed. */
export const setAppearance =
  (name: string, text: string): Edit =>
  (draft) => {
    const { [name]: _, ...others } = draft.appearance ?? {}
    const next = text.trim() === '' ? others : { ...others, [name]: text }
    return { ...draft, appearance: Object.keys(next).length === 0 ? null : next }
  }

type Participant = Configuration['participants'][number]

export const setParticipant =
  (index: number, change: Partial<Participant>): Edit =>
  (draft) => ({
    ...draft,
    participants: draft.participants.map((each, at) => (at === index ? { ...each, ...change } : each)),
  })

/** Own hours of a host; undefined makes the host follow the hours of the page. */
export const setOwnHours =
  (index: number, hours: readonly HoursBlock[] | undefined): Edit =>
  (draft) =>
    setParticipant(index, {
      availability: {
        ...draft.participants[index]?.availability,
        open_hours: hours === undefined ? [] : [...hours],
      },
    })(draft)

/** Hours in another time zone: the clock times stay. */
const inZone = (blocks: readonly HoursBlock[] | null | undefined, zone: string) =>
  (blocks ?? []).map((block) => ({ ...block, timezone: zone }))

/** The time zone of the page. The hours and single days of all hosts keep their clock times. */
export const setZone =
  (zone: string): Edit =>
  (draft) => {
    const rules = draft.availability.availability_rules
    const dates = rules?.default_specific_time_availability ?? []
    return setEvent({ timezone: zone })(
      setRules({
        default_open_hours: inZone(rules?.default_open_hours, zone),
        ...(dates.length > 0
          ? { default_specific_time_availability: dates.map((each) => ({ ...each, timezone: zone })) }
          : {}),
      })(draft),
    )
  }
