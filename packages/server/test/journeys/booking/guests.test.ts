/**
 * What guests may see without a credential, with a session, and with a key of the application; and their rate limits.
 */
import { randomUUID } from 'node:crypto'
import { enginesFor } from '@waypost/testing/engines'
import { sql } from '@waypost/testing/statement'
import { testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newSessionId } from '../../../src/booking/scheduling-sessions.ts'
import { purgeExpired } from '../../../src/housekeeping.ts'
import { openService, type TestService } from '../../harness.ts'

const settings = '/v3/scheduling/ui-settings'
const storedSessions = sql<{ hash: string }>('test.storedSessions', 'select hash from scheduler_sessions')

describe.each(enginesFor(import.meta.url))('guests on %s', (engine) => {
  const clock = testClock()
  let service: TestService
  let application: { id: string; key: string }
  let other: { id: string; key: string }
  let open: string
  let closed: string

  const makePage = async (key: string, email: string, more: object): Promise<string> => {
    const grant = await service.createGrant(email, key)
    const body = {
      participants: [
        { email, name: 'Ann', availability: { calendar_ids: ['primary'] }, booking: { calendar_id: 'primary' } },
      ],
      availability: { duration_minutes: 30 },
      event_booking: { title: 'Meeting', timezone: 'Europe/Paris' },
      scheduler: { email_template: { logo: 'https://x.test/logo.png' } },
      ...more,
    }
    return (await service.call('POST', `/v3/grants/${grant.id}/scheduling/configurations`, { key, body })).body.data.id
  }
  const sessionOf = async (configuration_id: string, minutes = 5): Promise<string> => {
    const body = { configuration_id, time_to_live: minutes }
    return (await service.call('POST', '/v3/scheduling/sessions', { key: application.key, body })).body.data.session_id
  }
  const get = async (query: string, key: string | null = null) => {
    const { status, body } = await service.call('GET', `${settings}?${query}`, { key })
    const { request_id: _, ...rest } = body
    return { status, ...rest }
  }

  beforeAll(async () => {
    service = await openService({ engine, overrides: { clock } })
    application = await service.createApplication('Pages')
    other = await service.createApplication('Other')
    open = await makePage(application.key, 'ann@x.test', { slug: 'open' })
    closed = await makePage(application.key, 'bob@x.test', { slug: 'closed', requires_session_auth: true })
    await makePage(other.key, 'eve@x.test', { slug: 'open' })
  })
  afterAll(() => service[Symbol.asyncDispose]())

  test('anyone sees a public configuration, by its id or by slug and application', async () => {
    const shown = await get(`configuration_id=${open}`)
    expect(shown.data).toMatchObject({
      ...{ configuration_id: open, app_client_id: application.id, slug: 'open', booking_type: 'booking' },
      ...{ organizer: { name: 'Ann', email: 'ann@x.test' }, duration_minutes: 30, timezone: 'Europe/Paris' },
      scheduler: { available_days_in_future: 30, min_booking_notice: 60, min_cancellation_notice: 0 },
    })
    expect(shown.data.scheduler).not.toHaveProperty('email_template')
    expect(JSON.stringify(shown)).not.toContain('calendar_id')
    expect(await get(`slug=open&client_id=${application.id}`)).toEqual(shown)
    expect(await get(`configuration_id=${open.toUpperCase()}&client_id=${application.id}`)).toEqual(shown)
    expect((await get(`slug=open&client_id=${other.id}`)).data.app_client_id).toBe(other.id)
  })

  test('configurations that are unknown, private, deleted or of another application look alike', async () => {
    const nothing = await get(`configuration_id=${randomUUID()}`)
    expect(nothing).toMatchObject({ status: 404, error: { type: 'not_found_error' } })
    const queries = [
      `configuration_id=${closed}`,
      'configuration_id=x',
      `slug=closed&client_id=${application.id}`,
      `slug=none&client_id=${application.id}`,
      `slug=open&client_id=${randomUUID()}`,
      'slug=open&client_id=x',
      `configuration_id=${open}&client_id=${other.id}`,
    ]
    for (const query of queries) expect(await get(query)).toEqual(nothing)
    expect(await get(`configuration_id=${open}`, other.key)).toEqual(nothing)
    expect((await get('')).error.validation_errors).toHaveProperty('configuration_id')
    expect((await get('slug=open')).error.validation_errors).toHaveProperty('configuration_id')
  })

  test('a session opens its one configuration, also a private one, until it expires', async () => {
    const session = await sessionOf(closed)
    expect((await get('', session)).data.configuration_id).toBe(closed)
    expect((await get(`configuration_id=${closed}`, session)).status).toBe(200)
    const at = `/v3/scheduling/sessions/${session}`
    const { data } = (await service.call('GET', at, { key: application.key })).body
    expect(data).toMatchObject({ session_id: session, configuration_id: closed })
    expect(data.expires_at - data.created_at).toBe(300)
    expect((await service.call('GET', at, { key: other.key })).status).toBe(404)
    // The session opens no other route.
    expect((await service.call('GET', '/v3/scheduling/configurations', { key: session })).status).toBe(401)
    expect((await service.call('GET', '/v3/grants', { key: session })).status).toBe(401)
    clock.advance(300_000)
    expect((await get('', session)).error.type).toBe('invalid_session')
    expect((await service.call('GET', at, { key: application.key })).status).toBe(404)
  })

  test('sessions that are unknown, expired, deleted or of another configuration look alike', async () => {
    const unknown = await get('', newSessionId(application.id))
    expect(unknown).toMatchObject({ status: 401, error: { type: 'invalid_session' } })
    const expired = await sessionOf(open, 1)
    clock.advance(60_000)
    const deleted = await sessionOf(open)
    await service.call('DELETE', `/v3/scheduling/sessions/${deleted}`, { key: application.key })
    const live = await sessionOf(open)
    const foreign = live.replace(application.id, other.id)
    for (const session of [expired, deleted, foreign, `${live}x`, randomUUID(), 'wpss_', `wpss_${randomUUID()}_x`]) {
      expect(await get('', session)).toEqual(unknown)
    }
    expect(await get(`configuration_id=${closed}`, live)).toEqual(unknown)
    expect(await get(`client_id=${other.id}`, live)).toEqual(unknown)
  })

  test('only a hash of a session is stored, and housekeeping removes expired ones', async () => {
    const session = await sessionOf(open)
    const { database } = service.services.storage
    const stored = JSON.stringify(await database.all(storedSessions, []))
    expect(stored).not.toContain(session)
    expect(stored).not.toContain(session.slice(-43))
    const admin = { admin: true, headers: { 'x-waypost-application': application.id } }
    expect((await service.call('DELETE', `/v3/scheduling/sessions/${session}`, admin)).status).toBe(200)
    const { body } = await service.call('GET', '/v3/admin/audit', { admin: true })
    expect(body.data[0]).toMatchObject({ action: 'schedulingSessions.delete', target: null })
    await sessionOf(open)
    clock.advance(31 * 60_000)
    await purgeExpired(service.services)
    expect(await database.all(storedSessions, [])).toEqual([])
  })

  test('a session needs a configuration and lasts 1 to 30 minutes', async () => {
    const ask = (body: object) => service.call('POST', '/v3/scheduling/sessions', { key: application.key, body })
    expect((await ask({})).body.error.validation_errors).toHaveProperty('configuration_id')
    expect((await ask({ slug: 'open', time_to_live: 31 })).status).toBe(400)
    expect((await ask({ slug: 'none' })).status).toBe(404)
    expect((await ask({ slug: 'closed' })).body.data.configuration_id).toBe(closed)
  })

  test('the application and its administrators see private configurations; an access token does not', async () => {
    expect((await get(`configuration_id=${closed}`, application.key)).status).toBe(200)
    expect((await get('slug=closed', application.key)).status).toBe(200)
    const headers = { 'x-waypost-application': application.id }
    const path = `${settings}?configuration_id=${closed}`
    expect((await service.call('GET', path, { admin: true, headers })).status).toBe(200)
    const foreign = { 'x-waypost-application': other.id }
    expect((await service.call('GET', path, { admin: true, headers: foreign })).status).toBe(404)
    expect((await service.call('GET', path, { key: null, headers })).status).toBe(401)
  })

  test('pages of a blocked application are closed', async () => {
    const block = (blocked: boolean) =>
      service.call('PATCH', `/v3/admin/applications/${application.id}`, { admin: true, body: { blocked } })
    await block(true)
    expect((await get(`configuration_id=${open}`)).error.type).toBe('api.resource_blocked')
    await block(false)
    expect((await get(`configuration_id=${open}`)).status).toBe(200)
  })
})

test('requests of one address are limited, and the answer says when to try again', async () => {
  await using service = await openService({ env: { WAYPOST_RATE_LIMITS: 'on' }, overrides: { clock: testClock() } })
  const ask = () => service.call('GET', `${settings}?configuration_id=${randomUUID()}`, { key: null })
  for (let i = 0; i < 120; i++) expect((await ask()).status).toBe(404)
  const refused = await ask()
  expect(refused.status).toBe(429)
  expect(refused.headers.has('retry-after')).toBe(true)
})
