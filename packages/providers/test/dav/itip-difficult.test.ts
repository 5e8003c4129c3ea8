/** Difficult objects of other calendars as invitations: the mail is read, applied once, and cancelled. */
import type { Grant } from '@waypost/contract'
import { type CalendarObject, eventsOf, readCalendarObject } from '@waypost/formats/icalendar/calendar-object'
import { applyCancel } from '@waypost/formats/itip/cancel'
import type { EventSet } from '@waypost/formats/itip/invitation-copies'
import { type Invitation, invitationsFor } from '@waypost/formats/itip/invitations'
import type { ItipContext } from '@waypost/formats/itip/objects'
import { applyRequest } from '@waypost/formats/itip/request'
import { instantsOf } from '@waypost/formats/timezones/when'
import { describe, expect, test } from 'vitest'
import { difficultIcs } from '../../../formats/test/icalendar/difficult-ics.ts'
import { guest } from '../../../formats/test/itip/making-invitations.ts'
import { groupOf } from '../../src/dav/caldav/mapping/event.ts'
import { setOf } from '../../src/dav/caldav/scheduling.ts'

const place = { url: 'http://127.0.0.1/calendar/', id: 'calendar', zone: 'Europe/Berlin', readOnly: false }
const grant = { id: 'grant', email: 'olga@example.com' } as Grant
const now = Date.UTC(2026, 5, 1)
const context: ItipContext = { addresses: ['ann@example.com'], sender: grant.email, zone: place.zone, now }

/** The content of an object, with one guest. */
function invited(text: string): EventSet | undefined {
  const object = readCalendarObject(text)
  const set = object && setOf(groupOf(eventsOf(object, place), 'event', { grant, place }))
  const withGuest = (event: EventSet['main']): EventSet['main'] => ({
    ...event,
    participants: [guest('ann@example.com')],
  })
  return (
    set && {
      main: withGuest(set.main),
      overrides: set.overrides.map((one) => ({ ...one, event: withGuest(one.event) })),
    }
  )
}

const read = (text: string): CalendarObject => {
  const object = readCalendarObject(text)
  if (!object) throw new Error('there is no event in it')
  return object
}
const sets = difficultIcs.flatMap(({ name, text }): [string, EventSet][] => {
  const set = invited(text)
  return set && set.main.status !== 'cancelled' ? [[name, set]] : []
})

describe('an invitation to', () => {
  test('is tested with enough samples', () => expect(sets.length).toBeGreaterThan(100))

  test.each(sets)('%s', (_, after) => {
    const organizer = { email: grant.email, name: null }
    const [mail]: Invitation[] = invitationsFor({ after, organizer, now })
    const sent = read(mail?.ics ?? '')
    const made = applyRequest(undefined, sent, context)
    if (made.change !== 'write') throw new Error(made.why)
    const copy = eventsOf(read(made.text), place)
    expect(copy.main?.title).toBe(after.main.title)
    // A zone without a name is sent in UTC.
    const times = [copy.main?.when ?? after.main.when, after.main.when].map((when) => instantsOf(when, place.zone))
    expect(times[0]).toEqual(times[1])
    expect(copy.main?.participants).toMatchObject([{ email: 'ann@example.com', status: 'noreply' }])
    expect(applyRequest(read(made.text), sent, context)).toMatchObject({ change: 'none' })
    const [cancel] = invitationsFor({ before: after, organizer, now: now + 1000 })
    const gone = applyCancel(read(made.text), read(cancel?.ics ?? ''), context)
    if (gone.change !== 'write') throw new Error(gone.why)
    expect(eventsOf(read(gone.text), place).main?.status).toBe('cancelled')
  })
})
