/** What becomes of the objects of v2. */
import { readFile } from 'node:fs/promises'
import { enginesFor } from '@waypost/testing/engines'
import { freshDatabaseUrl } from '@waypost/testing/peers/database-url'
import { testClock } from '@waypost/testing/test-clock'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openService, type TestService } from '../harness.ts'
import {
  account,
  event,
  eventsOf,
  hour,
  importAccounts,
  importText,
  linesOf,
  monday,
  read,
  timespan,
  type V2Object,
  week,
} from './exports.ts'

const now = 1_795_000_000_000
const stamp = now / 1000

describe.each(enginesFor(import.meta.url))('an import from v2 on %s', (engine) => {
  let service: TestService
  beforeEach(async () => {
    service = await openService({ engine, overrides: { clock: testClock(now) } })
  })
  afterEach(() => service[Symbol.asyncDispose]())

  const importEvents = (events: V2Object[], more: V2Object = {}) =>
    importAccounts(service, [account('ann', { events, ...more })])
  const one = (id: string) => read(service, `/v3/grants/ann@example.com/events/${id}?calendar_id=cal`)

  test('an account becomes a grant with its old id, its name and its organizer', async () => {
    const metadata = { key1: 'not migrated' }
    const report = await importAccounts(service, [account('ann', { organizer: 'Front desk', metadata })])
    expect(report.accounts).toEqual({ created: 1, updated: 0, unchanged: 0, skipped: 0 })
    expect(report.dropped.metadata).toBe(1)
    const grant = await read(service, '/v3/grants/ann@example.com')
    expect(grant).toMatchObject({
      provider: 'virtual-calendar',
      grant_status: 'valid',
      email: 'ann@example.com',
      account_id: 'acc-ann',
      metadata: { name: 'The ann', organizer: 'Front desk' },
      created_at: stamp,
    })
    expect(await read(service, '/v3/grants?account_id=acc-ann')).toEqual([grant])
    const usage = await service.call('GET', '/v3/admin/usage', { admin: true })
    expect(JSON.stringify(usage.body)).toContain('"virtual-calendar":1')
    expect(service.logs()).not.toContain('webhook')
  })

  test('without an organizer of the account, the organizer of its events is kept', async () => {
    await importEvents([event('a'), event('b', { organizer_name: 'Desk', organizer_email: 'desk@example.com' })])
    const { metadata } = await read(service, '/v3/grants/ann@example.com')
    expect(metadata).toEqual({ name: 'The ann', organizer: 'Desk <desk@example.com>' })
  })

  test('a missing connector is created, and the report mentions it', async () => {
    const { id, key } = await service.createApplication()
    expect((await importAccounts(service, [account('ann')], { app: id, dryRun: true })).connector_created).toBe(true)
    expect(await read(service, '/v3/connectors', key)).toEqual([])
    expect((await importAccounts(service, [account('ann'), account('bob')], { app: id })).connector_created).toBe(true)
    expect(await read(service, '/v3/connectors', key)).toMatchObject([{ provider: 'virtual-calendar' }])
    expect((await importAccounts(service, [account('eve')], { app: id })).connector_created).toBe(false)
  })

  test('ids stay, timestamps are reset, reminders and metadata are dropped and counted', async () => {
    const report = await importEvents([
      event('6aai4e8gxz1y9ku4t0vsp5iub', {
        description: 'Words',
        location: 'Room 4',
        visibility: 'private',
        busy: false,
        participants: [
          { name: 'Bob', email: 'bob@example.com', status: 'yes', comment: 'Sure', phone_number: '+49 1' },
        ],
        reminders: { reminder_minutes: '[20]', reminder_method: 'popup' },
        metadata: { key1: 'a' },
        conferencing: { provider: 'Zoom Meeting', details: { url: 'https://zoom.us/j/1', meeting_code: '1' } },
        ical_uid: 'uid@v2',
        read_only: true,
        organizer_email: 'desk@example.com',
      }),
    ])
    expect(report.events).toMatchObject({ created: 1, skipped: 0 })
    expect(report.dropped).toEqual({ cancelled: 0, reminders: 1, metadata: 1 })
    expect(await read(service, '/v3/grants/ann@example.com/calendars/cal')).toMatchObject({
      id: 'cal',
      name: 'Main',
      timezone: 'Europe/Berlin',
      is_primary: true,
      read_only: null,
      metadata: {},
    })
    const imported = await one('6aai4e8gxz1y9ku4t0vsp5iub')
    expect(imported).toMatchObject({
      id: '6aai4e8gxz1y9ku4t0vsp5iub',
      calendar_id: 'cal',
      title: 'Event 6aai4e8gxz1y9ku4t0vsp5iub',
      description: 'Words',
      location: 'Room 4',
      visibility: 'private',
      busy: false,
      status: 'confirmed',
      when: { object: 'timespan', start_time: monday, end_time: monday + hour, start_timezone: null },
      participants: [{ name: 'Bob', email: 'bob@example.com', status: 'yes', comment: 'Sure', phone_number: '+49 1' }],
      organizer: { name: 'The ann', email: 'ann@example.com' },
      conferencing: { provider: 'Zoom Meeting', details: { url: 'https://zoom.us/j/1', meeting_code: '1' } },
      ical_uid: 'uid@v2',
      read_only: false,
      metadata: {},
      created_at: stamp,
      updated_at: stamp,
    })
    expect(imported.reminders).toBeUndefined()
  })

  test('the four forms of a time are kept; days lose their zone, and a span without length becomes a point', async () => {
    const report = await importEvents([
      event('point', { when: { object: 'time', time: monday, timezone: 'America/New_York' } }),
      event('span', { when: { ...timespan(monday), start_timezone: 'Europe/Paris' } }),
      event('day', { when: { object: 'date', date: '2026-11-24', timezone: 'Europe/Paris' } }),
      event('days', { when: { start_date: '2026-11-24', end_date: '2026-11-26' } }),
      event('nothing', { when: timespan(monday, 0) }),
      event('nulls', { when: { time: null, date: null, ...timespan(monday), start_timezone: '', end_timezone: null } }),
    ])
    expect(report.skipped.listed).toEqual([])
    expect((await one('point')).when).toEqual({ object: 'time', time: monday, timezone: 'America/New_York' })
    const zones = { start_timezone: 'Europe/Paris', end_timezone: 'Europe/Paris' }
    expect((await one('span')).when).toEqual({ object: 'timespan', ...timespan(monday), ...zones })
    expect((await one('day')).when).toEqual({ object: 'date', date: '2026-11-24' })
    expect((await one('days')).when).toEqual({ object: 'datespan', start_date: '2026-11-24', end_date: '2026-11-26' })
    expect((await one('nothing')).when).toEqual({ object: 'time', time: monday, timezone: null })
    expect((await one('nulls')).when.start_timezone).toBeNull()
  })

  test('the zone of a recurrence moves into the time; without one it is that of the calendar', async () => {
    const rrule = ['RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3', 'EXDATE:20261130T080000Z']
    await importEvents([
      event('new-york', { when: timespan(monday), recurrence: { rrule, timezone: 'America/New_York' } }),
      event('berlin', { recurrence: { rrule: 'RRULE:FREQ=DAILY;COUNT=2', timezone: null } }),
      event('whole', { when: { date: '2026-11-23' }, recurrence: { rrule: [rrule[0]], timezone: 'Asia/Tokyo' } }),
    ])
    const series = await one('new-york')
    expect(series.recurrence).toEqual(['RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3', 'EXDATE:20261130T080000Z'])
    expect(series.when).toMatchObject({ start_timezone: 'America/New_York', end_timezone: 'America/New_York' })
    expect((await one('berlin')).when).toMatchObject({ start_timezone: 'Europe/Berlin' })
    expect((await one('whole')).when).toEqual({ object: 'date', date: '2026-11-23' })
    const listed = await read(
      service,
      `/v3/grants/ann@example.com/events?calendar_id=cal&start=${monday}&end=${monday + 4 * week}&master_event_id=new-york`,
    )
    expect(listed.map((found: V2Object) => found.id)).toEqual([
      'new-york_20261123T080000Z',
      'new-york_20261207T080000Z',
    ])
  })

  test('cancelled events are dropped, and a cancelled occurrence stays cancelled', async () => {
    const weekly = { rrule: ['RRULE:FREQ=WEEKLY;COUNT=4'], timezone: 'Europe/Berlin' }
    const report = await importEvents([
      event('gone', { status: 'cancelled' }),
      event('series', { recurrence: weekly }),
      event('x', { master_event_id: 'series', original_start_time: monday + week, status: 'cancelled' }),
    ])
    expect(report.dropped.cancelled).toBe(2)
    expect(report.events).toMatchObject({ created: 1, skipped: 0 })
    expect(await one('gone')).toBe(404)
    expect((await one('series')).recurrence).toEqual(['RRULE:FREQ=WEEKLY;COUNT=4', 'EXDATE:20261130T080000Z'])
    expect(await one('series_20261130T080000Z')).toBe(404)
  })

  test('changed occurrences belong to their series; an id that cannot be kept is reported', async () => {
    const weekly = { rrule: ['RRULE:FREQ=WEEKLY;COUNT=5', 'EXDATE:20261214T080000Z'], timezone: 'Europe/Berlin' }
    const of = { master_event_id: 'series' }
    const second = timespan(monday + week)
    const report = await importEvents([
      // Before its series, with an id of its own.
      event('odd-id', {
        ...of,
        original_start_time: monday + week,
        title: 'Moved',
        when: timespan(monday + week + hour),
      }),
      event('series', { title: 'Weekly', location: 'Room 4', recurrence: weekly }),
      event('series_20261207T080000Z', {
        ...of,
        title: 'Weekly',
        location: 'Room 4',
        when: timespan(monday + 2 * week),
      }),
      // v2 took it out of the rule and has it beside.
      event('series_20261214T080000Z', {
        ...of,
        original_start_time: monday + 3 * week,
        title: 'Back',
        when: timespan(monday + 3 * week + hour),
      }),
      event('lost', { ...of, original_start_time: monday + 5 * hour }),
      event('orphan', { master_event_id: 'nobody', original_start_time: monday }),
      event('twice', { ...of, original_start_time: monday + week, when: second }),
      event('days', { when: { date: '2026-11-23' }, recurrence: { rrule: ['RRULE:FREQ=DAILY;COUNT=3'] } }),
      event('days_20261124', {
        master_event_id: 'days',
        original_start_time: Date.UTC(2026, 10, 24) / 1000,
        when: { date: '2026-11-25' },
      }),
    ])
    expect(await one('series_20261130T080000Z')).toMatchObject({
      title: 'Moved',
      location: null,
      master_event_id: 'series',
      when: { start_time: monday + week + hour, start_timezone: 'Europe/Berlin' },
    })
    expect(await one('odd-id')).toBe(404)
    expect(report.altered.listed).toMatchObject([
      { id: 'odd-id', reason: expect.stringContaining('series_20261130T080000Z') },
    ])
    expect(await one('series_20261207T080000Z')).toMatchObject({ title: 'Weekly', location: 'Room 4' })
    expect(await one('series_20261214T080000Z')).toMatchObject({ title: 'Back' })
    expect((await one('series')).recurrence).toEqual(['RRULE:FREQ=WEEKLY;COUNT=5'])
    expect((await one('days_20261124')).when).toEqual({ object: 'date', date: '2026-11-25' })
    const reasons = Object.fromEntries(report.skipped.listed.map(({ id, reason }) => [id, reason]))
    expect(reasons).toEqual({
      lost: expect.stringContaining('has no such occurrence'),
      orphan: expect.stringContaining('the series nobody is not in the file'),
      twice: expect.stringContaining('stands for this occurrence already'),
    })
    const listed = await read(
      service,
      `/v3/grants/ann@example.com/events?calendar_id=cal&start=${monday}&end=${monday + 6 * week}&master_event_id=series`,
    )
    expect(listed.map((found: V2Object) => found.title)).toEqual(['Weekly', 'Moved', 'Weekly', 'Back', 'Weekly'])
  })

  test('a start that does not match its rule is left out of the series, and reported', async () => {
    const tuesdays = { rrule: ['RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=2'], timezone: 'Europe/Berlin' }
    const days = { rrule: ['RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=2'] }
    const report = await importEvents([
      event('hours', { recurrence: tuesdays }),
      event('days', { when: { date: '2026-11-23' }, recurrence: days }),
    ])
    expect(report.skipped.listed).toEqual([])
    const reason = expect.stringContaining('its start is no occurrence of its rule')
    expect(report.altered.listed).toMatchObject([
      { id: 'hours', reason },
      { id: 'days', reason },
    ])
    const of = async (id: string): Promise<string[]> =>
      (
        await read(
          service,
          `/v3/grants/ann@example.com/events?calendar_id=cal&start=${monday - hour}&end=${monday + 4 * week}&master_event_id=${id}`,
        )
      ).map((found: V2Object) => found.id)
    expect(await of('hours')).toEqual(['hours_20261124T080000Z', 'hours_20261201T080000Z'])
    expect(await of('days')).toEqual(['days_20261124', 'days_20261201'])
    // It is a series like any other from here on.
    const path = '/v3/grants/ann@example.com/events/hours_20261124T080000Z?calendar_id=cal'
    expect((await service.call('DELETE', path)).status).toBe(200)
    expect(await of('hours')).toEqual(['hours_20261201T080000Z'])
  })

  test('changed occurrences of two series under one UID stay with their own', async () => {
    const weekly = { rrule: ['RRULE:FREQ=WEEKLY;COUNT=3'], timezone: 'Europe/Berlin' }
    const both = ['a', 'b'].flatMap((id) => [
      event(id, { title: `Series ${id}`, location: `Room ${id}`, recurrence: weekly, ical_uid: 'same@example.com' }),
      event(`${id}_20261130T080000Z`, {
        title: `Changed ${id}`,
        location: `Room ${id}`,
        when: timespan(monday + week + hour),
        master_event_id: id,
        original_start_time: monday + week,
      }),
    ])
    await importEvents(both)
    const uid = 'calendar_id=cal&ical_uid=same@example.com'
    const found: V2Object[] = []
    for (let token = ''; ; ) {
      const { body } = await service.call('GET', `/v3/grants/ann@example.com/events?${uid}&limit=1${token}`)
      found.push(...body.data)
      if (!body.next_cursor) break
      token = `&page_token=${body.next_cursor}`
    }
    expect(found.map(({ title, location, master_event_id: of }) => [title, location, of])).toEqual([
      ['Series a', 'Room a', undefined],
      ['Series b', 'Room b', undefined],
      ['Changed a', 'Room a', 'a'],
      ['Changed b', 'Room b', 'b'],
    ])
  })

  test('the marked calendar is the primary one, else the first', async () => {
    const calendars = [
      { id: 'one', name: 'One' },
      { id: 'two', name: 'Two', is_primary: true },
    ]
    await importAccounts(service, [account('ann', { calendars }), account('bob', { calendars: calendars.slice(0, 1) })])
    expect(await read(service, '/v3/grants/ann@example.com/calendars/primary')).toMatchObject({ id: 'two' })
    expect(await read(service, '/v3/grants/ann@example.com/calendars/one')).toMatchObject({ is_primary: false })
    expect(await read(service, '/v3/grants/bob@example.com/calendars/primary')).toMatchObject({
      id: 'one',
      timezone: 'UTC',
    })
  })

  test('a virtual grant of the address is used, with what it has', async () => {
    const grant = await service.createGrant('Ann@example.com')
    await service.call('PATCH', `/v3/grants/${grant.id}`, { body: { metadata: { key1: 'mine' } } })
    await service.call('POST', `/v3/grants/${grant.id}/calendars`, { body: { name: 'Mine' } })
    const report = await importEvents([event('a')])
    expect(report.accounts).toMatchObject({ created: 0, updated: 1 })
    expect(await read(service, '/v3/grants/ann@example.com')).toMatchObject({
      id: grant.id,
      account_id: 'acc-ann',
      metadata: { key1: 'mine', name: 'The ann' },
    })
    expect(await read(service, `/v3/grants/${grant.id}/calendars/primary`)).toMatchObject({ name: 'Mine' })
    expect(await read(service, `/v3/grants/${grant.id}/calendars/cal`)).toMatchObject({ is_primary: false })
  })

  test('accounts that cannot be imported completely are skipped, with the reason', async () => {
    const many = Array.from({ length: 11 }, (_, index) => ({ id: `c${index}`, name: 'One of many' }))
    const gone = await service.createGrant('revoked@example.com')
    const { sandboxId } = service.services.administration.installation
    await service.call('POST', `/v3/admin/applications/${sandboxId}/grants/${gone.id}/revoke`, { admin: true })
    const report = await importAccounts(service, [
      account('many', { calendars: many, events: [event('a', { calendar_id: 'c1' })] }),
      account('gmail', { provider: 'gmail' }),
      account('zone', { calendars: [{ id: 'cal', name: 'Main', timezone: 'Mars/Olympus' }] }),
      account('nameless', { calendars: [{ id: 'cal' }] }),
      account('me', { email: 'me' }),
      account('long', { name: 'x'.repeat(501) }),
      account('revoked'),
      account('fine'),
      account('fine', { email: 'other@example.com' }),
      account('again', { email: ' FINE@example.com' }),
    ])
    const reasons = report.skipped.listed.map(({ place, reason }) => `${place} ${reason}`)
    expect(reasons).toEqual([
      'accounts[0] has 11 calendars; a virtual account has at most 10',
      expect.stringContaining('gmail is no virtual account'),
      'accounts[2] accounts[2].calendars[0]: calendar cal: timezone: Mars/Olympus is not a time zone',
      'accounts[3] accounts[3].calendars[0]: calendar cal: name: is required',
      expect.stringContaining('"me" is a reserved word'),
      expect.stringContaining('name: is longer than 500'),
      `accounts[6] the grant ${gone.id} of this address is invalid: authenticate it again, or delete it`,
      'accounts[8] id: the account at accounts[7] has it already',
      'accounts[9] email: the account at accounts[7] has it already; an address has one grant',
    ])
    expect(report.accounts).toMatchObject({ created: 1, skipped: 9 })
    expect(await read(service, '/v3/grants?provider=virtual-calendar&grant_status=valid')).toMatchObject([
      { email: 'fine@example.com' },
    ])
  })

  test('the limit of grants holds, in a dry run too', async () => {
    const seven = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => account(name, { events: [event('x')] }))
    const tried = await importAccounts(service, seven, { dryRun: true })
    expect(await read(service, '/v3/grants')).toEqual([])
    const report = await importAccounts(service, seven)
    expect({ ...tried, dry_run: false }).toEqual(report)
    expect(report.accounts).toMatchObject({ created: 5, skipped: 2 })
    expect(report.skipped.listed[0]?.reason).toContain('allows 5 grants')
    expect(await read(service, '/v3/grants')).toHaveLength(5)
  })

  test('lines in any order give the same as a document', async () => {
    const accounts = ['ann', 'bob'].map((name) =>
      account(name, {
        calendars: [{ id: `cal-${name}`, name: 'Main', timezone: 'Europe/Berlin' }],
        events: [
          event(`${name}-1`, { calendar_id: `cal-${name}` }),
          event(`${name}-2`, { calendar_id: `cal-${name}`, recurrence: { rrule: ['RRULE:FREQ=DAILY;COUNT=3'] } }),
          event(`${name}-3`, { calendar_id: `cal-${name}`, status: 'cancelled' }),
          event(`${name}-4`, { calendar_id: `cal-${name}`, when: {} }),
        ],
      }),
    )
    const [first, second, third] = await Promise.all(['A', 'B', 'C'].map((name) => service.createApplication(name)))
    if (!first || !second || !third) throw new Error('no applications')
    const a = await importAccounts(service, accounts, { app: first.id })
    const b = await importText(service, `\uFEFF${linesOf(accounts)}\n\n`, { app: second.id })
    // Backwards, and the events linked through their calendars only.
    const lines = linesOf(accounts)
      .replace(/("object":"event",)"account_id":"[^"]*",/g, '$1')
      .split('\n')
      .toReversed()
    const c = await importText(service, lines.join('\r\n'), { app: third.id, name: 'export.NDJSON' })
    const counts = ({ accounts, calendars, events, dropped }: typeof a) => ({ accounts, calendars, events, dropped })
    expect(counts(b)).toEqual(counts(a))
    expect(counts(c)).toEqual(counts(a))
    expect(a.events).toMatchObject({ created: 4, skipped: 2 })
    const comparable = async (key: string) => {
      const found = await Promise.all(
        ['ann', 'bob'].map((name) => eventsOf(service, `${name}@example.com`, `cal-${name}`, key)),
      )
      return found.flat().map(({ grant_id: _, ...rest }: V2Object) => rest)
    }
    const expected = await comparable(first.key)
    expect(expected).toHaveLength(4)
    expect(await comparable(second.key)).toEqual(expected)
    expect(await comparable(third.key)).toEqual(expected)
  })

  test('the example of the documentation runs', async () => {
    const page = await readFile(new URL('../../../../docs/import-v2.md', import.meta.url), 'utf8')
    const example = /```json\n([\s\S]*?)```/.exec(page)?.[1] ?? ''
    const report = await importText(service, example)
    expect(report.accounts).toMatchObject({ created: 1, skipped: 0 })
    expect(report.events).toMatchObject({ created: 3, skipped: 0 })
    expect(report.dropped).toEqual({ cancelled: 1, reminders: 1, metadata: 0 })
    expect([report.skipped.total, report.altered.total]).toEqual([0, 0])
    const found = await eventsOf(service, 'room-4@example.com', '5zcal')
    expect(found.map(({ title }: V2Object) => title).sort()).toEqual(['Fire drill', 'Stand-up', 'Stand-up, with cake'])
  })
})

test('imported ids have the same order on every page, whatever the collation of the database', async () => {
  await using service = await openService({
    databaseUrl: await freshDatabaseUrl('en-US'),
    overrides: { clock: testClock(now) },
  })
  const names = ['b', 'B', 'a', 'A', 'a_', 'a1', 'A-2', 'Z']
  const calendars = names.map((id) => ({ id, name: id }))
  const daily = { rrule: ['RRULE:FREQ=DAILY;COUNT=2'] }
  const events = names.map((id, index) =>
    event(id, { calendar_id: 'b', ...(index % 2 === 0 ? { recurrence: daily } : {}) }),
  )
  await importAccounts(service, [account('ann', { calendars, events })])
  const all = async (path: string): Promise<string[]> => {
    const found: string[] = []
    for (let token = ''; ; ) {
      const { body } = await service.call('GET', `/v3/grants/ann@example.com/${path}limit=1${token}`)
      found.push(...body.data.map((one: V2Object) => one.id))
      if (!body.next_cursor) return found
      token = `&page_token=${body.next_cursor}`
    }
  }
  const window = `start=${monday}&end=${monday + hour}`
  expect(await all('calendars?')).toEqual(names.toSorted())
  expect(await all(`events?calendar_id=b&${window}&expand_recurring=false&`)).toEqual(names.toSorted())
  const shown = names.map((id, index) => (index % 2 === 0 ? `${id}_20261123T080000Z` : id))
  expect(await all(`events?calendar_id=b&${window}&`)).toEqual(shown.toSorted())
})
