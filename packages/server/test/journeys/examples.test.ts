/** The examples of the contract, sent as they stand: those of routes that need no provider outside. */
import { type Contract, contract } from '@waypost/contract'
import { exampleOf } from '@waypost/contract/examples'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sharedService, type TestService } from '../harness.ts'

/** In an order in which each finds what it needs; what is created gives the parameter behind it its value. */
const calls: readonly (readonly [id: string, creates?: string])[] = [
  ['service.health'],
  ['adminApplications.create'],
  ['adminApplications.list'],
  ['adminApplications.get'],
  ['adminApplications.update'],
  ['apiKeys.create', 'id'],
  ['apiKeys.get'],
  ['apiKeys.list'],
  ['apiKeys.delete'],
  ['usage.list'],
  ['usage.get'],
  ['health.get'],
  ['health.series'],
  ['audit.list'],
  ['applications.get'],
  ['applications.update'],
  ['redirectUris.create', 'id'],
  ['redirectUris.list'],
  ['redirectUris.get'],
  ['redirectUris.update'],
  ['redirectUris.delete'],
  ['connectors.create'],
  ['connectors.list'],
  ['connectors.get'],
  ['credentials.create', 'id'],
  ['credentials.list'],
  ['credentials.get'],
  ['credentials.update'],
  ['credentials.delete'],
  ['connectors.update'],
  ['connectors.delete'],
  ['providers.detect'],
  ['connect.guide'],
  ['connect.custom', 'grant_id'],
  ['grants.list'],
  ['grants.get'],
  ['grants.update'],
  ['calendars.create', 'calendar_id'],
  ['calendars.list'],
  ['calendars.get'],
  ['calendars.update'],
  ['signatures.create', 'signature_id'],
  ['signatures.list'],
  ['signatures.get'],
  ['signatures.update'],
  ['signatures.delete'],
  ...['templates', 'grantTemplates'].flatMap(
    (resource) =>
      [
        [`${resource}.create`, 'template_id'],
        [`${resource}.list`],
        [`${resource}.renderBody`],
        [`${resource}.render`],
        [`${resource}.get`],
        [`${resource}.update`],
        [`${resource}.delete`],
      ] as const,
  ),
  ['webhooks.list'],
  ['webhooks.mockPayload'],
  ['webhooks.readMockPayload'],
  ['webhooks.ipAddresses'],
  ['adminGrants.list'],
  ['adminGrants.activity'],
  ['adminGrants.update'],
  ['adminGrants.revoke'],
  ['grants.delete'],
]

let service: TestService
const values: Record<string, string> = {}
const application: { id: string; key: string } = { id: '', key: '' }

beforeAll(async () => {
  service = await sharedService()
  Object.assign(application, await service.createApplication('Examples'))
  values.application_id = application.id
  await service.call('POST', '/v3/connectors', { key: application.key, body: { provider: 'virtual-calendar' } })
})
afterAll(() => service[Symbol.asyncDispose]())

const keysOf = (value: unknown): string[] => (typeof value === 'object' && value ? Object.keys(value) : [])

test.each(calls)('the example of %s is answered as it says', async (id = '', creates) => {
  const [resource = '', operation = ''] = id.split('.')
  const route = (contract as Contract)[resource]?.[operation]
  const example = exampleOf(resource, operation)
  if (!route || !example) throw new Error(`there is no ${id}`)
  const params: Record<string, string> = { ...example.params, ...values }
  const path = route.path.replace(/:([a-z_]+)/g, (_, name) => encodeURIComponent(params[name] ?? ''))
  const query = new URLSearchParams(Object.entries(example.query ?? {}).map(([name, value]) => [name, String(value)]))
  const answer = await service.call(route.method, query.size > 0 ? `${path}?${query}` : path, {
    ...(route.audience === 'administrator' ? { admin: true } : { key: application.key }),
    ...(example.body ? { body: example.body } : {}),
  })
  expect(answer.body.error).toBeUndefined()
  expect(answer.status).toBe(route.status ?? 200)
  if (creates) values[creates] = answer.body.data.id
  const [reported, shown] = [answer.body.data, example.answer].map((data) => (Array.isArray(data) ? data[0] : data))
  // A list may be empty here.
  if (reported !== undefined) expect(keysOf(reported)).toEqual(expect.arrayContaining(keysOf(shown)))
  else expect(shown === undefined || Array.isArray(example.answer)).toBe(true)
})
