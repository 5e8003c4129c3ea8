/** `If-None-Overlap`: of concurrent requests for one time of a calendar, one succeeds. */
import { createWaypost, WaypostError } from '@waypost/sdk'
import { engines } from '@waypost/testing/engines'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Account,
  at,
  expectStatus,
  type Fields,
  openAccounts,
  span,
  type TestAccounts,
} from '../../conformance/accounts.ts'
import type { Answer } from '../../harness.ts'

const condition = { 'If-None-Overlap': 'true' }

describe.each(engines)('booking a time once on %s', (engine) => {
  let accounts: TestAccounts
  beforeAll(async () => {
    accounts = await openAccounts({ engine })
  })
  afterAll(() => accounts[Symbol.asyncDispose]())

  type CalendarAccount = Account & { calendarId: string }
  const open = (): Promise<CalendarAccount> => accounts.newCalendarAccount({ timezone: 'Europe/Berlin' })
  const book = (account: CalendarAccount, body: Fields, headers: Record<string, string> = condition): Promise<Answer> =>
    account.post('/events', { title: 'Booking', ...body }, { calendar_id: account.calendarId }, headers)
  const change = (account: CalendarAccount, id: string, body: Fields): Promise<Answer> =>
    accounts.call('PUT', `/v3/grants/${account.grantId}/events/${id}?calendar_id=${account.calendarId}`, {
      body,
      headers: condition,
    })
  const slot = (start: string, minutes = 30) => ({ when: span(`2027-03-01T${start}`, minutes, 'Europe/Berlin') })
  const expectConflict = (answer: Answer): void => {
    const { error } = expectStatus(answer, 409).body
    expect(error).toMatchObject({ type: 'conflict', message: expect.stringContaining('if-none-overlap') })
  }
  const count = async (account: CalendarAccount): Promise<number> => {
    const window = { calendar_id: account.calendarId, start: at('2027-02-01T00:00'), end: at('2027-04-01T00:00') }
    return expectStatus(await account.get('/events', { ...window, limit: 200 }), 200).body.data.length
  }

  test('one of fifty concurrent requests succeeds', async () => {
    const account = await open()
    const answers = await Promise.all(Array.from({ length: 50 }, () => book(account, slot('09:00'))))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers) if (answer.status !== 200) expectConflict(answer)
    expect(await count(account)).toBe(1)
  })

  test('an overlapping event is rejected, and an adjacent one is not', async () => {
    const account = await open()
    expectStatus(await book(account, slot('10:00')), 200)
    for (const [start, minutes] of [
      ['09:45', 30],
      ['10:15', 30],
      ['10:10', 5],
      ['09:00', 180],
    ] as const) {
      expectConflict(await book(account, slot(start, minutes)))
    }
    expectStatus(await book(account, slot('09:30')), 200)
    expectStatus(await book(account, slot('10:30')), 200)
    expectStatus(await book(account, slot('10:00'), {}), 200)
    expectStatus(await book(account, slot('10:00'), { 'If-None-Overlap': 'false' }), 200)
  })

  test("instances of series and all-day events block, in the calendar's time zone; events that are not busy do not", async () => {
    const account = await open()
    const series = { ...slot('12:00'), recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] }
    expectStatus(await book(account, series, {}), 200)
    expectConflict(await book(account, { when: span('2027-03-03T12:10', 5, 'Europe/Berlin') }))
    expectStatus(await book(account, { when: span('2027-03-04T12:10', 5, 'Europe/Berlin') }), 200)
    expectStatus(await book(account, { when: { date: '2027-03-10' } }, {}), 200)
    expectConflict(await book(account, { when: span('2027-03-10T12:00', 5, 'Europe/Berlin') }))
    expectConflict(await book(account, { when: { date: '2027-03-02' } }))
    expectStatus(await book(account, { when: { date: '2027-03-20' }, busy: false }, {}), 200)
    expectStatus(await book(account, { when: span('2027-03-20T12:00', 5, 'Europe/Berlin') }), 200)
    expectStatus(await book(account, { when: { time: at('2027-03-21T12:00') } }, {}), 200)
    expectStatus(await book(account, { when: span('2027-03-21T11:00', 180) }), 200)
  })

  test('an event can be moved to a free time, and does not conflict with itself', async () => {
    const account = await open()
    const first = expectStatus(await book(account, slot('09:00')), 200).body.data
    expectStatus(await book(account, slot('11:00')), 200)
    expectStatus(await change(account, first.id, slot('09:15')), 200)
    expectConflict(await change(account, first.id, slot('10:45')))
    const retained = expectStatus(await account.get(`/events/${first.id}`, { calendar_id: account.calendarId }), 200)
    expect(retained.body.data.when.start_time).toBe(at('2027-03-01T09:15', 'Europe/Berlin'))
    const series = { ...slot('15:00'), recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] }
    const master = expectStatus(await book(account, series, {}), 200).body.data
    const instance = `${master.id}_20270301T140000Z`
    expectConflict(await change(account, instance, slot('11:15')))
    expectStatus(await change(account, instance, slot('15:10')), 200)
  })

  test('a series and an invalid condition are rejected', async () => {
    const account = await open()
    const refused = await book(account, { ...slot('09:00'), recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
    expect(Object.keys(expectStatus(refused, 400).body.error.validation_errors)).toEqual(['if-none-overlap'])
    const misspelt = await book(account, slot('09:00'), { 'If-None-Overlap': 'perhaps' })
    expect(Object.keys(expectStatus(misspelt, 400).body.error.validation_errors)).toEqual(['if-none-overlap'])
    expect(await count(account)).toBe(0)
  })

  test('a retry with an Idempotency-Key gets the first response, and does not conflict with its own booking', async () => {
    const account = await open()
    const keyed = { ...condition, 'Idempotency-Key': `booking-${engine}` }
    const first = expectStatus(await book(account, slot('09:00'), keyed), 200)
    const again = expectStatus(await book(account, slot('09:00'), keyed), 200)
    expect(again.body.data.id).toBe(first.body.data.id)
    const without = await book(account, slot('09:00'), { 'Idempotency-Key': `booking-${engine}` })
    expect(expectStatus(without, 409).body.error.type).toBe('api.invalid_idempotent_request')
  })
})

test('the SDK sends the condition', async () => {
  await using accounts = await openAccounts({ engine: 'sqlite' })
  const account = await accounts.newCalendarAccount()
  const waypost = createWaypost({ apiKey: accounts.key, baseUrl: await accounts.service.listen() })
  const booking = {
    grant_id: account.grantId,
    query: { calendar_id: account.calendarId },
    headers: { 'if-none-overlap': true },
    body: { when: { start_time: 1_798_880_400, end_time: 1_798_884_000 } },
  }
  await waypost.events.create(booking)
  const refused = await waypost.events.create(booking).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(WaypostError)
  expect(refused).toMatchObject({ status: 409, type: 'conflict', temporary: false })
})
