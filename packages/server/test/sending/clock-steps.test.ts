/**
 * A node whose machine's clock jumps, next to one with a correct clock on the same store: nothing runs early, and no
 * work is taken over. On SQLite the clock of the machine is the only one, so only a jump back is harmless.
 */
import { randomUUID } from 'node:crypto'
import { machineTime, type TimeSources } from '@waypost/platform/service-clock'
import { liveNodes } from '@waypost/store/tables/applications/nodes'
import { claimSend } from '@waypost/store/tables/mail/sends'
import { engines } from '@waypost/testing/engines'
import { freshDatabaseUrl } from '@waypost/testing/peers/database-url'
import { describe, expect, test, vi } from 'vitest'
import { beat } from '../../src/node.ts'
import { openService } from '../harness.ts'
import { openSendingService } from './fake-mail-server.ts'

const [minute, hour] = [60_000, 3_600_000]
const until = (what: () => Promise<void> | void) => vi.waitFor(what, { interval: 25 })

/** A machine whose clock a test sets. */
function machine(): TimeSources & { set(by: number): void } {
  let ahead = 0
  return {
    ...machineTime,
    wall: () => machineTime.wall() + ahead,
    set: (by) => {
      ahead = by
    },
  }
}

describe.each(engines)('on %s, a machine whose clock jumps', (engine) => {
  const steps = engine === 'postgresql' ? [30 * minute, -30 * minute, 25 * hour] : [-30 * minute]
  test.for(steps)('by %d ms', async (step) => {
    const databaseUrl = engine === 'postgresql' ? await freshDatabaseUrl() : undefined
    const timeSources = machine()
    await using sending = await openSendingService({ engine, databaseUrl, overrides: { timeSources } })
    const { services, call } = sending.service
    const { database, clock } = services.storage
    const stepped = await sending.node()
    const other = await sending.node()
    // It stays alive, however long the test takes.
    const beats = setInterval(() => void other.beat().catch(() => undefined), 1_000)
    using _ = { [Symbol.dispose]: () => clearInterval(beats) }
    // A scheduled message, one that another node works on, one that is due, and a key that is valid for a day.
    const later = await sending.accept(stepped, { dueAt: clock.now() + 20 * minute, scheduleId: randomUUID() })
    const taken = await sending.accept(other, { dueAt: clock.now() })
    const attempt = randomUUID()
    await claimSend(database, taken, { node: other.id, now: clock.now(), attempt })
    const keys = `/v3/admin/applications/${sending.applicationId}/api-keys`
    const { body } = await call('POST', keys, { admin: true, body: { name: 'a day', expires_in: 1 } })

    const before = clock.now()
    timeSources.set(step)
    await beat(services)
    await stepped.beat()
    expect(clock.now() - before).toBeGreaterThanOrEqual(0)
    expect(clock.now() - before).toBeLessThan(minute)
    const due = await sending.accept(stepped, { dueAt: clock.now(), scheduleId: randomUUID() })
    stepped.work()
    await until(async () => expect(await sending.row(due.id)).toMatchObject({ state: 'sent' }))
    await stepped.polled()
    expect(sending.mailServer.taken.map(({ messageId }) => messageId)).toEqual([due.mail.messageId])
    expect(await sending.row(later.id)).toMatchObject({ state: 'scheduled' })
    expect(await sending.row(taken.id)).toMatchObject({ state: 'claimed', owner: other.id, attempt })
    expect((await call('GET', '/v3/grants', { key: body.data.api_key })).status).toBe(200)
    const metrics = await call('GET', '/metrics', { admin: true })
    const reported = /^waypost_clock_difference_seconds (\S+)$/m.exec(metrics.body)?.[1]
    expect(Math.abs(Number(reported) * 1000 - step)).toBeLessThan(minute)

    if (databaseUrl === undefined) return
    // Its rows mean the same to a node with a correct clock.
    await using right = await openService({ databaseUrl, dataDir: services.config.dataDir })
    expect(Math.abs(right.services.storage.clock.now() - clock.now())).toBeLessThan(minute)
    expect(await liveNodes(database, right.services.storage.clock.now())).toContain(stepped.id)
  })
})
