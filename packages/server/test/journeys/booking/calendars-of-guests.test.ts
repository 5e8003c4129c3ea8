/**
 * The calendars of guests who get only mail. Hosts edit, move and delete the events of bookings in their own calendars,
 * and guests move and cancel, in any order. After every mail, the guest's calendar shows the same as the host's.
 */

import { runs } from '@waypost/testing/level'
import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import type { MailServer } from '@waypost/testing/peers/mail-server'
import { type Radicale, sharedRadicale } from '@waypost/testing/peers/radicale'
import { testClock } from '@waypost/testing/test-clock'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cancelBooking } from '../../../src/booking/bookings/bookings.ts'
import { findConfiguration } from '../../../src/booking/configurations.ts'
import { doJobs } from '../../../src/node.ts'
import type { SystemMail, SystemMessage } from '../../../src/sending/system-mail.ts'
import { addHost, addPage, type Host, hour } from '../../booking/booking-setup.ts'
import { type Entry, StrictCalendar } from '../../booking/mail/strict-calendar.ts'
import { imapSettings } from '../../conformance/imap-subject.ts'
import { type Answer, openService, type TestService } from '../../harness.ts'
import { createGoogleGrant, type GooglePeer, identity, openGoogle, scope } from '../../peers/google.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Json = any

/** One change. The host's own calendar notifies the guests of an edit, unless the host turns that off. */
type Step =
  | { by: 'host'; does: 'retitle' | 'relocate' | 'move' | 'invite' | 'delete'; tells: boolean }
  | { by: 'host'; does: 'confirm' | 'decline' }
  | { by: 'guest'; does: 'move' | 'move to the other host' }

const edits = fc.record({
  by: fc.constant('host' as const),
  does: fc.constantFrom('retitle' as const, 'relocate' as const, 'move' as const, 'invite' as const, 'delete' as const),
  tells: fc.boolean(),
})
const answers = fc.record({
  by: fc.constant('host' as const),
  does: fc.constantFrom('confirm' as const, 'confirm' as const, 'decline' as const),
})
const moves = fc.record({
  by: fc.constant('guest' as const),
  does: fc.constantFrom('move' as const, 'move to the other host' as const),
})
const sequences: fc.Arbitrary<{ isRequested: boolean; steps: Step[] }> = fc.record({
  isRequested: fc.boolean(),
  steps: fc.array(
    fc.oneof({ weight: 3, arbitrary: edits }, { weight: 2, arbitrary: moves }, { weight: 1, arbitrary: answers }),
    { minLength: 2, maxLength: 6 },
  ),
})

const clock = testClock()
const outgoing: SystemMessage[] = []
const mail: SystemMail = {
  address: 'bookings@waypost.test',
  send: async (message) => void outgoing.push(message),
  [Symbol.asyncDispose]: async () => undefined,
}
let service: TestService
let google: GooglePeer
let dovecot: MailServer
let radicale: Radicale
beforeAll(async () => {
  ;[google, dovecot, radicale] = await Promise.all([openGoogle(), sharedDovecot(), sharedRadicale()])
  const env = { WAYPOST_GOOGLE_URL: google.simulator.url, WAYPOST_EGRESS: 'private', WAYPOST_MAIL_PER_DAY: '1000000' }
  service = await inApplication(await openService({ env, overrides: { clock, mail } }))
})
afterAll(async () => {
  for (const each of [service, google, dovecot, radicale]) await each?.[Symbol.asyncDispose]()
})

/** A separate application of the same service, because the sandbox has fixed scopes. */
async function inApplication(made: TestService): Promise<TestService> {
  const { key } = await made.createApplication()
  return {
    ...made,
    call: (method, target, options) => made.call(method, target, { key, ...options }),
    createGrant: (email) => made.createGrant(email, key),
    apiKey: key,
  }
}

const ok = ({ status, body }: Answer): Json => {
  expect([status, body.error]).toEqual([200, undefined])
  return body.data
}

/** Accounts that cannot send mail themselves, so that the test receives all mail. */
const kinds = {
  'virtual calendars': {
    runs: 60,
    seatRuns: 16,
    /** Whether the service sends the mail about edits by the host. */
    isOurs: true,
    addHost: (name: string): Promise<Host> => addHost(service, `${name}@host.test`),
  },
  Google: {
    runs: 12,
    seatRuns: 6,
    isOurs: false,
    async addHost(name: string): Promise<Host> {
      const email = `${name}@gmail.com`
      google.simulator.addAccount({ email, name, timezone: 'Europe/Berlin' })
      const scopes = [...identity, scope('calendar')]
      const { id } = await createGoogleGrant(service, google.simulator, { email, key: service.apiKey, scopes })
      return { id, email, calendarId: 'primary' }
    },
  },
  CalDAV: {
    runs: 7,
    seatRuns: 0,
    isOurs: false,
    async addHost(): Promise<Host> {
      const mailbox = await dovecot.addUser()
      await radicale.addDavUser(mailbox.user.split('@')[0], mailbox.password)
      const all = { ...imapSettings(dovecot, mailbox), caldav_url: radicale.davUrl }
      const settings = Object.fromEntries(Object.entries(all).filter(([name]) => !name.startsWith('smtp')))
      await service.call('POST', '/v3/connectors', { body: { provider: 'imap' } })
      const made = await service.call('POST', '/v3/connect/custom', { body: { provider: 'imap', settings } })
      expect([made.status, made.body.error]).toEqual([201, undefined])
      const { id } = made.body.data
      const calendars = ok(await service.call('GET', `/v3/grants/${id}/calendars`))
      return { id, email: mailbox.user, calendarId: calendars[0].id }
    },
  },
} as const

interface Pages {
  hosts: readonly Host[]
  isOurs: boolean
  booked: string
  requested: string
}

/** A mail of the host's calendar server. For virtual calendars, the service sends it. */
function mailOf(method: string, { ical_uid, sequence, when, title, location, participants, ...event }: Json): string {
  const time = (seconds: number): string => new Date(seconds * 1000).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const slot = event.original_start_time
  return [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//calendar server', `METHOD:${method}`, 'BEGIN:VEVENT'],
    ...[`UID:${ical_uid}`, `SEQUENCE:${sequence}`, `DTSTAMP:${time(Math.floor(clock.now() / 1000))}`],
    ...[`DTSTART:${time(when.start_time)}`, `DTEND:${time(when.end_time)}`, `SUMMARY:${title}`],
    ...(location ? [`LOCATION:${location}`] : []),
    ...(slot ? [`RECURRENCE-ID:${time(slot)}`] : []),
    `ORGANIZER:mailto:${event.organizer.email}`,
    ...participants.map(({ email }: Json) => `ATTENDEE:mailto:${email}`),
    ...['END:VEVENT', 'END:VCALENDAR', ''],
  ].join('\r\n')
}

/** One guest with one booking, and the content of the guest's calendar. */
class Story {
  readonly #pages: Pages
  readonly #page: string
  readonly #guest: string
  readonly #calendar: StrictCalendar
  readonly #nextTime: () => number
  #id = ''
  readonly reported: string[] = []

  constructor(
    pages: Pages,
    { guest, isRequested, nextTime }: { guest: string; isRequested: boolean; nextTime: () => number },
  ) {
    this.#pages = pages
    this.#page = isRequested ? pages.requested : pages.booked
    this.#guest = guest
    this.#nextTime = nextTime
    this.#calendar = new StrictCalendar(guest)
  }

  #slot(): { start_time: number; end_time: number } {
    const start_time = this.#nextTime()
    return { start_time, end_time: start_time + 1_800 }
  }

  #call(method: string, body?: object): Promise<Answer> {
    const target = `/v3/scheduling/bookings${this.#id && `/${this.#id}`}?configuration_id=${this.#page}`
    return service.call(method, target, body ? { body } : {})
  }

  #booking = async (): Promise<Json> => ok(await this.#call('GET'))

  /** The event of the booking, and its place. */
  async #event(): Promise<{ host: Host; path: string; event: Json } | undefined> {
    const { event_id, organizer } = await this.#booking()
    const host = this.#pages.hosts.find(({ email }) => email === organizer.email)
    if (!host) throw new Error(`no host ${organizer.email}`)
    const path = `/v3/grants/${host.id}/events/${event_id}?calendar_id=${encodeURIComponent(host.calendarId)}`
    const { status, body } = await service.call('GET', path)
    return status === 200 && body.data.status !== 'cancelled' ? { host, path, event: body.data } : undefined
  }

  async begin(): Promise<void> {
    const [title] = this.#guest.split('@')
    this.#id = ok(await this.#call('POST', { ...this.#slot(), guest: { email: this.#guest, name: title } })).booking_id
    await this.#settle('book', (await this.#booking()).status === 'pending')
  }

  async take(step: Step): Promise<void> {
    clock.advance(61_337)
    const { status } = await this.#booking()
    if (status === 'cancelled' || (status === 'booked' && (step.does === 'confirm' || step.does === 'decline'))) return
    const name = `${step.by} ${step.does}${'tells' in step && !step.tells ? ' silently' : ''}`
    if (step.by === 'guest') {
      const slot = this.#slot()
      if (step.does === 'move to the other host') await this.#occupy(slot)
      ok(await this.#call('PATCH', slot))
    } else if ('tells' in step) await this.#edit(step)
    else ok({ ...(await this.#call('PUT', { status: step.does === 'confirm' ? 'confirmed' : 'cancelled' })), body: {} })
    // Guests get no mail about an edit without notification, or about a request.
    const isQuiet = 'tells' in step || (await this.#booking()).status === 'pending'
    await this.#settle(name, isQuiet)
  }

  async end(): Promise<void> {
    clock.advance(61_337)
    ok(await this.#call('DELETE', {}))
    await this.#settle('cancel', false)
    expect(this.#calendar.entries(), this.reported.join(', ')).toEqual([])
  }

  /** The current host is busy then. */
  async #occupy(when: object): Promise<void> {
    const { organizer } = await this.#booking()
    const host = this.#pages.hosts.find(({ email }) => email === organizer.email)
    const path = `/v3/grants/${host?.id}/events?calendar_id=${encodeURIComponent(host?.calendarId ?? '')}`
    ok(await service.call('POST', path, { body: { title: 'elsewhere', when } }))
  }

  async #edit({ does, tells }: Extract<Step, { tells: boolean }>): Promise<void> {
    const found = await this.#event()
    if (!found) return
    const { path, event } = found
    const target = `${path}&notify_participants=${tells}`
    const isInvited = this.#isListed(event)
    if (does === 'delete') {
      ok({ ...(await service.call('DELETE', target)), body: {} })
      if (tells && isInvited) this.#deliver(mailOf('CANCEL', { ...event, sequence: event.sequence + 1 }))
      return
    }
    const body: Json = {
      retitle: { title: `title ${clock.now()}` },
      relocate: { location: `room ${clock.now()}` },
      move: { when: this.#slot() },
      invite: {
        participants: [...event.participants, { email: this.#guest }, { email: `${clock.now()}@else.test` }]
          .map(({ email }: Json) => ({ email }))
          .filter(({ email }, index, all) => all.findIndex((each) => each.email === email) === index),
      },
    }[does]
    const after = ok(await service.call('PUT', target, { body }))
    if (tells && this.#isListed(after)) this.#deliver(mailOf('REQUEST', after))
  }

  #isListed = ({ participants }: Json): boolean => participants.some(({ email }: Json) => email === this.#guest)

  #deliver(ics: string): void {
    if (!this.#pages.isOurs) outgoing.push({ to: this.#guest, subject: '', text: '', html: '', method: 'REQUEST', ics })
  }

  /** Delivers the mails in the order of sending, and compares the calendars after each change that is mailed. */
  async #settle(name: string, isQuiet: boolean): Promise<void> {
    await doJobs(service.services)
    const mails = outgoing.splice(0).filter(({ to }) => to === this.#guest)
    const objects = mails.flatMap((each) => ('ics' in each ? [each.ics] : []))
    this.reported.push(`${name} (${objects.length})`)
    for (const ics of objects) this.#calendar.apply(ics)
    const story = this.reported.join(', ')
    expect(this.#calendar.ignored, story).toEqual([])
    if (objects.length > 0 || !isQuiet) expect(this.#calendar.entries(), story).toEqual(await this.#truth())
  }

  async #truth(): Promise<Entry[]> {
    if ((await this.#booking()).status === 'cancelled') return []
    const { event, host } = (await this.#event()) ?? {}
    if (!event || !this.#isListed(event)) return []
    return [
      {
        uid: event.ical_uid,
        ...{ start: event.when.start_time, end: event.when.end_time },
        ...{ title: event.title, location: event.location ?? '' },
        attendees: event.participants
          .map(({ email }: Json) => email)
          .filter((email: string) => email !== host?.email)
          .sort(),
      },
    ]
  }
}

test.for(Object.entries(kinds))('at %s equal the calendar of the host after every mail', async ([name, kind]) => {
  const hosts = [await kind.addHost('ann'), await kind.addHost('ben')]
  const rules = { availability_rules: { availability_method: 'max-availability' as const } }
  const changes = (booking_type: 'booking' | 'organizer-confirmation') => ({
    availability: { duration_minutes: 30, ...rules },
    event_booking: { title: `Talk with \${invitee}`, timezone: 'UTC', booking_type },
    scheduler: { min_booking_notice: 0, available_days_in_future: 700 },
  })
  const pages: Pages = {
    ...{ hosts, isOurs: kind.isOurs },
    booked: await addPage(service, hosts, changes('booking')),
    requested: await addPage(service, hosts, changes('organizer-confirmation')),
  }
  let time = Math.ceil(clock.now() / 1000 / hour) * hour + 48 * hour
  let guests = 0
  const nextTime = (): number => (time += hour)
  await fc.assert(
    fc.asyncProperty(sequences, async ({ isRequested, steps }) => {
      const guest = `guest-${++guests}@${name.replaceAll(' ', '-').toLowerCase()}.test`
      const story = new Story(pages, { guest, isRequested, nextTime })
      await story.begin()
      for (const step of steps) await story.take(step)
      await story.end()
    }),
    { numRuns: runs(kind.runs) },
  )
})

test('a request that its guest moves stays a request: the organizer is asked again, and nobody gets a confirmation', async () => {
  const host = await addHost(service, 'olga@host.test')
  const event_booking = { title: 'Talk', timezone: 'UTC', booking_type: 'organizer-confirmation' as const }
  const page = await addPage(service, [host], { event_booking })
  const start_time = Math.ceil(clock.now() / 1000 / hour) * hour + 24 * hour
  const at = (id = ''): string => `/v3/scheduling/bookings${id && `/${id}`}?configuration_id=${page}`
  const guest = { email: 'gina@guest.test', name: 'Gina' }
  const sent = async () => {
    await doJobs(service.services)
    return outgoing.splice(0).map((each) => ({ ...each, method: 'ics' in each ? each.method : undefined }))
  }
  const body = { start_time, end_time: start_time + 1_800, guest }
  const { booking_id } = ok(await service.call('POST', at(), { body }))
  const [first] = await sent()
  const later = { start_time: start_time + hour, end_time: start_time + hour + 1_800 }
  expect(ok(await service.call('PATCH', at(booking_id), { body: later })).status).toBe('pending')
  const [second, ...others] = await sent()
  expect([first?.to, second?.to, others]).toEqual([host.email, host.email, []])
  expect([second?.subject, second?.method]).toEqual(['Booking request: Talk', undefined])
  expect(second?.text).toMatch(/Confirm: http.*\/book\/confirm\//)
  expect(second?.text).toMatch(/Former time: /)
  ok(await service.call('PUT', at(booking_id), { body: { status: 'confirmed' } }))
  const confirmed = await sent()
  expect(confirmed.map(({ to, method }) => [to, method]).sort()).toEqual([
    [guest.email, 'REQUEST'],
    [host.email, undefined],
  ])
})

test('a cancellation whose process ended after it deleted the event is newer than the edits of the host', async () => {
  const host = await kinds.Google.addHost('gus')
  const page = await addPage(service, [host], { event_booking: { title: 'Talk', timezone: 'UTC' } })
  const start_time = Math.ceil(clock.now() / 1000 / hour) * hour + 24 * hour
  const guest = { email: 'vera@guest.test', name: 'Vera' }
  const body = { start_time, end_time: start_time + 1_800, guest }
  const { booking_id: id, event_id } = ok(
    await service.call('POST', `/v3/scheduling/bookings?configuration_id=${page}`, { body }),
  )
  const path = `/v3/grants/${host.id}/events/${event_id}?calendar_id=primary&notify_participants=true`
  const calendar = new StrictCalendar(guest.email)
  const deliver = async (): Promise<void> => {
    await doJobs(service.services)
    for (const each of outgoing.splice(0)) if (each.to === guest.email && 'ics' in each) calendar.apply(each.ics)
  }
  await deliver()
  for (const hours of [1, 2, 3]) {
    const when = { start_time: start_time + hours * hour, end_time: start_time + hours * hour + 1_800 }
    calendar.apply(mailOf('REQUEST', ok(await service.call('PUT', path, { body: { when } }))))
  }
  const { services } = service
  const applicationId = ok(await service.call('GET', '/v3/applications')).application_id
  const configuration = await findConfiguration(
    { queries: services.storage.database, seals: services.storage.seals },
    { applicationId, id: page },
  )
  if (!configuration) throw new Error('no configuration')
  const ended = Promise.withResolvers<void>()
  const failpoint = (moment: string): Promise<void> | undefined => {
    if (moment !== 'placed') return undefined
    ended.resolve()
    return new Promise(() => {})
  }
  const tools = { ...services.scheduling, nodeId: 'a-process-that-ended', failpoint }
  const signal = new AbortController().signal
  void cancelBooking(tools, { applicationId, id, configuration, signal, isBound: false, reason: '' })
  await ended.promise
  await services.scheduling.abandon()
  await deliver()
  expect([calendar.ignored, calendar.entries()]).toEqual([[], []])
})

/** Changes of the occurrences of a series with seats; numbers select among the existing ones. */
type SeatStep =
  | { does: 'take'; at: number }
  | { does: 'leave'; at: number }
  | { does: 'other guest'; at: number }
  | { does: 'move'; at: number; to: number }
  | { does: 'retitle' | 'relocate' | 'shift'; at: number; tells: boolean }

const seatSteps: fc.Arbitrary<SeatStep[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ does: fc.constant('take' as const), at: fc.nat(5) }) },
    { weight: 2, arbitrary: fc.record({ does: fc.constant('leave' as const), at: fc.nat(5) }) },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('other guest' as const), at: fc.nat(5) }) },
    { weight: 2, arbitrary: fc.record({ does: fc.constant('move' as const), at: fc.nat(5), to: fc.nat(5) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        does: fc.constantFrom('retitle' as const, 'relocate' as const, 'shift' as const),
        at: fc.nat(5),
        tells: fc.boolean(),
      }),
    },
  ),
  { minLength: 4, maxLength: 9 },
)

test.for(Object.entries(kinds).filter(([, { seatRuns }]) => seatRuns > 0))(
  'with seats in several occurrences of a series at %s show each occurrence separately',
  async ([name, kind]) => {
    const host = await kind.addHost('teacher')
    const at = `/v3/grants/${host.id}/scheduling/configurations`
    const body = {
      ...{ name: 'Courses', type: 'group' },
      group_booking: { calendar_id: host.calendarId, default_capacity: 10 },
      scheduler: { min_booking_notice: 0, available_days_in_future: 700 },
    }
    const page = ok(await service.call('POST', at, { body })).id
    const bookings = (id = ''): string => `/v3/scheduling/bookings${id && `/${id}`}?configuration_id=${page}`
    let day = Math.ceil(clock.now() / 86_400_000) * 86_400 + 2 * 86_400
    let guests = 0

    /** A series of four days, as group events in the order of their ids. */
    const addSeries = async () => {
      day += 5 * 86_400
      const when = {
        start_time: day,
        end_time: day + hour,
        start_timezone: 'Europe/Berlin',
        end_timezone: 'Europe/Berlin',
      }
      const series = { title: 'Pottery', when, recurrence: ['RRULE:FREQ=DAILY;COUNT=4'] }
      ok(await service.call('POST', `${at}/${page}/group-events`, { body: series }))
      return () =>
        service
          .call('GET', `${at}/${page}/group-events?start_time=${day}&end_time=${day + 5 * 86_400}&limit=50`)
          .then((answer) => (ok(answer) as Json[]).sort((a, b) => a.id.localeCompare(b.id)))
    }
    const seatIn = ({ when, id, calendar_id, master_event_id }: Json) => ({
      ...{ start_time: when.start_time, end_time: when.end_time },
      ...{ event_id: id, calendar_id, master_id: master_event_id },
    })

    await fc.assert(
      fc.asyncProperty(seatSteps, async (steps) => {
        const guest = `pupil-${++guests}@${name.replaceAll(' ', '-').toLowerCase()}.test`
        const calendar = new StrictCalendar(guest)
        const occurrences = await addSeries()
        /** The bookings of the guest, keyed by the id of the occurrence. */
        const seats = new Map<string, string>()
        const story: string[] = []

        const compare = async (step: string): Promise<void> => {
          await doJobs(service.services)
          const objects = outgoing.splice(0).flatMap((each) => (each.to === guest && 'ics' in each ? [each.ics] : []))
          story.push(`${step} (${objects.length})`)
          for (const ics of objects) calendar.apply(ics)
          expect(calendar.ignored, story.join(', ')).toEqual([])
          const present = (await occurrences()).filter(({ id }) => seats.has(id))
          const isReported = ({ start, uid }: Entry) => [start, uid].join()
          const shown = present.map(({ ical_uid: uid, when }) => isReported({ uid, start: when.start_time } as Entry))
          expect(calendar.entries().map(isReported).sort(), story.join(', ')).toEqual(shown.sort())
        }

        for (const step of steps) {
          clock.advance(61_337)
          const all = await occurrences()
          const one = all[step.at % all.length]
          const own = [...seats][step.at % Math.max(seats.size, 1)]
          if (step.does === 'take' || step.does === 'other guest') {
            const email = step.does === 'take' ? guest : `other-${clock.now()}@else.test`
            if (step.does === 'take' && seats.has(one.id)) continue
            const booked = ok(
              await service.call('POST', bookings(), { body: { ...seatIn(one), guest: { email, name: 'x' } } }),
            )
            if (step.does === 'take') seats.set(one.id, booked.booking_id)
          } else if (step.does === 'leave') {
            if (!own) continue
            ok({ ...(await service.call('DELETE', bookings(own[1]), { body: {} })), body: {} })
            seats.delete(own[0])
          } else if (step.does === 'move') {
            const to = all[step.to % all.length]
            if (!own || seats.has(to.id)) continue
            ok(await service.call('PATCH', bookings(own[1]), { body: seatIn(to) }))
            seats.delete(own[0])
            seats.set(to.id, own[1])
          } else {
            const path = `/v3/grants/${host.id}/events/${one.id}?calendar_id=${encodeURIComponent(host.calendarId)}`
            const change = {
              retitle: { title: `title ${clock.now()}` },
              relocate: { location: `room ${clock.now()}` },
              shift: { when: { ...one.when, start_time: one.when.start_time + 60, end_time: one.when.end_time + 60 } },
            }[step.does]
            // After a move without notification, the guest would have the former time, so hosts always notify moves.
            const tells = step.tells || step.does === 'shift'
            const after = ok(await service.call('PUT', `${path}&notify_participants=${tells}`, { body: change }))
            if (tells && !kind.isOurs && seats.has(one.id)) {
              outgoing.push({
                to: guest,
                subject: '',
                text: '',
                html: '',
                method: 'REQUEST',
                ics: mailOf('REQUEST', after),
              })
            }
          }
          await compare(step.does)
        }
        clock.advance(61_337)
        for (const [, id] of seats) ok({ ...(await service.call('DELETE', bookings(id), { body: {} })), body: {} })
        seats.clear()
        await compare('leave all')
      }),
      { numRuns: runs(kind.seatRuns) },
    )
  },
)
