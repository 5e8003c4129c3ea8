/** examples/durable-webhooks: each notification is processed once, although the receiver dies and deliveries repeat. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { freePort } from '@waypost/testing/peers/daemon'
import { expect, test, vi } from 'vitest'
import { openService } from '../harness.ts'
import { startExample } from './example-program.ts'

test('a killed receiver loses nothing, processes nothing twice, and refuses other senders', async () => {
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(path.join(tmpdir(), 'waypost-example-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const service = stack.use(await openService())
  await service.listen()
  const { id } = await service.createGrant('diary')
  await service.call('POST', `/v3/grants/${id}/calendars`, { body: { name: 'Bookings' } })
  const env = { PORT: String(await freePort()), JOURNAL: path.join(folder, 'webhooks.db') }
  const file = 'durable-webhooks/server.ts'

  let program = await startExample(file, env)
  const made = await service.call('POST', '/v3/webhooks', {
    body: { webhook_url: `${program.url}/`, trigger_types: ['event.created'] },
  })
  expect(made.body.data).toMatchObject({ status: 'active' })
  await program.kill()
  const secret: string = made.body.data.webhook_secret

  const create = async (title: string): Promise<void> => {
    const body = { title, when: { time: 1_798_790_400 } }
    const answer = await service.call('POST', `/v3/grants/${id}/events?calendar_id=primary`, { body })
    expect(answer.status).toBe(200)
  }
  const diary = (): string[] => {
    using database = new DatabaseSync(env.JOURNAL, { readOnly: true })
    const rows = database.prepare('select entry from diary order by entry').all()
    return rows.map(({ entry }) => String(entry))
  }
  const titles = Array.from({ length: 12 }, (_, place) => `Event ${String(place).padStart(2, '0')}`)

  for (const [place, title] of titles.entries()) {
    if (place % 4 === 0) {
      if (place > 0) await program.kill()
      program = await startExample(file, { ...env, WEBHOOK_SECRET: secret })
    }
    await create(title)
  }
  stack.defer(() => program.kill())
  const entries = titles.map((title) => `event.created ${title}`)
  const { id: destination } = made.body.data
  /** Waits until retries have succeeded. After two failed attempts, the third would follow after five minutes. */
  const until = (check: () => unknown) =>
    vi.waitFor(
      async () => {
        await service.call('POST', `/v3/webhooks/${destination}/deliver-now`)
        await check()
      },
      { interval: 200 },
    )
  await until(() => expect(diary()).toEqual(entries))

  // A delivery that still waits would count as the same delivery.
  const waiting = async () => (await service.call('GET', `/v3/webhooks/${destination}/deliveries`)).body.data
  await until(async () => expect(await waiting()).toEqual([]))
  // Every notification arrives again. The receiver recognizes it and does nothing.
  const replayed = await service.call('POST', `/v3/webhooks/${destination}/replay`, { body: { start: 0 } })
  expect(replayed.body.data).toEqual({ replayed: titles.length })
  const known = async (): Promise<number> => {
    const log = await service.call('GET', `/v3/webhooks/${destination}/attempts?limit=200`)
    return log.body.data.filter(({ answer }: { answer: string | null }) => answer === 'duplicate').length
  }
  await until(async () => expect(await known()).toBeGreaterThanOrEqual(titles.length))
  const forged = await fetch(program.url, { method: 'POST', body: '{"id":"x"}' })
  expect(forged.status).toBe(401)
  expect(diary()).toEqual(entries)
})
