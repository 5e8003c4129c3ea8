/** A process that ends between two steps of a booking: afterwards there is one event and one booking, or neither. */

import { enginesFor } from '@waypost/testing/engines'
import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BookingMoment } from '../../src/booking/bookings/tools.ts'
import { doJobs } from '../../src/node.ts'
import { openService, type TestService } from '../harness.ts'
import { createGoogleGrant, type GooglePeer, identity, openGoogle, scope } from '../peers/google.ts'
import {
  addHost,
  addPage,
  asGuest,
  book,
  bookingNotifications,
  eventsOf,
  guestOf,
  type Host,
  slotOf,
} from './booking-setup.ts'

const moments: readonly BookingMoment[] = ['recorded', 'checked', 'validated', 'placed', 'settled']

let google: GooglePeer
beforeAll(async () => {
  google = await openGoogle()
})
afterAll(() => google?.[Symbol.asyncDispose]())

describe.each(enginesFor(import.meta.url))('an interrupted booking on %s', (engine) => {
  let service: TestService
  let clock: TestClock
  let hosts: { virtual: Host; google: Host }
  /** The moment at which the next change stops forever, and a callback for it. */
  let stop: { at: BookingMoment; reached(): void } | undefined
  beforeAll(async () => {
    clock = testClock()
    const failpoint = (moment: BookingMoment): Promise<void> | undefined => {
      if (stop?.at !== moment) return undefined
      stop.reached()
      stop = undefined
      return new Promise(() => undefined)
    }
    service = await openService({
      engine,
      env: { WAYPOST_GOOGLE_URL: google.simulator.url, WAYPOST_EGRESS: 'private' },
      overrides: { clock, bookingOptions: { failpoint } },
    })
    const email = `${engine}@gmail.com`
    google.simulator.addAccount({ email })
    const { id: client_id, secret: client_secret } = google.simulator.client
    await service.call('PATCH', '/v3/connectors/google', { body: { settings: { client_id, client_secret } } })
    const grant = await createGoogleGrant(service, google.simulator, {
      ...{ email, key: service.apiKey },
      scopes: [...identity, scope('calendar')],
    })
    hosts = {
      virtual: await addHost(service, 'vera@host.test'),
      google: { id: grant.id, email, calendarId: 'primary' },
    }
  })
  afterAll(() => service[Symbol.asyncDispose]())

  /** Starts a change that stops at a moment. Returns false if it ended before. */
  async function interrupt(at: BookingMoment, change: () => Promise<unknown>): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    stop = { at, reached: () => resolve(true) }
    const isReached = await Promise.race([promise, change().then(() => false)])
    stop = undefined
    return isReached
  }

  /**
   * This node has no heartbeat, so its intents count as those of a dead process. A quarter of these steps is not a
   * whole number.
   */
  async function settle(): Promise<void> {
    clock.advance(6_000.7)
    await doJobs(service.services)
  }
  const startsOf = async (host: Host, from: number): Promise<number[]> =>
    (await eventsOf(service, host)).map(({ when }) => when.start_time).filter((start) => start >= from)
  const reported = async (id: string): Promise<string[]> =>
    (await bookingNotifications(service)).filter(({ data }) => data.object.booking_id === id).map(({ type }) => type)

  describe.each(['virtual', 'google'] as const)('in a calendar of %s', (kind) => {
    test('is completed by another process, once', async () => {
      const host = hosts[kind]
      const page = await addPage(service, [host])
      for (const [index, moment] of moments.entries()) {
        const slot = slotOf(service, 3 + index, 9)
        const guest = guestOf(`${kind}-${moment}`)
        await interrupt(moment, () => book(service, page, { ...slot, guest }))
        await settle()
        const listed = await service.call(
          'GET',
          `/v3/scheduling/bookings?configuration_id=${page}&start=${slot.start_time}&end=${slot.end_time}`,
        )
        expect(listed.body.data, moment).toMatchObject([{ status: 'booked', guest, ...slot }])
        expect(
          (await startsOf(host, 0)).filter((start) => start === slot.start_time),
          moment,
        ).toHaveLength(1)
        const again = await book(service, page, { ...slot, guest })
        expect(again.body.data.booking_id).toBe(listed.body.data[0].booking_id)
        await expect.poll(() => reported(again.body.data.booking_id), { message: moment }).toEqual(['booking.created'])
      }
    })

    test('is moved and cancelled once', async () => {
      const host = hosts[kind]
      const page = await addPage(service, [host])
      for (const [index, moment] of moments.entries()) {
        const slot = slotOf(service, 10 + index, 9)
        const later = slotOf(service, 10 + index, 12)
        const made = await book(service, page, { ...slot, guest: guestOf(`${kind}-moved-${moment}`) })
        const at = `/v3/scheduling/bookings/${made.body.data.booking_id}?configuration_id=${page}`
        await interrupt(moment, () => asGuest(service, 'PATCH', at, later))
        await settle()
        expect((await asGuest(service, 'GET', at)).body.data, moment).toMatchObject({ ...later, status: 'booked' })
        const starts = await startsOf(host, slot.start_time)
        expect(
          starts.filter((start) => start === slot.start_time || start === later.start_time),
          moment,
        ).toEqual([later.start_time])
        await interrupt(moment, () => asGuest(service, 'DELETE', at))
        await settle()
        expect((await asGuest(service, 'GET', at)).body.data.status, moment).toBe('cancelled')
        expect(await startsOf(host, slot.start_time), moment).not.toContain(later.start_time)
        await expect
          .poll(() => reported(made.body.data.booking_id), { message: moment })
          .toEqual(['booking.created', 'booking.rescheduled', 'booking.cancelled'])
      }
    })
  })

  test('is undone if the time is no longer free in the calendar', async () => {
    const page = await addPage(service, [hosts.virtual])
    const slot = slotOf(service, 20, 9)
    const guest = guestOf('late')
    expect(await interrupt('recorded', () => book(service, page, { ...slot, guest }))).toBe(true)
    const { id, calendarId } = hosts.virtual
    await service.call('POST', `/v3/grants/${id}/events?calendar_id=${calendarId}`, {
      body: { title: 'own', when: slot },
    })
    await settle()
    const listed = await service.call('GET', `/v3/scheduling/bookings?configuration_id=${page}`)
    expect(listed.body.data).toEqual([])
    expect((await book(service, page, { ...slot, guest })).body.error.type).toBe('timeslot_not_available')
  })

  test('is reported as refused if the provider refuses the event, and leaves the slot free', async () => {
    const page = await addPage(service, [hosts.google])
    const slot = slotOf(service, 21, 9)
    google.simulator.fail({ method: 'POST', path: /\/events$/ }, { status: 403, reason: 'forbiddenForNonOrganizer' })
    const refused = await book(service, page, { ...slot, guest: guestOf('unlucky') })
    expect([refused.status, refused.body.error.type]).not.toContain('timeslot_not_available')
    expect(refused.status).toBeGreaterThanOrEqual(400)
    expect((await book(service, page, { ...slot, guest: guestOf('lucky') })).status).toBe(200)
  })

  test('whose outcome the provider did not report is completed in the background', async () => {
    const page = await addPage(service, [hosts.google])
    const slot = slotOf(service, 22, 9)
    google.simulator.fail({ method: 'POST', path: /\/events$/, times: 10 }, { status: 503, reason: 'backendError' })
    const guest = guestOf('patient')
    const open = await book(service, page, { ...slot, guest })
    expect([open.status, open.body.error.type]).toEqual([504, 'provider_error'])
    expect((await book(service, page, { ...slot, guest: guestOf('other') })).body.error.type).toBe(
      'timeslot_not_available',
    )
    await expect
      .poll(
        async () => {
          await settle()
          return (await startsOf(hosts.google, slot.start_time)).filter((start) => start === slot.start_time).length
        },
        { timeout: 20_000 },
      )
      .toBe(1)
    expect((await book(service, page, { ...slot, guest })).body.data.status).toBe('booked')
  })
})
