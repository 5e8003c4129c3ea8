/** Rooms of a Google Workspace, as far as they are specific to Google. */
import { expect, test } from 'vitest'
import { createGoogleGrant, everyScope } from '../peers/google.ts'
import { accountOf, expectStatus, type Json } from './accounts.ts'
import { domain, openRooms } from './google-calendar-subject.ts'

test('only rooms of the own organization are listed, from all pages of Google', async () => {
  await using open = await openRooms()
  const { simulator } = open
  for (let count = 0; count < 260; count += 1) simulator.addRoom({ domain, name: `Car ${count}`, category: 'OTHER' })
  simulator.addRoom({ domain, name: 'Unsorted', category: 'CATEGORY_UNKNOWN' })
  simulator.addRoom({ domain: 'example.org', name: 'Elsewhere' })
  const { body } = expectStatus(await accountOf(open.call, open).get('/resources'), 200)
  expect(body.data.map(({ name }: Json) => name)).toEqual(['Unsorted'])
})

test('an account without access to the directory gets an error that says so', async () => {
  await using open = await openRooms()
  const { simulator, service, key, call } = open
  simulator.fail(
    { path: /\/resources\/calendars$/ },
    { status: 403, reason: 'forbidden', message: 'Not Authorized to access this resource/api' },
  )
  const refused = await accountOf(call, open).get('/resources')
  expect(refused.status).toBe(400)
  expect(refused.body.error).toMatchObject({ message: expect.stringContaining('directory of rooms') })
  simulator.addAccount({ email: 'eve@gmail.com' })
  const { id } = await createGoogleGrant(service, simulator, { email: 'eve@gmail.com', key })
  const alone = await call('GET', `/v3/grants/${id}/resources`)
  expect(alone.body.error.message).toContain('directory of rooms')
  const scopes = everyScope.filter((scope) => !scope.includes('admin.directory'))
  simulator.addAccount({ email: 'bob@example.com' })
  const bob = await createGoogleGrant(service, simulator, { email: 'bob@example.com', key, scopes })
  const unscoped = await call('GET', `/v3/grants/${bob.id}/resources`)
  expect(unscoped.body.error.message).toContain('admin.directory.resource.calendar.readonly')
})

test('a provider without rooms returns an error that says so', async () => {
  await using open = await openRooms()
  await open.call('POST', '/v3/connectors', { body: { provider: 'virtual-calendar' } })
  const made = await open.call('POST', '/v3/connect/custom', {
    body: { provider: 'virtual-calendar', settings: { email: 'room-7' } },
  })
  const answer = await open.call('GET', `/v3/grants/${made.body.data.id}/resources`)
  expect(answer.status).toBe(422)
  expect(answer.body.error.type).toBe('not_supported_by_provider')
})
