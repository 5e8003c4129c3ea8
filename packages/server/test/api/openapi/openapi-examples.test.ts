import { type Contract, contract, errors, type NamedRoute, routesOf } from '@waypost/contract'
import { providers } from '@waypost/providers/registry'
import { describe, expect, test } from 'vitest'
import { openApiDocument } from '../../../src/api/openapi/document.ts'
import { errorsOf } from '../../../src/api/openapi/error-responses.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document of many shapes
type Json = Record<string, any>
const document: Json = openApiDocument(contract, { providers, baseUrl: 'http://127.0.0.1:3000' })
const routes = routesOf(contract as Contract)
const operationOf = ({ route }: NamedRoute): Json =>
  document.paths[route.path.replace(/:([a-z_]+)/g, '{$1}')][route.method.toLowerCase()]
const follow = (found: Json): Json =>
  found.$ref
    ? found.$ref
        .slice(2)
        .split('/')
        .reduce((place: Json, step: string) => place[step], document)
    : found
const jsonOf = (part: Json): Json => follow(part).content['application/json']
const valuesOf = (part: Json): unknown[] =>
  Object.values(jsonOf(part).examples as Record<string, Json>).map((each) => follow(each).value)

describe('the OpenAPI document', () => {
  test('has an example of every body, every response and every notification', () => {
    for (const named of routes) {
      const { requestBody, responses } = operationOf(named)
      if (named.route.body) expect(valuesOf(requestBody)[0], named.id).toBeTypeOf('object')
      const answer = responses[String(named.route.status ?? 200)]
      if (!named.route.bytes) expect(valuesOf(answer)[0], named.id).toHaveProperty('request_id')
    }
    for (const [type, { post }] of Object.entries(document.webhooks as Record<string, Json>)) {
      expect(jsonOf(post.requestBody).example, type).toMatchObject({ type, specversion: '1.0' })
    }
  })

  test('has each error of an operation with the text that the service sends', () => {
    for (const named of routes) {
      const { responses } = operationOf(named)
      for (const code of errorsOf(named)) {
        const { value } = follow(jsonOf(responses[String(errors[code].status)]).examples[code])
        if (named.route.audience === 'client')
          expect(value, `${named.id} ${code}`).toMatchObject({ error_code: errors[code].status })
        else expect(value.error.type, `${named.id} ${code}`).toBe(errors[code].type)
      }
    }
  })

  test('has every resource in one group, with a title and a description', () => {
    const tags = document.tags as Json[]
    expect(tags.map(({ name }) => name).sort()).toEqual(Object.keys(contract).sort())
    expect((document['x-tagGroups'] as Json[]).flatMap((group) => group.tags)).toEqual(tags.map(({ name }) => name))
    for (const tag of tags) {
      expect(tag['x-displayName']).toMatch(/./)
      expect(tag.description).toMatch(/\.$/)
    }
  })

  test('has a curl command and an SDK program for every operation', () => {
    for (const named of routes) {
      const labels = operationOf(named)['x-codeSamples'].map(({ label }: Json) => label)
      expect(labels.slice(0, 2), named.id).toEqual(['curl', 'Waypost SDK'])
    }
    const create = operationOf(routes.find(({ id }) => id === 'calendars.delete') as NamedRoute)
    expect(create['x-codeSamples'][0].source).toBe(
      [
        "curl -X DELETE 'http://127.0.0.1:3000/v3/grants/6e1f9a52-0c4b-4d27-9b35-f2a8c1d07e64/calendars/conference-2b90da?notify_participants=false' \\",
        '  -H "Authorization: Bearer $WAYPOST_API_KEY"',
      ].join('\n'),
    )
  })
})
