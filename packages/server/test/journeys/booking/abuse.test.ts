/** Hostile input to the public routes: nothing is booked, nothing fails, and the response names the field. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Json } from '../../conformance/accounts.ts'
import type { Answer } from '../../harness.ts'
import { type BookingTenant, type GuestFixture, openGuestFixture } from './guest-fixture.ts'

let fixture: GuestFixture
let tenant: BookingTenant
let page: Json
let slot: { start_time: number; end_time: number }
const person = { name: 'Grace', email: 'grace@example.com' }
beforeAll(async () => {
  fixture = await openGuestFixture()
  tenant = await fixture.newTenant()
  page = await tenant.createPage({
    scheduler: {
      additional_fields: {
        words: { label: 'Words', type: 'text', required: false, pattern: '(a+)+$' },
        choice: { label: 'Choice', type: 'dropdown', required: false, options: ['one', 'two'] },
      },
    },
  })
  slot = (await fixture.freeTimes(page.id))[3] ?? { start_time: 0, end_time: 0 }
})
afterAll(() => fixture[Symbol.asyncDispose]())

const book = (body: unknown, headers?: Record<string, string>): Promise<Answer> =>
  fixture.guest('POST', `bookings?configuration_id=${page.id}`, { body, ...(headers ? { headers } : {}) })
const bookedCount = async (): Promise<number> =>
  (await fixture.service.call('GET', '/v3/scheduling/bookings', { key: tenant.key })).body.data.length

const deep = (depth: number): unknown => (depth === 0 ? 'x' : { x: deep(depth - 1) })
const wide = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`field${n}`, 'x']))

describe('a booking is refused, and the response names the field', () => {
  test.each<[what: string, field: string, change: object]>([
    ['a start that is no number', 'start_time', { start_time: 'NaN' }],
    ['a start in another notation', 'start_time', { start_time: '1e9' }],
    ['a fraction', 'start_time', { start_time: 1.5 }],
    ['a negative start', 'start_time', { start_time: -1 }],
    ['a start beyond all calendars', 'start_time', { start_time: 1e18 }],
    ['a start beyond safe integers', 'start_time', { start_time: '99999999999999999999' }],
    ['no start', 'start_time', { start_time: null }],
    ['a list as a start', 'start_time', { start_time: [1] }],
    ['no guest', 'guest', { guest: null }],
    ['a guest without an address', 'guest.email', { guest: { name: 'Grace', email: 'grace' } }],
    ['an address with a line break', 'guest.email', { guest: { name: 'G', email: 'g@x.org\r\nBcc: e@x.org' } }],
    ['a name with a line break', 'guest.name', { guest: { ...person, name: 'Grace\r\nBcc: eve@example.com' } }],
    ['a name with a control character', 'guest.name', { guest: { ...person, name: 'Gr\u0000ace' } }],
    ['a name without end', 'guest.name', { guest: { ...person, name: 'x'.repeat(100_000) } }],
    ['an empty name', 'guest.name', { guest: { ...person, name: '' } }],
    ['a time zone of another planet', 'timezone', { timezone: 'Mars/Olympus' }],
    ['an unknown language', 'email_language', { email_language: 'xx-\r\n' }],
    ['many additional guests', 'additional_guests', { additional_guests: Array(21).fill(person) }],
    ['an additional guest with a line break', 'additional_guests', { additional_guests: [{ email: 'a@x.org\n' }] }],
    ['a participant of nobody', 'participants', { participants: [{ email: 'stranger@example.com' }] }],
    ['nested fields', 'additional_fields', { additional_fields: { words: deep(5) } }],
    ['many fields', 'additional_fields', { additional_fields: wide }],
    ['a field without end', 'additional_fields', { additional_fields: { words: 'a'.repeat(100_000) } }],
    ['an option that is not offered', 'additional_fields', { additional_fields: { choice: 'three' } }],
    ['a value for a slow pattern', 'additional_fields', { additional_fields: { words: `${'a'.repeat(60)}!` } }],
  ])('%s', async (_what, field, change) => {
    const answer = await book({ ...slot, guest: person, ...change })
    expect(answer.status).toBe(400)
    expect(['invalid_request_error', 'api.invalid_request_payload']).toContain(answer.body.error.type)
    expect(answer.body.error.message).toContain(field)
    expect(await bookedCount()).toBe(0)
  })

  test('names of built-in properties are ordinary keys', async () => {
    const text = JSON.stringify({ ...slot, guest: person }).replace(/}$/, ',"additional_fields":{"__proto__":"x"}}')
    const answer = await book(text)
    expect([200, 400]).toContain(answer.status)
    expect(({} as Json).x).toBeUndefined()
    if (answer.status === 200) {
      await fixture.guest('DELETE', `bookings/${answer.body.data.booking_id}?configuration_id=${page.id}`)
    }
  })
})

test('times in the past, far ahead, beside the grid or of another length are unavailable', async () => {
  const { start_time, end_time } = slot
  for (const wrong of [
    { start_time: 1800, end_time: 3600 },
    { start_time: start_time + 365 * 86_400, end_time: end_time + 365 * 86_400 },
    { start_time: start_time + 60, end_time: end_time + 60 },
    { start_time, end_time: end_time + 1800 },
    { start_time, end_time: start_time },
    { start_time: end_time, end_time: start_time },
  ]) {
    const answer = await book({ ...wrong, guest: { ...person, email: 'other@example.com' } })
    expect(answer.status, JSON.stringify(wrong)).toBe(400)
    expect(['timeslot_not_available', 'invalid_request_error']).toContain(answer.body.error.type)
  }
})

test('bodies of other types, broken ones and other methods are refused without a failure', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  for (const [body, headers] of [
    ['{"start_time":', undefined],
    ['[]', undefined],
    ['null', undefined],
    ['"text"', undefined],
    [`${'['.repeat(50_000)}`, undefined],
    ['start_time=1', form],
    ['<booking/>', { 'content-type': 'application/xml' }],
    ['\u0000\u0001', undefined],
  ] as const) {
    const answer = await book(body, headers)
    expect([400, 415], body.slice(0, 20)).toContain(answer.status)
    expect(answer.body.error).toHaveProperty('type')
  }
  for (const [method, path] of [
    ['PUT', 'bookings'],
    ['DELETE', 'availability'],
    ['POST', 'ui-settings'],
    ['POST', `bookings/${randomUUID()}`],
    ['PATCH', 'sessions'],
  ] as const) {
    const answer = await fixture.guest(method, path, { body: {} })
    expect([404, 405], `${method} ${path}`).toContain(answer.status)
  }
})

test('invalid windows and very long ones are refused', async () => {
  const at = `configuration_id=${page.id}`
  for (const window of [
    '',
    '&start_time=x&end_time=y',
    '&start_time=NaN&end_time=Infinity',
    '&start_time=-1&end_time=1',
    '&start_time=1e9&end_time=2e9',
    '&start_time=99999999999999999999&end_time=99999999999999999999',
  ]) {
    const answer = await fixture.guest('GET', `availability?${at}${window}`)
    expect(answer.status, window).toBe(400)
  }
  const endless = await fixture.guest('GET', `availability?${at}&start_time=0&end_time=253402300799`)
  expect([200, 400]).toContain(endless.status)
  if (endless.status === 200) {
    const horizon = Date.now() / 1000 + 32 * 86_400
    expect(endless.body.data.time_slots.every((each: Json) => each.start_time < horizon)).toBe(true)
  }
})

test('a reference that is used again changes nothing', async () => {
  const requested = await tenant.createPage({
    event_booking: { title: 'Replay', timezone: 'UTC', disable_emails: true, booking_type: 'organizer-confirmation' },
  })
  const times = await fixture.freeTimes(requested.id)
  const at = `configuration_id=${requested.id}`
  const made = await fixture.guest('POST', `bookings?${at}`, { body: { ...times[20], guest: person } })
  const id = made.body.data.booking_id
  const known = await fixture.service.call('GET', `/v3/scheduling/bookings/${id}`, { key: tenant.key })
  const salt = Buffer.from(known.body.data.booking_ref, 'base64url').subarray(32).toString('base64url')
  const decide = (status: string): Promise<Answer> =>
    fixture.guest('PUT', `bookings/${id}?${at}`, { body: { status, salt } })
  const statusOf = async (): Promise<string> =>
    (await fixture.service.call('GET', `/v3/scheduling/bookings/${id}`, { key: tenant.key })).body.data.status
  expect((await decide('confirmed')).status).toBe(200)
  expect([200, 400]).toContain((await decide('confirmed')).status)
  expect(await statusOf()).toBe('booked')
  expect((await fixture.guest('DELETE', `bookings/${id}?${at}`, { body: {} })).status).toBe(200)
  for (const answer of [await decide('confirmed'), await decide('cancelled')]) expect(answer.status).not.toBe(500)
  const moved = await fixture.guest('PATCH', `bookings/${id}?${at}`, { body: { ...times[22] } })
  expect([400, 404]).toContain(moved.status)
  expect(await statusOf()).toBe('cancelled')
})

/** Everything in a response that an attacker could compare. */
function appearanceOf({ status, headers, body }: Answer): Json {
  const { request_id: _id, ...rest } = body
  const shown = Object.fromEntries(Array.from(headers).filter(([name]) => !/^(?:x-request-id|date|etag)$/.test(name)))
  return { status, headers: shown, body: rest }
}

/** The distinct responses. */
const polls = (answers: readonly Answer[]): string[] => [
  ...new Set(answers.map((each) => JSON.stringify(appearanceOf(each)))),
]

describe('responses do not reveal', () => {
  let stranger: BookingTenant
  let hidden: Json
  let booking: Json
  let elsewhere: Json
  beforeAll(async () => {
    stranger = await fixture.newTenant()
    hidden = await stranger.createPage({ requires_session_auth: true, slug: 'hidden' })
    const other = await stranger.createPage()
    const [first, second] = await fixture.freeTimes(other.id)
    const answer = (which: unknown) =>
      fixture.guest('POST', `bookings?configuration_id=${other.id}`, { body: { ...(which as object), guest: person } })
    elsewhere = (await answer(first)).body.data
    await answer(second)
    booking = (await book({ ...slot, guest: person })).body.data
    expect([elsewhere.status, booking.status]).toEqual(['booked', 'booked'])
  })

  const now = Math.floor(Date.now() / 1000)
  const window = `start_time=${now}&end_time=${now + 86_400}`

  test.each([
    ['GET', (at: string) => `ui-settings?${at}`],
    ['GET', (at: string) => `availability?${at}&${window}`],
    ['POST', (at: string) => `bookings?${at}`],
  ] as const)('whether a configuration exists, is private or was deleted (%s)', async (method, path) => {
    const gone = await stranger.createPage()
    await fixture.service.call('DELETE', `/v3/grants/${stranger.grant}/scheduling/configurations/${gone.id}`, {
      key: stranger.key,
    })
    const body = method === 'POST' ? { body: { ...slot, guest: person } } : {}
    const answers = await Promise.all(
      [
        `configuration_id=${randomUUID()}`,
        `configuration_id=${hidden.id}`,
        `configuration_id=${gone.id}`,
        'configuration_id=nonsense',
        `slug=hidden&client_id=${stranger.id}`,
        `slug=hidden&client_id=${tenant.id}`,
        `slug=nothing&client_id=${stranger.id}`,
        `slug=nothing&client_id=${randomUUID()}`,
      ].map((at) => fixture.guest(method, path(at), body)),
    )
    expect(polls(answers)).toHaveLength(1)
    expect(answers[0]).toMatchObject({ status: 404, body: { error: { type: 'not_found_error' } } })
  })

  test.each([
    ['GET', undefined],
    ['DELETE', {}],
    ['PATCH', { start_time: 2_000_000_000, end_time: 2_000_001_800 }],
    ['PUT', { salt: 'AAAAAAAAAAAAAAAAAAAAAA', status: 'confirmed' }],
  ] as const)('whether a booking exists elsewhere (%s)', async (method, body) => {
    const answers = await Promise.all(
      [randomUUID(), elsewhere.booking_id, 'nonsense', booking.booking_id.replace(/.$/, 'g')].map((id) =>
        fixture.guest(method, `bookings/${id}?configuration_id=${page.id}`, body ? { body } : {}),
      ),
    )
    expect(polls(answers)).toHaveLength(1)
    expect(answers[0]?.status).toBe(404)
    // The booking id, requested with the page of another tenant.
    const foreign = await fixture.guest(
      method,
      `bookings/${booking.booking_id}?configuration_id=${elsewhere.configuration_id}`,
      body ? { body } : {},
    )
    expect(polls([foreign])).toEqual(polls(answers))
  })

  test('whether a session existed, ended or belongs to another configuration', async () => {
    const create = async (configuration_id: string): Promise<string> =>
      (await fixture.service.call('POST', '/v3/scheduling/sessions', { key: stranger.key, body: { configuration_id } }))
        .body.data.session_id
    const ended = await create(hidden.id)
    await fixture.service.call('DELETE', `/v3/scheduling/sessions/${ended}`, { key: stranger.key })
    const open = await create(hidden.id)
    const wrong = [randomUUID(), ended, `${open.slice(0, -1)}${open.endsWith('A') ? 'B' : 'A'}`, `${open}x`]
    const answers = await Promise.all(
      wrong.map((session) => fixture.guest('GET', `availability?${window}`, { session })),
    )
    answers.push(await fixture.guest('GET', `availability?${window}&configuration_id=${page.id}`, { session: open }))
    answers.push(await fixture.guest('GET', `bookings/${booking.booking_id}`, { session: randomUUID() }))
    expect(polls(answers)).toHaveLength(1)
    expect(answers[0]).toMatchObject({ status: 401, body: { error: { type: 'invalid_session' } } })
    expect((await fixture.guest('GET', `availability?${window}`, { session: open })).status).toBe(200)
    // A session opens no other route.
    for (const path of ['/v3/grants', `/v3/grants/${stranger.grant}/scheduling/configurations`, '/v3/applications']) {
      expect((await fixture.service.call('GET', path, { key: open })).status).toBe(401)
    }
  })

  test('which salt is correct: ten wrong ones end the guessing', async () => {
    const requested = await tenant.createPage({
      event_booking: { title: 'Ask', timezone: 'UTC', disable_emails: true, booking_type: 'organizer-confirmation' },
    })
    const times = await fixture.freeTimes(requested.id)
    const answer = await fixture.guest('POST', `bookings?configuration_id=${requested.id}`, {
      body: { ...times[10], guest: person },
    })
    const { booking_id, status } = answer.body.data
    expect(status).toBe('pending')
    // Guests must not be able to confirm, so no response to a guest contains the salt.
    const shown = await fixture.guest('GET', `bookings/${booking_id}?configuration_id=${requested.id}`)
    const settings = await fixture.guest('GET', `ui-settings?configuration_id=${requested.id}&booking_id=${booking_id}`)
    const known = await fixture.service.call('GET', `/v3/scheduling/bookings/${booking_id}`, { key: tenant.key })
    const salt = Buffer.from(known.body.data.booking_ref, 'base64url').subarray(32).toString('base64url')
    expect(salt).toHaveLength(22)
    for (const each of [answer, shown, settings]) {
      expect(JSON.stringify(each.body)).not.toContain(salt)
      expect(JSON.stringify(each.body)).not.toContain(known.body.data.booking_ref)
    }
    const confirm = (guess: string | undefined): Promise<Answer> =>
      fixture.guest('PUT', `bookings/${booking_id}?configuration_id=${requested.id}`, {
        body: { status: 'confirmed', ...(guess === undefined ? {} : { salt: guess }) },
      })
    const guesses = [
      undefined,
      '',
      'A'.repeat(22),
      salt.slice(0, -1),
      `${salt}A`,
      salt.toLowerCase() === salt ? salt.toUpperCase() : salt.toLowerCase(),
    ]
    const answers = await Promise.all(guesses.map(confirm))
    expect(polls(answers)).toHaveLength(1)
    expect(answers[0]?.status).toBe(404)
    let last = answers[0]
    for (let n = 0; n < 20 && last?.status !== 429; n++) last = await confirm(randomUUID().slice(0, 22))
    expect(last?.status).toBe(429)
    expect(last?.headers.get('retry-after')).toMatch(/^\d+$/)
    expect((await confirm(salt)).status).toBe(429)
    const after = await fixture.service.call('GET', `/v3/scheduling/bookings/${booking_id}`, { key: tenant.key })
    expect(after.body.data.status).toBe('pending')
  })
})
