/** The published `nylas` client, unmodified, with calendars, events, free/busy and availability. */

import { oneEngineFor } from '@waypost/testing/engines'
import { failureOf, Nylas, pagesOf } from '@waypost/testing/peers/nylas'
import { sql } from '@waypost/testing/statement'
import type { AvailabilityMethod, Event } from 'nylas'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { at, openAccounts, type TestAccounts } from '../../conformance/accounts.ts'

const rewrite = sql('test.rewrite', 'update events set document = $2 where id = $1')
const document = sql<{ document: string }>('test.document', 'select document from events where id = $1')

describe.each(oneEngineFor(import.meta.url))('the nylas client on %s', (engine) => {
  let accounts: TestAccounts
  let nylas: Nylas
  let identifier: string
  let email: string
  beforeAll(async () => {
    accounts = await openAccounts({ engine })
    nylas = new Nylas({ apiKey: accounts.key, apiUri: await accounts.service.listen(), timeout: 60 })
    const account = await accounts.newCalendarAccount({ timezone: 'Europe/Berlin' })
    identifier = account.grantId
    email = account.email
  })
  afterAll(() => accounts[Symbol.asyncDispose]())

  const calendarId = 'primary'
  const start = at('2026-06-10T09:00')
  const when = (offset = 0) => ({ startTime: start + offset, endTime: start + offset + 3600 })
  const window = { calendarId, start: String(start - 86_400), end: String(start + 30 * 86_400) }
  const create = async (fields: object = {}): Promise<Event> =>
    (
      await nylas.events.create({
        identifier,
        requestBody: { title: 'Meeting', when: when(), ...fields },
        queryParams: { calendarId },
      })
    ).data

  describe('calendars', () => {
    test('are created, found, changed, listed and destroyed', async () => {
      const { data: made, requestId } = await nylas.calendars.create({
        identifier,
        requestBody: { name: 'Team', timezone: 'America/New_York', metadata: { key1: 'blue' } },
      })
      expect(requestId).toMatch(/^[0-9a-f-]{36}$/)
      expect(made).toMatchObject({ name: 'Team', object: 'calendar', grantId: identifier, isPrimary: false })
      expect(made.readOnly).toBeNull()
      const found = await nylas.calendars.find({ identifier, calendarId: made.id })
      expect(found.data).toEqual(made)
      const changed = await nylas.calendars.update({
        identifier,
        calendarId: made.id,
        requestBody: { name: 'Crew', hexColor: '#1a73e8' },
      })
      expect(changed.data).toMatchObject({ name: 'Crew', hexColor: '#1a73e8', timezone: 'America/New_York' })
      const all = await nylas.calendars.list({ identifier })
      expect(all.data.map(({ id }) => id)).toContain(made.id)
      const blue = await nylas.calendars.list({ identifier, queryParams: { metadataPair: { key1: 'blue' } } })
      expect(blue.data.map(({ id }) => id)).toEqual([made.id])
      const pages = await pagesOf(nylas.calendars.list({ identifier, queryParams: { limit: 1 } }))
      expect(pages.flat()).toHaveLength(all.data.length)
      await nylas.calendars.destroy({ identifier, calendarId: made.id })
      expect((await failureOf(nylas.calendars.find({ identifier, calendarId: made.id }))).statusCode).toBe(404)
    })

    test('fail with errors of the client', async () => {
      const primary = await failureOf(nylas.calendars.destroy({ identifier, calendarId: 'primary' }))
      expect(primary).toMatchObject({ statusCode: 400, type: 'invalid_request_error' })
      const zone = await failureOf(
        nylas.calendars.create({ identifier, requestBody: { name: 'x', timezone: 'Mars/Olympus' } }),
      )
      expect(zone).toMatchObject({ statusCode: 400, message: expect.stringContaining('timezone') })
      const unknown = await failureOf(nylas.calendars.list({ identifier: 'unknown' }))
      expect(unknown).toMatchObject({ statusCode: 404, type: 'grant.not_found' })
    })
  })

  describe('events', () => {
    test('are created, found, changed and destroyed', async () => {
      const made = await create({
        description: 'Plan',
        location: 'Room',
        participants: [{ email: 'ann@x.test', name: 'Ann', status: 'noreply' }],
        metadata: { key1: 'made' },
        visibility: 'private',
        reminders: { useDefault: false, overrides: [] },
      })
      expect(made).toMatchObject({
        object: 'event',
        grantId: identifier,
        title: 'Meeting',
        busy: true,
        status: 'confirmed',
        visibility: 'private',
        when: { object: 'timespan', ...when() },
        participants: [{ email: 'ann@x.test', name: 'Ann', status: 'noreply' }],
        organizer: { email },
        readOnly: false,
      })
      const eventId = made.id
      const found = await nylas.events.find({ identifier, eventId, queryParams: { calendarId } })
      expect(found.data).toEqual(made)
      const changed = await nylas.events.update({
        identifier,
        eventId,
        requestBody: { title: 'Changed', participants: [] },
        queryParams: { calendarId, notifyParticipants: false },
      })
      expect(changed.data).toMatchObject({ title: 'Changed', description: 'Plan', participants: [] })
      await nylas.events.destroy({ identifier, eventId, queryParams: { calendarId } })
      const gone = await failureOf(nylas.events.find({ identifier, eventId, queryParams: { calendarId } }))
      expect(gone).toMatchObject({ statusCode: 404, type: 'not_found_error' })
    })

    test('accept all four forms of a time', async () => {
      const forms = [
        { time: start, timezone: 'Europe/Berlin' },
        { ...when(), startTimezone: 'Europe/Berlin', endTimezone: 'Europe/Berlin' },
        { date: '2026-06-10' },
        { startDate: '2026-06-10', endDate: '2026-06-12' },
      ]
      const objects = []
      for (const form of forms) {
        const made = await create({ when: form })
        expect(made.when).toMatchObject(form)
        objects.push(made.when.object)
        await nylas.events.destroy({ identifier, eventId: made.id, queryParams: { calendarId } })
      }
      expect(objects).toEqual(['time', 'timespan', 'date', 'datespan'])
    })

    test('are listed by filters and page by page', async () => {
      const single = await create({ title: 'Needle', participants: [{ email: 'ann@x.test' }, { email: 'bob@x.test' }] })
      const series = await create({
        title: 'Daily',
        recurrence: ['RRULE:FREQ=DAILY;COUNT=12'],
        metadata: { key2: 'x' },
      })
      const list = (queryParams: object) =>
        nylas.events.list({ identifier, queryParams: { ...window, ...queryParams } })
      const pages = await pagesOf(list({ limit: 5 }))
      expect(pages.map(({ length }) => length)).toEqual([5, 5, 3])
      const starts = pages.flat().map((event) => ('startTime' in event.when ? event.when.startTime : 0))
      expect(starts).toEqual(starts.toSorted())
      const first = await list({ limit: 5 })
      const second = await list({ limit: 5, pageToken: first.nextCursor })
      expect(second.data.map(({ id }) => id)).toEqual(pages[1]?.map(({ id }) => id))
      const titles = async (queryParams: object) => (await list(queryParams)).data.map(({ title }) => title)
      expect(await titles({ title: 'needle' })).toEqual(['Needle'])
      expect(await titles({ attendees: ['ann@x.test', 'bob@x.test'] })).toEqual(['Needle'])
      expect(await titles({ attendees: ['ann@x.test', 'cleo@x.test'] })).toEqual([])
      expect(await titles({ expandRecurring: false })).toHaveLength(2)
      expect(await titles({ masterEventId: series.id, limit: 200 })).toHaveLength(12)
      const { data: found } = await nylas.events.list({
        identifier,
        queryParams: { calendarId, metadataPair: { key2: 'x' } },
      })
      expect(found.map(({ id }) => id)).toEqual([series.id])
      const imported = await nylas.events.listImportEvents({
        identifier,
        queryParams: { calendarId, start: start - 86_400, end: start + 86_400, limit: 500 },
      })
      expect(imported.data.map(({ id }) => id).sort()).toEqual([single.id, series.id].sort())
      const instance = pages.flat().find(({ masterEventId }) => masterEventId === series.id)
      const path = { identifier, eventId: instance?.id ?? '', queryParams: { calendarId } }
      await nylas.events.update({ ...path, requestBody: { title: 'Once' } })
      expect((await nylas.events.find(path)).data).toMatchObject({ title: 'Once', masterEventId: series.id })
      await nylas.events.destroy(path)
      expect((await failureOf(nylas.events.find(path))).statusCode).toBe(404)
      for (const eventId of [single.id, series.id]) {
        await nylas.events.destroy({ identifier, eventId, queryParams: { calendarId } })
      }
    })

    test('are answered with sendRsvp', async () => {
      const made = await create()
      const { database } = accounts.service.services.storage
      const row = await database.get(document, [made.id])
      const own = { email, name: null, comment: null, phone_number: null, status: 'noreply' }
      await database.run(rewrite, [
        made.id,
        JSON.stringify({ ...JSON.parse(row?.document ?? '{}'), participants: [own] }),
      ])
      const path = { identifier, eventId: made.id, queryParams: { calendarId } }
      const answer = await nylas.events.sendRsvp({ ...path, requestBody: { status: 'maybe' } })
      expect(answer.requestId).toMatch(/^[0-9a-f-]{36}$/)
      expect((await nylas.events.find(path)).data.participants[0]?.status).toBe('maybe')
      const other = await create()
      const refused = await failureOf(
        nylas.events.sendRsvp({
          identifier,
          eventId: other.id,
          queryParams: { calendarId },
          requestBody: { status: 'yes' },
        }),
      )
      expect(refused).toMatchObject({ statusCode: 400, type: 'invalid_request_error' })
      for (const { id } of [made, other]) {
        await nylas.events.destroy({ identifier, eventId: id, queryParams: { calendarId } })
      }
    })

    test('fail with errors of the client', async () => {
      const bad = await failureOf(create({ when: { startTime: start, endTime: start - 1 } }))
      expect(bad).toMatchObject({ statusCode: 400, type: 'invalid_request_error' })
      expect(bad.message).toMatch(/end_time/)
      const milliseconds = await failureOf(create({ when: { startTime: start * 1000, endTime: start * 1000 + 1 } }))
      expect(milliseconds.message).toMatch(/milliseconds/)
      const queryParams = { ...window, icalUid: 'x', title: 'y' }
      expect((await failureOf(nylas.events.list({ identifier, queryParams }))).statusCode).toBe(400)
    })
  })

  describe('free/busy and availability', () => {
    test('getFreeBusy answers known and unknown addresses', async () => {
      const made = await create()
      const { data } = await nylas.calendars.getFreeBusy({
        identifier,
        requestBody: { startTime: start - 3600, endTime: start + 7200, emails: [email, 'ghost@x.test'] },
      })
      expect(data).toEqual([
        {
          email,
          object: 'free_busy',
          timeSlots: [{ ...when(), status: 'busy', object: 'time_slot' }],
        },
        { email: 'ghost@x.test', object: 'error', error: expect.any(String) },
      ])
      await nylas.events.destroy({ identifier, eventId: made.id, queryParams: { calendarId } })
    })

    test('getAvailability finds times', async () => {
      const made = await create()
      const requestBody = {
        startTime: start - 3600,
        endTime: start + 7200,
        durationMinutes: 60,
        participants: [{ email, calendarIds: ['primary'] }],
        availabilityRules: {
          availabilityMethod: 'max-availability' as AvailabilityMethod,
          buffer: { before: 0, after: 0 },
          roundRobinEventId: 'team',
        },
      }
      const { data } = await nylas.calendars.getAvailability({ requestBody })
      expect(data.order).toEqual([email])
      expect(data.timeSlots).toEqual([
        { emails: [email], startTime: start - 3600, endTime: start },
        { emails: [email], startTime: start + 3600, endTime: start + 7200 },
      ])
      const ghost = { ...requestBody, participants: [{ email: 'ghost@x.test' }] }
      const refused = await failureOf(nylas.calendars.getAvailability({ requestBody: ghost }))
      expect(refused).toMatchObject({ statusCode: 400, message: expect.stringContaining('ghost@x.test') })
      await nylas.events.destroy({ identifier, eventId: made.id, queryParams: { calendarId } })
    })
  })
})
