/** Workflows: stored for an application or a grant; their templates and senders are checked when they are created. */

import { oneEngineFor } from '@waypost/testing/engines'
import { testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type CallOptions, openService, type TestService } from '../../harness.ts'

const clock = testClock(1_790_000_000_000)

describe.each(oneEngineFor(import.meta.url))('workflows on %s', (engine) => {
  let service: TestService
  let key: string
  let count = 0
  let grantAt: string
  let email: string
  beforeAll(async () => {
    service = await openService({ engine, overrides: { clock } })
    key = (await service.createApplication()).key
  })
  beforeEach(async () => {
    email = `room${++count}@virtual.test`
    grantAt = `/v3/grants/${(await service.createGrant(email, key)).id}`
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const call = (method: string, path: string, options?: CallOptions) => service.call(method, path, { key, ...options })
  const template = async (at: string): Promise<string> => {
    const body = { name: 'Booked', subject: 'Booked: {{booking.title}}', body: '<p>{{booking.title}}</p>' }
    return (await call('POST', `${at}/templates`, { body })).body.data.id
  }
  const create = async (at: string, changes: object = {}) => {
    clock.advance(1000)
    const body = { name: 'Mine', template_id: await template(at), trigger_event: 'booking.created', ...changes }
    return call('POST', `${at}/workflows`, { body })
  }

  test.for(['application', 'grant'])('of the %s are created, read, changed and deleted', async (level) => {
    const at = level === 'grant' ? grantAt : '/v3'
    const made = await create(at)
    const { id, app_id, template_id } = made.body.data
    expect([made.status, made.body.data]).toEqual([
      200,
      {
        id,
        app_id,
        grant_id: level === 'grant' ? grantAt.split('/').at(-1) : null,
        name: 'Mine',
        template_id,
        trigger_event: 'booking.created',
        delay: 0,
        is_enabled: true,
        from: null,
        date_created: Math.floor(clock.now() / 1000),
      },
    ])
    const one = `${at}/workflows/${id}`
    expect((await call('GET', one)).body.data).toEqual(made.body.data)
    const changes = { delay: 10, is_enabled: false, from: { name: 'Team' }, trigger_event: 'booking.reminder' }
    const changed = await call('PUT', one, { body: changes })
    expect(changed.body.data).toEqual({ ...made.body.data, ...changes })
    expect((await call('PUT', one, { body: { from: null } })).body.data.from).toBeNull()
    expect((await call('DELETE', one)).status).toBe(200)
    for (const method of ['GET', 'DELETE']) expect((await call(method, one)).status).toBe(404)
  })

  test('of a grant and of the application are listed separately, page by page', async () => {
    for (const name of ['a', 'b', 'c']) await create(grantAt, { name })
    const ofApplication = (await create('/v3')).body.data.id
    const first = await call('GET', `${grantAt}/workflows?limit=2&select=name`)
    expect(first.body.data).toEqual([{ name: 'a' }, { name: 'b' }])
    const next = await call('GET', `${grantAt}/workflows?limit=2&select=name&page_token=${first.body.next_cursor}`)
    expect([next.body.data, next.body.next_cursor]).toEqual([[{ name: 'c' }], undefined])
    expect((await call('GET', `${grantAt}/workflows/${ofApplication}`)).status).toBe(404)
  })

  test('need a template of the same owner', async () => {
    const [ofGrant, ofApplication] = [await template(grantAt), await template('/v3')]
    for (const refused of [
      await create(grantAt, { template_id: ofApplication }),
      await create('/v3', { template_id: ofGrant }),
      await create('/v3', { template_id: 'nothing' }),
    ]) {
      expect([refused.status, Object.keys(refused.body.error.validation_errors)]).toEqual([400, ['template_id']])
    }
    const { id } = (await create('/v3')).body.data
    const changed = await call('PUT', `/v3/workflows/${id}`, { body: { template_id: ofGrant } })
    expect([changed.status, changed.body.error.message]).toEqual([
      400,
      expect.stringContaining('template_id: the application has no such template'),
    ])
  })

  test.for<[object, string]>([
    [{ trigger_event: 'message.created' }, 'trigger_event'],
    [{ trigger_event: undefined }, 'trigger_event'],
    [{ delay: -1 }, 'delay'],
    [{ delay: 43_201 }, 'delay'],
    [{ name: '' }, 'name'],
    [{ from: { email: 'other@virtual.test' } }, 'from.email'],
    [{ from: { email: 'no address' } }, 'from.email'],
  ])('refuse %j and name the field', async ([changes, field]) => {
    const refused = await create(grantAt, changes)
    expect([refused.status, Object.keys(refused.body.error.validation_errors)]).toEqual([400, [field]])
  })

  test('send in the name of their own account only', async () => {
    const own = await create(grantAt, { from: { name: 'Ada', email: email.toUpperCase() } })
    expect([own.status, own.body.data.from]).toEqual([200, { name: 'Ada', email: email.toUpperCase() }])
    const ofApplication = await create('/v3', { from: { email } })
    expect([ofApplication.status, ofApplication.body.error.message]).toEqual([
      400,
      expect.stringContaining('create the workflow for the grant'),
    ])
    expect((await create('/v3', { from: { name: 'Team' } })).body.data.from).toEqual({ name: 'Team' })
  })

  test('of a grant are deleted with it', async () => {
    const { id } = (await create(grantAt)).body.data
    await call('DELETE', grantAt)
    expect((await call('GET', `${grantAt}/workflows/${id}`)).status).toBe(404)
  })

  test('stop at a hundred for each owner', async () => {
    const template_id = await template(grantAt)
    for (let made = 0; made < 100; made++) expect((await create(grantAt, { template_id })).status).toBe(200)
    const more = await create(grantAt, { template_id })
    expect([more.status, more.body.error.message]).toEqual([400, expect.stringContaining('delete one first')])
  })
})
