/** Guessing the passwords of people is slow for each account, and does not reveal which accounts exist. */

import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openService, type TestService } from '../../harness.ts'
import { basicOf, goodPassword, type SignedInPerson, signedInPerson, signInAs } from '../../people-setup.ts'

let clock: TestClock
let service: TestService
let ada: SignedInPerson
/** The hashed passwords, by whether there was a hash to compare. */
const hashed: boolean[] = []

beforeAll(async () => {
  clock = testClock()
  service = await openService({ overrides: { clock } })
  ada = await signedInPerson(service, { email: 'ada@example.com', role: 'administrator' })
  await signedInPerson(service, { email: 'bob@example.com', role: 'viewer' })
  const { hashing } = service.services.administration
  const { matches } = hashing
  hashing.matches = (stored, password) => {
    hashed.push(typeof stored === 'string')
    return matches(stored, password)
  }
})
afterAll(() => service[Symbol.asyncDispose]())
beforeEach(() => clock.advance(60_000))

const wrong = (email: string, headers = {}) => signInAs(service, { email, password: 'wrong' }, headers)
const statuses = async (email: string, times: number, headers = {}) =>
  (await Promise.all(Array.from({ length: times }, () => wrong(email, headers)))).map(({ status }) => status).toSorted()

test('an unknown address is refused like a known one: same message, same work, same count', async () => {
  const seen = await wrong('ada@example.com')
  const unseen = await wrong('nobody@example.com')
  expect([unseen.status, unseen.body.error]).toEqual([seen.status, seen.body.error])
  expect([...unseen.headers.keys()]).toEqual([...seen.headers.keys()])
  // Both were hashed, one of them without a hash to compare.
  expect(hashed.splice(0)).toEqual([true, false])
  clock.advance(60_000)
  const limits = [401, 401, 401, 401, 401, 401, 401, 401, 401, 401, 429, 429]
  expect(await statuses('ada@example.com', 12)).toEqual(limits)
  clock.advance(60_000)
  expect(await statuses('nobody@example.com', 12)).toEqual(limits)
})

test('a browser with a device cookie of one person is unrecognized for others', async () => {
  const signedIn = await signInAs(service, { email: ada.email })
  const device = signedIn.headers.getSetCookie().find((each) => each.startsWith('waypost-device='))
  const cookie = device?.split(';', 1)[0] ?? ''
  // Attackers at this address have used up its attempts.
  await statuses('nobody@example.com', 12)
  expect((await signInAs(service, { email: 'bob@example.com' }, { cookie })).status).toBe(429)
  expect((await signInAs(service, { email: ada.email }, { cookie })).status).toBe(200)
})

test('HTTP Basic credentials of people are counted with their sign-ins', async () => {
  const call = (password: string) =>
    service.call('GET', '/v3/admin/applications', { key: null, headers: basicOf('carol@example.com', password) })
  const answers = await Promise.all(Array.from({ length: 11 }, () => call('wrong')))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(401), 429])
  expect((await signInAs(service, { email: 'carol@example.com' })).status).toBe(429)
})

test('failures are audited under the account, never with the typed password', async () => {
  await wrong('ada@example.com')
  await wrong('typed-my-password-here@example.com')
  const { data } = (await service.call('GET', '/v3/admin/audit?limit=2&action=session.create', { admin: true })).body
  expect(data).toMatchObject([
    { status: 401, person_id: null, person_name: null },
    { status: 401, person_id: ada.id, person_name: ada.email },
  ])
  expect(JSON.stringify(data)).not.toContain('typed-my-password')
  expect(service.logs()).not.toContain(goodPassword)
})
