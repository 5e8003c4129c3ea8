/** Free/busy of virtual accounts, on both stores. */

import { oneEngineFor } from '@waypost/testing/engines'
import { sql } from '@waypost/testing/statement'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Account,
  at,
  expectRefusal,
  expectStatus,
  type Fields,
  type Json,
  openAccounts,
  span,
  type TestAccounts,
  wall,
} from '../../conformance/accounts.ts'

const newYork = 'America/New_York'
const document = sql<{ document: string }>('test.document', 'select document from events where id = $1')
const rewrite = sql('test.rewrite', 'update events set document = $2 where id = $1')

describe.each(oneEngineFor(import.meta.url))('free/busy on %s', (engine) => {
  let accounts: TestAccounts
  beforeAll(async () => {
    accounts = await openAccounts({ engine })
  })
  afterAll(() => accounts[Symbol.asyncDispose]())

  const window = { start_time: at('2026-06-01T00:00'), end_time: at('2026-06-08T00:00') }
  const ask = (account: Account, fields: Fields = {}) =>
    account.post('/calendars/free-busy', { ...window, emails: [account.email], ...fields })
  /** The busy times of the first address. */
  const busy = async (account: Account, fields: Fields = {}, zone?: string): Promise<string[]> => {
    const [element] = expectStatus(await ask(account, fields), 200).body.data
    return element.time_slots.map((slot: Json) => `${wall(slot.start_time, zone)} ${wall(slot.end_time, zone)}`)
  }
  /** Writes fields of an event that no client can write, as an import would. */
  const force = async (id: string, fields: Fields): Promise<void> => {
    const { database } = accounts.service.services.storage
    const row = await database.get(document, [id])
    await database.run(rewrite, [id, JSON.stringify({ ...JSON.parse(row?.document ?? '{}'), ...fields })])
  }

  test('returns a result for each address in order, found or not', async () => {
    const [ann, bob] = [await accounts.newCalendarAccount(), await accounts.newCalendarAccount()]
    const nobody = await accounts.newAccount()
    await bob.create('primary', { title: 'Secret', when: span('2026-06-02T09:00') })
    const emails = ['ghost@x.test', bob.email.toUpperCase(), nobody.email, ann.email, bob.email]
    const answer = expectStatus(await ask(ann, { emails }), 200)
    const slot = {
      start_time: at('2026-06-02T09:00'),
      end_time: at('2026-06-02T10:00'),
      status: 'busy',
      object: 'time_slot',
    }
    expect(answer.body.data).toEqual([
      { email: 'ghost@x.test', object: 'error', error: 'no calendar found for ghost@x.test' },
      { email: bob.email.toUpperCase(), object: 'free_busy', time_slots: [slot] },
      { email: nobody.email, object: 'error', error: `no calendar found for ${nobody.email}` },
      { email: ann.email, object: 'free_busy', time_slots: [] },
      { email: bob.email, object: 'free_busy', time_slots: [slot] },
    ])
    expect(JSON.stringify(answer.body)).not.toContain('Secret')
  })

  test('finds only accounts of its own application', async () => {
    const ann = await accounts.newCalendarAccount()
    const other = await accounts.service.createApplication('Stranger')
    const { id } = await accounts.service.createGrant('stranger@x.test', other.key)
    await accounts.service.call('POST', `/v3/grants/${id}/calendars`, { key: other.key, body: { name: 'x' } })
    const [element] = (await ask(ann, { emails: ['stranger@x.test'] })).body.data
    expect(element).toMatchObject({ object: 'error' })
  })

  test('returns nothing about a blocked account', async () => {
    const [ann, bob] = [await accounts.newCalendarAccount(), await accounts.newCalendarAccount()]
    const path = `/v3/admin/applications/${accounts.applicationId}/grants/${bob.grantId}`
    expectStatus(await accounts.service.call('PATCH', path, { admin: true, body: { blocked: true } }), 200)
    const [element] = (await ask(ann, { emails: [bob.email] })).body.data
    expect(element).toEqual({ email: bob.email, object: 'error', error: `no calendar found for ${bob.email}` })
  })

  test('omits free events and points in time', async () => {
    const ann = await accounts.newCalendarAccount()
    await ann.create('primary', { when: span('2026-06-02T09:00'), busy: false })
    await ann.create('primary', { when: { time: at('2026-06-03T09:00') } })
    expect(await busy(ann)).toEqual([])
  })

  test('reads only the primary calendar', async () => {
    const ann = await accounts.newCalendarAccount()
    const other = await ann.createCalendar()
    await ann.create(other.id, { when: span('2026-06-02T09:00') })
    expect(await busy(ann)).toEqual([])
  })

  test('merges overlapping and adjacent times, and cuts them at the window', async () => {
    const ann = await accounts.newCalendarAccount()
    for (const [start, minutes] of [
      ['2026-05-31T23:00', 120],
      ['2026-06-02T09:00', 60],
      ['2026-06-02T09:30', 60],
      ['2026-06-02T10:30', 30],
      ['2026-06-02T12:00', 30],
      ['2026-06-07T23:30', 60],
    ] as const) {
      await ann.create('primary', { when: span(start, minutes) })
    }
    expect(await busy(ann)).toEqual([
      '2026-06-01T00:00 2026-06-01T01:00',
      '2026-06-02T09:00 2026-06-02T11:00',
      '2026-06-02T12:00 2026-06-02T12:30',
      '2026-06-07T23:30 2026-06-08T00:00',
    ])
  })

  test('expands series with their deleted and moved occurrences', async () => {
    const ann = await accounts.newCalendarAccount()
    const master = await ann.create('primary', {
      when: span('2026-05-31T09:00', 120),
      recurrence: ['RRULE:FREQ=DAILY;COUNT=5'],
    })
    await ann.delete(`/events/${master.id}_20260602T090000Z`)
    await ann.change('primary', `${master.id}_20260603T090000Z`, { when: span('2026-06-05T20:00', 30) })
    await ann.change('primary', `${master.id}_20260604T090000Z`, { busy: false })
    expect(await busy(ann)).toEqual(['2026-06-01T09:00 2026-06-01T11:00', '2026-06-05T20:00 2026-06-05T20:30'])
    // An occurrence that has already started is busy for the rest of its time.
    expect(await busy(ann, { start_time: at('2026-06-01T10:30'), end_time: at('2026-06-01T12:00') })).toEqual([
      '2026-06-01T10:30 2026-06-01T11:00',
    ])
  })

  test('counts whole days in the time zone of the calendar', async () => {
    const ann = await accounts.newCalendarAccount({ timezone: newYork })
    await ann.create('primary', { when: { date: '2026-06-02' } })
    await ann.create('primary', { when: { date: '2026-06-04' }, recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
    expect(await busy(ann, {}, newYork)).toEqual([
      '2026-06-02T00:00 2026-06-03T00:00',
      '2026-06-04T00:00 2026-06-06T00:00',
    ])
  })

  test('treats tentative events as busy unless requested otherwise, and declined ones never', async () => {
    const ann = await accounts.newCalendarAccount()
    const make = async (start: string, fields: Fields): Promise<void> => {
      const { id } = await ann.create('primary', { when: span(start) })
      await force(id, fields)
    }
    const invited = (status: string) => ({
      participants: [{ email: ann.email.toUpperCase(), name: null, comment: null, phone_number: null, status }],
    })
    await make('2026-06-01T09:00', { status: 'maybe' })
    await make('2026-06-02T09:00', invited('maybe'))
    await make('2026-06-03T09:00', invited('no'))
    await make('2026-06-04T09:00', invited('yes'))
    await make('2026-06-05T09:00', invited('noreply'))
    await make('2026-06-06T09:00', { status: 'cancelled' })
    const days = async (fields: Fields) => (await busy(ann, fields)).map((text) => text.slice(8, 10))
    expect(await days({})).toEqual(['01', '02', '04', '05'])
    expect(await days({ tentative_as_busy: true })).toEqual(['01', '02', '04', '05'])
    expect(await days({ tentative_as_busy: null })).toEqual(['01', '02', '04', '05'])
    expect(await days({ tentative_as_busy: false })).toEqual(['04', '05'])
  })

  test('reports an overfull calendar only for its own address', async () => {
    const [ann, bob] = [await accounts.newCalendarAccount(), await accounts.newCalendarAccount()]
    await ann.create('primary', { when: span('2026-06-01T09:00') })
    const every = (count: number): string => Array.from({ length: count }, (_, index) => index).join()
    await bob.create('primary', {
      when: span('2026-01-01T00:00', 1),
      recurrence: [`RRULE:FREQ=DAILY;BYHOUR=${every(24)};BYMINUTE=${every(40)}`],
    })
    const answer = await ask(ann, { end_time: window.start_time + 90 * 86_400, emails: [bob.email, ann.email] })
    expect(expectStatus(answer, 200).body.data).toMatchObject([
      { email: bob.email, object: 'error', error: expect.stringContaining('shorter') },
      { email: ann.email, object: 'free_busy', time_slots: [{}] },
    ])
  })

  test('rejects invalid requests', async () => {
    const ann = await accounts.newCalendarAccount()
    const { start_time } = window
    expectRefusal(await ask(ann, { end_time: start_time }), /end_time/)
    expectRefusal(await ask(ann, { end_time: start_time - 1 }), /end_time/)
    expectRefusal(await ask(ann, { end_time: start_time + 100 * 86_400 }), /three months/)
    expectRefusal(await ask(ann, { start_time: start_time * 1000 }), /milliseconds/)
    expectRefusal(await ask(ann, { emails: [] }), /emails/)
    expectRefusal(await ask(ann, { emails: 'ann@x.test' }), /emails/)
    expectRefusal(await ask(ann, { emails: Array.from({ length: 51 }, (_, i) => `a${i}@x.test`) }), /emails/)
    expectRefusal(await ann.post('/calendars/free-busy', {}), /start_time/)
  })
})
