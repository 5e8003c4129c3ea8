/** Calendars on servers that are old, know other time zones, or name people by their directory. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { at, expectStatus, span } from '../../conformance/accounts.ts'
import { type ExchangeAccounts, openExchangeAccounts } from './exchange-accounts.ts'

const primary = { calendar_id: 'primary' }
const june = { start: at('2026-06-01T00:00'), end: at('2026-07-01T00:00') }

describe('an Exchange 2010', () => {
  let accounts: ExchangeAccounts
  beforeAll(async () => {
    accounts = await openExchangeAccounts({ exchange: { serverVersion: '2010_SP1' } })
  })
  afterAll(() => accounts?.[Symbol.asyncDispose]())

  test('gets only requests that it supports', async () => {
    const account = await accounts.newAccount()
    const series = await account.create('primary', {
      title: 'Series',
      when: span('2026-06-01T09:00', 60, 'Europe/Berlin'),
      recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'],
    })
    expect(series.when).toMatchObject({ start_timezone: 'Europe/Berlin' })
    const [, second] = await account.listAll('primary', june)
    expect(second).toMatchObject({ master_event_id: series.id, title: 'Series' })
    expect(await account.change('primary', second.id, { title: 'Other' })).toMatchObject({ title: 'Other' })
    const reported = await account.post('/calendars/free-busy', {
      start_time: june.start,
      end_time: june.end,
      emails: [account.email],
    })
    expect(expectStatus(reported, 200).body.data[0].time_slots).toHaveLength(3)
    expectStatus(await account.delete(`/events/${series.id}`, primary), 200)
  })
})

describe('time zones', () => {
  let accounts: ExchangeAccounts
  beforeAll(async () => {
    accounts = await openExchangeAccounts()
  })
  afterAll(() => accounts?.[Symbol.asyncDispose]())

  test('that a server does not know are written with ones that it does', async () => {
    const account = await accounts.newAccount()
    accounts.operations()
    accounts.simulator.fail({ operation: 'CreateItem' }, { status: 200, code: 'ErrorTimeZone' })
    const { when } = await account.create('primary', { when: span('2026-06-02T09:00', 60, 'Europe/Berlin') })
    expect(when).toMatchObject({ start_time: at('2026-06-02T09:00', 'Europe/Berlin'), start_timezone: 'Europe/Berlin' })
    expect(accounts.operations()).toEqual(['CreateItem', 'GetServerTimeZones', 'CreateItem', 'GetItem'])
  })

  test('without a Windows name are matched by their rules, and series in them keep their hour', async () => {
    const account = await accounts.newAccount()
    const zone = 'Antarctica/Troll'
    const { id } = await account.create('primary', {
      when: span('2026-03-27T12:00', 60, zone),
      recurrence: ['RRULE:FREQ=DAILY;COUNT=4'],
    })
    const window = { start: at('2026-03-01T00:00'), end: at('2026-04-30T00:00') }
    const starts = (await account.listAll('primary', window)).map(({ when }) => when.start_time)
    expect(starts).toEqual([27, 28, 29, 30].map((day) => at(`2026-03-${day}T12:00`, zone)))
    expect((await account.read('primary', id)).when).toMatchObject({ start_timezone: zone, end_timezone: zone })
  })

  test('with custom definitions are read from their rules, and whole days in them are the intended days', async () => {
    const account = await accounts.newAccount()
    const transition = (to: string, month: number, occurrence: number) => ({
      To: { '@Kind': 'Period', '#': to },
      TimeOffset: 'PT2H',
      Month: month,
      DayOfWeek: 'Sunday',
      Occurrence: occurrence,
    })
    const tokyo = { '@Id': 'Tokyo Standard Time' }
    account.exchange.calendar.addEvent({
      Subject: 'Day',
      Start: '2026-06-02T15:00:00Z',
      End: '2026-06-03T15:00:00Z',
      IsAllDayEvent: true,
      StartTimeZone: tokyo,
      EndTimeZone: tokyo,
    })
    const custom = {
      '@Id': 'Customized Time Zone',
      Periods: {
        Period: [
          { '@Bias': 'PT5H', '@Name': 'Standard', '@Id': 's' },
          { '@Bias': 'PT4H', '@Name': 'Daylight', '@Id': 'd' },
        ],
      },
      TransitionsGroups: {
        TransitionsGroup: {
          '@Id': '0',
          RecurringDayTransition: [transition('d', 3, 2), transition('s', 11, 1)],
        },
      },
      Transitions: { '@Id': '0', Transition: { To: { '@Kind': 'Group', '#': '0' } } },
    }
    account.exchange.calendar.addEvent({
      Subject: 'Custom',
      Start: '2026-06-04T13:00:00Z',
      End: '2026-06-04T14:00:00Z',
      StartTimeZone: custom,
      EndTimeZone: custom,
    })
    const [day, made] = await account.listAll('primary', june)
    expect(day.when).toEqual({ object: 'date', date: '2026-06-03' })
    expect(made.when).toMatchObject({ start_time: at('2026-06-04T13:00'), start_timezone: 'America/New_York' })
  })
})

test('guests and rooms with directory names get their addresses', async () => {
  await using accounts = await openExchangeAccounts({ exchange: { oddities: { namesByDirectory: true } } })
  const [ada, grace] = [await accounts.newAccount(), await accounts.newAccount()]
  const room = 'engine@exchange.example'
  accounts.simulator.addRoom({ email: room, name: 'Engine room' })
  const { id } = await ada.create('primary', {
    title: 'Meeting',
    when: span('2026-06-02T09:00', 60),
    participants: [{ email: grace.email }],
    resources: [{ email: room }],
  })
  const people = {
    participants: [{ email: grace.email }],
    resources: [{ email: room }],
    organizer: { email: ada.email },
  }
  expect(await ada.read('primary', id)).toMatchObject(people)
  expect(await ada.listAll('primary', june)).toMatchObject([people])
  accounts.simulator.fail(
    { operation: 'ResolveNames', times: 20 },
    { status: 200, code: 'ErrorNameResolutionNoResults' },
  )
  // A guest who is not found has only a name.
  expect(await grace.listAll('primary', june)).toMatchObject([{ title: 'Meeting', resources: [] }])
})
