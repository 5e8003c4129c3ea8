/** examples/nightly-export: everything of all grants once, also where it is killed on the way. */
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { seededGoogle } from '../../../simulators/src/index.ts'
import { openService } from '../harness.ts'
import { runExample } from './example-program.ts'

const kinds = ['events', 'messages', 'contacts'] as const
const today = () => new Date().toISOString().slice(0, 10)

/** The lines of an export, in order of their text; each must be whole. */
async function linesOf(folder: string, run: string): Promise<Record<string, string[]>> {
  const read = async (kind: string): Promise<string[]> => {
    const lines = (await readFile(path.join(folder, run, `${kind}.ndjson`), 'utf8')).split('\n').filter(Boolean)
    return lines.map((line) => `${JSON.parse(line).grant_id} ${JSON.parse(line).id}`).sort()
  }
  return Object.fromEntries(await Promise.all(kinds.map(async (kind) => [kind, await read(kind)])))
}

test('an export that is killed goes on where it was, and has everything once', async () => {
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(path.join(tmpdir(), 'waypost-example-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const google = stack.use(await seededGoogle())
  const service = stack.use(
    await openService({
      env: {
        WAYPOST_GOOGLE_URL: google.url,
        WAYPOST_GOOGLE_CLIENT_ID: google.client.id,
        WAYPOST_GOOGLE_CLIENT_SECRET: google.client.secret,
      },
    }),
  )
  const url = await service.listen()
  const { id } = await service.createGrant('room-7')
  await service.call('POST', `/v3/grants/${id}/calendars`, { body: { name: 'Bookings' } })
  const soon = Math.floor(Date.now() / 3_600_000) * 3600
  const events = Array.from({ length: 12 }, (_, place) => ({ when: { time: soon + place * 7200 } }))
  const series = { when: { time: soon }, recurrence: ['RRULE:FREQ=DAILY;COUNT=400'] }
  for (const body of [...events, series]) {
    const made = await service.call('POST', `/v3/grants/${id}/events?calendar_id=primary`, { body })
    expect(made.status).toBe(200)
  }
  const settings = { refresh_token: 'simulated-refresh-token-of-ada@example.com' }
  const connected = await service.call('POST', '/v3/connect/custom', { body: { provider: 'google', settings } })
  expect(connected.status).toBeLessThan(300)

  const env = { WAYPOST_URL: url, WAYPOST_API_KEY: service.apiKey, EXPORT_PAGE: '2' }
  const start = (name: string, perSecond: number) => {
    const fast = { ...env, EXPORT_REQUESTS_PER_SECOND: String(perSecond) }
    return runExample('nightly-export/export.ts', fast, [path.join(folder, name)])
  }
  const whole = start('whole', 1000)
  expect([await whole.ended, whole.printed()]).toEqual([0, expect.stringContaining('Done')])

  const killed = path.join(folder, 'killed')
  const progress = async () => JSON.parse(await readFile(path.join(killed, 'progress.json'), 'utf8'))
  await using first = start('killed', 20)
  // In the middle of a list.
  await vi.waitFor(async () => expect((await progress()).pageToken).toBeTypeOf('string'), {
    timeout: 60_000,
    interval: 5,
  })
  await first.kill()
  const { run, finished } = await progress()
  expect(finished).toBe(false)
  await appendFile(path.join(killed, run, 'events.ndjson'), '{"id":"half a li')
  const second = start('killed', 1000)
  expect([await second.ended, second.printed()]).toEqual([0, expect.stringContaining(`Goes on with ${run}`)])

  const expected = await linesOf(path.join(folder, 'whole'), today())
  expect(await linesOf(killed, run)).toEqual(expected)
  for (const kind of kinds) {
    expect(expected[kind]?.length).toBeGreaterThan(0)
    expect(new Set(expected[kind]).size).toBe(expected[kind]?.length)
  }
  expect(expected.events?.filter((line) => line.startsWith(id))).toHaveLength(13)
})
