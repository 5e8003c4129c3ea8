/** Several guests and few hosts: no host is booked twice, no guest is refused a free time, and hosts take turns. */

import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openService, type TestService } from '../harness.ts'
import { addHost, addPage, asGuest, book, guestOf, type Host, hour, participantOf, slotOf } from './booking-setup.ts'

interface Slot {
  start_time: number
  end_time: number
  emails: string[]
}

let service: TestService
let clock: TestClock
beforeEach(async () => {
  clock = testClock()
  service = await openService({ overrides: { clock } })
})
afterEach(() => service[Symbol.asyncDispose]())

let hosts = 0
/** A host with a second calendar, `booked`, which contains only bookings. */
async function newHost(): Promise<Host & { booked: string }> {
  const host = await addHost(service, `host${++hosts}@host.test`)
  const made = await service.call('POST', `/v3/grants/${host.id}/calendars`, { body: { name: 'Booked' } })
  return { ...host, booked: made.body.data.id }
}
async function newHosts(count: number) {
  const made: Awaited<ReturnType<typeof newHost>>[] = []
  for (let index = 0; index < count; index++) made.push(await newHost())
  return made
}
const roundRobin = (method: string) => ({
  availability: { duration_minutes: 30, availability_rules: { availability_method: method as 'max-fairness' } },
})
const guests = (): ((name?: string) => ReturnType<typeof guestOf>) => {
  let count = 0
  return (name = 'guest') => guestOf(`${name}${++count}x${hosts}`)
}

/** The slots of the first hours of a day, and the order of hosts. */
async function offered(page: string, days: number, hours = 24): Promise<{ slots: Slot[]; order: string[] }> {
  const { start_time } = slotOf(service, days)
  const window = `start_time=${start_time}&end_time=${start_time + hours * hour}`
  const { body } = await asGuest(service, 'GET', `/v3/scheduling/availability?configuration_id=${page}&${window}`)
  return { slots: body.data.time_slots, order: body.data.order ?? [] }
}
const timeOf = ({ start_time, end_time }: Slot | { start_time: number; end_time: number }) => ({ start_time, end_time })
/** Until claims expire, the bookings need not be in the calendars. */
const untilClaimsEnd = (): void => clock.advance(11 * 60_000)

describe('a calendar that is booked but not among the calendars of the availability', () => {
  test('blocks the times that are booked in it, until they are cancelled', async () => {
    const host = await newHost()
    const page = await addPage(service, [host], {
      availability: { duration_minutes: 30, interval_minutes: 15 },
      participants: [participantOf(host, { is_organizer: true, booking: { calendar_id: host.booked } })],
    })
    const slot = slotOf(service, 2, 9)
    const first = await book(service, page, { ...slot, guest: guestOf('first') })
    expect(first.status).toBe(200)
    untilClaimsEnd()
    expect((await offered(page, 2)).slots.map(({ start_time }) => start_time)).not.toContain(slot.start_time)
    expect((await book(service, page, { ...slot, guest: guestOf('second') })).body.error.type).toBe(
      'timeslot_not_available',
    )
    // The booking does not block its own move by half its length.
    const moved = { start_time: slot.start_time + 900, end_time: slot.end_time + 900 }
    const at = `/v3/scheduling/bookings/${first.body.data.booking_id}?configuration_id=${page}`
    expect((await asGuest(service, 'PATCH', at, moved)).status).toBe(200)
    expect((await asGuest(service, 'DELETE', at)).status).toBe(200)
    expect((await book(service, page, { ...slot, guest: guestOf('third') })).status).toBe(200)
  })

  test('counts even if it is the only calendar of its host, and slots do not name that host', async () => {
    const [requested, host] = await newHosts(2)
    if (!requested || !host) throw new Error('two hosts')
    const page = await addPage(service, [host, requested], {
      participants: [
        {
          ...participantOf(host),
          is_organizer: true,
          availability: { calendar_ids: [] },
          booking: { calendar_id: host.booked },
        },
        { ...participantOf(requested), booking: { calendar_id: '' } },
      ],
    })
    const slot = slotOf(service, 3, 9)
    const emails = async () =>
      (await offered(page, 3)).slots.find((each) => each.start_time === slot.start_time)?.emails
    expect(await emails()).toEqual([requested.email])
    const event = { title: 'busy', when: slot }
    await service.call('POST', `/v3/grants/${host.id}/events?calendar_id=${host.booked}`, { body: event })
    expect(await emails()).toBeUndefined()
    expect((await book(service, page, { ...slot, guest: guestOf('one') })).status).toBe(400)
    const later = slotOf(service, 3, 12)
    expect((await book(service, page, { ...later, guest: guestOf('one') })).status).toBe(200)
    untilClaimsEnd()
    expect((await book(service, page, { ...later, guest: guestOf('two') })).status).toBe(400)
  })

  test.each(['max-availability', 'max-fairness'])('gives its host a turn in %s like any other', async (method) => {
    const team = await newHosts(3)
    const page = await addPage(service, team, {
      ...roundRobin(method),
      participants: team.map((host) => participantOf(host, { booking: { calendar_id: host.booked } })),
    })
    const guest = guests()
    const booked: string[] = []
    for (let count = 0; count < 9; count++) {
      const made = await book(service, page, { ...slotOf(service, 4, count), guest: guest() })
      booked.push(made.body.data.organizer.email)
      untilClaimsEnd()
    }
    const perHost = team.map(({ email }) => booked.filter((each) => each === email).length)
    expect(perHost).toEqual([3, 3, 3])
    // Three guests at the same time get three hosts; there is no fourth host.
    const slot = slotOf(service, 5, 9)
    const answers: number[] = []
    for (let count = 0; count < 4; count++) {
      answers.push((await book(service, page, { ...slot, guest: guest() })).status)
      untilClaimsEnd()
    }
    expect(answers).toEqual([200, 200, 200, 400])
  })
})

describe('max-fairness', () => {
  test('never refuses a free time, even if other times were booked since the page was loaded', async () => {
    const team = await newHosts(4)
    const page = await addPage(service, team, roundRobin('max-fairness'))
    const guest = guests()
    // For each host, a time at which all other hosts are busy.
    for (const [index, host] of team.entries()) {
      for (let hours = 0; hours < 12; hours++) {
        if (hours % 4 === index) continue
        const event = { title: 'away', when: slotOf(service, 6, hours) }
        await service.call('POST', `/v3/grants/${host.id}/events?calendar_id=${host.calendarId}`, { body: event })
      }
    }
    const loaded = await offered(page, 6, 12)
    const wanted = loaded.slots.filter(({ start_time }) => start_time % hour === 0)
    expect(wanted.length).toBeGreaterThan(4)
    for (const slot of wanted) {
      const named = loaded.order.find((email) => slot.emails.includes(email))
      const made = await book(service, page, { ...timeOf(slot), guest: guest(), participants: [{ email: named }] })
      expect([made.status, made.body.data?.organizer.email]).toEqual([200, named])
      clock.advance(1_000)
    }
  })

  test('books another free host if the offered one was booked at this time, until nobody is free', async () => {
    const team = await newHosts(3)
    const page = await addPage(service, team, roundRobin('max-fairness'))
    const guest = guests()
    const slot = slotOf(service, 7, 9)
    const loaded = (await offered(page, 7)).slots.find((each) => each.start_time === slot.start_time)
    const [named = ''] = loaded?.emails ?? []
    const booked: string[] = []
    for (let count = 0; count < 3; count++) {
      const made = await book(service, page, {
        ...slot,
        guest: guest(),
        participants: [{ email: named.toUpperCase() }],
      })
      booked.push(made.body.data.organizer.email)
    }
    expect(booked[0]).toBe(named)
    expect(new Set(booked).size).toBe(3)
    const late = { ...slot, participants: [{ email: named }] }
    expect((await book(service, page, { ...late, guest: guest() })).body.error.type).toBe('timeslot_not_available')
  })

  test.each(['max-availability', 'max-fairness'])(
    'returns the existing booking to a repeated request in %s although no host is free any more',
    async (method) => {
      const team = await newHosts(2)
      const page = await addPage(service, team, roundRobin(method))
      const slot = slotOf(service, 8, 9)
      const request = { ...slot, guest: guestOf(`again-${method}`) }
      const first = await book(service, page, request)
      expect((await book(service, page, { ...slot, guest: guestOf(`other-${method}`) })).status).toBe(200)
      const [named, other] = team
        .map(({ email }) => email)
        .sort((a) => (a === first.body.data.organizer.email ? -1 : 1))
      for (const participants of [[], [{ email: named }], method === 'max-fairness' ? [{ email: other }] : []]) {
        const again = await book(service, page, { ...request, participants })
        expect(again.body.data?.booking_id).toBe(first.body.data.booking_id)
      }
    },
  )
})

test.each(['max-availability', 'max-fairness'])('hosts take turns in %s within one second', async (method) => {
  const team = await newHosts(4)
  const page = await addPage(service, team, roundRobin(method))
  const guest = guests()
  const booked: string[] = []
  clock.advance(1_000 - (clock.now() % 1_000))
  for (let count = 0; count < 20; count++) {
    const made = await book(service, page, { ...slotOf(service, 9, count), guest: guest() })
    booked.push(made.body.data.organizer.email)
    clock.advance(40)
  }
  expect(team.map(({ email }) => booked.filter((each) => each === email).length)).toEqual([5, 5, 5, 5])
})

test('hosts of pages that share a group take turns within one second', async () => {
  const team = await newHosts(3)
  const availability = {
    duration_minutes: 30,
    availability_rules: { availability_method: 'max-availability' as const, round_robin_group_id: 'shared' },
  }
  const pages = [await addPage(service, team, { availability }), await addPage(service, team, { availability })]
  const guest = guests()
  const booked: string[] = []
  clock.advance(1_000 - (clock.now() % 1_000))
  for (let count = 0; count < 18; count++) {
    const made = await book(service, pages[count % 2] ?? '', { ...slotOf(service, 10, count), guest: guest() })
    booked.push(made.body.data.organizer.email)
    clock.advance(40)
  }
  expect(team.map(({ email }) => booked.filter((each) => each === email).length)).toEqual([6, 6, 6])
})
