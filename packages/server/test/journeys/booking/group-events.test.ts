/** Group events through the API, on a virtual calendar: events, series, import, and whether a seat can be booked. */
import { createWaypost } from '@waypost/sdk'
import { enginesFor } from '@waypost/testing/engines'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, openService, type TestService } from '../../harness.ts'

const hour = 3600
const email = 'teacher@courses.test'

describe.each(enginesFor(import.meta.url))('group events on %s', (engine) => {
  let service: TestService
  let grantId: string
  let calendarId: string
  let configurationId: string
  beforeAll(async () => {
    service = await openService({ engine })
    grantId = (await service.createGrant(email)).id
    calendarId = (await post('/calendars', { name: 'Courses' })).body.data.id
    configurationId = await addPage()
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const post = (path: string, body: unknown, headers = {}): Promise<Answer> =>
    service.call('POST', `/v3/grants/${grantId}${path}`, { body, headers })
  const addPage = async (fields = {}): Promise<string> => {
    const group_booking = { calendar_id: calendarId, default_capacity: 4 }
    const made = await post('/scheduling/configurations', { name: 'Courses', type: 'group', group_booking, ...fields })
    expect([made.status, made.body.error]).toEqual([200, undefined])
    return made.body.data.id
  }
  const events = (id = configurationId): string => `/scheduling/configurations/${id}/group-events`
  const time = (days: number) => {
    const start_time = Math.floor(service.services.storage.clock.now() / 1000 / hour) * hour + days * 24 * hour
    return { start_time, end_time: start_time + hour }
  }
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  const add = async (fields: object, id = configurationId): Promise<any> => {
    const made = await post(events(id), { title: 'Yoga', when: time(3), ...fields })
    expect([made.status, made.body.error]).toEqual([200, undefined])
    return made.body.data
  }
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  const list = async (query: string, id = configurationId): Promise<any[]> => {
    const answer = await service.call('GET', `/v3/grants/${grantId}${events(id)}?${query}`)
    expect([answer.status, answer.body.error]).toEqual([200, undefined])
    return answer.body.data
  }
  const from = (days: number): string => `start_time=${time(days).start_time}&end_time=${time(days + 6).end_time}`
  const problemsOf = ({ status, body }: Answer) => [status, Object.keys(body.error?.validation_errors ?? {})]

  test('an event is created in the calendar, and its seats are returned with it', async () => {
    const participants = [
      { email, name: 'Teacher', is_organizer: true },
      { email: 'assistant@courses.test', name: 'Assistant' },
    ]
    const made = await add({ participants, location: 'Hall', description: 'Bring a mat', capacity: 12 })
    expect(made).toMatchObject({ title: 'Yoga', capacity: 12, calendar_id: calendarId, event: { title: 'Yoga' } })
    expect(made.group_event_info).toMatchObject({
      ...{ event_id: made.id, calendar_id: calendarId, config_id: configurationId, master_id: null, capacity: 12 },
      ...{ type: 'single_event', booked: false, booked_seats: 0, finished: false, rrule: [], exceptions: [] },
      participants: [
        { email, name: 'Teacher', is_organizer: true },
        { email: 'assistant@courses.test', name: 'Assistant', is_organizer: false },
      ],
    })
    const event = await service.call('GET', `/v3/grants/${grantId}/events/${made.id}?calendar_id=${calendarId}`)
    // The organizer is not invited.
    expect(event.body.data.participants).toMatchObject([{ email: 'assistant@courses.test' }])
    const listed = await list(from(1))
    expect(listed).toEqual([{ ...made, event: expect.anything(), updated_at: expect.anything() }])
  })

  test('a repeated request under an Idempotency-Key creates one event', async () => {
    const id = await addPage()
    const body = { title: 'Once', when: time(3) }
    const first = await post(events(id), body, { 'idempotency-key': 'group-1' })
    const again = await post(events(id), body, { 'idempotency-key': 'group-1' })
    expect([first.status, again.body]).toEqual([200, first.body])
    expect(await list(from(1), id)).toHaveLength(1)
  })

  test('a series lists its occurrences, and an occurrence can have its own capacity', async () => {
    const id = await addPage()
    const made = await add({ recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] }, id)
    expect(made.group_event_info).toMatchObject({
      type: 'master_event',
      capacity: 4,
      rrule: ['RRULE:FREQ=DAILY;COUNT=3'],
    })
    const [, second] = await list(from(1), id)
    expect(second.group_event_info).toMatchObject({ master_id: made.id, rrule: ['RRULE:FREQ=DAILY;COUNT=3'] })
    const change = (event: string, body: object) =>
      service.call('PATCH', `/v3/grants/${grantId}${events(id)}/${event}`, { body })
    expect((await change(second.id, { capacity: 7, title: 'Longer' })).body.data).toMatchObject({
      title: 'Longer',
      group_event_info: { capacity: 7, type: 'updated_event', master_id: made.id },
    })
    expect((await change(made.id, { capacity: 9 })).status).toBe(200)
    const listed = await list(from(1), id)
    expect(listed.map(({ capacity }) => capacity)).toEqual([9, 7, 9])
    expect(listed[0].group_event_info.exceptions).toEqual([{ event_id: second.id, capacity: 7 }])
    const gone = await service.call('DELETE', `/v3/grants/${grantId}${events(id)}/${made.id}?calendar_id=${calendarId}`)
    expect(gone.status).toBe(200)
    expect(await list(from(1), id)).toEqual([])
  })

  test('show_all also lists events that are not group events', async () => {
    const id = await addPage()
    const made = await add({}, id)
    const other = await post(`/events?calendar_id=${calendarId}`, { title: 'Lunch', when: time(4) })
    const all = await list(`show_all=true&${from(1)}`, id)
    const infoOf = (event: string) => all.find((each) => each.id === event)?.group_event_info
    expect([infoOf(made.id)?.config_id, infoOf(other.body.data.id)]).toEqual([id, undefined])
    expect((await list(from(1), id)).map((each) => each.id)).toEqual([made.id])
  })

  test('import takes up to 20 events, each once, by key and by token of the grant', async () => {
    const id = await addPage()
    const create = async (fields: object) =>
      (await post(`/events?calendar_id=${calendarId}`, { title: 'Tour', when: time(5), ...fields })).body.data.id
    const [single, series] = [await create({}), await create({ recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })]
    const occurrence = `${(await list(`show_all=true&${from(4)}`, id)).find((each) => each.master_event_id === series)?.id}`
    const item = (event_id: string, fields = {}) => ({ calendar_id: calendarId, event_id, ...fields })
    const byKey = (body: unknown) =>
      service.call('POST', `/v3/scheduling/configurations/${id}/import-group-events`, { body })
    const exceptions = [{ event_id: occurrence, capacity: 2 }]
    const done = await byKey([item(single, { capacity: 20 }), item(series, { exceptions }), item('nothing')])
    expect(done.body.data).toEqual({
      imported_events: [{ event_id: single }, { event_id: series }],
      import_failed: [{ event_id: 'nothing', reason: 'Event not found' }],
    })
    const again = await post(`/scheduling/configurations/${id}/import-group-events?calendar_id=x`, [item(single)])
    expect(again.body.data.import_failed).toEqual([{ event_id: single, reason: 'Event already imported' }])
    expect((await list(from(4), id)).map(({ capacity }) => capacity).sort()).toEqual([2, 20, 4])
    expect(problemsOf(await byKey(Array.from({ length: 21 }, () => item(single))))).toEqual([400, ['body']])
    expect(problemsOf(await byKey([item(single), { event_id: single }]))).toEqual([400, ['1.calendar_id']])
    expect((await byKey({ event_id: single })).body.error.message).toContain('array')
    const waypost = createWaypost({ apiKey: service.apiKey, baseUrl: await service.listen() })
    const { data } = await waypost.groupEvents.import({ configuration_id: id, body: [item(single)] })
    expect(data.import_failed).toHaveLength(1)
  })

  test('errors name the field', async () => {
    const whole = { title: 'Yoga', when: time(3) }
    expect(problemsOf(await post(events(), { when: time(3) }))).toEqual([400, ['title']])
    expect(problemsOf(await post(events(), { ...whole, capacity: 501 }))).toEqual([400, ['capacity']])
    expect(problemsOf(await post(events(), { ...whole, when: { date: '2030-01-01' } }))).toEqual([400, ['when']])
    const meeting = await post('/scheduling/configurations', {
      participants: [
        {
          email,
          is_organizer: true,
          availability: { calendar_ids: [calendarId] },
          booking: { calendar_id: calendarId },
        },
      ],
      availability: { duration_minutes: 30 },
      event_booking: { title: 'Meeting' },
    })
    expect(problemsOf(await post(events(meeting.body.data.id), whole))).toEqual([400, ['configuration_id']])
    expect((await post(events('no-configuration'), whole)).status).toBe(404)
    const other = await service.createGrant('other@courses.test')
    expect((await service.call('GET', `/v3/grants/${other.id}${events()}`)).status).toBe(404)
    const unknown = await service.call('PUT', `/v3/grants/${grantId}${events()}/nothing`, { body: { capacity: 2 } })
    expect(unknown.status).toBe(404)
  })

  describe('validate-timeslot', () => {
    const validate = (body: object, { id = configurationId, key }: { id?: string; key?: string | null } = {}) =>
      service.call('POST', `/v3/scheduling/configurations/${id}/group-events/validate-timeslot`, {
        body,
        key: key ?? null,
      })
    const slotOf = (event: { id: string; when: object }) => ({
      ...{ calendar_id: calendarId, event_id: event.id, capacity: 4, emails: [email] },
      start_time: Reflect.get(event.when, 'start_time'),
      end_time: Reflect.get(event.when, 'end_time'),
    })

    test('succeeds for anyone while the event can be booked, and fails when it has moved or is gone', async () => {
      const event = await add({})
      const valid = await validate(slotOf(event))
      expect([valid.status, valid.body]).toEqual([200, { request_id: expect.any(String) }])
      expect((await validate(slotOf(event), { key: service.apiKey })).status).toBe(200)
      const session = await service.call('POST', '/v3/scheduling/sessions', {
        body: { configuration_id: configurationId },
      })
      expect((await validate(slotOf(event), { key: session.body.data.session_id })).status).toBe(200)
      const moved = await service.call('PUT', `/v3/grants/${grantId}${events()}/${event.id}`, {
        body: { when: time(4) },
      })
      expect(moved.status).toBe(200)
      const refused = await validate(slotOf(event))
      expect([refused.status, refused.body.error]).toMatchObject([
        400,
        { type: 'timeslot_not_available', message: expect.stringMatching(/^The selected timeslot is unavailable/) },
      ])
      await service.call('DELETE', `/v3/grants/${grantId}${events()}/${event.id}`)
      expect((await validate(slotOf(moved.body.data))).body.error.type).toBe('timeslot_not_available')
    })

    test('a private configuration needs a session', async () => {
      const id = await addPage({ requires_session_auth: true })
      const event = await add({}, id)
      expect((await validate(slotOf(event), { id })).status).toBe(404)
      expect((await validate(slotOf(event), { id, key: 'no-session' })).status).toBe(401)
    })
  })
})
