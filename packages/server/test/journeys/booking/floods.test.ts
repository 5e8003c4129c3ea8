/** Requests are limited for each client address, page and guest. Other clients are served. */
import { randomUUID } from 'node:crypto'
import { testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLoad } from '../../../src/telemetry/load.ts'
import type { Json } from '../../conformance/accounts.ts'
import { type BookingTenant, type GuestFixture, openGuestFixture } from './guest-fixture.ts'

/** The clock is stopped, so that no minute ends during a test, and no request waits too long on a slow machine. */
const clock = testClock()
const env = { WAYPOST_RATE_LIMITS: 'on', WAYPOST_TRUSTED_PROXIES: '127.0.0.1' }
const inTime = createLoad({ now: () => clock.now() })
/** The client addresses of waiting requests. */
const lines = new Set<string>()
let fixture: GuestFixture
let tenant: BookingTenant
let base: string
beforeAll(async () => {
  const load: typeof inTime = {
    take(arrival) {
      lines.add(arrival.address)
      return inTime.take(arrival)
    },
    accepted: () => inTime.accepted(),
    learn: (...known) => inTime.learn(...known),
    figures: () => inTime.figures(),
  }
  fixture = await openGuestFixture({ env, overrides: { clock, load } })
  base = await fixture.service.listen()
  tenant = await fixture.newTenant()
})
afterAll(() => fixture[Symbol.asyncDispose]())

let addresses = 0
const newAddress = (): string => `192.0.2.${++addresses % 256}`
const visit = (path: string, address: string, body?: unknown, at = base): Promise<Response> =>
  fetch(`${at}/v3/scheduling/${path}`, {
    headers: { 'x-forwarded-for': address, 'content-type': 'application/json', origin: 'https://site.example' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
const statusesOf = (answers: Response[]): Record<number, number> =>
  Object.fromEntries(
    Map.groupBy(answers, ({ status }) => status)
      .entries()
      .map(([status, all]) => [status, all.length]),
  )

test('an address gets 120 responses in a minute, then 429 with the time to wait; other addresses are still served', async () => {
  const page = await tenant.createPage()
  const address = newAddress()
  const settings = `ui-settings?configuration_id=${page.id}`
  const answers = await Promise.all(Array.from({ length: 130 }, () => visit(settings, address)))
  expect(statusesOf(answers)).toEqual({ 200: 120, 429: 10 })
  const refused = answers.find(({ status }) => status === 429)
  expect(refused?.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(refused?.headers.get('access-control-allow-origin')).toBe('*')
  expect((await visit(settings, newAddress())).status).toBe(200)
  // Requests with guessed ids count as well.
  expect((await visit(`ui-settings?configuration_id=${randomUUID()}`, address)).status).toBe(429)
  clock.advance(60_000)
  expect((await visit(settings, address)).status).toBe(200)
})

test('guests behind one proxy wait in separate queues', async () => {
  const [one, other] = [newAddress(), newAddress()]
  await Promise.all([one, other].map((address) => visit('ui-settings', address)))
  expect(lines).toContain(one)
  expect(lines).toContain(other)
})

test('an overloaded node answers an address with 503 within its limit, and with 429 beyond it', async () => {
  await using full = await openGuestFixture({
    env,
    overrides: { clock, load: createLoad({ now: () => clock.now(), maxUnderWay: 0, maxWaiting: 0 }) },
  })
  const at = await full.service.listen()
  const address = newAddress()
  const settings = `ui-settings?configuration_id=${randomUUID()}`
  const answers = await Promise.all(Array.from({ length: 200 }, () => visit(settings, address, undefined, at)))
  expect(statusesOf(answers)).toEqual({ 503: 120, 429: 80 })
  const refused = answers.find(({ status }) => status === 429)
  expect(refused?.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(refused?.headers.get('access-control-allow-origin')).toBe('*')
  expect((await visit(settings, newAddress(), undefined, at)).status).toBe(503)
  const pages = Array.from({ length: 130 }, () =>
    fetch(`${at}/book/x/y`, { headers: { 'x-forwarded-for': '203.0.113.7' } }),
  )
  expect(statusesOf(await Promise.all(pages))).toEqual({ 503: 120, 429: 10 })
})

test('a page gets 600 requests in a minute from all addresses; other pages are still served', async () => {
  clock.advance(60_000)
  const [page, other] = [await tenant.createPage(), await tenant.createPage()]
  const answers: Response[] = []
  for (const address of Array.from({ length: 7 }, newAddress)) {
    const visits = Array.from({ length: 90 }, () => visit(`ui-settings?configuration_id=${page.id}`, address))
    answers.push(...(await Promise.all(visits)))
  }
  expect(statusesOf(answers)).toEqual({ 200: 600, 429: 30 })
  expect((await visit(`ui-settings?configuration_id=${other.id}`, newAddress())).status).toBe(200)
})

test('an address books at most ten times in a minute, and a guest has at most twenty bookings', async () => {
  clock.advance(60_000)
  const page = await tenant.createPage()
  const times = await fixture.freeTimes(page.id)
  const guest = { name: 'Eve', email: 'eve@example.com' }
  const book = async (which: number, address: string, who: Json = guest): Promise<number> =>
    (await visit(`bookings?configuration_id=${page.id}`, address, { ...times[which], guest: who })).status
  const address = newAddress()
  const statuses: number[] = []
  for (let n = 0; n < 11; n++) statuses.push(await book(n, address))
  expect(statuses).toEqual([...Array(10).fill(200), 429])
  const second = newAddress()
  for (let n = 11; n < 21; n++) expect(await book(n, second)).toBe(200)
  expect(await book(30, newAddress())).toBe(429)
  expect(await book(31, newAddress(), { name: 'Eve', email: 'EVE@example.com ' })).not.toBe(200)
  expect(await book(32, newAddress(), { name: 'Ann', email: 'ann@example.com' })).toBe(200)
})

test('invalid attempts to book count like valid ones, whatever is wrong with them', async () => {
  clock.advance(60_000)
  const page = await tenant.createPage()
  const [time] = await fixture.freeTimes(page.id)
  const guest = { name: 'Ann', email: 'ann@example.com' }
  const invalid = [
    {},
    [],
    'text',
    { ...time, guest: {} },
    { ...time, guest: { ...guest, email: 'nobody' } },
    { ...time, guest, more: 1 },
  ]
  const wrong = ['?configuration_id=nothing', `?configuration_id=${randomUUID()}`, '', `?configuration_id=${page.id}`]
  const address = newAddress()
  const statuses: number[] = []
  for (const body of invalid) statuses.push((await visit(`bookings?configuration_id=${page.id}`, address, body)).status)
  for (const query of wrong)
    statuses.push((await visit(`bookings${query}`, address, { ...time, guest: { name: '' } })).status)
  expect(statuses).toHaveLength(10)
  expect(statuses).not.toContain(429)
  expect((await visit(`bookings?configuration_id=${page.id}`, address, { ...time, guest })).status).toBe(429)
  expect((await visit(`bookings?configuration_id=${page.id}`, newAddress(), { ...time, guest })).status).toBe(200)
})
