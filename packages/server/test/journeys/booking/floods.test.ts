/** Many requests of one address, for one page and of one guest are limited; others are served. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '../../conformance/accounts.ts'
import { testClock } from '../../harness.ts'
import { type BookingTenant, type GuestFixture, openGuestFixture } from './guest-fixture.ts'

/** It stands still, so that no minute ends during a test. */
const clock = testClock()
let fixture: GuestFixture
let tenant: BookingTenant
let base: string
beforeAll(async () => {
  fixture = await openGuestFixture({
    env: { WAYPOST_RATE_LIMITS: 'on', WAYPOST_TRUSTED_PROXIES: '127.0.0.1' },
    overrides: { clock },
  })
  base = await fixture.service.listen()
  tenant = await fixture.newTenant()
})
afterAll(() => fixture[Symbol.asyncDispose]())

let addresses = 0
const newAddress = (): string => `192.0.2.${++addresses % 256}`
const visit = (path: string, address: string, body?: unknown): Promise<Response> =>
  fetch(`${base}/v3/scheduling/${path}`, {
    headers: { 'x-forwarded-for': address, 'content-type': 'application/json', origin: 'https://site.example' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
const statusesOf = (answers: Response[]): Record<number, number> =>
  Object.fromEntries(
    Map.groupBy(answers, ({ status }) => status)
      .entries()
      .map(([status, all]) => [status, all.length]),
  )

test('an address gets 120 answers in a minute, then 429 with the time to wait; another address goes on', async () => {
  const page = await tenant.createPage()
  const address = newAddress()
  const settings = `ui-settings?configuration_id=${page.id}`
  const answers = await Promise.all(Array.from({ length: 130 }, () => visit(settings, address)))
  expect(statusesOf(answers)).toEqual({ 200: 120, 429: 10 })
  const refused = answers.find(({ status }) => status === 429)
  expect(refused?.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(refused?.headers.get('access-control-allow-origin')).toBe('*')
  expect((await visit(settings, newAddress())).status).toBe(200)
  // Guessing ids counts as well.
  expect((await visit(`ui-settings?configuration_id=${randomUUID()}`, address)).status).toBe(429)
  clock.advance(60_000)
  expect((await visit(settings, address)).status).toBe(200)
})

test('a page gets 600 requests in a minute from all addresses; another page goes on', async () => {
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

test('an address books ten times in a minute, and a guest holds twenty bookings', async () => {
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
