/** Calendars and events of mailboxes with an additional CalDAV server, with the suites of every provider. */
import { expect, test } from 'vitest'
import { sharedCyrus } from '../peers/cyrus.ts'
import type { DavServer } from '../peers/dav-server.ts'
import { sharedRadicale } from '../peers/radicale.ts'
import { accountOf, at, expectRefusal, expectStatus, type Json, span } from './accounts.ts'
import { describeCalendars } from './calendars.ts'
import { openImapAndDav } from './dav-subject.ts'
import { describeEvents } from './events.ts'
import { sharedCalendar } from './shared-subject.ts'
import type { Lack, OpenSubject } from './subject.ts'

async function open(start: () => Promise<DavServer>): Promise<OpenSubject> {
  const opened = await openImapAndDav(start)
  const { call } = opened
  const { grantId, email } = await opened.newAccount({ carddav_url: 'none' })
  const made = await call('POST', `/v3/grants/${grantId}/calendars`, { body: { name: 'Conformance' } })
  const calendarId = expectStatus(made, 200).body.data.id
  return { call, grantId, email, calendarId, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() }
}

const servers: readonly [string, () => Promise<DavServer>, readonly Lack[]][] = [
  ['Cyrus, which schedules', sharedCyrus, []],
  // It names no calendar for invitations, and has no free/busy of others.
  ['Radicale, which does not', sharedRadicale, ['primary', 'free-busy']],
]
for (const [name, start, lacks] of servers) {
  const subject = sharedCalendar({ name: `mailboxes with calendars at ${name}`, lacks, open: () => open(start) })
  describeCalendars(subject)
  describeEvents(subject)

  test(`the availability of ${subject.name} is computed from the requested calendars`, async () => {
    const opened = await subject.open()
    const { calendarId, email, call } = opened
    const account = accountOf(call, opened)
    const recurrence = ['RRULE:FREQ=DAILY;COUNT=3']
    const { id } = await account.create(calendarId, { when: span('2026-06-01T09:00'), recurrence })
    const ask = (calendar: string) =>
      call('POST', '/v3/calendars/availability', {
        body: {
          start_time: at('2026-06-02T08:00'),
          end_time: at('2026-06-02T11:00'),
          duration_minutes: 60,
          participants: [{ email, calendar_ids: [calendar] }],
          availability_rules: { availability_method: 'collective' },
        },
      })
    const { time_slots: slots } = expectStatus(await ask(calendarId), 200).body.data
    const free = ['2026-06-02T08:00', '2026-06-02T10:00'].map((time) => at(time))
    expect(slots.map((slot: Json) => slot.start_time)).toEqual(free)
    expectRefusal(await ask('no-such-calendar'), /has no calendar no-such-calendar/)
    await account.delete(`/events/${id}`, { calendar_id: calendarId })
    await opened[Symbol.asyncDispose]()
  })
}
