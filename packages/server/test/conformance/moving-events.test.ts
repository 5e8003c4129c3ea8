/**
 * The slots of a page for a booking that moves: its own event blocks nothing, at every kind of calendar. Other events
 * during the same time do.
 */
import type { Configuration } from '@waypost/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bareConfiguration } from '../../../scheduling/test/configurations/random-configurations.ts'
import { findSlots, isSlotFree } from '../../src/booking/find-slots.ts'
import type { TestService } from '../harness.ts'
import { createGoogleGrant, openGoogle, openGoogleService } from '../peers/google.ts'
import { createMicrosoftGrant, openMicrosoft, openMicrosoftService } from '../peers/microsoft.ts'
import { accountOf, type Call, expectStatus, type Json } from './accounts.ts'
import { type KindAccount, openKinds } from './series-subjects.ts'

const resources = new AsyncDisposableStack()
let kinds: KindAccount[]
beforeAll(async () => {
  kinds = await openKinds(resources)
})
afterAll(() => resources.disposeAsync())

const pageOf = ({ account, calendarId }: KindAccount): Configuration =>
  bareConfiguration({
    participants: [
      {
        email: account.email,
        grant_id: account.grantId,
        is_organizer: true,
        availability: { calendar_ids: [calendarId] },
        booking: { calendar_id: calendarId },
      },
    ],
    availability: { duration_minutes: 30 },
  })

/** The page of an account with a booking from 10:00 to 11:00 and a meeting from 10:30 to 11:30, in five days (UTC). */
async function openPage(kind: KindAccount) {
  const { account, calendarId, service, applicationId } = kind
  const { services } = service
  const midnight = (Math.floor(services.storage.clock.now() / 86_400_000) + 5) * 86_400
  const at = (clock: string): number => {
    const [hours, minutes] = clock.split(':').map(Number)
    return midnight + hours * 3600 + minutes * 60
  }
  const put = (title: string, from: string, to: string): Promise<Json> =>
    account.create(calendarId, { title, when: { start_time: at(from), end_time: at(to) } })
  const booked = await put('Booking', '10:00', '11:00')
  await put('Meeting', '10:30', '11:30')
  const record = { applicationId, configuration: pageOf(kind) }
  const question = { record, signal: () => AbortSignal.timeout(60_000) }
  const moving = { id: 'booking', hostGrantId: account.grantId, calendarId, eventId: booked.id }
  const starts = async (exceptBooking?: typeof moving): Promise<string> => {
    const window = { startTime: at('9:00'), endTime: at('12:00') }
    const { time_slots: slots } = await findSlots(services.scheduling, { ...question, ...window, exceptBooking })
    return slots.map(({ start_time }) => new Date(start_time * 1000).toISOString().slice(11, 16)).join(' ')
  }
  const isFree = (from: string, to: string, exceptBooking?: typeof moving): Promise<boolean> =>
    isSlotFree(services.scheduling, {
      ...question,
      start: at(from),
      end: at(to),
      emails: [account.email],
      exceptBooking,
    })
  return { booked, moving, starts, isFree }
}

test.each(['virtual', 'google', 'microsoft', 'ews', 'imap', 'icloud'])(
  'a booking that moves does not block its own time at %s, but other events do',
  async (name) => {
    const kind = kinds.find((one) => one.kind === name)
    if (!kind) throw new Error(`no account of the kind ${name}`)
    const { booked, moving, starts, isFree } = await openPage(kind)
    expect(await starts()).toBe('09:00 09:30 11:30')
    expect(await starts(moving)).toBe('09:00 09:30 10:00 11:30')
    expect(await isFree('10:00', '10:30')).toBe(false)
    expect(await isFree('10:00', '10:30', moving)).toBe(true)
    expect(await isFree('10:30', '11:00', moving)).toBe(false)
    // The host has deleted the event: nothing is left that could block.
    expectStatus(await kind.account.delete(`/events/${booked.id}`, { calendar_id: kind.calendarId }), 200)
    expect(await starts(moving)).toBe('09:00 09:30 10:00 11:30')
  },
)

interface Pair {
  service: TestService
  applicationId: string
  key: string
  grantIds: string[]
}
const pair = ['ann@example.com', 'bob@example.com']

const pairs: Record<string, () => Promise<Pair>> = {
  async google() {
    const { simulator } = resources.use(await openGoogle())
    const service = resources.use(await openGoogleService(simulator))
    const { id: applicationId, key } = await service.createApplication('Pair')
    const grantIds: string[] = []
    for (const email of pair) {
      simulator.addAccount({ email, timezone: 'UTC' })
      grantIds.push((await createGoogleGrant(service, simulator, { email, key })).id)
    }
    return { service, applicationId, key, grantIds }
  },
  async microsoft() {
    const { simulator } = resources.use(await openMicrosoft())
    const service = resources.use(await openMicrosoftService(simulator))
    const { id: applicationId, key } = await service.createApplication('Pair')
    const grantIds: string[] = []
    for (const email of pair) {
      simulator.addAccount({ email })
      grantIds.push((await createMicrosoftGrant(service, simulator, { email, key })).id)
    }
    return { service, applicationId, key, grantIds }
  },
}

test.each(Object.keys(pairs))(
  'the copy of the event in the calendar of another host does not block at %s',
  async (kind) => {
    const { service, applicationId, key, grantIds } = await pairs[kind]()
    const { services } = service
    const ten = (Math.floor(services.storage.clock.now() / 86_400_000) + 5) * 86_400 + 10 * 3600
    const call: Call = (method, path, options) => service.call(method, path, { key, ...options })
    const ann = accountOf(call, { grantId: grantIds[0], email: pair[0] })
    const when = { start_time: ten, end_time: ten + 1800 }
    const booked = await ann.create('primary', { title: 'Booking', when, participants: [{ email: pair[1] }] })
    const participants = pair.map((email, index) => ({
      email,
      is_organizer: index === 0,
      availability: { calendar_ids: ['primary'] },
      booking: { calendar_id: 'primary' },
    }))
    const record = { applicationId, configuration: bareConfiguration({ participants }) }
    const slot = { record, start: ten, end: ten + 1800, emails: [], signal: () => AbortSignal.timeout(60_000) }
    const moving = { id: 'booking', hostGrantId: grantIds[0], calendarId: 'primary', eventId: booked.id }
    expect(await isSlotFree(services.scheduling, slot)).toBe(false)
    expect(await isSlotFree(services.scheduling, { ...slot, exceptBooking: moving })).toBe(true)
    const query = `calendar_id=primary&start=${ten}&end=${ten + 1800}`
    const copies = expectStatus(await call('GET', `/v3/grants/${grantIds[1]}/events?${query}`), 200).body.data
    expect(copies.map((copy: Json) => copy.ical_uid)).toEqual([booked.ical_uid])
  },
)
