/** `waypost webhooks …` next to a running server. */
import { startPubSub } from '@waypost/simulators'
import { enginesFor } from '@waypost/testing/engines'
import { answerWell, type Listener, openListener } from '@waypost/testing/listener'
import { migratedStore } from '@waypost/testing/peers/test-stores'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Ended, runHere, runProcess } from '../command-line.ts'
import { openService, type TestService } from '../harness.ts'
import { storeChannel } from './stored-channel.ts'

describe.each(enginesFor(import.meta.url))('waypost webhooks on %s', (engine) => {
  const stack = new AsyncDisposableStack()
  let service: TestService
  let listener: Listener
  let env: Record<string, string>
  let application: { id: string; key: string }
  let grantId: string
  let id: string

  beforeAll(async () => {
    const { dataDir, databaseUrl } = stack.use(await migratedStore(engine))
    const store: Record<string, string> = databaseUrl ? { DATABASE_URL: databaseUrl } : {}
    env = { WAYPOST_DATA_DIR: dataDir, ...store }
    listener = stack.use(await openListener())
    service = stack.use(await openService({ engine, dataDir, ...(databaseUrl ? { databaseUrl } : {}) }))
    await service.listen()
    application = await service.createApplication('Webhooks')
    grantId = (await service.createGrant('room@example.com', application.key)).id
    await call('POST', `/v3/grants/${grantId}/calendars`, { name: 'Bookings' })
    const made = await call('POST', '/v3/webhooks', {
      webhook_url: `${listener.url}/hook`,
      trigger_types: ['event.created', 'event.deleted'],
    })
    id = made.id
  })
  afterAll(() => stack.disposeAsync())

  async function call(method: string, target: string, body?: unknown) {
    const answer = await service.call(method, target, { key: application.key, body })
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    return answer.body.data
  }
  const run = (...args: string[]): Promise<Ended> => runHere(['webhooks', ...args], env)
  const ours = (...args: string[]): Promise<Ended> => run(...args, '--app', application.id)
  /** The `--json` output. */
  async function json(...args: string[]) {
    const { code, stdout, stderr } = await ours(...args, '--json')
    expect(code, stderr).toBe(0)
    expect(stderr).toBe('')
    return JSON.parse(stdout)
  }
  const heard = (): { id: string; webhook_delivery_attempt: number; data: { object: { title?: string } } }[] =>
    listener.heard.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body))
  const heardOf = (notification: string) => heard().filter((each) => each.id === notification)
  /** Creates an event, and returns the id of its notification once the log has an attempt. */
  async function happen(title: string): Promise<string> {
    await call('POST', `/v3/grants/${grantId}/events?calendar_id=primary`, { title, when: { time: 1_798_790_400 } })
    const { id: notification } = await vi.waitFor(() => {
      const found = heard().find(({ data }) => data.object.title === title)
      if (!found) throw new Error('nothing came')
      return found
    })
    await vi.waitFor(async () => {
      const log = await call('GET', `/v3/webhooks/${id}/attempts?notification_id=${notification}`)
      expect(log).toHaveLength(1)
    })
    return notification
  }

  test('list shows the destinations and their health', async () => {
    const [webhook] = await call('GET', '/v3/webhooks')
    expect(await json('list')).toEqual([{ transport: 'webhook', ...webhook }])
    const { stdout } = await ours('list')
    expect(stdout).toMatch(/^ID +TRANSPORT +STATUS +SINCE +ADDRESS +TRIGGERS\n/)
    expect(stdout).toMatch(
      new RegExp(`^${id} +webhook +active +\\d{4}-.{14}Z +${listener.url}/hook +event.created event.deleted$`, 'm'),
    )
    // In a separate process, as a person runs it.
    const none = await runProcess(['webhooks', 'list'], env)
    const empty =
      'No destinations yet. Create one with POST /v3/webhooks, or POST /v3/channels/nats, amqp, pubsub or sns.'
    expect(none).toEqual({ code: 0, stdout: `${empty}\n`, stderr: '' })
  })

  test('attempts shows requests and responses, as the API does', async () => {
    // A status without retries, so that the log does not change.
    listener.answer = (response) => void response.writeHead(410).end('first\u001b[31m line\nsecond')
    const failed = await happen('Refused')
    listener.answer = answerWell
    const delivered = await happen('Taken')
    const log = await json('attempts', id)
    expect(log).toEqual(await call('GET', `/v3/webhooks/${id}/attempts`))
    expect(log.map((each: { notification_id: string }) => each.notification_id)).toEqual(
      expect.arrayContaining([failed, delivered]),
    )
    const [entry] = await json('attempts', id, '--outcome', 'failed', '--notification', failed)
    expect(entry).toMatchObject({ notification_id: failed, outcome: 'failed', status: 410, type: 'event.created' })
    expect(await json('attempts', id, '--limit', '1')).toHaveLength(1)
    expect(await json('attempts', id, '--start', String(entry.at + 3600))).toEqual([])
    expect(await json('attempts', id, '--end', '2020-01-01')).toEqual([])

    const { stdout } = await ours('attempts', id, '--notification', failed, '--outcome', 'failed')
    expect(stdout).toMatch(/^AT +OUTCOME +STATUS +LATENCY_MS +ATTEMPT +TYPE +NOTIFICATION_ID +ANSWER\n/)
    expect(stdout).toMatch(
      new RegExp(`^\\d{4}-.{14}Z +failed +410 +\\d+ +1 +event.created +${failed} +first\uFFFD\\[31m line$`, 'm'),
    )
  })

  test('replay --notification delivers one again, next to the running server', async () => {
    const notification = await happen('Once more')
    expect(await json('replay', id, '--notification', notification)).toEqual({ id, replayed: 1 })
    await vi.waitFor(() => expect(heardOf(notification)).toHaveLength(2))
    expect(heardOf(notification).map((each) => each.webhook_delivery_attempt)).toEqual([1, 2])
  })

  test('deliveries shows waiting and failed ones; replay --failed sends the latter again', async () => {
    listener.answer = (response) => void response.writeHead(410).end()
    const gone = await happen('Gone')
    listener.answer = (response) => void response.writeHead(503, { 'retry-after': '100' }).end()
    const later = await happen('Later')
    const all = await json('deliveries', id)
    // Waiting deliveries may be retried at any moment: their counters are left out.
    const still = ({ attempts: _, next_attempt_at: __, ...rest }: Record<string, unknown>) => rest
    expect(all.map(still)).toEqual((await call('GET', `/v3/webhooks/${id}/deliveries`)).map(still))
    expect(all).toContainEqual(expect.objectContaining({ notification_id: gone, state: 'failed' }))
    expect(all).toContainEqual(expect.objectContaining({ notification_id: later, state: 'waiting' }))
    const failed = await json('deliveries', id, '--state', 'failed')
    expect(failed.map((each: { state: string }) => each.state)).not.toContain('waiting')
    expect(failed.at(-1)).toMatchObject({ notification_id: gone, attempts: 1, next_attempt_at: null })
    const { stdout } = await ours('deliveries', id)
    expect(stdout).toMatch(/^NOTIFICATION_ID +TYPE +GRANT_ID +STATE +ATTEMPTS +NEXT_ATTEMPT_AT\n/)
    expect(stdout).toMatch(new RegExp(`^${gone} +event.created +${grantId} +failed +1 +–$`, 'm'))
    expect(stdout).toMatch(new RegExp(`^${later} +event.created +${grantId} +waiting +\\d +\\d{4}-.{14}Z$`, 'm'))

    listener.answer = answerWell
    const reported = await ours('replay', id, '--failed')
    expect(reported).toEqual({ code: 0, stdout: `id        ${id}\nreplayed  ${failed.length}\n`, stderr: '' })
    await vi.waitFor(() => expect(heardOf(gone)).toHaveLength(2))
    await vi.waitFor(async () => expect(await call('GET', `/v3/webhooks/${id}/deliveries?state=failed`)).toEqual([]))
    expect(await json('replay', id, '--failed')).toEqual({ id, replayed: 0 })
  })

  test('deliver-now sends deliveries that wait for a retry at once, and reports their number', async () => {
    listener.answer = (response) => void response.writeHead(503, { 'retry-after': '3000' }).end()
    const waits = await happen('Waits')
    listener.answer = answerWell
    // Others of this destination may wait too.
    const { due, more } = await json('deliver-now', id)
    expect(due).toBeGreaterThanOrEqual(1)
    expect(more).toBe(false)
    await vi.waitFor(() => expect(heardOf(waits)).toHaveLength(2))
    await vi.waitFor(async () => expect(await call('GET', `/v3/webhooks/${id}/deliveries?state=waiting`)).toEqual([]))
    expect(await json('deliver-now', id)).toEqual({ id, due: 0, more: false })
  })

  test('replay --start --end delivers those of a time range again', async () => {
    const notification = await happen('In range')
    const { time } = await call('GET', `/v3/notifications/${notification}`)
    const until = new Date((time + 1) * 1000).toISOString()
    const { replayed } = await json('replay', id, '--start', String(time), '--end', until)
    expect(replayed).toBeGreaterThanOrEqual(1)
    await vi.waitFor(() => expect(heardOf(notification)).toHaveLength(2))
    expect(await json('replay', id, '--start', '2020-01-01', '--end', '2020-01-02T00:00:00+02:00')).toMatchObject({
      replayed: 0,
    })
  })

  test('pause stops deliveries; activate challenges the listener first, as the API does', async () => {
    const paused = await ours('pause', id)
    expect(paused).toEqual({
      code: 0,
      stdout: `id           ${id}\nwebhook_url  ${listener.url}/hook\nstatus       pause\n`,
      stderr: '',
    })
    expect((await call('GET', `/v3/webhooks/${id}`)).status).toBe('pause')
    const refused = await ours('replay', id, '--failed')
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('while its status is pause: set it to active first')

    listener.answer = (response) => void response.end('not the challenge')
    const unanswered = await ours('activate', id, '--json')
    expect(unanswered).toMatchObject({ code: 1, stdout: '' })
    expect(JSON.parse(unanswered.stderr).error).toContain('the body is not exactly the challenge')
    expect((await call('GET', `/v3/webhooks/${id}`)).status).toBe('pause')

    listener.answer = answerWell
    expect(await json('activate', id)).toEqual({ id, webhook_url: `${listener.url}/hook`, status: 'active' })
    const requested = listener.heard.filter(({ method }) => method === 'GET')
    expect(requested).toHaveLength(3)
    for (const { target } of requested) expect(target).toMatch(/^\/hook\?challenge=/)
    expect(heardOf(await happen('Active again'))).toHaveLength(1)
  })

  test('channels are listed, paused and activated like webhooks', async () => {
    await using google = await startPubSub()
    const topic = 'projects/simulated-project/topics/notifications'
    const credentials = JSON.stringify(google.addServiceAccount())
    const draft = { topic, credentials, trigger_types: ['contact.updated' as const] }
    const of = { applicationId: application.id, transport: 'pubsub' as const, draft }
    const channel = await storeChannel(service, of)
    const read = () => call('GET', `/v3/channels/pubsub/${channel}`)
    expect((await json('list'))[1]).toEqual({ transport: 'pubsub', ...(await read()) })
    expect((await ours('list')).stdout).toMatch(
      new RegExp(`^${channel} +pubsub +active +\\S+ +${topic} +contact.updated$`, 'm'),
    )
    expect(await json('pause', channel)).toEqual({ id: channel, address: topic, status: 'pause' })
    expect((await read()).status).toBe('pause')

    const activate = () =>
      runHere(['webhooks', 'activate', channel, '--app', application.id, '--json'], {
        ...env,
        WAYPOST_PUBSUB_URL: google.url,
      })
    const refused = await activate()
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(JSON.parse(refused.stderr).error).toContain('unable.verify.topic')
    expect((await read()).status).toBe('pause')
    google.addTopic(topic)
    expect(await activate()).toMatchObject({ code: 0, stderr: '' })
    expect((await read()).status).toBe('active')
    await call('DELETE', `/v3/channels/pubsub/${channel}`)
  })

  test('a destination of another application is not found', async () => {
    for (const verb of ['attempts', 'deliveries', 'pause', 'activate']) {
      const { code, stdout, stderr } = await run(verb, id)
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toContain('record not found')
    }
    expect((await run('list', '--app', 'nobody')).stderr).toContain('no application with this id')
  })

  // Parsing options does not depend on the store.
  if (engine === 'postgresql') return
  test.for<[args: string[], code: number, reason: string]>([
    [['attempts'], 2, 'WEBHOOK_ID is missing'],
    [['attempts', 'ID', '--outcome', 'lost'], 2, '--outcome must be delivered or failed'],
    [['attempts', 'ID', '--limit', 'all'], 2, '--limit must be an integer of at least 1'],
    [['deliveries', 'ID', '--state', 'gone'], 2, '--state must be waiting or failed'],
    [['replay', 'ID'], 2, 'one of --notification, --start (with --end) or --failed'],
    [['replay', 'ID', '--failed', '--start', '1'], 2, 'one of --notification, --start (with --end) or --failed'],
    [['replay', 'ID', '--notification', 'x', '--end', '5'], 2, '--end must be after --start'],
    [['replay', 'ID', '--start', '9', '--end', '9'], 2, '--end must be after --start'],
    [['replay', 'ID', '--start', 'yesterday'], 2, '--start takes seconds since 1970'],
    [['replay', 'ID', '--start', '2026-11-15T06:00'], 2, '--start takes seconds since 1970'],
    [['replay', 'ID', '--notification', 'nothing'], 1, 'no notification with this id is stored'],
  ])('%s is refused', async ([args, code, reason]) => {
    const ended = await ours(...args.map((each) => (each === 'ID' ? id : each)))
    expect(ended).toMatchObject({ code, stdout: '' })
    expect(ended.stderr).toContain(reason)
    expect(ended.stderr).not.toMatch(/\n\s+at /)
  })
})
