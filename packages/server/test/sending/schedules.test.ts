/**
 * Scheduled messages: never early, sent once by any number of nodes, reported in the transaction of their outcome.
 */
import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { limits } from '@waypost/contract'
import { SendFailed } from '@waypost/providers/provider'
import { nodeLeaseMs } from '@waypost/store/tables/applications/nodes'
import { enginesFor } from '@waypost/testing/engines'
import { sql } from '@waypost/testing/statement'
import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { NewSend } from '../../src/sending/ledger/new-sends.ts'
import { createSchedules, dueTime } from '../../src/sending/ledger/schedules.ts'
import { payloadOf, type SealedRow } from '../webhooks/notification-rows.ts'
import { mend, openSendingService, type SendingNode, type SendingService } from './fake-mail-server.ts'

const until = (what: () => Promise<void> | void) => vi.waitFor(what, { interval: 25 })
const minute = 60_000
const hour = 60 * minute
const reported = sql<SealedRow & { type: string }>(
  'test.told',
  "select id, application_id, type, sealed_payload from notifications where type in ('message.send_success', 'message.send_failed') order by position",
)
const live = sql('test.live', 'update nodes set seen_at = $2 where id = $1')

describe('the time of a schedule', () => {
  const now = 1_700_000_000_400
  const nowSeconds = 1_700_000_000
  test('is at least a minute and at most thirty days from now', () => {
    expect(dueTime(nowSeconds + 60, now)).toBe((nowSeconds + 60) * 1_000)
    expect(dueTime(nowSeconds + 30 * 86_400, now)).toBe((nowSeconds + 30 * 86_400) * 1_000)
    for (const wrong of [nowSeconds - 1, nowSeconds, nowSeconds + 59, nowSeconds + 30 * 86_400 + 1]) {
      expect(() => dueTime(wrong, now)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
    }
  })
})

describe.each(enginesFor(import.meta.url))('schedules on %s', (engine) => {
  let clock: TestClock
  let sending: SendingService
  let node: SendingNode
  beforeAll(async () => {
    clock = testClock()
    sending = await openSendingService({ engine, overrides: { clock } })
  })
  afterAll(() => sending[Symbol.asyncDispose]())
  beforeEach(async () => {
    mend(sending.mailServer)
    node = await sending.node()
  })
  afterEach(() => sending.endNodes())
  const database = () => sending.service.services.storage.database
  const schedules = () => createSchedules({ database: database(), clock })
  const at = () => ({ applicationId: sending.applicationId, grantId: sending.grantId })
  const cancel = (id: string, whose = at()) => database().transaction((tx) => schedules().cancel(tx, whose, id))
  const plan = async (more: Partial<NewSend> = {}): Promise<NewSend & { scheduleId: string }> => {
    const scheduleId = randomUUID()
    const send = await sending.accept(node, { dueAt: clock.now() + minute, scheduleId, ...more })
    return { ...send, scheduleId: more.scheduleId ?? scheduleId }
  }
  const statusOf = async (id: string) => (await schedules().get(at(), id))?.status.code
  const takenOf = ({ id }: NewSend) => sending.mailServer.taken.filter(({ messageId }) => messageId.startsWith(id))
  const pass = async (milliseconds: number) => {
    clock.advance(milliseconds)
    for (const each of sending.nodes) await each.beat()
  }
  const notificationsOf = async ({ scheduleId }: { scheduleId: string }) =>
    (await database().all(reported))
      .map((row) => ({
        type: row.type,
        ...JSON.parse(payloadOf(row, sending.service.services.storage.payloads.seals)),
      }))
      .filter(({ object }) => object?.schedule_id === scheduleId)

  test('a message is sent at its time, not before, and reported once', async () => {
    node.work()
    const send = await plan()
    await pass(minute - 1)
    await node.polled()
    expect(takenOf(send)).toEqual([])
    expect(await schedules().get(at(), send.scheduleId)).toEqual({
      schedule_id: send.scheduleId,
      status: { code: 'pending', description: 'schedule send awaiting send at time' },
    })
    await pass(1)
    await until(async () => expect(await statusOf(send.scheduleId)).toBe('success'))
    expect(takenOf(send)).toHaveLength(1)
    const closed = Math.floor(clock.now() / 1000)
    expect(await schedules().get(at(), send.scheduleId)).toEqual({
      schedule_id: send.scheduleId,
      status: { code: 'success', description: 'schedule send succeeded' },
      close_time: closed,
    })
    expect(await notificationsOf(send)).toEqual([
      {
        type: 'message.send_success',
        application_id: sending.applicationId,
        grant_id: sending.grantId,
        object: {
          object: 'message',
          grant_id: sending.grantId,
          id: `id-${send.mail.messageId}`,
          subject: 'Hello',
          to: [{ email: 'ann@example.com' }],
          schedule_id: send.scheduleId,
          send_at: Math.floor(send.dueAt / 1000),
        },
      },
    ])
    await until(async () => expect(await sending.pieces(send.id)).toBe(0))
  })

  test('a message that a request sends is not reported', async () => {
    const before = (await database().all(reported)).length
    const send = await sending.accept(node)
    await node.sender.sendAccepted(send, new AbortController().signal)
    expect(await database().all(reported)).toHaveLength(before)
  })

  test("a permanent refusal is reported with the provider's error", async () => {
    sending.mailServer.send = async (_, begin) => {
      await begin()
      throw new SendFailed('the server refused: 550 no', { permanent: true, status: 550 })
    }
    const send = await plan()
    node.work()
    await pass(minute)
    await until(async () => expect(await statusOf(send.scheduleId)).toBe('failed'))
    const [notice, ...more] = await notificationsOf(send)
    expect(more).toEqual([])
    expect(notice).toMatchObject({
      type: 'message.send_failed',
      grant_id: sending.grantId,
      reason: 'send_refused',
      error: {
        type: 'provider_error',
        message: 'the server refused: 550 no',
        status_code: 402,
        provider_error: { status: 550 },
      },
      object: { object: 'message', schedule_id: send.scheduleId },
    })
    expect(await sending.pieces(send.id)).toBe(0)
  })

  test('a temporary failure is retried, and the message is sent', async () => {
    let tries = 0
    sending.mailServer.send = async (message, begin) => {
      if (++tries === 1) throw new SendFailed('could not connect')
      await begin()
      if (tries === 2) throw new SendFailed('451 not now', { status: 451 })
      return sending.mailServer.take(message)
    }
    const send = await plan()
    node.work()
    await pass(minute)
    await until(async () =>
      expect(await sending.row(send.id)).toMatchObject({ state: 'scheduled', tries: 1, owner: null }),
    )
    expect(await statusOf(send.scheduleId)).toBe('pending')
    await pass(29_000)
    await node.polled()
    expect(tries).toBe(1)
    await pass(1_000)
    await until(async () => expect(await sending.row(send.id)).toMatchObject({ state: 'scheduled', tries: 2 }))
    await pass(minute)
    await until(async () => expect(await statusOf(send.scheduleId)).toBe('success'))
    expect(takenOf(send)).toHaveLength(1)
    expect(await notificationsOf(send)).toHaveLength(1)
  })

  test('a message that fails for an hour, or is delayed longer by an outage, is reported as failed', async () => {
    sending.mailServer.send = async () => {
      throw new SendFailed('could not connect')
    }
    const failing = await plan()
    node.work()
    await pass(minute)
    await until(async () => expect((await sending.row(failing.id)).tries).toBe(1))
    await node[Symbol.asyncDispose]()
    await pass(hour - minute / 2)
    const other = await sending.node()
    other.work()
    await until(async () => expect(await statusOf(failing.scheduleId)).toBe('failed'))
    expect(await notificationsOf(failing)).toMatchObject([
      { reason: 'provider_unreachable', error: { status_code: 503 } },
    ])
    const sent = vi.fn()
    sending.mailServer.send = sent
    await other[Symbol.asyncDispose]()
    await pass(minute + 2)
    const last = await sending.node()
    const missed = await plan({ dueAt: clock.now() - hour - 1 })
    last.work()
    await until(async () => expect(await statusOf(missed.scheduleId)).toBe('failed'))
    expect(await notificationsOf(missed)).toMatchObject([{ reason: 'expired', error: { status_code: 422 } }])
    expect(sent).not.toHaveBeenCalledWith(
      expect.objectContaining({ messageId: missed.mail.messageId }),
      expect.anything(),
    )
  })

  test('an unknown outcome is reported as failed only after the quarantine', async () => {
    const worker = await sending.node({ quarantineMs: 5_000 })
    sending.mailServer.send = async (_, begin) => {
      await begin()
      throw new SendFailed('the server closed the connection', { maybeSent: true })
    }
    const send = await plan()
    worker.work()
    await pass(minute)
    await until(async () => expect(await sending.row(send.id)).toMatchObject({ state: 'unknown' }))
    expect(await statusOf(send.scheduleId)).toBe('pending')
    await pass(4_900)
    await worker.polled()
    expect(await notificationsOf(send)).toEqual([])
    await pass(1_000)
    await until(async () => expect(await statusOf(send.scheduleId)).toBe('failed'))
    expect(await notificationsOf(send)).toMatchObject([{ type: 'message.send_failed', reason: 'outcome_unknown' }])
    expect(takenOf(send)).toEqual([])
  })

  test('if the notification cannot be written, the state is not changed either', async () => {
    const notify = vi.fn(async () => {
      throw new Error('the store is full')
    })
    const { clock: time, secrets, seals } = sending.service.services.storage
    const { createLedger } = await import('../../src/sending/ledger/ledger.ts')
    const id = randomUUID()
    const ledger = createLedger({ database: database(), clock: time, secrets, seals, notify, nodeId: id })
    const worker = await sending.node({ ledger })
    const send = await plan()
    worker.work()
    await pass(minute)
    await until(() => expect(notify).toHaveBeenCalled())
    expect(await sending.row(send.id)).toMatchObject({ state: 'transmitting' })
    notify.mockImplementation(async () => undefined as never)
    await until(async () => expect(await sending.row(send.id)).toMatchObject({ state: 'sent' }))
    expect(takenOf(send)).toHaveLength(1)
  })

  describe('canceling', () => {
    test('deletes its bytes, is reported, and can be repeated', async () => {
      const send = await plan()
      expect(await cancel(send.scheduleId)).toBe('stopped')
      expect(await cancel(send.scheduleId)).toBe('stopped')
      expect(await sending.pieces(send.id)).toBe(0)
      expect(await schedules().get(at(), send.scheduleId)).toMatchObject({
        status: { code: 'cancelled', description: 'schedule send cancelled' },
        close_time: Math.floor(clock.now() / 1000),
      })
      node.work()
      await pass(2 * minute)
      await node.polled()
      expect(takenOf(send)).toEqual([])
      expect(await notificationsOf(send)).toEqual([])
    })

    test('is too late within ten seconds of its time, and later', async () => {
      const send = await plan()
      await pass(minute - limits.scheduleStopSeconds * 1_000)
      expect(await cancel(send.scheduleId)).toBe('too late')
      node.work()
      await pass(limits.scheduleStopSeconds * 1_000)
      await until(async () => expect(await statusOf(send.scheduleId)).toBe('success'))
      expect(await cancel(send.scheduleId)).toBe('too late')
      expect(takenOf(send)).toHaveLength(1)
    })

    test('is not possible for other grants', async () => {
      const send = await plan()
      const other = await sending.service.createGrant(`${randomUUID()}@example.com`, sending.key)
      for (const whose of [
        { ...at(), grantId: other.id },
        { ...at(), applicationId: randomUUID() },
      ]) {
        expect(await cancel(send.scheduleId, whose)).toBe('not found')
        expect(await schedules().get(whose, send.scheduleId)).toBeUndefined()
        expect(await schedules().list(whose)).toEqual([])
      }
      expect(await cancel(randomUUID())).toBe('not found')
      expect(await statusOf(send.scheduleId)).toBe('pending')
    })

    test('and sending at the same moment: exactly one succeeds', async () => {
      const workers = [node, await sending.node()]
      const sends = await Promise.all(Array.from({ length: 20 }, () => plan({ dueAt: clock.now() + 10_001 })))
      for (const worker of workers) worker.work()
      const early = await Promise.all(sends.slice(0, 10).map(({ scheduleId }) => cancel(scheduleId)))
      const [late] = await Promise.all([
        Promise.all(sends.slice(10).map(({ scheduleId }) => cancel(scheduleId))),
        pass(10_001),
      ])
      const answers = [...early, ...late]
      await until(async () => {
        for (const [index, send] of sends.entries()) {
          const code = await statusOf(send.scheduleId)
          expect(code).toBe(answers[index] === 'stopped' ? 'cancelled' : 'success')
          expect(takenOf(send)).toHaveLength(answers[index] === 'stopped' ? 0 : 1)
        }
      })
      expect(early).toEqual(Array(10).fill('stopped'))
    })
  })

  test('all schedules of a grant are listed in order of time, until 72 hours after it', async () => {
    const grant = await sending.service.createGrant(`${randomUUID()}@example.com`, sending.key)
    const whose = { applicationId: sending.applicationId, grantId: grant.id }
    const later = await plan({ grantId: grant.id, dueAt: clock.now() + 2 * minute })
    const sooner = await plan({ grantId: grant.id, dueAt: clock.now() + minute })
    await sending.accept(node, { grantId: grant.id })
    const listed = async () => (await schedules().list(whose)).map(({ schedule_id }) => schedule_id)
    expect(await listed()).toEqual([sooner.scheduleId, later.scheduleId])
    node.work()
    await pass(minute)
    await until(async () => expect((await schedules().get(whose, sooner.scheduleId))?.status.code).toBe('success'))
    expect(await listed()).toEqual([sooner.scheduleId, later.scheduleId])
    await node[Symbol.asyncDispose]()
    clock.advance(72 * hour - 1)
    expect(await listed()).toEqual([sooner.scheduleId, later.scheduleId])
    clock.advance(1)
    expect(await listed()).toEqual([later.scheduleId])
    expect(await schedules().get(whose, sooner.scheduleId)).toBeUndefined()
    expect((await schedules().get(whose, later.scheduleId))?.status.code).toBe('pending')
  })

  test('many messages due at once are sent once each by several nodes, one of which dies, a few per grant at a time', async () => {
    const grants = await Promise.all(
      Array.from({ length: 5 }, () => sending.service.createGrant(`${randomUUID()}@example.com`, sending.key)),
    )
    const workers = [node, await sending.node(), await sending.node()]
    const dueAt = clock.now() + minute
    const sends = await Promise.all(
      Array.from({ length: 150 }, (_, index) => plan({ dueAt, grantId: grants[index % 5]?.id ?? '' })),
    )
    const owner = new Map(sends.map(({ mail, grantId }) => [mail.messageId, grantId]))
    const running = new Map<string, number>()
    let max = 0
    let hung = 0
    sending.mailServer.send = async (message, begin) => {
      const grant = owner.get(message.messageId) ?? ''
      running.set(grant, (running.get(grant) ?? 0) + 1)
      max = Math.max(max, ...running.values())
      // The first ones hang before they begin, on a node that soon dies.
      if (dead?.has(message.messageId)) {
        hung++
        return new Promise(() => undefined)
      }
      await nextTurn()
      // A node that lost the message to another one throws here.
      await begin().finally(() => running.set(grant, (running.get(grant) ?? 0) - 1))
      return sending.mailServer.take(message)
    }
    let dead: Set<string> | undefined = new Set(sends.slice(0, 12).map(({ mail }) => mail.messageId))
    const victim = workers[0]
    victim?.work()
    await pass(minute)
    await until(() => expect(hung).toBeGreaterThan(0))
    dead = undefined
    for (const each of sending.nodes.filter((one) => one !== victim)) each.work()
    await database().run(live, [victim?.id ?? '', clock.now() - nodeLeaseMs - 1])
    await until(async () => {
      for (const { id } of sends) expect((await sending.row(id)).state).toBe('sent')
    })
    expect(sending.mailServer.taken.map(({ messageId }) => messageId).sort()).toEqual(
      sends.map(({ mail }) => mail.messageId).sort(),
    )
    // Two of a grant at a time on each of three nodes.
    expect(max).toBeLessThanOrEqual(6)
  })
})
