/**
 * Availability through the HTTP API with virtual accounts, on both stores. A1 to A14 are the worked examples of the
 * contract.
 */

import { oneEngineFor } from '@waypost/testing/engines'
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

const zone = 'America/New_York'
const local = (time: string): number => at(`2026-06-01T${time}`, zone)
const collective = { availability_method: 'collective' }

describe.each(oneEngineFor(import.meta.url))('availability on %s', (engine) => {
  let accounts: TestAccounts
  /** Ann is busy from 9:30 to 10:00, Bob from 11:00 to 11:15; Cleo is free. */
  let ann: Account
  let bob: Account
  let cleo: Account
  beforeAll(async () => {
    accounts = await openAccounts({ engine })
    const account = async (email: string): Promise<Account> => {
      const account = await accounts.newAccount(email)
      await account.createCalendar({ timezone: zone })
      return account
    }
    ann = await account('ann@x.test')
    bob = await account('bob@x.test')
    cleo = await account('cleo@x.test')
    await ann.create('primary', { when: span('2026-06-01T09:30', 30, zone) })
    await bob.create('primary', { when: span('2026-06-01T11:00', 15, zone) })
  })
  afterAll(() => accounts[Symbol.asyncDispose]())

  const both = [{ email: 'ann@x.test' }, { email: 'bob@x.test' }]
  const alone = [{ email: 'cleo@x.test' }]
  const ask = (fields: Fields, rules?: Fields, key = accounts.key) =>
    accounts.call('POST', '/v3/calendars/availability', {
      key,
      body: {
        start_time: local('09:00'),
        end_time: local('12:00'),
        duration_minutes: 30,
        interval_minutes: 30,
        participants: both,
        ...(rules ? { availability_rules: rules } : {}),
        ...fields,
      },
    })
  const find = async (fields: Fields, rules?: Fields, key?: string): Promise<Json> =>
    expectStatus(await ask(fields, rules, key), 200).body.data
  const clock = (time: number): string => wall(time, zone).slice(11)
  const starts = async (fields: Fields, rules?: Fields): Promise<string> =>
    (await find(fields, rules)).time_slots.map((slot: Json) => clock(slot.start_time)).join(' ')
  const utc = async (fields: Fields, rules?: Fields): Promise<string[]> =>
    (await find(fields, rules)).time_slots.map((slot: Json) => wall(slot.start_time))
  const attended = ({ time_slots }: Json): string =>
    time_slots
      .map((slot: Json) => `${clock(slot.start_time)} ${slot.emails.map((email: string) => email[0]).join('')}`)
      .join(', ')

  test('A1: collective returns the times that suit everybody', async () => {
    expect(await starts({}, collective)).toBe('09:00 10:00 10:30 11:30')
    const found = await find({}, collective)
    expect(found).not.toHaveProperty('order')
    expect(found.time_slots[0]).toEqual({
      emails: ['ann@x.test', 'bob@x.test'],
      start_time: local('09:00'),
      end_time: local('09:30'),
    })
  })

  test('A2: buffers leave one time', async () => {
    expect(await starts({}, { ...collective, buffer: { before: 15, after: 15 } })).toBe('11:30')
  })

  test('A3: a start at 9:05 is rounded up', async () => {
    expect(await starts({ start_time: local('09:05') }, collective)).toBe('10:15 11:15')
  })

  test('A4: with steps of ten minutes, rounding returns each quarter hour once, and no rounding keeps the steps', async () => {
    const fields = { interval_minutes: 10, end_time: local('10:00'), participants: alone }
    expect(await starts(fields)).toBe('09:00 09:15 09:30')
    expect(await starts({ ...fields, round_to: 5 })).toBe('09:00 09:10 09:20 09:30')
  })

  test('A5: max-availability, the default method, for people who were never booked', async () => {
    const found = await find({}, { availability_method: 'max-availability' })
    expect(found.order).toEqual(['ann@x.test', 'bob@x.test'])
    expect(attended(found)).toBe('09:00 ab, 09:30 b, 10:00 ab, 10:30 ab, 11:00 a, 11:30 ab')
    expect(await find({})).toEqual(found)
  })

  describe('with a history of bookings under key5', () => {
    let master: Json
    beforeAll(async () => {
      const book = (account: Account) =>
        account.create('primary', { when: span('2026-05-01T09:00', 30), metadata: { key5: 'team' } })
      await book(bob)
      accounts.clock.advance(60_000)
      master = await book(ann)
    })
    const team = { round_robin_group_id: 'team' }

    test('A6: the person booked last comes last', async () => {
      const found = await find({}, team)
      expect(found.order).toEqual(['bob@x.test', 'ann@x.test'])
      expect(attended(found)).toBe('09:00 ba, 09:30 b, 10:00 ba, 10:30 ba, 11:00 a, 11:30 ba')
      expect((await find({}, { round_robin_event_id: 'team' })).order).toEqual(found.order)
      expect((await find({}, { round_robin_group_id: 'other team' })).order).toEqual(['ann@x.test', 'bob@x.test'])
      expect((await find({})).order).toEqual(['ann@x.test', 'bob@x.test'])
    })

    test('A7: max-fairness considers the half that was booked least recently', async () => {
      const found = await find({}, { ...team, availability_method: 'max-fairness' })
      expect(found.order).toEqual(['bob@x.test'])
      expect(attended(found)).toBe('09:00 b, 09:30 b, 10:00 b, 10:30 b, 11:30 b')
    })

    test('A8: max-fairness considers everybody if that half has no time at all', async () => {
      const block = await bob.create('primary', { when: span('2026-06-01T09:00', 180, zone) })
      const found = await find({}, { ...team, availability_method: 'max-fairness' })
      expect(found.order).toEqual(['bob@x.test', 'ann@x.test'])
      expect(attended(found)).toBe('09:00 a, 10:00 a, 10:30 a, 11:00 a, 11:30 a')
      await bob.delete(`/events/${block.id}`)
    })

    test('new people come first, and a deleted booking does not count', async () => {
      const three = { participants: [...both, ...alone] }
      expect((await find(three, team)).order).toEqual(['cleo@x.test', 'bob@x.test', 'ann@x.test'])
      await ann.delete(`/events/${master.id}`)
      expect((await find(three, team)).order).toEqual(['ann@x.test', 'cleo@x.test', 'bob@x.test'])
      // With three people, the fair half is two.
      const fair = await find(three, { ...team, availability_method: 'max-fairness' })
      expect(fair.order).toEqual(['ann@x.test', 'cleo@x.test'])
    })
  })

  const sunday = (date: string, [start, end]: [string, string], minutes: number): Fields => ({
    start_time: at(`${date}T00:00`),
    end_time: at(`${date}T23:00`),
    duration_minutes: minutes,
    interval_minutes: minutes,
    round_to: minutes,
    participants: [{ ...alone[0], open_hours: [{ days: [0], timezone: zone, start, end }] }],
  })
  const hours = (date: string, ...times: string[]): string[] => times.map((time) => `${date}T${time}`)

  test('A9: open hours across the spring clock change have the two hours that exist', async () => {
    expect(await utc(sunday('2026-03-08', ['1:00', '4:00'], 60))).toEqual(hours('2026-03-08', '06:00', '07:00'))
  })

  test('A10: open hours across the autumn clock change have four hours', async () => {
    expect(await utc(sunday('2026-11-01', ['1:00', '4:00'], 60))).toEqual(
      hours('2026-11-01', '05:00', '06:00', '07:00', '08:00'),
    )
  })

  test('A11: open hours that end in the repeated hour end with its second pass', async () => {
    expect(await utc(sunday('2026-11-01', ['0:00', '1:30'], 30))).toEqual(
      hours('2026-11-01', '04:00', '04:30', '05:00', '05:30', '06:00'),
    )
  })

  describe('A12 and A13', () => {
    const special = {
      ...alone[0],
      open_hours: [{ days: [1, 2, 3], timezone: zone, start: '9:00', end: '11:00', exdates: ['2026-06-02'] }],
      specific_time_availability: [{ date: '2026-06-03', start: '14:00', end: '15:00', timezone: zone }],
    }
    const threeDays = {
      start_time: at('2026-06-01T00:00', zone),
      end_time: at('2026-06-04T00:00', zone),
      duration_minutes: 60,
      interval_minutes: 60,
    }

    test('an excluded date is closed, and a specific time replaces the hours of its date', async () => {
      expect(await utc({ ...threeDays, participants: [special] })).toEqual([
        '2026-06-01T13:00',
        '2026-06-01T14:00',
        '2026-06-03T18:00',
      ])
    })

    test('only specific times', async () => {
      const only = { ...special, only_specific_time_availability: true }
      expect(await utc({ ...threeDays, participants: [only] })).toEqual(['2026-06-03T18:00'])
    })

    test('default open hours apply to participants without their own', async () => {
      const default_open_hours = [{ days: [1], timezone: zone, start: '10:00', end: '12:00' }]
      const found = await utc({ ...threeDays, participants: alone }, { default_open_hours })
      expect(found).toEqual(['2026-06-01T14:00', '2026-06-01T15:00'])
      const own = await utc({ ...threeDays, participants: [special] }, { default_open_hours })
      expect(own).toHaveLength(3)
    })
  })

  test('A14: a meeting may start when another ends', async () => {
    const block = await cleo.create('primary', { when: span('2026-06-01T09:00', 30, zone) })
    expect(await starts({ participants: alone })).toBe('09:30 10:00 10:30 11:00 11:30')
    await cleo.delete(`/events/${block.id}`)
  })

  test('series, whole days and other named calendars block time', async () => {
    const account = await accounts.newAccount('dora@x.test')
    await account.createCalendar({ timezone: zone })
    const other = await account.createCalendar({ timezone: zone })
    await account.create('primary', {
      when: span('2026-05-25T09:00', 60, zone),
      recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'],
    })
    await account.create(other.id, { when: span('2026-06-01T11:00', 60, zone) })
    const participants = [{ email: 'dora@x.test' }]
    expect(await starts({ participants })).toBe('10:00 10:30 11:00 11:30')
    const named = [{ email: 'dora@x.test', calendar_ids: ['primary', other.id] }]
    expect(await starts({ participants: named })).toBe('10:00 10:30')
    expect(await starts({ participants: [{ grant_id: account.grantId }] })).toBe('10:00 10:30 11:00 11:30')
    const day = await account.create('primary', { when: { date: '2026-06-01' }, busy: false })
    expect(await starts({ participants })).toBe('10:00 10:30 11:00 11:30')
    await account.change('primary', day.id, { busy: true })
    expect(await find({ participants })).toEqual({ time_slots: [], order: ['dora@x.test'] })
  })

  test('a meeting outside the window blocks time inside it with its buffer', async () => {
    const account = await accounts.newAccount('eve@x.test')
    await account.createCalendar()
    await account.create('primary', { when: span('2026-06-01T08:00', 60, zone) })
    await account.create('primary', { when: span('2026-06-01T12:00', 60, zone) })
    const participants = [{ email: 'eve@x.test' }]
    expect(await starts({ participants })).toBe('09:00 09:30 10:00 10:30 11:00 11:30')
    expect(await starts({ participants }, { buffer: { before: 30, after: 30 } })).toBe('09:30 10:00 10:30 11:00')
  })

  test('null means absent, and round_to_30_minutes is the old name of a rounding', async () => {
    const nulls = { interval_minutes: null, round_to: null, round_to_30_minutes: null }
    expect(await starts({ ...nulls, availability_rules: null, participants: alone })).toBe(
      '09:00 09:30 10:00 10:30 11:00 11:30',
    )
    const fields = { start_time: local('09:05'), interval_minutes: 15, participants: alone }
    expect(await starts({ ...fields, round_to_30_minutes: true })).toBe('09:30 10:00 10:30 11:00 11:30')
    expect(await starts({ ...fields, round_to_30_minutes: true, round_to: 15 })).toMatch(/^09:15 09:30/)
  })

  test('an empty list means absent too: the primary calendar and the default open hours are used', async () => {
    const participants = [
      { email: 'ann@x.test', grant_id: null, calendar_ids: [], open_hours: [], specific_time_availability: [] },
    ]
    const hours = { days: [1], timezone: zone, start: '9:00', end: '11:00', exdates: [] }
    expect(await starts({ participants })).toBe('09:00 10:00 10:30 11:00 11:30')
    expect(await starts({ participants }, { default_open_hours: [] })).toBe('09:00 10:00 10:30 11:00 11:30')
    expect(await starts({ participants }, { default_open_hours: [hours] })).toBe('09:00 10:00 10:30')
  })

  test('an access token can query its own grant like the API key, and no other grant', async () => {
    const token = await accounts.tokenOf(ann)
    const own = [{ grant_id: ann.grantId, email: null }]
    expect(await find({ participants: own }, collective, token)).toEqual(await find({ participants: own }, collective))
    for (const other of [{ email: 'bob@x.test' }, { grant_id: cleo.grantId }, { email: 'nobody@x.test' }]) {
      expectStatus(await ask({ participants: [...own, other] }, collective, token), 403)
    }
  })

  test('an unknown participant or an invalid calendar rejects the whole request by name', async () => {
    expectRefusal(await ask({ participants: [...both, { email: 'ghost@x.test' }] }), /ghost@x\.test/)
    expectRefusal(await ask({ participants: [{ grant_id: crypto.randomUUID() }] }), /participants\.0/)
    const empty = await accounts.newAccount('empty@x.test')
    expectRefusal(await ask({ participants: [{ email: empty.email }] }), /empty@x\.test/)
    expectRefusal(await ask({ participants: [{ email: 'ann@x.test', calendar_ids: ['unknown'] }] }), /ann@x\.test/)
    const other = await accounts.service.createApplication('Stranger')
    await accounts.service.createGrant('stranger@x.test', other.key)
    expectRefusal(await ask({ participants: [{ email: 'stranger@x.test' }] }), /stranger@x\.test/)
  })

  test('an account with two addresses is one participant', async () => {
    expectRefusal(await ask({ participants: [...both, { grant_id: ann.grantId }] }), /participants\.2\.email.*twice/)
    expectRefusal(await ask({ participants: [...both, { email: ' Ann@x.test ' }] }), /participants\.2\.email.*twice/)
  })

  const wrong: [string, Fields, Fields | undefined, RegExp][] = [
    ['no participants', { participants: [] }, undefined, /participants/],
    ['more than fifty', { participants: Array(51).fill({ email: 'ann@x.test' }) }, undefined, /participants/],
    ['somebody twice', { participants: [...both, { email: 'ANN@x.test' }] }, undefined, /twice/],
    ['nobody', { participants: [{}] }, undefined, /email or grant_id/],
    ['an end before the start', { end_time: local('08:00') }, undefined, /end_time/],
    ['a start off the five minutes', { start_time: local('09:00') + 1 }, undefined, /300/],
    ['milliseconds', { start_time: local('09:00') * 1000 }, undefined, /milliseconds/],
    ['four months', { end_time: local('09:00') + 120 * 86_400 }, undefined, /end_time/],
    ['seven minutes', { duration_minutes: 7 }, undefined, /duration_minutes/],
    ['no duration', { duration_minutes: 0 }, undefined, /duration_minutes/],
    ['a rounding to 7', { round_to: 7 }, undefined, /round_to/],
    ['a rounding to 65', { round_to: 65 }, undefined, /round_to/],
    ['a buffer of 7', {}, { buffer: { before: 7 } }, /buffer/],
    ['a buffer of 125', {}, { buffer: { after: 125 } }, /buffer/],
    ['a negative buffer', {}, { buffer: { before: -5 } }, /buffer/],
    ['an unknown method', {}, { availability_method: 'best' }, /availability_method/],
    [
      'the eighth day',
      {},
      { default_open_hours: [{ days: [7], timezone: zone, start: '9:00', end: '10:00' }] },
      /days/,
    ],
    [
      'hours that end first',
      {},
      { default_open_hours: [{ days: [1], timezone: zone, start: '9:00', end: '9:00' }] },
      /end/,
    ],
    [
      'a zone of Mars',
      {},
      { default_open_hours: [{ days: [1], timezone: 'Mars', start: '9:00', end: '10:00' }] },
      /timezone/,
    ],
  ]
  test.each(wrong)('%s is rejected', async (_, fields, rules, message) => {
    expectRefusal(await ask(fields, rules), message)
  })

  test('options of the previous version are not accepted', async () => {
    expectStatus(await accounts.call('POST', '/v3/calendars/availability/consecutive', { body: {} }), 404)
  })
})
