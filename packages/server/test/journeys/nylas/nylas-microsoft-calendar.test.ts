/** The published `nylas` client, unmodified, with the calendars and events of accounts at Microsoft. */

import { Nylas, pagesOf } from '@waypost/testing/peers/nylas'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { at } from '../../conformance/accounts.ts'
import {
  type MicrosoftAccount,
  type MicrosoftAccounts,
  openMicrosoftAccounts,
} from '../microsoft/microsoft-accounts.ts'

describe('the nylas client and the calendars of an account at Microsoft', () => {
  let accounts: MicrosoftAccounts
  let nylas: Nylas
  let ada: MicrosoftAccount
  let grace: MicrosoftAccount
  let identifier: string
  beforeAll(async () => {
    accounts = await openMicrosoftAccounts()
    nylas = new Nylas({ apiKey: accounts.key, apiUri: await accounts.service.listen(), timeout: 60 })
    ada = await accounts.newAccount()
    grace = await accounts.newAccount()
    identifier = ada.grantId
  })
  afterAll(() => accounts?.[Symbol.asyncDispose]())

  const start = at('2026-06-10T09:00')
  const queryParams = { calendarId: 'primary' }
  const window = { ...queryParams, start: String(start - 86_400), end: String(start + 30 * 86_400) }

  test('works with calendars', async () => {
    const { data: made } = await nylas.calendars.create({ identifier, requestBody: { name: 'Made' } })
    const calendar = { identifier, calendarId: made.id }
    expect(made).toMatchObject({ object: 'calendar', name: 'Made', readOnly: false, isOwnedByUser: true })
    await nylas.calendars.update({ ...calendar, requestBody: { name: 'Renamed' } })
    expect((await nylas.calendars.find(calendar)).data.name).toBe('Renamed')
    const pages = await pagesOf(nylas.calendars.list({ identifier, queryParams: { limit: 1 } }))
    expect(pages.flat().map(({ name }) => name)).toContain('Renamed')
    await nylas.calendars.destroy(calendar)
    await expect(nylas.calendars.find(calendar)).rejects.toMatchObject({ statusCode: 404 })
  })

  test('works with series, their occurrences and free/busy', async () => {
    const { data: made } = await nylas.events.create({
      identifier,
      queryParams: { ...queryParams, notifyParticipants: false },
      requestBody: {
        title: 'Stand-up',
        when: {
          startTime: start,
          endTime: start + 900,
          startTimezone: 'America/New_York',
          endTimezone: 'America/New_York',
        },
        recurrence: ['RRULE:FREQ=DAILY;COUNT=5'],
        metadata: { key1: 'one' },
      },
    })
    expect(made).toMatchObject({ object: 'event', title: 'Stand-up', metadata: { key1: 'one' } })
    const instances = (await pagesOf(nylas.events.list({ identifier, queryParams: { ...window, limit: 2 } }))).flat()
    expect(instances.map(({ title }) => title)).toEqual(Array(5).fill('Stand-up'))
    const [, second] = instances
    const { data: changed } = await nylas.events.update({
      identifier,
      eventId: second?.id ?? '',
      queryParams,
      requestBody: { title: 'Longer' },
    })
    expect(changed).toMatchObject({ title: 'Longer', masterEventId: made.id })
    const { data: busy } = await nylas.calendars.getFreeBusy({
      identifier,
      requestBody: { startTime: start, endTime: start + 86_400, emails: [ada.email] },
    })
    expect(busy).toMatchObject([{ email: ada.email, object: 'free_busy', timeSlots: [{ status: 'busy' }] }])
    await nylas.events.destroy({ identifier, eventId: made.id, queryParams })
    expect((await nylas.events.list({ identifier, queryParams: window })).data).toEqual([])
  })

  test('answers an invitation of a colleague', async () => {
    const { data: made } = await nylas.events.create({
      identifier: grace.grantId,
      queryParams,
      requestBody: {
        title: 'Review',
        when: { startTime: start, endTime: start + 3600 },
        participants: [{ email: ada.email, name: 'Ada', status: 'noreply' }],
      },
    })
    const { data: invited } = await nylas.events.list({ identifier, queryParams: { ...window, title: 'Review' } })
    expect(invited).toHaveLength(1)
    await nylas.events.sendRsvp({
      identifier,
      eventId: invited[0]?.id ?? '',
      queryParams,
      requestBody: { status: 'yes' },
    })
    const { data: answered } = await nylas.events.find({ identifier: grace.grantId, eventId: made.id, queryParams })
    expect(answered.participants).toMatchObject([{ email: ada.email, status: 'yes' }])
  })
})
