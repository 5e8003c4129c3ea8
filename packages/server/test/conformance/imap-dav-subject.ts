/** Mailboxes with an additional DAV server: their calendars, their contacts, and the availability of their calendars. */
import { expect, test, vi } from 'vitest'
import { accountOf, at, expectRefusal, expectStatus, type Json, span } from './accounts.ts'
import type { ContactSubject } from './contacts-subject.ts'
import type { OpenDav } from './dav-subject.ts'
import type { LimitsSubject } from './limits.ts'
import { sourceOf } from './mail-subject.ts'
import type { Lack, OpenSubject, Subject } from './subject.ts'

type Open = () => Promise<OpenDav>
/** The file closes the servers. */
const unclosed = { [Symbol.asyncDispose]: async () => undefined }

export const davCalendar = (name: string, opened: Open, lacks: readonly Lack[]): Subject => ({
  name: `mailboxes with calendars at ${name}`,
  lacks,
  async open(): Promise<OpenSubject> {
    const { call, newAccount } = await opened()
    const { grantId, email } = await newAccount({ carddav_url: 'none' })
    const made = await call('POST', `/v3/grants/${grantId}/calendars`, { body: { name: 'Conformance' } })
    return { call, grantId, email, calendarId: expectStatus(made, 200).body.data.id, ...unclosed }
  },
})

export const davContacts = (name: string, opened: Open): ContactSubject => ({
  name: `mailboxes with contacts at ${name}`,
  async open() {
    const { call, newAccount, mail, service } = await opened()
    await service.listen()
    const { grantId, email } = await newAccount({ caldav_url: 'none', watch: true })
    return {
      ...{ call, grantId, email, ...unclosed },
      async knowFromMail(person) {
        await mail.deliver(email, sourceOf({ from: `${person.name} <${person.email}>`, to: email }))
        const inbox = `/v3/grants/${grantId}/contacts?source=inbox`
        await vi.waitFor(async () => expect((await call('GET', inbox)).body.data).not.toEqual([]), {
          timeout: 30_000,
          interval: 50,
        })
      },
    }
  },
})

/** An account with one of the two addresses, for requests with unsupported fields. */
export const davLimits =
  (opened: Open, addresses: 'caldav' | 'carddav'): LimitsSubject['open'] =>
  async () => {
    const { call, newAccount, mail } = await opened()
    const { grantId, email } = await newAccount({ [addresses === 'caldav' ? 'carddav_url' : 'caldav_url']: 'none' })
    const account = accountOf(call, { grantId, email })
    const calendars = addresses === 'caldav' ? expectStatus(await account.get('/calendars'), 200).body.data : []
    return {
      account,
      call,
      ...(calendars.length > 0 ? { calendarId: calendars[0].id } : {}),
      arrive: () => mail.deliver(email, 'Subject: Hello\n\nText'),
      ...unclosed,
    }
  }

export const testAvailability = (subject: Subject): void =>
  test(`the availability of ${subject.name} is computed from the requested calendars`, async () => {
    const opened = await subject.open()
    const { calendarId, email, call } = opened
    const account = accountOf(call, opened)
    const recurrence = ['RRULE:FREQ=DAILY;COUNT=3']
    await account.create(calendarId, { when: span('2026-06-01T09:00'), recurrence })
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
  })
