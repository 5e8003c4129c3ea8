/** A repeated request with the same Idempotency-Key has one effect and one response, whatever happens in between. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { limits } from '@waypost/contract'
import { createLog } from '@waypost/platform/log'
import type { Database } from '@waypost/store/engine/database'
import { openDatabase } from '@waypost/store/engine/open'
import { enginesFor } from '@waypost/testing/engines'
import { migratedStore } from '@waypost/testing/peers/test-stores'
import { sql } from '@waypost/testing/statement'
import { testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { purgeExpired } from '../../../src/housekeeping.ts'
import { type Answer, type CallOptions, openService, type TestService } from '../../harness.ts'
import { nextRequest } from '../http/raw-http.ts'
import { expectSound } from './requests.ts'

const uris = '/v3/applications/redirect-uris'
const detect = (name = 'a') => `/v3/providers/detect?email=${name}@unknown.test&all_provider_types=true`
const isReplay = (answer: Answer): boolean => answer.headers.get('idempotent-response') === 'true'
const keyed = (key: string): Record<string, string> => ({ 'idempotency-key': key })

describe.for(enginesFor(import.meta.url))('an Idempotency-Key on %s', (engine) => {
  const clock = testClock()
  let service: TestService
  /** The lookup of mail hosts; a test can delay it or make it fail. */
  let findMailExchangers = async (): Promise<string[]> => []
  let lookups = 0
  beforeAll(async () => {
    const counted = (): Promise<string[]> => {
      lookups++
      return findMailExchangers()
    }
    service = await openService({ engine, overrides: { clock, findMailExchangers: counted } })
    await service.listen()
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const post = (key: string, name: string, options: CallOptions = {}) =>
    service.call('POST', uris, { body: { url: `https://app.test/${name}` }, ...options, headers: keyed(key) })
  const registered = async (name: string, key?: string): Promise<number> => {
    const list = await service.call('GET', uris, { key })
    return list.body.data.filter((uri: { url: string }) => uri.url === `https://app.test/${name}`).length
  }
  /** Expects the second response to be a replay of the first. */
  const expectReplay = (again: Answer, first: Answer): void => {
    expect(isReplay(first)).toBe(false)
    expect(isReplay(again)).toBe(true)
    expect([again.status, again.body]).toEqual([first.status, first.body])
    expectSound(again)
  }

  test('repeats a success: same status, same body, one effect', async () => {
    const first = await post('success', 'success')
    expect(first.status).toBe(200)
    for (let n = 0; n < 3; n++) expectReplay(await post('success', 'success'), first)
    expect(await registered('success')).toBe(1)
  })

  test('repeats an error: same status, same body', async () => {
    const bad = { body: { url: 'ftp://app.test' } }
    const first = await post('error', '', bad)
    expect([first.status, first.body.error.validation_errors.url]).toEqual([400, expect.any(String)])
    expectReplay(await post('error', '', bad), first)
    await post('taken-1', 'taken')
    const conflict = await post('taken-2', 'taken')
    expect(conflict.status).toBe(409)
    await service.call('DELETE', `${uris}/${(await post('taken-1', 'taken')).body.data.id}`)
    expectReplay(await post('taken-2', 'taken'), conflict)
  })

  test('is stored with a keyed hash, so that payloads cannot be guessed; plain hashes of earlier versions are accepted', async () => {
    const first = await post('guessing', 'guessing')
    const { database } = service.services.storage
    const rows = sql<{ id: string; request_hash: string }>('', 'select id, request_hash from idempotency_keys')
    const known = new Set((await database.all(rows)).map(({ id }) => id))
    const second = await post('guessing-2', 'guessing-2')
    const row = (await database.all(rows)).find(({ id }) => !known.has(id))
    const body = JSON.stringify({ url: 'https://app.test/guessing-2' })
    const plain = createHash('sha256').update(`POST ${uris}?{}\n${body}`).digest('hex')
    expect(row?.request_hash).toMatch(/^[\w-]{43}$/)
    await database.run(sql('', 'update idempotency_keys set request_hash = $2 where id = $1'), [row?.id ?? '', plain])
    expectReplay(await post('guessing-2', 'guessing-2'), second)
    expectReplay(await post('guessing', 'guessing'), first)
    expect((await post('guessing-2', 'other')).status).toBe(409)
  })

  test('has at most 256 characters', async () => {
    expect((await post('k'.repeat(limits.idempotencyKeyLength), 'longest')).status).toBe(200)
    const longer = await post('k'.repeat(limits.idempotencyKeyLength + 1), 'longer')
    expectSound(longer)
    expect([longer.status, longer.body.error.type]).toEqual([400, 'api.invalid_idempotency_key'])
    expect(await registered('longer')).toBe(0)
  })

  test.for(['a b', '"quoted"', "';--", '%00', 'é', '{}', 'constructor', '__proto__'])(
    'may be any text: %s',
    async (key) => {
      const first = await post(key, encodeURIComponent(key))
      expect(first.status).toBe(200)
      expectReplay(await post(key, encodeURIComponent(key)), first)
    },
  )

  test('is refused with another payload, path, query or method', async () => {
    const body = { url: 'https://app.test/other' }
    await post('other', 'other')
    const id = (await post('other', 'other')).body.data.id
    const others: [string, string, unknown][] = [
      ['POST', uris, { ...body, platform: 'web' }],
      ['POST', uris, { url: 'https://app.test/another' }],
      ['POST', `${uris}?select=id`, body],
      ['POST', '/v3/connectors', body],
      ['PATCH', `${uris}/${id}`, body],
      ['DELETE', `${uris}/${id}`, undefined],
    ]
    for (const [method, at, sent] of others) {
      const answer = await service.call(method, at, { body: sent, headers: keyed('other') })
      expectSound(answer)
      expect([answer.status, answer.body.error.type]).toEqual([409, 'api.invalid_idempotent_request'])
      expect(isReplay(answer)).toBe(false)
    }
    expect(await registered('other')).toBe(1)
    const spaced = ' {\n "url" : "https:\\/\\/app.test/other"}'
    expect(isReplay(await service.call('POST', uris, { body: spaced, headers: keyed('other') }))).toBe(true)
  })

  test('is refused while the first request is in flight', async () => {
    const gate = Promise.withResolvers<string[]>()
    const before = lookups
    findMailExchangers = () => gate.promise
    const first = service.call('POST', detect(), { headers: keyed('flight') })
    await vi.waitFor(() => expect(lookups).toBe(before + 1))
    const second = await service.call('POST', detect(), { headers: keyed('flight') })
    expectSound(second)
    expect([second.status, second.body.error.type]).toEqual([409, 'api.concurrent_idempotent_request'])
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0)
    const third = await service.call('POST', detect('b'), { headers: keyed('flight') })
    expect(third.body.error.type).toBe('api.invalid_idempotent_request')
    gate.resolve(['mx.example.test'])
    const answer = await first
    expect([answer.status, answer.body.data.provider]).toEqual([200, 'imap'])
    expectReplay(await service.call('POST', detect(), { headers: keyed('flight') }), answer)
    expect(lookups).toBe(before + 1)
  })

  test('gives exactly one of fifty concurrent requests an effect', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => post('parallel', 'parallel')))
    const firsts = answers.filter((answer) => answer.status === 200 && !isReplay(answer))
    expect(firsts).toHaveLength(1)
    for (const answer of answers) {
      if (answer.status === 200) expect(answer.body).toEqual(firsts[0]?.body)
      else expect([answer.status, answer.body.error.type]).toEqual([409, 'api.concurrent_idempotent_request'])
    }
    expect(await registered('parallel')).toBe(1)
    expect((await post('parallel', 'parallel')).body).toEqual(firsts[0]?.body)
  })

  test('belongs to one application', async () => {
    const { key } = await service.createApplication()
    const mine = await post('shared', 'shared')
    const theirs = await post('shared', 'shared', { key })
    expect([isReplay(theirs), theirs.body.data.id === mine.body.data.id]).toEqual([false, false])
    expectReplay(await post('shared', 'shared', { key }), theirs)
    const other = await service.call('GET', '/v3/applications')
    const headers = { ...keyed('shared'), 'x-waypost-application': other.body.data.application_id }
    const asAdmin = await service.call('POST', uris, { admin: true, headers, body: { url: 'https://app.test/shared' } })
    expectReplay(asAdmin, mine)
  })

  test('belongs to one grant', async () => {
    const [one, two] = [await service.createGrant('one@virtual.test'), await service.createGrant('two@virtual.test')]
    const patch = (id: string) =>
      service.call('PATCH', `/v3/grants/${id}`, { body: { metadata: { a: 'b' } }, headers: keyed('grants') })
    const first = await patch(one.id)
    const second = await patch(two.id)
    expect([isReplay(second), second.body.data.id]).toEqual([false, two.id])
    expectReplay(await patch(one.id), first)
    expect(isReplay(await post('grants', 'grants'))).toBe(false)
  })

  test('works with POST, PUT, PATCH and DELETE, and is ignored by GET', async () => {
    const made = await post('verbs', 'verbs')
    const at = `${uris}/${made.body.data.id}`
    for (const method of ['PATCH', 'PUT']) {
      const change = () =>
        service.call(method, at, { body: { url: `https://app.test/${method}` }, headers: keyed(`verbs-${method}`) })
      const first = await change()
      expectReplay(await change(), first)
    }
    const body = { url: 'https://app.test/PATCH' }
    expect(isReplay(await service.call('PUT', at, { body, headers: keyed('verbs-PATCH') }))).toBe(true)
    const remove = () => service.call('DELETE', at, { headers: keyed('verbs-DELETE') })
    const [first, again] = [await remove(), await remove()]
    expect([first.status, first.body]).toEqual([200, { request_id: expect.any(String) }])
    expectReplay(again, first)
    expect((await service.call('DELETE', at)).status).toBe(404)
    const list = () => service.call('GET', uris, { headers: keyed('verbs') })
    expect([isReplay(await list()), isReplay(await list())]).toEqual([false, false])
  })

  test('works for the administrator, separately from the applications', async () => {
    const create = () =>
      service.call('POST', '/v3/admin/applications', { admin: true, body: { name: 'Once' }, headers: keyed('admin') })
    const first = await create()
    expectReplay(await create(), first)
    const all = await service.call('GET', '/v3/admin/applications', { admin: true })
    const named = all.body.data.filter(
      (application: { branding: { name: string } }) => application.branding.name === 'Once',
    )
    expect(named).toHaveLength(1)
    expect(isReplay(await post('admin', 'admin'))).toBe(false)
  })

  test('can be used again after a failure of the service', async () => {
    findMailExchangers = () => Promise.reject(new Error('no resolver'))
    const broken = await service.call('POST', detect(), { headers: keyed('failure') })
    expect([broken.status, isReplay(broken)]).toEqual([500, false])
    findMailExchangers = async () => ['mx.example.test']
    const mended = await service.call('POST', detect(), { headers: keyed('failure') })
    expect([mended.status, isReplay(mended)]).toEqual([200, false])
    expectReplay(await service.call('POST', detect(), { headers: keyed('failure') }), mended)
  })

  test('can be used again after the deadline, and the late request changes nothing', async () => {
    const gate = Promise.withResolvers<string[]>()
    const requested = Promise.withResolvers<void>()
    findMailExchangers = () => {
      requested.resolve()
      return gate.promise
    }
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const late = service.call('POST', detect(), { headers: keyed('late') })
      await requested.promise
      vi.advanceTimersByTime(limits.deadlineMs)
      expect((await late).status).toBe(504)
    } finally {
      vi.useRealTimers()
    }
    findMailExchangers = async () => ['mx.google.com']
    const second = await service.call('POST', detect(), { headers: keyed('late') })
    expect([second.status, second.body.data.provider]).toEqual([200, 'google'])
    gate.resolve([])
    await nextTurn()
    expectReplay(await service.call('POST', detect(), { headers: keyed('late') }), second)
  })

  test('is not blocked when the client disconnects within its request', async () => {
    const gate = Promise.withResolvers<string[]>()
    const before = lookups
    findMailExchangers = () => gate.promise
    const { hostname, port } = new URL(await service.listen())
    const socket = connect(Number(port), hostname)
    const request = nextRequest()
    const head = [
      `POST ${detect()} HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${service.apiKey}`,
      'Idempotency-Key: gone',
      'Content-Length: 0',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    await vi.waitFor(() => expect(lookups).toBe(before + 1))
    const disconnected = once((await request).socket, 'close')
    socket.destroy()
    await disconnected
    gate.resolve(['mx.example.test'])
    await vi.waitFor(async () => {
      const answer = await service.call('POST', detect(), { headers: keyed('gone') })
      expect([answer.status, isReplay(answer)]).toEqual([200, true])
    })
    expect(lookups).toBe(before + 1)
  })

  test('is stored for 24 hours', async () => {
    const first = await post('day', 'day')
    clock.advance(limits.idempotencyHours * 3_600_000 - 1000)
    await purgeExpired(service.services)
    expectReplay(await post('day', 'day'), first)
    clock.advance(2000)
    const next = await post('day', 'next-day')
    expect([next.status, isReplay(next)]).toEqual([200, false])
    clock.advance(limits.idempotencyHours * 3_600_000 + 1000)
    await purgeExpired(service.services)
    const last = await post('day', 'last-day')
    expect([last.status, isReplay(last)]).toEqual([200, false])
  })
})

describe.for(enginesFor(import.meta.url))('a process that dies, on %s,', (engine) => {
  /** A service whose transactions commit and never return, like a process that dies before its response. */
  async function endingService(dataDir: string, databaseUrl: string | undefined) {
    const log = createLog('silent')
    const real = await openDatabase(dataDir, databaseUrl, { log, lock: false })
    const committed = Promise.withResolvers<void>()
    const died = Promise.withResolvers<never>()
    died.promise.catch(() => undefined)
    let dying = false
    const database: Database = {
      ...real,
      async transaction(work) {
        const result = await real.transaction(work)
        if (!dying) return result
        committed.resolve()
        return died.promise
      },
    }
    const service = await openService({ dataDir, databaseUrl, overrides: { database } })
    dying = true
    return { service, committed: committed.promise, bury: () => died.reject(new Error('dead')) }
  }

  test('right after its commit has stored its answer, and a retry receives it', async () => {
    await using store = await migratedStore(engine)
    const { dataDir, databaseUrl } = store
    const { service, committed, bury } = await endingService(dataDir, databaseUrl)
    const body = { url: 'https://app.test/death' }
    const unanswered = service.call('POST', uris, { body, headers: keyed('death') })
    await committed
    await using heir = await openService({ dataDir, databaseUrl })
    const again = await heir.call('POST', uris, { body, headers: keyed('death') })
    expect([again.status, isReplay(again), again.body.data.url]).toEqual([200, true, body.url])
    expect((await heir.call('GET', uris)).body.data).toHaveLength(1)
    bury()
    await unanswered
    await service[Symbol.asyncDispose]()
  })

  test('before its commit leaves nothing, and a retry counts as the first request', async () => {
    await using store = await migratedStore(engine)
    const { dataDir, databaseUrl } = store
    const clock = testClock()
    const gate = Promise.withResolvers<string[]>()
    const requested = Promise.withResolvers<void>()
    const hold = () => {
      requested.resolve()
      return gate.promise
    }
    const victim = await openService({ dataDir, databaseUrl, overrides: { clock, findMailExchangers: hold } })
    await victim.listen()
    const unanswered = victim.call('POST', detect(), { headers: keyed('death') })
    await requested.promise
    await using heir = await openService({
      dataDir,
      databaseUrl,
      overrides: { clock, findMailExchangers: async () => [] },
    })
    const early = await heir.call('POST', detect(), { headers: keyed('death') })
    expect(early.body.error.type).toBe('api.concurrent_idempotent_request')
    // The first process sends no heartbeat after its lease.
    clock.advance(16_000)
    const taken = await heir.call('POST', detect(), { headers: keyed('death') })
    expect([taken.status, isReplay(taken)]).toEqual([200, false])
    gate.resolve(['mx.example.test'])
    expect((await unanswered).body.error.type).toBe('api.concurrent_idempotent_request')
    const again = await heir.call('POST', detect(), { headers: keyed('death') })
    expect([isReplay(again), again.body]).toEqual([true, taken.body])
    await victim[Symbol.asyncDispose]()
  })
})
