/**
 * The checks between a caller and a grant's data, on every route of the audience `grant`, with a contract of two routes
 * as an example.
 */
import { type Contract, type Grant, route } from '@waypost/contract'
import type { Provider } from '@waypost/providers/provider'
import { type Providers, providers } from '@waypost/providers/registry'
import { enginesFor } from '@waypost/testing/engines'
import { testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createApp } from '../../../src/api/app.ts'
import { createUploadMemory } from '../../../src/api/http/payload.ts'
import { openService, type TestService } from '../../harness.ts'

const sample: Contract = {
  notes: {
    list: route({
      method: 'GET',
      path: '/v3/grants/:grant_id/notes',
      summary: 'List notes',
      right: 'mail.read',
      audience: 'grant',
      returns: z.object({ of: z.string() }),
      list: 'whole',
    }),
    scribble: route({
      method: 'POST',
      path: '/v3/grants/:grant_id/notes',
      summary: 'Scribble',
      right: 'mail.read',
      audience: 'grant',
    }),
  },
}

interface Seen {
  status: number
  type: string
  data: unknown
  error: Record<string, string>
}

describe.each(enginesFor(import.meta.url))('a route on the data of a grant, on %s', (engine) => {
  const time = testClock()
  let service: TestService
  let call: (path: string, method?: string) => Promise<Seen>

  beforeAll(async () => {
    const virtual: Provider = providers['virtual-calendar']
    const withNotes = Object.assign({ notes: { list: () => [] } }, virtual)
    const withScribbles = { ...withNotes, notes: { ...withNotes.notes, scribble: () => undefined } }
    const kinds: Providers = {
      'virtual-calendar': Object.assign(withNotes, {
        variants: { 'virtual-calendar + scribbles': withScribbles },
        adapterFor: ({ settings }: Pick<Grant, 'settings'>): Provider =>
          settings.email === 'Scribbler' ? withScribbles : withNotes,
      }),
    }
    service = await openService({ engine, overrides: { providers: kinds, clock: time } })
    const { services } = service
    const { storage, telemetry, scheduling, administration } = services
    const app = createApp({
      ...services,
      guards: {},
      contract: sample,
      handlers: { notes: { list: ({ grant }) => [{ of: grant?.grant.id ?? '' }], scribble: () => undefined } },
      pages: () => [],
      prefix: '',
      addressOf: () => 'test',
      limiter: telemetry.limiter,
      visitorLimits: scheduling.visitorLimits,
      errorUri: 'https://waypost.test/docs',
      uploads: createUploadMemory(0),
      effectsGate: () => Promise.reject(new Error('no restricted credential calls')),
      authentication: {
        queries: storage.database,
        admin: administration.adminAuthentication,
        keyUse: telemetry.keyUse,
        clock: storage.clock,
      },
    })
    call = async (path, method = 'GET') => {
      const response = await app.request(path, { method, headers: { authorization: `Bearer ${service.apiKey}` } })
      const body = (await response.json()) as { data: unknown; error?: Record<string, string> }
      return { status: response.status, type: body.error?.type ?? '', data: body.data, error: body.error ?? {} }
    }
  })
  afterAll(() => service[Symbol.asyncDispose]())

  test('answers for a valid grant, by every locator', async () => {
    const grant = await service.createGrant('Room A')
    for (const locator of [grant.id, 'room%20a', `grant:${grant.id}`, 'email:Room%20A']) {
      expect(await call(`/v3/grants/${locator}/notes`)).toMatchObject({ status: 200, data: [{ of: grant.id }] })
    }
  })

  test('uses the operations of the adapter that serves the grant, where accounts of a kind differ', async () => {
    const [usual, scribbler] = [await service.createGrant('Usual'), await service.createGrant('Scribbler')]
    expect(await call(`/v3/grants/${usual.id}/notes`, 'POST')).toMatchObject({
      status: 422,
      type: 'not_supported_by_provider',
    })
    expect((await call(`/v3/grants/${scribbler.id}/notes`, 'POST')).status).toBe(200)
  })

  test('answers 401 for an invalid grant and works again once it is authenticated again', async () => {
    const grant = await service.createGrant('Room B')
    const application = service.services.administration.installation.sandboxId
    await service.call('POST', `/v3/admin/applications/${application}/grants/${grant.id}/revoke`, { admin: true })
    const refused = await call(`/v3/grants/${grant.id}/notes`)
    expect(refused).toMatchObject({ status: 401, type: 'grant.invalid_authentication' })
    expect(refused.error.message).toMatch(/re-authenticate/)
    await service.createGrant('Room B')
    expect((await call(`/v3/grants/${grant.id}/notes`)).status).toBe(200)
  })

  test('answers 423 for a blocked grant', async () => {
    const grant = await service.createGrant('Room C')
    const at = `/v3/admin/applications/${service.services.administration.installation.sandboxId}/grants/${grant.id}`
    await service.call('PATCH', at, { admin: true, body: { blocked: true } })
    expect(await call(`/v3/grants/${grant.id}/notes`)).toMatchObject({ status: 423, type: 'api.resource_blocked' })
    await service.call('PATCH', at, { admin: true, body: { blocked: false } })
    expect((await call(`/v3/grants/${grant.id}/notes`)).status).toBe(200)
  })

  test('answers 404 with the same body for a grant that is unknown or belongs to another application', async () => {
    const other = await service.createApplication()
    const foreign = await service.createGrant('foreign', other.key)
    const locators = [foreign.id, 'foreign', crypto.randomUUID()]
    const answers = await Promise.all(locators.map((locator) => call(`/v3/grants/${locator}/notes`)))
    for (const answer of answers) expect(answer).toEqual(answers[2])
    expect(answers[0]).toMatchObject({ status: 404, type: 'grant.not_found' })
  })

  test('answers not_supported_by_provider, naming provider and capability, before the handler runs', async () => {
    const grant = await service.createGrant('Room A')
    expect(await call(`/v3/grants/${grant.id}/notes`, 'POST')).toMatchObject({
      status: 422,
      type: 'not_supported_by_provider',
      error: { provider: 'virtual-calendar', capability: 'notes.scribble' },
    })
  })

  test('accepts 200 calls a second for each grant', async () => {
    const grant = await service.createGrant('Room A')
    const burst = () => Promise.all(Array.from({ length: 201 }, () => call(`/v3/grants/${grant.id}/notes`)))
    time.advance(1000)
    const answers = await burst()
    expect(answers.filter((answer) => answer.status === 200).length).toBe(200)
    expect(answers.find((answer) => answer.status === 429)?.type).toBe('rate_limit_error')
    time.advance(1000)
    expect((await call(`/v3/grants/${grant.id}/notes`)).status).toBe(200)
  })
})
