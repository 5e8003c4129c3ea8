/** Two apps in one process share nothing that one could read from the other. */
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openService, type TestService } from './harness.ts'

const start = 1_798_790_400
const weekly = (title: string) => ({
  title,
  when: { start_time: start, end_time: start + 900, start_timezone: 'UTC', end_timezone: 'UTC' },
  recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'],
})
const events = '/v3/grants/room@example.com/events?calendar_id=primary'

const apps: TestService[] = []
const opened = new AsyncDisposableStack()
afterAll(() => opened.disposeAsync())

// Two apps on copies of one store: every id in them is the same.
beforeAll(async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'waypost-twins-'))
  opened.defer(() => rm(folder, { recursive: true }))
  const [one, other] = [path.join(folder, 'one'), path.join(folder, 'other')]
  const first = await openService({ dataDir: one })
  await first.createGrant('room@example.com')
  await first.call('POST', '/v3/grants/room@example.com/calendars', { body: { name: 'Bookings', timezone: 'UTC' } })
  await first[Symbol.asyncDispose]()
  await cp(one, other, { recursive: true })
  for (const dataDir of [one, other]) apps.push(opened.use(await openService({ dataDir })))
})

test('apps in one process remember the series of a calendar apart, though its id and revision are the same', async () => {
  const titles: string[][] = []
  for (const [index, app] of apps.entries()) {
    expect((await app.call('POST', events, { body: weekly(`of app ${index}`) })).status).toBe(200)
    const listed = await app.call('GET', `${events}&start=${start}&end=${start + 86_400 * 30}`)
    titles.push(listed.body.data.map(({ title }: { title: string }) => title))
  }
  expect(titles).toEqual([Array(3).fill('of app 0'), Array(3).fill('of app 1')])
})

test('what adapters keep for all accounts of a node is kept by each app for itself', () => {
  const [one, other] = apps.map(({ services }) => services.accounts.ioFor('google', AbortSignal.abort()))
  const retained = one?.shared('keys', () => ({}))
  expect(one?.shared('keys', () => ({}))).toBe(retained)
  expect(other?.shared('keys', () => ({}))).not.toBe(retained)
})
