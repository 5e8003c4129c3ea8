/** Guessing the administrator's password is slow, and does not lock out people with another way to sign in. */

import { enginesFor } from '@waypost/testing/engines'
import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeLink } from '../../../src/applications/admin-sessions.ts'
import { createDeviceCookies } from '../../../src/applications/device-cookies.ts'
import { networkOf } from '../../../src/telemetry/password-guessing.ts'
import { type Answer, openService, type TestService } from '../../harness.ts'
import { patientLoad } from '../../patient-load.ts'

const own = { 'sec-fetch-site': 'same-origin' }
const minute = 60_000

/** The cookies that a response sets, by name. */
const cookiesOf = (answer: Answer): Record<string, string> =>
  Object.fromEntries(
    answer.headers.getSetCookie().map((cookie) => {
      const [pair = ''] = cookie.split(';', 1)
      return [pair.slice(0, pair.indexOf('=')), pair]
    }),
  )

const basic = (password: string): string => `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`

/** A wrong credential that is counted without the cost of hashing it. */
const unhashed = basic('x'.repeat(1025))

describe.each(enginesFor(import.meta.url))('guessing does not lock out people with credentials, on %s', (engine) => {
  let clock: TestClock
  let service: TestService
  let session = ''
  let device = ''

  const signIn = (body: object, headers: Record<string, string> = {}): Promise<Answer> =>
    service.call('POST', '/v3/admin/session', { key: null, headers: { ...own, ...headers }, body })
  const call = (headers: Record<string, string>): Promise<Answer> =>
    service.call('GET', '/v3/admin/applications', { key: null, headers })
  const statusOf = async (answer: Promise<Answer>): Promise<number> => (await answer).status

  /** Attackers with the administrator's own address, as behind a NAT or an untrusted proxy. */
  const strangersGuess = async (): Promise<void> => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => call({ authorization: unhashed })))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
  }

  beforeAll(async () => {
    clock = testClock()
    service = await openService({ engine, overrides: { clock, load: patientLoad() } })
    const { waypost = '', 'waypost-device': given = '' } = cookiesOf(await signIn({ password: service.adminPassword }))
    session = waypost
    device = given
  })
  afterAll(() => service[Symbol.asyncDispose]())
  beforeEach(() => clock.advance(minute))

  test('one address may try ten passwords a minute, however many it sends at once', async () => {
    const guess = async (times: number): Promise<number[]> => {
      const answers = await Promise.all(Array.from({ length: times }, (_, n) => signIn({ password: `wrong-${n}` })))
      return answers.map(({ status }) => status).sort()
    }
    expect(await guess(100)).toEqual([...Array(10).fill(401), ...Array(90).fill(429)])
    clock.advance(minute)
    expect(await guess(12)).toEqual([...Array(10).fill(401), 429, 429])
  })

  test('at the address of an attacker, fresh links still sign in', async () => {
    await strangersGuess()
    for (let turn = 0; turn < 2; turn++) {
      const link = await makeLink(service.services.storage.database, clock.now())
      expect(await statusOf(signIn({ link }))).toBe(200)
    }
  })

  test('at the address of an attacker, wrong links block no valid one', async () => {
    const link = await makeLink(service.services.storage.database, clock.now())
    const wrong = await Promise.all(
      Array.from({ length: 50 }, (_, n) => signIn({ link: `${String(n).padStart(2, '0')}${'x'.repeat(41)}` })),
    )
    expect(wrong.map(({ status }) => status)).toEqual(Array(50).fill(401))
    expect(await statusOf(signIn({ link }))).toBe(200)
    expect(await statusOf(signIn({ password: service.adminPassword }, { cookie: device }))).toBe(200)
  })

  test('at the address of an attacker, a session continues and may make its changes', async () => {
    const { waypost = '' } = cookiesOf(await signIn({ password: service.adminPassword }, { cookie: device }))
    await strangersGuess()
    const headers = { ...own, cookie: waypost }
    expect(await statusOf(call(headers))).toBe(200)
    const made = await service.call('POST', '/v3/admin/applications', { key: null, headers, body: { name: 'Mine' } })
    expect(made.status).toBe(201)
    // A repeated password request is counted for the session.
    const body = { current_password: 'not this one', new_password: 'a heron over the weir' }
    const change = await service.call('PUT', '/v3/admin/password', { key: null, headers, body })
    expect([400, 409]).toContain(change.status)
  })

  test('at the address of an attacker, a browser with a device cookie signs in, by page or by Basic credentials', async () => {
    await strangersGuess()
    expect(await statusOf(signIn({ password: service.adminPassword }))).toBe(429)
    expect(await statusOf(call({ authorization: basic(service.adminPassword) }))).toBe(429)
    expect(await statusOf(signIn({ password: service.adminPassword }, { cookie: device }))).toBe(200)
    expect(await statusOf(call({ authorization: basic(service.adminPassword), cookie: device }))).toBe(200)
  })

  test('a refusal names the way that is still open', async () => {
    await strangersGuess()
    const refused = await signIn({ password: service.adminPassword })
    expect(refused.body.error.message).toMatch(/wait \d+ s, or sign in with a link, .*waypost dashboard link/)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('a device has ten wrong passwords a minute, counted separately from other devices', async () => {
    const other =
      cookiesOf(await signIn({ password: service.adminPassword }, { cookie: device }))['waypost-device'] ?? ''
    expect(other).not.toBe(device)
    const guesses: number[] = []
    for (let n = 0; n < 12; n++) guesses.push((await signIn({ password: `wrong-${n}` }, { cookie: device })).status)
    expect(guesses).toEqual([...Array(10).fill(401), 429, 429])
    expect(await statusOf(signIn({ password: service.adminPassword }, { cookie: device }))).toBe(429)
    expect(await statusOf(signIn({ password: service.adminPassword }, { cookie: other }))).toBe(200)
    expect(await statusOf(signIn({ password: service.adminPassword }))).toBe(200)
  })

  test('a device cookie grants nothing, and forged, old, truncated or duplicate ones are ignored', async () => {
    expect(await statusOf(call({ ...own, cookie: device }))).toBe(401)
    const value = device.slice(device.indexOf('=') + 1)
    const [key = '', id = '', end = '', mac = ''] = value.split('.')
    const old = createDeviceCookies(service.services.storage.keyRing).issue({
      account: '',
      now: clock.now() - 181 * 24 * 60 * minute,
    })
    const forged = [
      `${key}.${id}.${Number(end) + 1}.${mac}`,
      `${key}.${id.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))}.${end}.${mac}`,
      `${key}.${id}.${end}.${mac}.`,
      `${key}.${id}.${end}.`,
      `00000000.${id}.${end}.${mac}`,
      value.slice(0, -1),
      'x'.repeat(5000),
      '',
      old,
    ]
    await strangersGuess()
    for (const each of forged) {
      expect(await statusOf(signIn({ password: service.adminPassword }, { cookie: `waypost-device=${each}` }))).toBe(
        429,
      )
    }
    const twice = { cookie: `${device}; waypost-device=${old}` }
    expect(await statusOf(signIn({ password: service.adminPassword }, twice))).toBe(429)
    // Sessions are recognized by other cookies.
    expect(session).not.toBe('')
  })

  test('wrong links are audited ten times a minute, and malformed ones are not looked up', async () => {
    const count = async (): Promise<number> =>
      (
        await service.call('GET', '/v3/admin/audit?action=session.create&limit=200', {
          key: null,
          headers: { authorization: basic(service.adminPassword) },
        })
      ).body.data.length
    const before = await count()
    for (let n = 0; n < 25; n++) expect(await statusOf(signIn({ link: n % 2 ? 'nothing' : 'y'.repeat(43) }))).toBe(401)
    expect((await count()) - before).toBe(10)
  })

  test('a password above the maximum length fails without being hashed', async () => {
    const statuses: number[] = []
    for (let n = 0; n < 11; n++) statuses.push(await statusOf(call({ authorization: basic('x'.repeat(20_000)) })))
    expect(statuses).toEqual([...Array(10).fill(401), 429])
  })
})

describe('many unrecognized addresses', () => {
  const clock = testClock()
  let service: TestService
  let address = ''

  const right = (): string => basic(service.adminPassword)
  /** A request through the proxy that the settings trust. */
  const via = async (client: string, authorization: string): Promise<number> => {
    const sent = { authorization, 'x-forwarded-for': client }
    const answer = await fetch(`${address}/v3/admin/applications`, { headers: sent })
    await answer.arrayBuffer()
    return answer.status
  }

  beforeAll(async () => {
    service = await openService({
      env: { WAYPOST_TRUSTED_PROXIES: '127.0.0.1' },
      overrides: { clock, load: patientLoad() },
    })
    address = await service.listen()
  })
  afterAll(() => service[Symbol.asyncDispose]())
  beforeEach(() => clock.advance(minute))

  test('may try a hundred passwords a minute together; an address with an earlier sign-in has its own count', async () => {
    expect(await via('192.0.2.1', right())).toBe(200)
    const guesses = await Promise.all(Array.from({ length: 150 }, (_, n) => via(`198.51.100.${n}`, unhashed)))
    const tried = guesses.filter((status) => status === 401).length
    // Two attempts run concurrently.
    expect([100, 101]).toContain(tried)
    expect(guesses.filter((status) => status === 429)).toHaveLength(150 - tried)
    expect(await via('203.0.113.9', right())).toBe(429)
    expect(await via('192.0.2.1', right())).toBe(200)
    expect(await via('192.0.2.1', unhashed)).toBe(401)
    clock.advance(minute)
    expect(await via('203.0.113.9', right())).toBe(200)
  })

  test('one address that never stops uses up only ten of the hundred', async () => {
    for (let n = 0; n < 40; n++) await via('198.51.100.7', unhashed)
    expect(await via('203.0.113.10', right())).toBe(200)
  })

  test('all addresses of one IPv6 network count as one', async () => {
    const guesses: number[] = []
    for (let n = 0; n < 12; n++) guesses.push(await via(`2001:db8:1:2:${n}::${n}`, unhashed))
    expect(guesses).toEqual([...Array(10).fill(401), 429, 429])
    expect(await via('2001:db8:1:3::1', unhashed)).toBe(401)
  })
})

test.each(['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'cf-connecting-ip'])(
  'the header %s of an attacker gives no further attempts',
  async (name) => {
    await using service = await openService({ overrides: { load: patientLoad() } })
    const address = await service.listen()
    const ask = async (headers: Record<string, string>): Promise<number> => {
      const answer = await fetch(`${address}/v3/admin/applications`, {
        headers: { authorization: unhashed, ...headers },
      })
      await answer.arrayBuffer()
      return answer.status
    }
    const statuses: number[] = []
    for (let n = 0; n < 12; n++) statuses.push(await ask(n % 2 === 0 ? {} : { [name]: `192.0.2.${n}` }))
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429])
  },
)

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ['local', 'local'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
