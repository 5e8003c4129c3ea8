/** Resources of the public API that this service does not implement yet are distinguished from unknown paths. */
import { request } from 'node:http'
import { contract, laterTriggers, routesOf, triggerNames, unavailable } from '@waypost/contract'
import { failureOf, Nylas } from '@waypost/testing/peers/nylas'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService, type TestService } from '../../harness.ts'

describe('paths of resources that are not available yet', () => {
  let service: TestService
  let apiUri: string
  let grantId: string
  beforeAll(async () => {
    service = await openService({})
    apiUri = await service.listen()
    grantId = (await service.createGrant('ann@x.test')).id
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const at = (path: string): string => path.replace(':grant_id', grantId).replace(/:[a-z_]+/g, 'some-id')

  test.each(unavailable.map((later) => [later.resource, later] as const))(
    '%s: 501 not_implemented with its name, on every path and method',
    async (resource, { paths }) => {
      for (const path of paths) {
        for (const below of ['', '/some-id', '/some-id/items']) {
          for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
            const answer = await service.call(method, `${at(path)}${below}`, method === 'GET' ? {} : { body: {} })
            expect(answer.status, `${method} ${path}${below}`).toBe(501)
            expect(answer.body.error).toMatchObject({ type: 'not_implemented' })
            expect(answer.body.error.message).toMatch(new RegExp(`^${resource}: .*not have this resource yet`))
            expect(answer.headers.get('x-request-id')).toBe(answer.body.request_id)
          }
        }
      }
    },
  )

  test('requests for them leave no errors in the log', () => {
    expect(service.logs()).not.toContain('"level":"error"')
  })

  test('no route of the contract lies below one of them', () => {
    const served = routesOf(contract).flatMap(({ route }) => [route.path, ...(route.aliases ?? [])])
    const taken = unavailable.flatMap(({ paths }) =>
      paths.filter((path) => served.some((known) => known === path || known.startsWith(`${path}/`))),
    )
    expect(taken).toEqual([])
  })

  test('an unknown path and an unknown object are still 404', async () => {
    for (const path of ['/v3/telepathy', `/v3/grants/${grantId}/telepathy`, '/v3/scheduling-of-trains']) {
      expect((await service.call('GET', path)).status, path).toBe(404)
    }
    expect((await service.call('GET', `/v3/grants/${grantId}/events/some-id?calendar_id=primary`)).status).toBe(404)
  })

  test('the literal of a route is never matched as an id: with another method, 405 lists its methods', async () => {
    const names: [string, string, string][] = [
      ['GET', `/v3/grants/${grantId}/messages/send`, 'POST'],
      ['DELETE', `/v3/grants/${grantId}/messages/schedules`, 'GET'],
      ['GET', `/v3/grants/${grantId}/calendars/free-busy`, 'POST'],
      ['DELETE', `/v3/grants/${grantId}/contacts/groups`, 'GET, POST'],
      ['DELETE', '/v3/webhooks/mock-payload', 'GET, POST'],
      ['GET', '/v3/webhooks/send-test-event', 'POST'],
      ['DELETE', '/v3/applications/redirect-uris', 'GET, POST'],
    ]
    for (const [method, path, allow] of names) {
      const answer = await service.call(method, path)
      expect([answer.status, answer.headers.get('allow')?.split(', ').toSorted().join(', ')], path).toEqual([
        405,
        allow,
      ])
    }
  })

  test('/v3/applications/{id} is the application of the key, and no other', async () => {
    const own = (await service.call('GET', '/v3/applications')).body.data
    const path = `/v3/applications/${own.application_id}`
    expect((await service.call('GET', path)).body.data).toEqual(own)
    const changed = await service.call('PATCH', path, { body: { branding: { name: 'Renamed' } } })
    expect(changed.body.data.branding.name).toBe('Renamed')
    const { id } = await service.createApplication()
    for (const method of ['GET', 'PATCH']) {
      const foreign = await service.call(method, `/v3/applications/${id}`, method === 'GET' ? {} : { body: {} })
      expect([foreign.status, foreign.body.error.type]).toEqual([404, 'not_found_error'])
    }
    expect((await service.call('DELETE', path)).status).toBe(405)
  })

  test('the published client reads the refusals', async () => {
    const nylas = new Nylas({ apiKey: service.apiKey, apiUri })
    const identifier = grantId
    const calls: [string, () => Promise<unknown>][] = [
      [
        'smart-compose',
        async () => nylas.messages.smartCompose.composeMessage({ identifier, requestBody: { prompt: 'Hello' } }),
      ],
      ['notetakers', async () => nylas.notetakers.list({ identifier })],
      ['rules', async () => nylas.rules.list({})],
      ['policies', async () => nylas.policies.list({})],
    ]
    for (const [resource, call] of calls) {
      const error = await failureOf(call())
      expect([error.statusCode, error.type]).toEqual([501, 'not_implemented'])
      expect(error.message).toMatch(new RegExp(`^${resource}: `))
    }
  })

  test('. and .. are refused as identifiers, also percent-encoded, and reach no other path', async () => {
    const { hostname, port } = new URL(apiUri)
    const ask = (method: string, path: string): Promise<{ status: number; text: string }> =>
      new Promise((resolve, reject) => {
        const headers = { authorization: `Bearer ${service.apiKey}` }
        const requested = request({ hostname, port, method, path, headers }, (answer) => {
          let text = ''
          answer.setEncoding('utf8')
          answer.on('data', (part) => {
            text += part
          })
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
        })
        requested.on('error', reject)
        requested.end()
      })
    for (const segment of ['.', '..', '%2e', '%2E%2e', '.%2e']) {
      for (const path of [`/v3/grants/${segment}`, `/v3/grants/${grantId}/calendars/${segment}`]) {
        const { status, text } = await ask('DELETE', path)
        expect([status, JSON.parse(text).error.type], path).toEqual([400, 'invalid_request_error'])
        expect(text).toContain('segments . and ..')
      }
    }
    expect((await service.call('GET', `/v3/grants/${grantId}`)).status).toBe(200)
    for (const query of ['calendar_id=..', 'calendar_id=.', 'calendar_id=%2e%2e']) {
      const answer = await service.call('GET', `/v3/grants/${grantId}/events?${query}`)
      expect([answer.status, answer.body.error.validation_errors], query).toEqual([
        400,
        { calendar_id: 'must not be . or ..' },
      ])
    }
  })
})

describe('triggers in a subscription', () => {
  test('of unavailable resources are distinguished from unknown words, each by name', async () => {
    await using service = await openService({})
    const later = Object.values(laterTriggers).flat()
    expect(later.filter((name) => (triggerNames as readonly string[]).includes(name))).toEqual([])
    const trigger_types = [
      'event.created',
      'notetaker.created',
      'telepathy.received',
      'notetaker.media',
      'event.erased',
    ]
    const answer = await service.call('POST', '/v3/webhooks', {
      body: { webhook_url: 'https://listener.test/', trigger_types },
    })
    expect(answer.status).toBe(400)
    expect(answer.body.error.validation_errors).toEqual({
      'trigger_types.1': 'notetaker.created is not available yet: this service does not support notetakers',
      'trigger_types.2': expect.stringMatching(/^telepathy\.received is not a trigger; use one of grant\.created, /),
      'trigger_types.3': 'notetaker.media is not available yet: this service does not support notetakers',
      'trigger_types.4': expect.stringMatching(/^event\.erased is not a trigger/),
    })
  })
})
