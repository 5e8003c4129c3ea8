import { contract } from '@waypost/contract'
import { providers } from '@waypost/providers/registry'
import { expect, test } from 'vitest'
import { openApiDocument } from '../../../src/api/openapi/document.ts'
import { undescribed } from './undescribed.ts'

const document = openApiDocument(contract, { providers, baseUrl: 'http://127.0.0.1:3000' })

test('every operation, parameter and property of the OpenAPI document has a description', () => {
  expect(undescribed(document)).toEqual([])
})

test('a missing description is found at any depth', () => {
  const schema = {
    type: 'object',
    properties: {
      reported: { type: 'string', description: 'What it is' },
      named: { anyOf: [{ $ref: '#/components/schemas/Named' }, { type: 'null' }] },
      list: {
        type: 'array',
        description: 'Many',
        items: { type: 'object', properties: { inner: { type: 'string' } } },
      },
      bare: { type: 'string' },
    },
  }
  const content = { 'application/json': { schema } }
  const operation = {
    operationId: 'things.create',
    parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }],
    requestBody: { content },
    responses: { 200: { description: 'Success', content } },
  }
  const sketch = {
    paths: { '/things': { post: operation } },
    components: { schemas: { Named: { type: 'string', description: 'A name' }, Thing: schema } },
  }
  expect(undescribed(sketch)).toEqual([
    'Thing.list[].inner',
    'Thing.bare',
    'things.create',
    'things.create query limit',
    'things.create body.list[].inner',
    'things.create body.bare',
    'things.create 200.list[].inner',
    'things.create 200.bare',
  ])
})
