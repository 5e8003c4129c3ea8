/** Storage of notifications: encrypted, only if used, and for the time that the application sets. */
import { mkdtempDisposable, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Trigger, triggers } from '@waypost/contract'
import { positionsPerDay } from '@waypost/store/tables/notifications/day-partitions'
import { getNotification, newestOfStream } from '@waypost/store/tables/notifications/notification-stream'
import { type Engine, enginesFor } from '@waypost/testing/engines'
import { answerWell, type Listener, openListener } from '@waypost/testing/listener'
import { freshDatabaseUrl } from '@waypost/testing/peers/database-url'
import { sql } from '@waypost/testing/statement'
import { testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { renewDataKey } from '../../src/applications/secret-key.ts'
import { appsChange } from '../../src/cli/applications.ts'
import type { Notify } from '../../src/grants/notify.ts'
import { purgeExpired } from '../../src/housekeeping.ts'
import { createNotify } from '../../src/webhooks/notify.ts'
import { replay } from '../../src/webhooks/replay.ts'
import { openService, type TestService } from '../harness.ts'

const day = 86_400_000
const word = 'CANARY-mail'
const until = <T>(what: () => Promise<T> | T) => vi.waitFor(what, { interval: 50 })
const retained = sql<{ id: string; type: string; sequence: number; sealed_payload: string }>(
  'test.kept',
  'select id, type, sequence, sealed_payload from notifications where application_id = $1 order by position',
)
const counted = sql<{ last: number }>('test.counted', 'select last from notification_sequences where grant_id = $1')

/** Inserts many copies of an application's message notifications. */
const copied = (engine: Engine, count: number) => {
  const dated =
    engine === 'sqlite' ? undefined : `position - position % ${positionsPerDay} + nextval('notification_positions')`
  return sql(
    '',
    `insert into notifications (application_id, grant_id, id, sequence, type, source, bytes, created_at, sealed_payload${dated ? ', position' : ''})
     with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < ${count})
     select application_id, grant_id, 'copy-' || application_id || number, sequence, type, source, bytes, created_at,
     sealed_payload${dated ? `, ${dated}` : ''}
     from notifications, numbers where application_id = $1 and type = 'message.created'`,
  )
}

/** The same value with the word in every text. */
function marked(value: unknown): unknown {
  if (typeof value === 'string') return `${word} ${value}`
  if (Array.isArray(value)) return value.map(marked)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, marked(each)]))
}

describe.each(enginesFor(import.meta.url))('notifications on %s', (engine) => {
  const clock = testClock()
  let folder: Awaited<ReturnType<typeof mkdtempDisposable>>
  let databaseUrl: string | undefined
  let service: TestService
  let listener: Listener
  let notify: Notify
  let answers: { status: number; echoes: boolean }
  const open = () =>
    openService({
      engine,
      dataDir: folder.path,
      stream: false,
      env: { WAYPOST_LOG_LEVEL: 'trace' },
      overrides: { clock },
      ...(databaseUrl ? { databaseUrl } : {}),
    })
  beforeAll(async () => {
    folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-keeping-'))
    databaseUrl = engine === 'postgresql' ? await freshDatabaseUrl() : undefined
    service = await open()
    await service.listen()
    answers = { status: 200, echoes: false }
    listener = await openListener()
    listener.answer = (response, heard) => {
      if (heard.method === 'GET') return answerWell(response, heard)
      response.statusCode = answers.status
      response.end(answers.echoes ? heard.body : '')
    }
    // These notifications are not real events: they have the word in every field.
    const { payloads } = service.services.storage
    const { deliverer } = service.services.notifications
    notify = createNotify({ clock, engine, seals: payloads.seals, checks: false, onQueued: () => deliverer.wake() })
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await listener[Symbol.asyncDispose]()
    await folder.remove()
  })

  async function newTenant() {
    const { id, key } = await service.createApplication()
    const { id: grantId } = await service.createGrant('ann@mail.test', key)
    const call = (method: string, target: string, body?: unknown) => service.call(method, target, { key, body })
    return {
      id,
      key,
      grantId,
      call,
      change: async (body: object) => expect((await call('PATCH', '/v3/applications', body)).status).toBe(200),
      subscribe: async (...trigger_types: Trigger[]) => {
        const made = await call('POST', '/v3/webhooks', { webhook_url: `${listener.url}/${id}`, trigger_types })
        expect(made.status, JSON.stringify(made.body)).toBe(200)
        return made.body.data.id as string
      },
      tell: (trigger: Trigger) =>
        service.services.storage.database.transaction((tx) =>
          notify(tx, {
            ...{ applicationId: id, grantId, provider: 'imap', trigger },
            object: { ...(marked(triggers[trigger].sample) as object), grant_id: grantId },
          }),
        ),
      retained: () => service.services.storage.database.transaction((tx) => tx.all(retained, [id])),
    }
  }

  /** Every table as text, and every file of the data folder. */
  async function stored(): Promise<[where: string, text: string][]> {
    const names =
      engine === 'sqlite'
        ? "select name from sqlite_master where type = 'table'"
        : "select tablename as name from pg_tables where schemaname = 'public'"
    const tables = await service.services.storage.database.all(sql<{ name: string }>('', names))
    const rows = await Promise.all(
      tables.map(
        async ({ name }): Promise<[string, string]> => [
          name,
          JSON.stringify(await service.services.storage.database.all(sql('', `select * from ${name}`))),
        ],
      ),
    )
    const files = await Promise.all(
      (await readdir(folder.path)).map(
        async (file): Promise<[string, string]> => [
          file,
          (await readFile(path.join(folder.path, file))).toString('latin1'),
        ],
      ),
    )
    return [...rows, ...files, ['the log', service.logs()]]
  }

  test('that nobody uses store only the number, which continues for later users', async () => {
    const tenant = await newTenant()
    await tenant.tell('message.created')
    expect(await tenant.retained()).toEqual([])
    expect(await service.services.storage.database.get(counted, [tenant.grantId])).toEqual({ last: 2 })
    await tenant.change({ notification_stream: true })
    await tenant.tell('message.created')
    await tenant.tell('message.updated')
    expect((await tenant.retained()).map(({ sequence }) => sequence)).toEqual([3, 4])
  })

  test('are stored for a subscribed destination, also while it is paused, so that they can be replayed', async () => {
    const tenant = await newTenant()
    const destination = await tenant.subscribe('message.created')
    expect((await tenant.call('PATCH', `/v3/webhooks/${destination}`, { status: 'pause' })).status).toBe(200)
    await tenant.tell('message.created')
    await tenant.tell('message.updated')
    expect((await tenant.retained()).map(({ type }) => type)).toEqual(['message.created'])
  })

  test('have a stream only after the application enables it, and the refusal says how', async () => {
    const tenant = await newTenant()
    const refused = await tenant.call('GET', '/v3/notifications')
    expect(refused.status).toBe(409)
    expect(refused.body.error.message).toContain('notification_stream')
    expect((await tenant.call('GET', '/v3/notifications?order=desc')).status).toBe(409)
    expect((await tenant.call('GET', '/v3/applications')).body.data).toMatchObject({
      notification_stream: false,
      notification_days: 7,
    })
    await tenant.change({ notification_stream: true })
    await tenant.tell('message.created')
    await until(async () => {
      const { body } = await tenant.call('GET', '/v3/notifications')
      expect(body.data.map(({ type }: { type: string }) => type)).toEqual(['message.created'])
    })
  })

  test('that are no longer used are removed, and those of a subscribed destination stay', async () => {
    const tenant = await newTenant()
    await tenant.change({ notification_stream: true })
    const destination = await tenant.subscribe('message.updated')
    for (const trigger of ['message.created', 'message.updated', 'folder.created'] as const) await tenant.tell(trigger)
    await purgeExpired(service.services)
    expect(await tenant.retained()).toHaveLength(3)
    await tenant.change({ notification_stream: false })
    await purgeExpired(service.services)
    expect((await tenant.retained()).map(({ type }) => type)).toEqual(['message.updated'])
    expect((await tenant.call('DELETE', `/v3/webhooks/${destination}`)).status).toBe(200)
    await purgeExpired(service.services)
    expect(await tenant.retained()).toEqual([])
  })

  test('are retained for the time that each application sets', async () => {
    const [short, usual] = [await newTenant(), await newTenant()]
    await short.change({ notification_stream: true, notification_days: 2 })
    await usual.change({ notification_stream: true })
    for (const tenant of [short, usual]) await tenant.tell('message.created')
    clock.advance(3 * day)
    await purgeExpired(service.services)
    expect(await short.retained()).toEqual([])
    expect(await usual.retained()).toHaveLength(1)
    clock.advance(5 * day)
    await purgeExpired(service.services)
    expect(await usual.retained()).toEqual([])
    for (const wrong of [1, 91, 2.5, '3']) {
      expect((await short.call('PATCH', '/v3/applications', { notification_days: wrong })).status).toBe(400)
    }
    await short.change({ notification_days: null })
    expect((await short.call('GET', '/v3/applications')).body.data.notification_days).toBe(7)
  })

  test('have both settings as an operator command', async () => {
    const tenant = await newTenant()
    const lines: string[] = []
    const output = { json: true, write: (line: string) => lines.push(line), progress: () => {}, notice: () => {} }
    const options = { app: tenant.id, stream: 'on', retention: '30' }
    await appsChange(service.services, { words: [], options }, output as never)
    expect(JSON.parse(lines.join(''))).toMatchObject({ notification_stream: true, notification_days: 30 })
  })

  test('and their responses are not readable in the store or the log', async () => {
    const tenant = await newTenant()
    await tenant.change({ notification_stream: true })
    const reported = ['message.created', 'event.created', 'contact.updated', 'message.bounce_detected'] as const
    const destination = await tenant.subscribe(...reported)
    answers = { status: 500, echoes: true }
    for (const trigger of reported) await tenant.tell(trigger)
    const attempts = await until(async () => {
      const { body } = await tenant.call('GET', `/v3/webhooks/${destination}/attempts`)
      expect(body.data).toHaveLength(reported.length)
      return body.data
    })
    answers = { status: 200, echoes: false }
    // Proof that the sweep works: the word was sent, came back, and is shown to authorized callers.
    for (const { answer } of attempts) expect(answer).toContain(word)
    // The stream lags while an older transaction on the server is open.
    await until(async () => {
      const { body } = await tenant.call('GET', '/v3/notifications')
      expect(JSON.stringify(body.data)).toContain(word)
    })
    for (const [where, text] of await stored())
      expect({ where, found: text.includes(word) }).toEqual({ where, found: false })
  })

  test('can be decrypted only for their own application and id', async () => {
    const [one, two] = [await newTenant(), await newTenant()]
    for (const tenant of [one, two]) {
      await tenant.change({ notification_stream: true })
      await tenant.tell('message.created')
    }
    const [mine] = await one.retained()
    const [theirs] = await two.retained()
    const swap = sql('', 'update notifications set sealed_payload = $2 where id = $1')
    await service.services.storage.database.run(swap, [theirs?.id ?? '', mine?.sealed_payload ?? ''])
    expect((await two.call('GET', `/v3/notifications/${theirs?.id}`)).status).toBe(404)
    expect((await one.call('GET', `/v3/notifications/${mine?.id}`)).status).toBe(200)
    expect(service.logs()).toContain('a notification cannot be decrypted')
  })

  test('before and after a new data key can be decrypted, also by a node that does not have it yet', async () => {
    const tenant = await newTenant()
    await tenant.change({ notification_stream: true })
    await tenant.tell('message.created')
    const { database, secrets, dataKeys } = service.services.storage
    await using other = await open()
    await renewDataKey(database, secrets, clock.now() + 1)
    await dataKeys.refresh()
    await tenant.tell('message.updated')
    const keys = new Set((await tenant.retained()).map(({ sealed_payload }) => sealed_payload.split('.')[1]))
    expect(keys.size).toBe(2)
    for (const { id } of await tenant.retained()) {
      expect((await other.call('GET', `/v3/notifications/${id}`, { key: tenant.key })).status).toBe(200)
    }
  })

  test('have a temporary stream that ends by itself, unless somebody reads it', async () => {
    const [followed, polled] = [await newTenant(), await newTenant()]
    const forATime = sql('', 'update applications set notification_stream_until = $2 where id = $1')
    for (const { id } of [followed, polled])
      await service.services.storage.database.run(forATime, [id, clock.now() + day])
    expect((await followed.call('GET', '/v3/notifications')).status).toBe(200)
    expect((await polled.call('GET', '/v3/notifications?order=desc')).status).toBe(200)
    clock.advance(2 * day)
    await purgeExpired(service.services)
    expect((await followed.call('GET', '/v3/notifications')).status).toBe(200)
    expect((await polled.call('GET', '/v3/notifications')).status).toBe(409)
  })

  test('are filtered in bounded steps, each with a cursor to continue', async () => {
    const tenant = await newTenant()
    await tenant.change({ notification_stream: true })
    await tenant.tell('message.created')
    const { database } = service.services.storage
    /**
     * The newest notification, once it differs from the one before and is in the stream. Reading forward ends before
     * the oldest open transaction in any database of the server.
     */
    const newestAfter = (before: string | undefined): Promise<string> =>
      until(async () => {
        const { body } = await tenant.call('GET', '/v3/notifications?limit=1&order=desc')
        expect(body.data).toMatchObject([{ type: 'folder.created' }])
        const [{ id }] = body.data
        expect(id).not.toBe(before)
        const streamed = await newestOfStream(database, engine, tenant.id)
        expect((await getNotification(database, tenant.id, id))?.position).toBe(streamed.position)
        return id
      })
    await tenant.tell('folder.created')
    const early = await newestAfter(undefined)
    await database.run(copied(engine, 12_000), [tenant.id])
    await tenant.tell('folder.created')
    await newestAfter(early)
    const query = '/v3/notifications?trigger_types=folder.created&limit=2'
    for (const order of ['asc', 'desc']) {
      const first = await tenant.call('GET', `${query}&order=${order}`)
      expect(first.body.data).toHaveLength(1)
      const next = await tenant.call('GET', `${query}&order=${order}&page_token=${first.body.next_cursor}`)
      expect(next.body.data).toHaveLength(1)
      expect(next.body.data[0].id).not.toBe(first.body.data[0].id)
    }
    const since = await tenant.call('GET', `/v3/notifications?start=${Math.floor(clock.now() / 1000) + 3600}`)
    expect(since.body.data).toEqual([])
  })

  test('are replayed in bounded steps, each once', async () => {
    const { database } = service.services.storage
    const tenant = await newTenant()
    const webhookId = await tenant.subscribe('message.created')
    await tenant.tell('message.created')
    await database.run(copied(engine, 2_400), [tenant.id])
    const at = { applicationId: tenant.id, webhookId }
    const steps: number[] = []
    const stepwise: typeof database = {
      ...database,
      async all(statement, parameters) {
        const rows = await database.all(statement, parameters)
        steps.push(rows.length)
        return rows
      },
      async run(statement, parameters) {
        const changed = await database.run(statement, parameters)
        steps.push(changed)
        return changed
      },
    }
    const failedBefore = sql(
      '',
      `insert into deliveries (webhook_id, application_id, notification, state, attempts, tries, due_at, bytes)
       select cast($2 as text), application_id, position, 'failed', 1, 1, created_at, bytes from notifications
       where application_id = $1 and id like 'copy-%'`,
    )
    await database.run(failedBefore, [tenant.id, webhookId])
    expect(await replay(stepwise, at, { failed: true }, clock.now())).toBe(2_400)
    expect(Math.max(...steps)).toBe(1_000)
    expect(await replay(stepwise, at, { failed: true }, clock.now())).toBe(0)
    // The copies are encrypted for another id and cannot be sent; only the queue matters here.
    const queued = sql<{ notification: number }>(
      '',
      'select notification from deliveries where webhook_id = $1 limit 1',
    )
    await until(async () => expect(await database.all(queued, [webhookId])).toEqual([]))
    steps.length = 0
    const start = Math.floor(clock.now() / 1000) - 60
    expect(await replay(stepwise, at, { start }, clock.now())).toBe(2_401)
    expect(Math.max(...steps)).toBe(1_000)
    expect(steps.length).toBeGreaterThan(10)
  })
})
