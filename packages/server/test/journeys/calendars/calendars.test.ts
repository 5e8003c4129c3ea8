/** Calendars of virtual accounts as users see them, on both stores. */

import { enginesFor } from '@waypost/testing/engines'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Account,
  expectRefusal,
  expectStatus,
  ids,
  noon,
  openAccounts,
  pagesOf,
  span,
  type TestAccounts,
} from '../../conformance/accounts.ts'

describe.each(enginesFor(import.meta.url))('calendars on %s', (engine) => {
  let accounts: TestAccounts
  beforeAll(async () => {
    accounts = await openAccounts({ engine })
  })
  afterAll(() => accounts[Symbol.asyncDispose]())

  describe('a new account', () => {
    test('has no calendar, and `primary` is not found until one is created', async () => {
      const account = await accounts.newAccount()
      expect((await account.get('/calendars')).body.data).toEqual([])
      for (const name of ['primary', account.email]) {
        const path = `/calendars/${encodeURIComponent(name)}`
        expectStatus(await account.get(path), 404)
        expectStatus(await account.put(path, { name: 'x' }), 404)
        expectStatus(await account.delete(path), 404)
        expectStatus(await account.get('/events', { calendar_id: name }), 404)
        expectStatus(await account.post('/events', { when: span('2026-06-02T09:00') }, { calendar_id: name }), 404)
      }
    })

    test('makes its first calendar the primary one permanently', async () => {
      const account = await accounts.newAccount()
      const first = await account.createCalendar({ name: 'First' })
      const second = await account.createCalendar({ name: 'Second' })
      expect(first).toEqual({
        id: expect.any(String),
        grant_id: account.grantId,
        object: 'calendar',
        name: 'First',
        description: null,
        location: null,
        timezone: 'UTC',
        hex_color: null,
        hex_foreground_color: null,
        is_owned_by_user: true,
        is_primary: true,
        read_only: null,
        metadata: {},
      })
      expect(second).toMatchObject({ is_primary: false, read_only: null })
      for (const name of ['primary', account.email, account.email.toUpperCase()]) {
        const answer = await account.get(`/calendars/${encodeURIComponent(name)}`)
        expect(expectStatus(answer, 200).body.data).toEqual(first)
      }
      expectStatus(await account.get('/calendars/default'), 404)
      const tried = await account.put(`/calendars/${second.id}`, { is_primary: true, read_only: true, id: 'x' })
      expect(tried.body.data).toEqual(second)
      expect(tried.headers.get('x-ignored-fields')).toMatch(/is_primary/)
    })

    test('can delete any calendar but the primary one', async () => {
      const account = await accounts.newAccount()
      const first = await account.createCalendar()
      const second = await account.createCalendar()
      expectRefusal(await account.delete(`/calendars/${first.id}`), /primary/)
      expectRefusal(await account.delete('/calendars/primary'), /primary/)
      const deleted = expectStatus(await account.delete(`/calendars/${second.id}`), 200)
      expect(deleted.body).toEqual({ request_id: expect.any(String) })
      expectStatus(await account.delete(`/calendars/${second.id}`), 404)
      expect(ids((await account.get('/calendars')).body.data)).toEqual([first.id])
    })

    test('has at most ten calendars; a deleted one makes room', async () => {
      const account = await accounts.newAccount()
      const made = []
      for (let count = 0; count < 10; count += 1) made.push(await account.createCalendar())
      expectRefusal(await account.post('/calendars', { name: 'Eleventh' }), /10/)
      expectStatus(await account.delete(`/calendars/${made.at(-1).id}`), 200)
      await account.createCalendar({ name: 'Another tenth' })
      expectRefusal(await account.post('/calendars', { name: 'Eleventh' }), /10/)
    })

    test('has at most ten calendars and one primary after twenty concurrent creations', async () => {
      const account = await accounts.newAccount()
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => account.post('/calendars', { name: `Calendar ${index}` })),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(200), ...Array(10).fill(400)])
      const { data } = (await account.get('/calendars')).body
      expect(data).toHaveLength(10)
      expect(data.filter((calendar: { is_primary: boolean }) => calendar.is_primary)).toHaveLength(1)
    })
  })

  describe('a calendar', () => {
    let account: Account
    beforeAll(async () => {
      account = await accounts.newAccount()
      await account.createCalendar({ name: 'Main' })
    })
    const change = async (id: string, fields: object) =>
      expectStatus(await account.put(`/calendars/${id}`, fields), 200).body.data

    test('accepts colors only with PUT', async () => {
      const made = await account.post('/calendars', { name: 'Colourful', hex_color: '#ff0000' })
      expect(made.body.data.hex_color).toBeNull()
      expect(made.headers.get('x-ignored-fields')).toBe('hex_color')
      const { id } = made.body.data
      const colours = { hex_color: '#1a73e8', hex_foreground_color: '#FFFFFF' }
      expect(await change(id, colours)).toMatchObject(colours)
      expect((await account.get(`/calendars/${id}`)).body.data).toMatchObject({ name: 'Colourful', ...colours })
      expect(await change(id, { hex_color: null })).toMatchObject({ hex_color: null, hex_foreground_color: '#FFFFFF' })
      expect(await change(id, { hex_foreground_color: '' })).toMatchObject({ hex_foreground_color: null })
      for (const hex_color of ['red', '#12', '#12345g', '1a73e8', 7]) {
        expectRefusal(await account.put(`/calendars/${id}`, { hex_color }), /hex_color/)
      }
      await account.delete(`/calendars/${id}`)
    })

    test('accepts time zones of the IANA database', async () => {
      const made = await account.createCalendar({ timezone: 'America/New_York' })
      expect(made.timezone).toBe('America/New_York')
      expect(await change(made.id, { timezone: 'Asia/Kolkata' })).toMatchObject({ timezone: 'Asia/Kolkata' })
      expect((await change(made.id, { timezone: 'W. Europe Standard Time' })).timezone).toBe('Europe/Berlin')
      for (const timezone of ['Mars/Olympus', '../../etc', '', '+25:00', 5, 'UTC\n']) {
        expectRefusal(await account.put(`/calendars/${made.id}`, { timezone }), /timezone/)
        expectRefusal(await account.post('/calendars', { name: 'x', timezone }), /timezone/)
      }
      await account.delete(`/calendars/${made.id}`)
    })

    test('keeps the fields that a change does not contain, and null clears a field', async () => {
      const fields = { name: 'Desk', description: 'Where I work', location: 'Berlin', timezone: 'Europe/Berlin' }
      const { id } = await account.createCalendar(fields)
      expect(await change(id, { description: null })).toMatchObject({ ...fields, description: null })
      expect(await change(id, {})).toMatchObject({ ...fields, description: null })
      expectRefusal(await account.put(`/calendars/${id}`, { name: '' }), /name/)
      expectRefusal(await account.post('/calendars', {}), /name/)
      expectRefusal(await account.post('/calendars', { name: 'x'.repeat(1025) }), /name/)
      await account.delete(`/calendars/${id}`)
    })

    test('is returned in part with `select`', async () => {
      const made = await account.post('/calendars', { name: 'Selected' }, { select: 'id,name,nothing' })
      expect(made.body.data).toEqual({ id: expect.any(String), name: 'Selected' })
      const path = `/calendars/${made.body.data.id}`
      expect((await account.get(path, { select: 'name' })).body.data).toEqual({ name: 'Selected' })
      expect((await account.put(path, {}, { select: 'object' })).body.data).toEqual({ object: 'calendar' })
      await account.delete(path)
    })

    test('is deleted with its events', async () => {
      const { id } = await account.createCalendar()
      const event = await account.create(id, { when: span('2026-06-02T09:00') })
      const series = await account.create(id, {
        when: span('2026-06-02T09:00'),
        recurrence: ['RRULE:FREQ=DAILY;COUNT=3'],
      })
      await account.delete(`/calendars/${id}`)
      expectStatus(await account.get(`/events/${event.id}`), 404)
      expectStatus(await account.get(`/events/${series.id}`), 404)
      expectStatus(await account.get('/events', { calendar_id: id }), 404)
    })

    test('belongs to its account alone', async () => {
      const other = await accounts.newAccount()
      await other.createCalendar()
      const { id } = await account.createCalendar()
      expectStatus(await other.get(`/calendars/${id}`), 404)
      expectStatus(await other.delete(`/calendars/${id}`), 404)
      expectStatus(await other.post('/events', { when: span('2026-06-02T09:00') }, { calendar_id: id }), 404)
      const event = await account.create(id, { when: span('2026-06-02T09:00') })
      expectStatus(await other.get(`/events/${event.id}`), 404)
      expectStatus(await other.delete(`/events/${event.id}`), 404)
      await account.delete(`/calendars/${id}`)
    })
  })

  describe('metadata', () => {
    test('is replaced as a whole by PUT, and kept if a change does not contain it', async () => {
      const account = await accounts.newAccount()
      const { id } = await account.createCalendar({ metadata: { key1: 'a', note: 'b' } })
      const put = async (body: object) => (await account.put(`/calendars/${id}`, body)).body.data.metadata
      expect(await put({ name: 'Renamed' })).toEqual({ key1: 'a', note: 'b' })
      expect(await put({ metadata: { key2: 'c' } })).toEqual({ key2: 'c' })
      expect(await put({ metadata: null })).toEqual({})
    })

    test('is flat, with at most 50 pairs, keys up to 40 and values up to 500 characters', async () => {
      const account = await accounts.newAccount()
      const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 'v']))
      await account.createCalendar({ metadata: pairs(50) })
      await account.createCalendar({ metadata: { ['k'.repeat(40)]: 'v'.repeat(500) } })
      const bad = [
        pairs(51),
        { ['k'.repeat(41)]: 'v' },
        { k: 'v'.repeat(501) },
        { k: 1 },
        { k: { a: 'b' } },
        { '': 'v' },
      ]
      for (const metadata of bad) expectRefusal(await account.post('/calendars', { name: 'x', metadata }), /metadata/)
    })

    test('filters calendars by one pair or several, with only the five indexed keys', async () => {
      const account = await accounts.newAccount()
      const one = await account.createCalendar({ metadata: { key1: 'red', key2: 'x' } })
      accounts.clock.advance(1)
      const two = await account.createCalendar({ metadata: { key1: 'red', key2: 'y,key3:z', other: 'red' } })
      const find = async (pair: string) => ids((await account.get('/calendars', { metadata_pair: pair })).body.data)
      expect(await find('key1:red')).toEqual([one.id, two.id])
      expect(await find('key1:red,key2:x')).toEqual([one.id])
      expect(await find('key2:y')).toEqual([])
      expect(await find('key1:Red')).toEqual([])
      await account.put(`/calendars/${one.id}`, { metadata: { key2: 'x' } })
      expect(await find('key1:red')).toEqual([two.id])
      for (const pair of ['other:red', 'key6:x', 'key1', ':x', '']) {
        expectRefusal(await account.get('/calendars', { metadata_pair: pair }), /metadata_pair/)
      }
    })
  })

  describe('the list', () => {
    test('returns every calendar once, oldest first, even if others are deleted between pages', async () => {
      const account = await accounts.newAccount()
      const made = []
      for (let count = 0; count < 5; count += 1) {
        made.push((await account.createCalendar()).id)
        accounts.clock.advance(1000)
      }
      expect((await pagesOf(account, '/calendars', { limit: 2 })).map(ids)).toEqual([
        made.slice(0, 2),
        made.slice(2, 4),
        made.slice(4),
      ])
      const first = await account.get('/calendars', { limit: 2 })
      await account.delete(`/calendars/${made[1]}`)
      const second = await account.get('/calendars', { limit: 2, page_token: first.body.next_cursor })
      expect(ids(second.body.data)).toEqual(made.slice(2, 4))
    })

    test('rejects an invalid limit and a cursor that it did not issue', async () => {
      const account = await accounts.newAccount()
      for (const limit of [0, -1, 'many', '1.5']) expectRefusal(await account.get('/calendars', { limit }), /limit/)
      expectRefusal(await account.get('/calendars', { page_token: 'nonsense' }), /page_token/)
    })
  })

  describe('POST /v3/calendars', () => {
    const create = (body: object, query = '') => accounts.call('POST', `/v3/calendars${query}`, { body })

    test('creates a calendar of the account given in the body or the query', async () => {
      const account = await accounts.newAccount()
      const first = expectStatus(await create({ name: 'One', grant_id: account.grantId }), 200).body.data
      expect(first).toMatchObject({ name: 'One', grant_id: account.grantId, is_primary: true, read_only: null })
      expect(first).not.toHaveProperty('application_id')
      const named = await create({ name: 'Two' }, `?grant_id=${encodeURIComponent(`email:${account.email}`)}`)
      expect(expectStatus(named, 200).body.data).toMatchObject({ grant_id: account.grantId, is_primary: false })
      expect((await account.get('/calendars')).body.data).toHaveLength(2)
    })

    test('creates a calendar of the grant of its access token, and of no other', async () => {
      const [own, other] = [await accounts.newAccount(), await accounts.newAccount()]
      const key = await accounts.tokenOf(own)
      const post = (body: object) => accounts.call('POST', '/v3/calendars', { body, key })
      const made = expectStatus(await post({ name: 'Mine' }), 200).body.data
      expect(made).toMatchObject({ grant_id: own.grantId, is_primary: true })
      expectStatus(await post({ name: 'By name', grant_id: own.email }), 200)
      expectStatus(await post({ name: 'As me', grant_id: 'me' }), 200)
      expectStatus(await post({ name: 'Not mine', grant_id: other.grantId }), 403)
      expect((await other.get('/calendars')).body.data).toEqual([])
    })

    test('requires an account, and has the same limits as the other endpoint', async () => {
      const account = await accounts.newAccount()
      expectRefusal(await create({ name: 'Nobody' }), /grant_id/)
      expectStatus(await create({ name: 'Unknown', grant_id: crypto.randomUUID() }), 404)
      expectRefusal(await create({ grant_id: account.grantId }), /name/)
      expectRefusal(await create({ name: 'x', timezone: 'Mars/Olympus', grant_id: account.grantId }), /timezone/)
      for (let count = 0; count < 10; count += 1) await account.createCalendar()
      expectRefusal(await create({ name: 'Eleventh', grant_id: account.grantId }), /10/)
    })
  })

  test('all-day events follow the time zone of their calendar', async () => {
    const account = await accounts.newCalendarAccount({ timezone: 'UTC' })
    const day = await account.create(account.calendarId, { title: 'Day', when: { date: '2026-11-01' } })
    const midnight = noon - 12 * 3600 + 153 * 86_400
    const window = { start: midnight + 86_400, end: midnight + 86_400 + 3600 }
    expect(await account.list(account.calendarId, window)).toEqual([])
    await account.put(`/calendars/${account.calendarId}`, { timezone: 'America/New_York' })
    expect(ids(await account.list(account.calendarId, window))).toEqual([day.id])
    // That day has 25 hours in New York: its last hour is found too.
    const last = { start: midnight + (4 + 24.5) * 3600, end: midnight + 29 * 3600 }
    expect(ids(await account.list(account.calendarId, last))).toEqual([day.id])
    expect(await account.list(account.calendarId, { start: midnight + 29 * 3600, end: midnight + 30 * 3600 })).toEqual(
      [],
    )
  })

  test('all-day events and their changed occurrences follow the time zone, and timed events do not', async () => {
    const account = await accounts.newCalendarAccount({ timezone: 'UTC' })
    const create = (fields: object) => account.create(account.calendarId, { ...fields })
    const days = await create({ title: 'Days', when: { start_date: '2026-11-02', end_date: '2026-11-03' } })
    const series = await create({ when: { date: '2026-11-02' }, recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
    const changed = await account.change(account.calendarId, `${series.id}_20261103`, {
      title: '"when":{"object":"date',
    })
    await create({ title: '"when":{"object":"date"', when: { time: noon + 155 * 86_400 - 12 * 3600 } })
    await account.put(`/calendars/${account.calendarId}`, { timezone: 'America/New_York' })
    const midnight = noon - 12 * 3600 + 156 * 86_400
    const late = { start: midnight + 4 * 3600, end: midnight + 5 * 3600 }
    expect(ids(await account.list(account.calendarId, late)).sort()).toEqual([days.id, changed.id].sort())
  })
})
