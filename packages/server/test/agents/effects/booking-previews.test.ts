/**
 * The preview of a change or a deletion of a booking page or a group event, and what happens if the object was changed
 * since then.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '../../conformance/accounts.ts'
import { type Answer, sharedService, type TestService } from '../../harness.ts'

let service: TestService
let application: { id: string; key: string }
let grantId: string
let calendarId: string
let restricted: string
beforeAll(async () => {
  service = await sharedService()
  application = await service.createApplication('Previews')
  grantId = (await service.createGrant('vera@host.test', application.key)).id
  calendarId = (await call('POST', '/calendars', { name: 'Courses' })).body.data.id
  const path = `/v3/admin/applications/${application.id}/api-keys`
  const body = { name: 'Assistant', rights: { operations: ['scheduling'] } }
  restricted = (await service.call('POST', path, { admin: true, body })).body.data.api_key
})
afterAll(() => service?.[Symbol.asyncDispose]())

const call = (method: string, path: string, body?: object, key = application.key): Promise<Answer> =>
  service.call(method, `/v3/grants/${grantId}${path}`, { key, ...(body ? { body } : {}) })
const ask = async (method: string, path: string, body?: object): Promise<Json> => {
  const answer = await call(method, path, body, restricted)
  expect([answer.status, answer.body.error]).toEqual([202, undefined])
  return answer.body.data
}
const approve = async (id: string): Promise<Json> =>
  (await service.call('POST', `/v3/approvals/${id}/approve`, { key: application.key })).body.data
const detailsOf = ({ preview }: Json): Record<string, string> =>
  Object.fromEntries(preview.details.map(({ label, value }: Json) => [label, value]))
const start = 1_950_000_000
const when = { start_time: start, end_time: start + 3_600 }
const addPage = async (fields: object): Promise<string> => {
  const made = await call('POST', '/scheduling/configurations', { name: 'Courses', type: 'group', ...fields })
  expect([made.status, made.body.error]).toEqual([200, undefined])
  return `/scheduling/configurations/${made.body.data.id}`
}

test('the preview of a deletion names the group event and its time, and the deletion fails if the event was changed', async () => {
  const page = await addPage({ group_booking: { calendar_id: calendarId, default_capacity: 4 } })
  const made = await call('POST', `${page}/group-events`, { title: 'Yoga', when, location: 'Hall' })
  const at = `${page}/group-events/${made.body.data.id}`
  const approval = await ask('DELETE', at)
  expect(detailsOf(approval)).toMatchObject({
    ...{ Event: `Yoga (${made.body.data.id})`, Place: 'Hall', When: expect.stringContaining('(UTC)') },
  })
  expect((await call('PUT', at, { title: 'Board meeting' })).status).toBe(200)
  expect(await approve(approval.id)).toMatchObject({ status: 'failed', reason: expect.stringContaining('changed') })
  const again = await ask('DELETE', at)
  expect(detailsOf(again).Event).toContain('Board meeting')
  expect(await approve(again.id)).toMatchObject({ status: 'executed' })
})

test('the preview of a change names the booking page, and who can book after the change', async () => {
  const page = await addPage({
    ...{ group_booking: { calendar_id: calendarId, default_capacity: 4 }, requires_session_auth: true },
  })
  const approval = await ask('PUT', page, { group_booking: { calendar_id: calendarId, default_capacity: 5 } })
  expect(approval.preview.subject).toBe('Courses')
  expect(detailsOf(approval)).toMatchObject({
    ...{ 'Booking page': expect.stringContaining('Courses ('), 'Who can book': 'guests with a session' },
  })
  const open = await ask('PUT', page, { requires_session_auth: false })
  expect(detailsOf(open)['Who can book']).toBe('everybody who has the link')
  expect(await approve(open.id)).toMatchObject({ status: 'executed' })
  // The page that the person saw required a session.
  expect(await approve(approval.id)).toMatchObject({ status: 'failed', reason: expect.stringContaining('changed') })
})
