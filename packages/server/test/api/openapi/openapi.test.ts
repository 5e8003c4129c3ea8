import { type Contract, contract, errors, methodsOf, routesOf, triggerNames } from '@waypost/contract'
import { providers } from '@waypost/providers/registry'
import { describe, expect, test } from 'vitest'
import { openApiDocument } from '../../../src/api/openapi/document.ts'
import { errorsOf } from '../../../src/api/openapi/error-responses.ts'
import { isCustomerData } from '../../../src/applications/rights.ts'

type Json = Record<string, unknown>
const document = openApiDocument(contract, { providers, baseUrl: 'http://127.0.0.1:3000' })

function* refsIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, item] of Object.entries(value)) {
    if (name === '$ref' && typeof item === 'string') yield item
    yield* refsIn(item)
  }
}

const at = (pointer: string): unknown =>
  pointer
    .slice(2)
    .split('/')
    .reduce<unknown>(
      (value, step) => (typeof value === 'object' && value ? Reflect.get(value, step) : undefined),
      document,
    )

describe('the OpenAPI document', () => {
  test('has no broken reference', () => {
    const refs = new Set(refsIn(document))
    expect(refs.size).toBeGreaterThan(20)
    expect([...refs].filter((ref) => at(ref) === undefined)).toEqual([])
  })

  test('has every operation once, with all its errors', () => {
    const paths = document.paths as Record<string, Record<string, Json>>
    const ids = Object.values(paths).flatMap((path) => Object.values(path).map((operation) => operation.operationId))
    expect(new Set(ids).size).toBe(ids.length)
    for (const named of routesOf(contract)) {
      const path = named.route.path.replace(/:([a-z_]+)/g, '{$1}')
      for (const method of methodsOf(named.route)) {
        const responses = paths[path]?.[method.toLowerCase()]?.responses as Record<string, Json>
        const { status: usual = 200, later = usual } = named.route
        const partial = named.route.ranges ? [206] : []
        const statuses = [usual, later, ...partial, ...errorsOf(named).map((code) => errors[code].status)]
        expect(Object.keys(responses).sort(), named.id).toEqual([...new Set(statuses.map(String))].sort())
        for (const [status, found] of Object.entries(responses)) {
          const response = (typeof found.$ref === 'string' ? at(found.$ref) : found) as Json
          const type = named.route.bytes && status.startsWith('20') ? '*/*' : 'application/json'
          const live = named.route.events && status === '200' ? ['text/event-stream'] : []
          expect(Object.keys(response.content as Json), `${named.id} ${status}`).toEqual([type, ...live])
        }
      }
    }
  })

  test('has the requests to webhook destinations: every trigger with its object and its type names', () => {
    // biome-ignore lint/suspicious/noExplicitAny: a document of many shapes
    const reported = document.webhooks as Record<string, any>
    expect(Object.keys(reported)).toEqual(triggerNames)
    const schemaOf = (trigger: string) => reported[trigger].post.requestBody.content['application/json'].schema
    expect(schemaOf('event.deleted')).toEqual({
      allOf: [
        { $ref: '#/components/schemas/Notification' },
        {
          type: 'object',
          properties: {
            type: expect.objectContaining({ type: 'string', enum: ['event.deleted', 'event.deleted.truncated'] }),
            data: expect.objectContaining({
              allOf: [
                {
                  type: 'object',
                  properties: {
                    object: expect.objectContaining({ $ref: '#/components/schemas/EventDeletedObject' }),
                  },
                },
              ],
            }),
          },
        },
      ],
    })
    const [, created] = schemaOf('message.created').allOf
    expect(created.properties.type.enum).toEqual([
      'message.created',
      'message.created.truncated',
      'message.created.metadata',
      'message.created.metadata.truncated',
    ])
    expect(JSON.stringify(created)).toContain('#/components/schemas/MessageHeadersObject')
    expect(JSON.stringify(schemaOf('message.send_failed'))).toContain('#/components/schemas/SendFailedData')
  })

  test('describes forms of routes with files, and the response of a send', () => {
    const paths = document.paths as Record<string, Record<string, Json>>
    const send = paths['/v3/grants/{grant_id}/messages/send']?.post
    expect(send).toMatchObject({
      requestBody: {
        content: {
          'application/json': { schema: { $ref: '#/components/schemas/SendRequest' } },
          'multipart/form-data': {
            schema: {
              properties: { message: { $ref: '#/components/schemas/SendRequest' }, mime: { format: 'binary' } },
              additionalProperties: { format: 'binary' },
            },
          },
        },
      },
      responses: {
        202: { content: { 'application/json': { schema: { required: ['request_id', 'grant_id', 'data'] } } } },
      },
    })
    for (const { route } of routesOf(contract as Contract).filter(({ route }) => !route.parts)) {
      const path = route.path.replace(/:([a-z_]+)/g, '{$1}')
      expect(JSON.stringify(paths[path]?.[route.method.toLowerCase()]?.requestBody ?? {})).not.toContain('multipart')
    }
  })

  test('says which providers support the operations on a grant', () => {
    const operation = at('#/paths') as Record<string, Record<string, Json>>
    expect(operation['/v3/grants/{grant_id}/events']?.get?.['x-providers']).toEqual([
      'google',
      'microsoft',
      'imap + CalDAV',
      'icloud',
      'yahoo + CalDAV',
      'ews',
      'virtual-calendar',
    ])
  })

  test('says for every operation whether it concerns customer data', () => {
    const paths = at('#/paths') as Record<string, Record<string, Json>>
    for (const named of routesOf(contract as Contract)) {
      const operation = paths[named.route.path.replace(/:([a-z_]+)/g, '{$1}')]?.[named.route.method.toLowerCase()]
      expect([named.id, operation?.['x-customer-data'] ?? false]).toEqual([named.id, isCustomerData(named)])
    }
  })

  test('names the variants of a kind that have an operation which its other accounts lack', () => {
    const { 'virtual-calendar': events, imap: mail } = providers
    const kinds = { imap: { ...mail, variants: { 'imap + calendars': { ...events, ...mail } } } }
    const { paths } = openApiDocument(contract, { providers: kinds, baseUrl: 'http://127.0.0.1:3000' })
    expect(paths).toMatchObject({
      '/v3/grants/{grant_id}/events': { get: { 'x-providers': ['imap + calendars'] } },
      '/v3/grants/{grant_id}/messages': { get: { 'x-providers': ['imap'] } },
    })
  })
})

test("every route that calls a provider can answer with the provider's errors", () => {
  for (const named of routesOf(contract).filter(({ route }) => route.audience === 'grant')) {
    const reported = ['grant_invalid', 'provider_refused', 'provider_rate_limited', 'provider_unavailable']
    expect(errorsOf(named), named.id).toEqual(expect.arrayContaining(reported))
  }
})
