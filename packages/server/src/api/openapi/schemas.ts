/** JSON Schema from the schemas of the contract, in forms that tools for OpenAPI 3.1 handle well. */

import { errors } from '@waypost/contract'
import { isObject } from '@waypost/platform/json/values'
import { z } from 'zod'
import { type Json, refer } from './json.ts'

const plainTypes: ReadonlySet<unknown> = new Set(['string', 'integer', 'number', 'boolean', 'object', 'array'])
const isNull = (schema: unknown): boolean =>
  isObject(schema) && schema.type === 'null' && Object.keys(schema).length === 1

/** A type or null, written into the type itself if it has a type and no enumeration. */
function withNull(schema: Json): Json {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || !isNull(anyOf[1])) return schema
  const [only] = anyOf
  if (!isObject(only)) return schema
  if (plainTypes.has(only.type) && !('enum' in only) && !('const' in only))
    return { ...only, ...rest, type: [only.type, 'null'] }
  const { description = only.description, ...others } = rest
  return description === undefined ? schema : { ...others, description, anyOf: [withoutWords(only), { type: 'null' }] }
}

const withoutWords = ({ description: _, ...schema }: Json): Json => schema

/** A property with a single value says so. */
const withWords = (schema: Json): Json =>
  'const' in schema && !('description' in schema)
    ? { ...schema, description: `Always \`${String(schema.const)}\`.` }
    : schema

const mapped = (record: unknown, change: (schema: Json) => Json): Json =>
  Object.fromEntries(
    Object.entries(isObject(record) ? record : {}).map(([name, value]) => [
      name,
      isObject(value) ? change(value) : value,
    ]),
  )

/** A schema in our style, with all schemas inside it. */
function tidy(schema: Json): Json {
  const { propertyNames: _, ...retained } = schema
  const inner = Object.fromEntries(
    Object.entries(retained).map(([name, value]) => {
      if (name === 'properties') return [name, mapped(value, (each) => withWords(tidy(each)))]
      if (name === 'items' || name === 'additionalProperties') return [name, isObject(value) ? tidy(value) : value]
      if (name === 'anyOf' || name === 'oneOf' || name === 'allOf')
        return [name, Array.isArray(value) ? value.map((each) => (isObject(each) ? tidy(each) : each)) : value]
      return [name, value]
    }),
  )
  return withNull(inner)
}

/** A reference to a named schema; other schemas are written out. */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const id = z.globalRegistry.get(schema)?.id
  if (id) return refer('schemas', id)
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' })
  return tidy(rest)
}

export const requestIdSchema: Json = {
  type: 'string',
  format: 'uuid',
  description: 'Names the request in the logs of the service; name it when you ask for help.',
}

const errorSchema: Json = {
  type: 'object',
  description: 'What every answer that is not 2xx holds.',
  required: ['request_id', 'error'],
  properties: {
    request_id: refer('schemas', 'RequestId'),
    error: {
      type: 'object',
      description: 'What went wrong.',
      required: ['type', 'message'],
      properties: {
        type: {
          type: 'string',
          description: 'What programs tell errors apart by.',
          enum: [...new Set(Object.values(errors).map(({ type }) => type))].sort(),
        },
        message: { type: 'string', description: 'What happened, in words for developers. They may change.' },
        provider_error: {
          type: 'object',
          additionalProperties: true,
          description: 'What the provider said, in its own form; where the provider is the cause.',
        },
        validation_errors: {
          type: 'object',
          additionalProperties: { type: 'string' },
          description: 'By field of the request: why it cannot be taken.',
        },
        provider: { type: 'string', description: 'The provider that does not support the request.' },
        capability: { type: 'string', description: 'The operation or field that this provider does not have.' },
      },
    },
  },
}

const oauthErrorSchema: Json = {
  type: 'object',
  description: 'An error in the form of OAuth 2.0 (RFC 6749).',
  required: ['error', 'error_code', 'error_description', 'error_uri', 'request_id'],
  properties: {
    error: { type: 'string', description: 'What programs tell errors apart by, such as `invalid_grant`.' },
    error_code: { type: 'integer', description: 'The HTTP status.' },
    error_description: { type: 'string', description: 'What happened, in words for developers. They may change.' },
    error_uri: { type: 'string', description: 'Where errors are explained.' },
    request_id: refer('schemas', 'RequestId'),
  },
}

/** Every schema that has a name. */
export function componentSchemas(): Record<string, Json> {
  const { schemas } = z.toJSONSchema(z.globalRegistry, {
    uri: (id) => `#/components/schemas/${id}`,
    unrepresentable: 'any',
    io: 'input',
  })
  const named = Object.entries(schemas)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, schema]) => {
      const { $schema: _s, $id: _i, id: _n, ...rest } = schema as Json
      return [id, tidy(rest)]
    })
  return { RequestId: requestIdSchema, Error: errorSchema, OAuthError: oauthErrorSchema, ...Object.fromEntries(named) }
}

const reference = /"#\/components\/schemas\/([^"]+)"/g
const namesIn = (value: unknown): string[] =>
  Array.from(JSON.stringify(value).matchAll(reference), ([, name = '']) => name)

/** The schemas that a document refers to, directly or indirectly. */
export function usedSchemas(schemas: Record<string, Json>, document: unknown): Json {
  const used = new Set(namesIn(document))
  for (const name of used) for (const inner of namesIn(schemas[name])) used.add(inner)
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)))
}
