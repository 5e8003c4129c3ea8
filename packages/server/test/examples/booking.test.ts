/** examples/booking: the program opens a booking page, and prints what guests book. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openService, type TestService } from '../harness.ts'
import { type ExampleProgram, startExample } from './example-program.ts'

let service: TestService
let env: Record<string, string>
let program: ExampleProgram
beforeAll(async () => {
  service = await openService()
  env = { WAYPOST_URL: await service.listen(), WAYPOST_API_KEY: service.apiKey }
  program = await startBooking()
})
afterAll(async () => {
  await program?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

const startBooking = (): Promise<ExampleProgram> => startExample('booking/server.ts', env)
const guestCall = (method: string, path: string, body?: unknown) =>
  service.call(method, `/v3/scheduling/${path}`, { key: null, ...(body === undefined ? {} : { body }) })

test('guests book, move and cancel on the printed page, and the program prints each change', async () => {
  const link = /Booking page: (\S+)/.exec(program.printed())?.[1] ?? ''
  const [, clientId = '', slug = ''] = /\/book\/([^/]+)\/([^/]+)$/.exec(link) ?? []
  expect((await fetch(link)).status).toBe(200)
  const at = `slug=${slug}&client_id=${clientId}`
  const now = Math.floor(Date.now() / 1000)
  const free = await guestCall('GET', `availability?${at}&start_time=${now}&end_time=${now + 14 * 86_400}`)
  const [first, second] = free.body.data.time_slots
  const guest = { name: 'Grace', email: 'grace@example.com' }
  const booked = await guestCall('POST', `bookings?${at}`, { ...first, guest, additional_fields: { topic: 'ships' } })
  expect(booked.body.data).toMatchObject({ status: 'booked', title: 'Conversation with Grace' })
  const id = booked.body.data.booking_id
  await guestCall('PATCH', `bookings/${id}?${at}`, { start_time: second.start_time, end_time: second.end_time })
  await guestCall('DELETE', `bookings/${id}?${at}`, { cancellation_reason: 'ill' })
  const moment = ({ start_time }: { start_time: number }): string => new Date(start_time * 1000).toISOString()
  const printed = [
    `booking.created: Conversation with Grace, ${moment(first)}`,
    `booking.rescheduled: Conversation with Grace, ${moment(second)}`,
    `booking.cancelled: Conversation with Grace, ${moment(second)}`,
  ]
  for (const line of printed) await expect.poll(() => program.printed()).toContain(line)
  expect((await fetch(program.url, { method: 'POST', body: '{}' })).status).toBe(401)
})

test('a second start uses the same account, page and destination', async () => {
  await program.kill()
  program = await startExample('booking/server.ts', { ...env, PORT: new URL(program.url).port })
  await expect.poll(() => program.printed()).toContain('/conversation')
  const pages = await service.call('GET', '/v3/grants/front-desk@example.com/scheduling/configurations')
  expect(pages.body.data).toHaveLength(1)
  expect((await service.call('GET', '/v3/webhooks')).body.data).toHaveLength(1)
})
