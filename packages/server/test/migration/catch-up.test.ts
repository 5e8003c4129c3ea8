/** Running an import again: what follows the file, and what stays. */

import { type Database, StoreUnavailable } from '@waypost/store/engine/database'
import { enginesFor } from '@waypost/testing/engines'
import { type TestClock, testClock } from '@waypost/testing/test-clock'
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
  type V2Account,
  type V2Object,
  week,
} from './exports.ts'

const start = 1_795_000_000_000
const weekly = { rrule: ['RRULE:FREQ=WEEKLY;COUNT=6'], timezone: 'Europe/Berlin' }

describe.each(enginesFor(import.meta.url))('an import that runs again on %s', (engine) => {
  let service: TestService
  let clock: TestClock
  beforeEach(async () => {
    clock = testClock(start)
    service = await openService({ engine, overrides: { clock } })
  })
  afterEach(() => service[Symbol.asyncDispose]())

  const at = '/v3/grants/ann@example.com'
  const one = (id: string) => read(service, `${at}/events/${id}?calendar_id=cal`)
  const change = (method: string, id: string, body?: V2Object) =>
    service.call(method, `${at}/events/${id}?calendar_id=cal`, { body })
  const seconds = () => Math.floor(clock.now() / 1000)
  /** Imports ann's events, a minute after whatever was before. */
  const importEvents = async (events: V2Object[], more: V2Object = {}) => {
    clock.advance(60_000)
    const report = await importAccounts(service, [account('ann', { events, ...more })])
    clock.advance(60_000)
    return report
  }
  const titles = async () => (await eventsOf(service, 'ann@example.com')).map(({ title }: V2Object) => title).sort()

  test('an unchanged file changes nothing', async () => {
    const events = [
      event('a', { when: { date: '2026-11-24' } }),
      event('series', { recurrence: weekly }),
      event('series_20261130T080000Z', {
        master_event_id: 'series',
        original_start_time: monday + week,
        title: 'Other',
        when: timespan(monday + week),
      }),
      event('x', { master_event_id: 'series', original_start_time: monday + 2 * week, status: 'cancelled' }),
    ]
    await importEvents(events)
    const before = [
      await eventsOf(service, 'ann@example.com'),
      await read(service, at),
      await read(service, `${at}/calendars`),
    ]
    expect(before[0]).toHaveLength(3)
    const again = await importEvents(events)
    expect(again.accounts).toEqual({ created: 0, updated: 0, unchanged: 1, skipped: 0 })
    expect(again.calendars).toMatchObject({ created: 0, updated: 0, unchanged: 1, deleted: 0 })
    expect(again.events).toEqual({ created: 0, updated: 0, unchanged: 3, deleted: 0, kept: 0, skipped: 0 })
    expect([
      await eventsOf(service, 'ann@example.com'),
      await read(service, at),
      await read(service, `${at}/calendars`),
    ]).toEqual(before)
  })

  test('changed, new and missing events and calendars are caught up with', async () => {
    const two = [
      { id: 'cal', name: 'Main', timezone: 'Europe/Berlin' },
      { id: 'side', name: 'Side', timezone: 'UTC' },
    ]
    await importEvents([event('a'), event('b'), event('c', { calendar_id: 'side' }), event('d')], { calendars: two })
    const made = await one('a')
    const report = await importEvents(
      [event('a', { title: 'New title' }), event('d', { status: 'cancelled' }), event('e')],
      { calendars: [{ id: 'cal', name: 'Renamed', timezone: 'Europe/Berlin' }], name: 'Ann II' },
    )
    expect(report.accounts).toMatchObject({ updated: 1 })
    expect(report.calendars).toMatchObject({ updated: 1, deleted: 1 })
    expect(report.events).toMatchObject({ created: 1, updated: 1, deleted: 3, kept: 0 })
    const after = await one('a')
    expect(after).toMatchObject({ title: 'New title', created_at: made.created_at, organizer: { name: 'Ann II' } })
    expect(after.updated_at).toBeGreaterThan(made.updated_at)
    expect(await titles()).toEqual(['Event e', 'New title'])
    expect(await read(service, `${at}/calendars`)).toMatchObject([{ id: 'cal', name: 'Renamed', is_primary: true }])
    expect((await read(service, at)).metadata.name).toBe('Ann II')
  })

  test('a change in this service is kept, unless v2 changed the event later', async () => {
    await importEvents([event('a'), event('b'), event('c')])
    for (const id of ['a', 'b', 'c']) await change('PUT', id, { title: `Here ${id}`, metadata: { key1: 'mine' } })
    const here = seconds()
    const report = await importEvents([
      event('a'),
      event('b', { title: 'Earlier', updated_at: here - 10 }),
      event('c', { title: 'Later', updated_at: here + 10 }),
    ])
    expect(await titles()).toEqual(['Here a', 'Here b', 'Later'])
    expect((await one('c')).metadata).toEqual({ key1: 'mine' })
    expect(report.events).toMatchObject({ updated: 1, kept: 2, unchanged: 0 })
    expect(report.skipped.listed).toMatchObject([
      { id: 'b', reason: expect.stringContaining('changed or deleted here') },
    ])
    const again = await importEvents([event('c', { title: 'Later', updated_at: here + 10 })])
    expect(again.events).toMatchObject({ unchanged: 1, deleted: 2 })
  })

  test('what was deleted here stays deleted, unless v2 changed it later', async () => {
    await importEvents([event('a'), event('b')])
    await change('DELETE', 'a')
    await change('DELETE', 'b')
    const report = await importEvents([event('a'), event('b', { title: 'Again', updated_at: seconds() + 10 })])
    expect(await titles()).toEqual(['Again'])
    expect(report.events).toMatchObject({ created: 1, kept: 1 })
  })

  test('an older file reverts nothing', async () => {
    await importEvents([event('a', { title: 'Newer', updated_at: 1_790_000_500 })])
    const report = await importEvents([event('a', { title: 'Older' })])
    expect(report.skipped.listed[0]?.reason).toContain('older version')
    expect(await titles()).toEqual(['Newer'])
  })

  test('what clients made here is never deleted', async () => {
    const two = [
      { id: 'cal', name: 'Main', timezone: 'Europe/Berlin' },
      { id: 'side', name: 'Side' },
    ]
    await importEvents([event('a', { calendar_id: 'side' })], { calendars: two })
    await service.call('POST', `${at}/calendars`, { body: { name: 'Mine' } })
    const draft = { title: 'Mine', when: timespan(monday) }
    await service.call('POST', `${at}/events?calendar_id=side`, { body: draft })
    const report = await importEvents([], { calendars: [{ id: 'other', name: 'Other' }] })
    expect(report.events.deleted).toBe(1)
    expect(report.skipped.listed.map(({ id, reason }) => `${id} ${reason}`)).toEqual([
      'cal is gone from the file, but a primary calendar cannot be deleted',
      'side is gone from the file, but holds events that no import made',
    ])
    const left = await read(service, `${at}/calendars`)
    expect(left.map(({ name }: V2Object) => name).sort()).toEqual(['Main', 'Mine', 'Other', 'Side'])
    expect(await eventsOf(service, 'ann@example.com', 'side')).toMatchObject([{ title: 'Mine' }])
  })

  test('calendars that were created here count towards the limit, and a refused account is unchanged', async () => {
    await importEvents([event('a')])
    for (let index = 0; index < 9; index++) await service.call('POST', `${at}/calendars`, { body: { name: 'Mine' } })
    const calendars = [
      { id: 'cal', name: 'Changed', timezone: 'Europe/Berlin' },
      { id: 'eleventh', name: 'One too many' },
    ]
    const report = await importEvents([event('a', { title: 'Changed' })], { calendars })
    expect(report.skipped.listed[0]?.reason).toContain('would have 11 calendars')
    expect(await titles()).toEqual(['Event a'])
    expect(await read(service, `${at}/calendars/cal`)).toMatchObject({ name: 'Main' })
  })

  test('an event that has become unreadable keeps its version', async () => {
    await importEvents([event('a'), event('series', { recurrence: weekly })])
    await importEvents([event('a'), event('series', { recurrence: { ...weekly, rrule: ['RRULE:FREQ=HOURLY'] } })])
    expect(await titles()).toEqual(['Event a', 'Event series'])
    const report = await importEvents([event('a', { when: 'soon' }), event('series', { recurrence: weekly })])
    expect(report.events).toMatchObject({ unchanged: 1, deleted: 0, skipped: 1 })
    expect(await titles()).toEqual(['Event a', 'Event series'])
  })

  test('an incomplete file deletes nothing', async () => {
    const whole = [account('ann', { events: [event('a'), event('b')] })]
    await importText(service, linesOf(whole))
    const less: V2Account[] = [account('ann', { events: [event('a')] })]
    const broken = await importText(service, `${linesOf(less)}\n{"object":"event","id":"b","calen`)
    expect(broken.events).toMatchObject({ unchanged: 1, deleted: 0 })
    expect(broken.skipped.listed.map(({ place, reason }) => `${place} ${reason}`)).toEqual([
      'line 4 is not JSON',
      expect.stringMatching(/^line 1 1 events are gone from the file, but were not deleted/),
    ])
    const { events: _, ...without } = account('ann')
    expect((await importAccounts(service, [without])).events.deleted).toBe(0)
    expect((await importAccounts(service, [account('ann', { events: [event('a'), null] })])).events.deleted).toBe(0)
    expect((await importText(service, linesOf(less))).events.deleted).toBe(1)
  })

  test('a series and its changed occurrences follow the file together', async () => {
    const changed = (index: number, title: string) =>
      event(`o${index}`, {
        master_event_id: 'series',
        original_start_time: monday + index * week,
        when: timespan(monday + index * week),
        title,
      })
    await importEvents([event('series', { recurrence: weekly }), changed(1, 'First'), changed(4, 'Fourth')])
    await change('PUT', 'series_20261207T080000Z', { title: 'Mine' })
    await change('PUT', 'series_20261228T080000Z', { title: 'Mine, late' })
    expect(await titles()).toEqual(['Event series', 'First', 'Fourth', 'Mine', 'Mine, late'])
    // The series ends after four, and one occurrence was cancelled.
    const shorter = event('series', { recurrence: { ...weekly, rrule: ['RRULE:FREQ=WEEKLY;COUNT=4'] } })
    const report = await importEvents([shorter, { ...changed(1, ''), status: 'cancelled' }, changed(4, 'Fourth')])
    expect(report.skipped.listed).toMatchObject([{ id: 'o4', reason: expect.stringContaining('no such occurrence') }])
    expect(await titles()).toEqual(['Event series', 'Mine'])
    expect((await one('series')).recurrence).toEqual(['RRULE:FREQ=WEEKLY;COUNT=4', 'EXDATE:20261130T080000Z'])
    // It no longer repeats.
    await importEvents([event('series')])
    expect(await titles()).toEqual(['Event series'])
    expect((await one('series')).recurrence).toBeUndefined()
  })

  test('an event that moves to another calendar and whole days in a new zone are found where they are', async () => {
    const zone = (timezone: string) => [
      { id: 'cal', name: 'Main', timezone },
      { id: 'side', name: 'Side' },
    ]
    const day = event('day', { when: { date: '2026-11-24' } })
    await importEvents([event('a'), day], { calendars: zone('Europe/Berlin') })
    const report = await importEvents([event('a', { calendar_id: 'side' }), day], { calendars: zone('Asia/Tokyo') })
    expect(report.calendars.updated).toBe(1)
    expect(await eventsOf(service, 'ann@example.com', 'side')).toMatchObject([{ id: 'a' }])
    const midnight = Date.UTC(2026, 10, 24) / 1000 - 9 * hour
    const found = await read(service, `${at}/events?calendar_id=cal&start=${midnight}&end=${midnight + hour}`)
    expect(found).toMatchObject([{ id: 'day' }])
  })

  test('deleting the grant forgets the import, and the next one starts anew', async () => {
    await importEvents([event('a')])
    const { id } = await read(service, at)
    await service.call('DELETE', `/v3/grants/${id}`)
    expect((await importEvents([event('a')])).accounts.created).toBe(1)
    expect((await read(service, at)).id).not.toBe(id)
    expect(await titles()).toEqual(['Event a'])
  })

  test('a temporary failure of the store is retried; a longer one stops the import, and the next import continues', async () => {
    const accounts = [account('ann', { events: [event('a')] }), account('bob', { events: [event('b')] })]
    const { database: store } = service.services.storage
    const failing = (isAway: (call: number) => boolean): Database => {
      let call = 0
      const transaction: Database['transaction'] = (work) =>
        isAway(++call) ? Promise.reject(new StoreUnavailable('the store is away', undefined)) : store.transaction(work)
      return { ...store, transaction }
    }
    const stopped = await importAccounts(service, accounts, { database: failing((call) => call > 1) })
    expect(stopped.stopped).toContain('accounts[1]: the store is away')
    expect(stopped.accounts).toMatchObject({ created: 1, skipped: 0 })
    const report = await importAccounts(service, accounts, { database: failing((call) => call === 2) })
    expect(report).toMatchObject({ stopped: null, accounts: { created: 1, unchanged: 1 } })
  })
})
