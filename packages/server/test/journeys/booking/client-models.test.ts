/**
 * The members of responses that the published clients for Python, Java and Ruby require: their models fail if such a
 * member is missing or null. Each model here lists only such members.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Json } from '../../conformance/accounts.ts'
import { type BookingTenant, type GuestFixture, openGuestFixture } from './guest-fixture.ts'

const OpenHours = z.object({
  days: z.array(z.int()),
  timezone: z.string().optional(),
  start: z.string(),
  end: z.string(),
})
const Participant = z.object({
  email: z.string(),
  availability: z.object({ calendar_ids: z.array(z.string()), open_hours: z.array(OpenHours).nullish() }),
  booking: z.object({ calendar_id: z.string() }),
})
/** The Python client refuses conferencing that has neither. */
const Conferencing = z.union([z.object({ details: z.object({}) }), z.object({ autocreate: z.object({}) })])
const Configuration = z.object({
  id: z.string(),
  participants: z.array(Participant),
  availability: z.object({
    duration_minutes: z.int(),
    availability_rules: z.object({ default_open_hours: z.array(OpenHours).nullish() }).nullish(),
  }),
  event_booking: z.object({ title: z.string(), conferencing: Conferencing.nullish() }),
  slug: z.string().nullish(),
  requires_session_auth: z.boolean().nullish(),
  scheduler: z.object({}).nullish(),
  appearance: z.record(z.string(), z.string()).nullish(),
})
/** Group events have no duration and no title of their own, but the objects exist. */
const GroupConfiguration = Configuration.extend({ availability: z.object({}), event_booking: z.object({}) })
const Booking = z.object({
  booking_id: z.string().min(1),
  event_id: z.string().min(1),
  title: z.string(),
  organizer: z.object({ email: z.string().min(1) }),
  status: z.enum(['booked', 'pending', 'cancelled']),
  description: z.string().nullish(),
})
const Slots = z.object({
  time_slots: z.array(z.object({ emails: z.array(z.string()), start_time: z.int(), end_time: z.int() })),
})

let fixture: GuestFixture
let tenant: BookingTenant
beforeAll(async () => {
  fixture = await openGuestFixture()
  tenant = await fixture.newTenant()
})
afterAll(() => fixture[Symbol.asyncDispose]())

const expectAll = (model: z.ZodType, value: Json): void => {
  const { error } = model.safeParse(value)
  expect(error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)).toBeUndefined()
}

test('configurations have every member, including minimal ones and those with invitees', async () => {
  const { email } = tenant
  const host = {
    email,
    is_organizer: true,
    availability: { calendar_ids: ['primary'] },
    booking: { calendar_id: 'primary' },
  }
  const hours = [{ days: [1], start: '9:00', end: '17:00' }]
  await tenant.createPage()
  await tenant.createPage({
    participants: [host, { email: 'invitee@example.com' }],
    availability: { duration_minutes: 30, availability_rules: { default_open_hours: hours } },
    event_booking: { title: 'Meeting', conferencing: {} },
  })
  await tenant.createPage({
    participants: [{ ...host, availability: { calendar_ids: ['primary'], open_hours: hours } }],
  })
  const group = { type: 'group', name: 'Class', group_booking: { calendar_id: 'primary' } }
  await tenant.createPage({ ...group, participants: undefined, availability: undefined, event_booking: undefined })
  const list = await fixture.service.call('GET', `/v3/grants/${tenant.grant}/scheduling/configurations`, {
    key: tenant.key,
  })
  expect(list.body.data).toHaveLength(4)
  for (const each of list.body.data) expectAll(each.type === 'group' ? GroupConfiguration : Configuration, each)
})

test('a configuration that is sent back as it was returned stays the same', async () => {
  const [page] = (
    await fixture.service.call('GET', `/v3/grants/${tenant.grant}/scheduling/configurations`, { key: tenant.key })
  ).body.data
  const path = `/v3/grants/${tenant.grant}/scheduling/configurations/${page.id}`
  const answer = await fixture.service.call('PUT', path, { key: tenant.key, body: page })
  expect(answer.body.data).toEqual(page)
})

test('slots and bookings have every member, in every state', async () => {
  const page = await tenant.createPage()
  const at = `configuration_id=${page.id}`
  const now = Math.floor(Date.now() / 1000)
  const free = await fixture.guest('GET', `availability?${at}&start_time=${now}&end_time=${now + 2 * 86_400}`)
  expectAll(Slots, free.body.data)
  const slots = free.body.data.time_slots
  const guest = { name: 'Grace', email: 'grace@example.com' }
  const made = await fixture.guest('POST', `bookings?${at}`, { body: { ...slots[3], guest } })
  const id = made.body.data.booking_id
  const { start_time, end_time } = slots[5]
  const moved = await fixture.guest('PATCH', `bookings/${id}?${at}`, { body: { start_time, end_time } })
  const read = await fixture.guest('GET', `bookings/${id}?${at}`)
  for (const answer of [made, moved, read]) expectAll(Booking, answer.body.data)
  const cancelled = await fixture.guest('DELETE', `bookings/${id}?${at}`)
  expect(Object.keys(cancelled.body)).toEqual(['request_id'])
  const listed = await fixture.service.call('GET', '/v3/scheduling/bookings', { key: tenant.key })
  for (const each of listed.body.data) expectAll(Booking, each)
})
