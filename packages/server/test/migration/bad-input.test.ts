/** Files that are wrong: every reason with its place, and never a crash. */

import { enginesFor } from '@waypost/testing/engines'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openExport } from '../../src/migration/export-file.ts'
import { openService, type TestService } from '../harness.ts'
import { account, event, importAccounts, importText, linesOf, read } from './exports.ts'

describe.each(enginesFor(import.meta.url))('a bad file on %s', (engine) => {
  let service: TestService
  let app: string
  let key: string
  beforeAll(async () => {
    service = await openService({ engine })
  })
  beforeEach(async () => {
    const made = await service.createApplication()
    app = made.id
    key = made.key
  })
  afterAll(() => service[Symbol.asyncDispose]())

  test.each([
    ['nothing', '', /The JSON is malformed/],
    ['words', 'not JSON at all', /The JSON is malformed: Unexpected token 'o'/],
    ['half a document', '{"accounts": [{"id": "a", ', /malformed at offset 26/],
    ['a list', '[]', /must be an object with a list of accounts/],
    ['a number', '5', /must be an object with a list of accounts/],
    ['accounts of the wrong type', '{"accounts": "all"}', /must be an object with a list of accounts/],
    ['no accounts', '{"accounts": []}', /holds no accounts/],
    ['bytes', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), /is not UTF-8/],
    ['a million brackets', '['.repeat(1_000_000), /The JSON is malformed/],
  ])('%s is refused as a whole', async (_name, text, reason) => {
    await expect(importText(service, text, { app })).rejects.toThrow(reason)
  })

  test('a file that is not there, or is a folder, is refused', async () => {
    await expect(openExport('/nowhere/export.json')).rejects.toThrow(/cannot be opened/)
    await expect(openExport('/tmp')).rejects.toThrow(/is not a file|EISDIR/)
  })

  test('objects of wrong types are told with their place', async () => {
    const report = await importText(
      service,
      JSON.stringify({
        accounts: [
          null,
          'ann',
          [],
          { email: 'no-id@example.com' },
          { id: 'no-email' },
          { id: 7, email: 'seven@example.com' },
          account('calendars', { calendars: 'none' }),
          account('events', { events: null }),
          account('calendar', { calendars: [5] }),
          account('nested', { deep: JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`) }),
          account('fine', {
            events: [
              null,
              5,
              {},
              event('', {}),
              event('primary'),
              event('nul', { title: 'a\u0000b' }),
              event('half', { title: '\ud800' }),
              event('title', { title: 5 }),
              event('when', { when: null }),
              event('times', { when: { time: 1, date: '2026-01-01' } }),
              event('millis', { when: { time: 1_795_420_800_000 } }),
              event('float', { when: { time: 1.5 } }),
              event('backwards', { when: { start_time: 20, end_time: 10 } }),
              event('day', { when: { date: '2026-02-30' } }),
              event('zone', { when: { time: 1, timezone: 'Mars/Olympus' } }),
              event('rule', { recurrence: { rrule: ['RRULE:FREQ=SECONDLY'] } }),
              event('never', { recurrence: { rrule: ['RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'] } }),
              event('long', { location: 'x'.repeat(256) }),
              event('guests', { participants: 'everybody' }),
              event('unknown', { calendar_id: 'elsewhere' }),
              event('foreign', { account_id: 'acc-other' }),
              event('fine'),
              event('fine'),
            ],
          }),
        ],
      }),
      { app },
    )
    const reasons = report.skipped.listed.map(({ place, id, reason }) => `${place} ${id}: ${reason}`)
    expect(reasons).toMatchInlineSnapshot(`
      [
        "accounts[0] null: is not an object",
        "accounts[1] null: is not an object",
        "accounts[2] null: is not an object",
        "accounts[3] null: id: is required",
        "accounts[4] no-email: email: is required",
        "accounts[5] null: id: Invalid input: expected string, received number",
        "accounts[6] acc-calendars: calendars: must be a list",
        "accounts[7] acc-events: events: must be a list",
        "accounts[8] acc-calendar: accounts[8].calendars[0]: calendar : is not an object",
        "accounts[9] acc-nested: is nested more than 32 levels deep",
        "accounts[10].events[0] null: is not an object",
        "accounts[10].events[1] null: is not an object",
        "accounts[10].events[2] null: id: is required",
        "accounts[10].events[3] : id: Too small: expected string to have >=1 characters",
        "accounts[10].events[4] primary: id: is not an id that can be kept",
        "accounts[10].events[5] nul: holds a text with a NUL character",
        "accounts[10].events[6] half: holds a text with half a surrogate pair",
        "accounts[10].events[7] title: title: Invalid input: expected string, received number",
        "accounts[10].events[8] when: when: Invalid input: expected object, received null",
        "accounts[10].events[11] float: when.time: Invalid input: expected int, received number",
        "accounts[10].events[18] guests: participants: Invalid input: expected array, received string",
        "accounts[10].events[19] unknown: calendar_id: elsewhere is no calendar of the account",
        "accounts[10].events[20] foreign: account_id: is of another account (acc-other)",
        "accounts[10].events[22] fine: the account has an event with this id already",
        "accounts[10].events[9] times: when: must be exactly one of: time; start_time and end_time; date; start_date and end_date",
        "accounts[10].events[10] millis: when.time: must be Unix time in seconds, not milliseconds",
        "accounts[10].events[12] backwards: when.end_time: must be after start_time",
        "accounts[10].events[13] day: when.date: is not a date of the calendar",
        "accounts[10].events[14] zone: when.timezone: is not a time zone: use an IANA name such as Europe/Berlin",
        "accounts[10].events[15] rule: recurrence: FREQ=SECONDLY: rules that repeat within a day are not supported",
        "accounts[10].events[16] never: recurrence: RRULE: never occurs after the start of the series",
        "accounts[10].events[17] long: location: Too big: expected string to have <=255 characters",
      ]
    `)
    expect(report.accounts).toMatchObject({ created: 1, skipped: 10 })
    expect(report.events).toMatchObject({ created: 1, skipped: 22 })
    const grants = await read(service, '/v3/grants', key)
    expect(grants).toMatchObject([{ email: 'fine@example.com' }])
  })

  test('a million nested brackets inside an object skip that object only', async () => {
    const deep = `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`
    const events = `[{"id":"deep","calendar_id":"cal","title":${deep},"when":{"time":1}},${JSON.stringify(event('fine'))}]`
    const text = JSON.stringify({ accounts: [account('ann', { events: '@' })] }).replace('"@"', events)
    const report = await importText(service, text, { app })
    expect(report.events).toMatchObject({ created: 1, skipped: 1 })
    expect(report.skipped.listed[0]?.reason).toBe('is nested more than 32 levels deep')
  })

  test('bad lines are told by number, and the rest is imported', async () => {
    const good = linesOf([account('ann', { events: [event('a')] })]).split('\n')
    const text = [
      'not JSON',
      '{"object":"event","id":"half"',
      ...good,
      '5',
      '{"object":"contact","id":"c"}',
      '{"object":"account","email":"no-id@example.com"}',
      '{"object":"calendar","id":"c","name":"Nobody\'s"}',
      '{"object":"event","id":"e","when":{"time":1}}',
      '{"object":"event","id":"e","calendar_id":"none","when":{"time":1}}',
      '{"object":"event","id":"e1","account_id":"nobody"}',
      '{"object":"event","id":"e2","account_id":"nobody"}',
      `{"object":"event","id":"huge","account_id":"acc-ann","title":"${'x'.repeat(9_000_000)}"}`,
      good[0],
      '['.repeat(1_000_000),
    ].join('\n')
    const report = await importText(service, text, { app, name: 'bad.ndjson' })
    expect(report.accounts).toMatchObject({ created: 1 })
    expect(report.events).toMatchObject({ created: 1 })
    expect(report.skipped.listed.map(({ place, reason }) => `${place}: ${reason}`)).toEqual([
      'line 1: is not JSON',
      'line 2: is not JSON',
      'line 6: is not an object',
      'line 7: object: must be account, calendar or event',
      'line 8: id: is required',
      'line 9: account_id: is required',
      'line 10: account_id or calendar_id: is required',
      'line 14: is longer than 8 MiB',
      'line 15: the account acc-ann stands in the file twice',
      'line 16: is not JSON',
      'line 11: calendar_id: none is no calendar of the file',
      'line 12: account_id: nobody is no account of the file (2 objects, this is the first)',
    ])
  })

  test('the same ids in two accounts are two accounts, each with its own', async () => {
    const report = await importAccounts(
      service,
      [account('ann', { events: [event('same', { title: 'Of ann' })] }), account('bob', { events: [event('same')] })],
      { app },
    )
    expect(report.events).toMatchObject({ created: 2, skipped: 0 })
    expect(await read(service, '/v3/grants/ann@example.com/events/same?calendar_id=cal', key)).toMatchObject({
      title: 'Of ann',
    })
    expect(await read(service, '/v3/grants/bob@example.com/events/same?calendar_id=cal', key)).toMatchObject({
      title: 'Event same',
    })
  })

  test('a line that links through a calendar of two accounts belongs to neither', async () => {
    const lines = [
      ...linesOf([account('ann'), account('bob')]).split('\n'),
      '{"object":"event","id":"whose","calendar_id":"cal","when":{"time":1}}',
    ]
    const report = await importText(service, lines.join('\n'), { app })
    expect(report.accounts.created).toBe(2)
    expect(report.skipped.listed.map(({ reason }) => reason)).toEqual([
      'calendar_id: cal is the id of calendars of two accounts',
    ])
  })

  test('reasons without number are counted, and the first are listed', async () => {
    const many = 15_000
    const report = await importText(service, `${linesOf([account('ann')])}\n${'x\n'.repeat(many)}`, { app })
    expect(report.skipped.total).toBe(many)
    expect(report.skipped.listed).toHaveLength(10_000)
    const events = Array.from({ length: many }, () => 5)
    expect((await importAccounts(service, [account('bob', { events })], { app })).skipped.total).toBe(many)
  })
})
