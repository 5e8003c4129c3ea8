/** examples/nightly-export: everything of all grants is exported once, even if the program is killed. */
import { appendFile, glob, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { seededGoogle } from '../../../simulators/src/index.ts'
import { openService } from '../harness.ts'
import { runExample } from './example-program.ts'

const kinds = ['events', 'messages', 'contacts'] as const

/** The lines of an export, sorted; each must be complete. */
async function linesOf(folder: string): Promise<Record<string, string[]>> {
  const read = async (kind: string): Promise<string[]> => {
    const files = await Array.fromAsync(glob(path.join(folder, '*', '*', `${kind}.ndjson`)))
    const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
    const lines = texts.join('').split('\n').filter(Boolean)
    return lines.map((line) => `${JSON.parse(line).grant_id} ${JSON.parse(line).id}`).sort()
  }
  return Object.fromEntries(await Promise.all(kinds.map(async (kind) => [kind, await read(kind)])))
}

test('a killed export continues where it stopped, skips an account that fails, and has everything once', async () => {
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
  const another = await service.createGrant('room-8')
  await service.call('POST', `/v3/grants/${another.id}/calendars`, { body: { name: 'Bookings' } })
  await service.call('POST', `/v3/grants/${another.id}/events?calendar_id=primary`, { body: events[0] })
  const settings = { refresh_token: 'simulated-refresh-token-of-ada@example.com' }
  const connected = await service.call('POST', '/v3/connect/custom', { body: { provider: 'google', settings } })
  expect(connected.status).toBeLessThan(300)
  const ada = connected.body.data.id

  const env = { WAYPOST_URL: url, WAYPOST_API_KEY: service.apiKey, EXPORT_PAGE: '2' }
  const start = (name: string, perSecond: number) => {
    const fast = { ...env, EXPORT_REQUESTS_PER_SECOND: String(perSecond) }
    return runExample('nightly-export/export.ts', fast, [path.join(folder, name)])
  }
  const whole = start('whole', 1000)
  expect([await whole.ended, whole.printed()]).toEqual([0, expect.stringContaining('Done')])

  const killed = path.join(folder, 'killed')
  const progress = async () => JSON.parse(await readFile(path.join(killed, ada, 'progress.json'), 'utf8'))
  // So slow that a busy machine sees it in the middle of a list.
  await using first = start('killed', 4)
  await vi.waitFor(async () => expect((await progress()).pageToken).toBeTypeOf('string'), {
    timeout: 60_000,
    interval: 5,
  })
  await first.kill()
  const { run, finished } = await progress()
  expect(finished).toBe(false)
  // Access to the account is lost: the others are exported, and it keeps its position.
  const sandbox = service.services.administration.installation.sandboxId
  const revoked = await service.call('POST', `/v3/admin/applications/${sandbox}/grants/${ada}/revoke`, { admin: true })
  expect(revoked.status).toBeLessThan(300)
  const second = start('killed', 1000)
  expect([await second.ended, second.printed()]).toEqual([1, expect.stringContaining('ada@example.com: the user must')])
  const others = (await linesOf(killed)).events?.filter((line) => !line.startsWith(ada))
  expect(new Set(others?.map((line) => line.split(' ')[0]))).toEqual(new Set([id, another.id]))
  expect((await progress()).finished).toBe(false)
  await appendFile(path.join(killed, ada, run, 'events.ndjson'), '{"id":"half a li')

  await service.call('POST', '/v3/connect/custom', { body: { provider: 'google', settings } })
  const third = start('killed', 1000)
  expect([await third.ended, third.printed()]).toEqual([0, expect.stringContaining(`goes on with ${run}`)])

  const expected = await linesOf(path.join(folder, 'whole'))
  expect(await linesOf(killed)).toEqual(expected)
  for (const kind of kinds) {
    expect(expected[kind]?.length).toBeGreaterThan(0)
    expect(new Set(expected[kind]).size).toBe(expected[kind]?.length)
  }
  expect(expected.events?.filter((line) => line.startsWith(id))).toHaveLength(13)
})
