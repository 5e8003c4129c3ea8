/** The operations of the API as its OpenAPI document tells them, and the fields that a form for one needs. */
import { baseUrl } from '../../api.ts'

export interface Schema {
  $ref?: string
  type?: string | readonly string[]
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  allOf?: readonly Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: readonly string[]
  description?: string
  default?: unknown
  const?: unknown
}
interface Reference {
  $ref: string
}
interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema?: Schema
}
interface OperationDocument {
  operationId: string
  tags?: readonly string[]
  summary?: string
  description?: string
  security?: readonly Record<string, unknown>[]
  parameters?: readonly (Parameter | Reference)[]
  requestBody?: { content?: Record<string, { schema?: Schema }> }
}
export interface ApiDocument {
  paths: Record<string, Record<string, OperationDocument>>
  components?: { schemas?: Record<string, Schema>; parameters?: Record<string, Parameter> }
}

export interface Field {
  name: string
  place: 'path' | 'query' | 'body'
  kind: 'text' | 'number' | 'boolean' | 'choice' | 'list' | 'json'
  required: boolean
  description: string | undefined
  choices: readonly string[]
}
export interface Operation {
  id: string
  group: string
  method: string
  path: string
  summary: string
  description: string | undefined
  fields: readonly Field[]
  hasBody: boolean
}

export async function readDocument(signal: AbortSignal): Promise<ApiDocument> {
  const response = await fetch(`${baseUrl}/openapi.json`, { signal })
  if (!response.ok) throw new Error(`The description of the API could not be read: HTTP ${response.status}`)
  return await response.json()
}

/** A schema with what it refers to, and without "or null". */
export function plain(schema: Schema | undefined, all: Record<string, Schema>): Schema {
  if (!schema) return {}
  if (schema.$ref) {
    const found = all[schema.$ref.replace('#/components/schemas/', '')]
    return { ...plain(found, all), ...(schema.description ? { description: schema.description } : {}) }
  }
  const others = (schema.anyOf ?? []).filter(({ type }) => type !== 'null')
  if (others.length === 1)
    return { ...plain(others[0], all), ...(schema.description ? { description: schema.description } : {}) }
  if (schema.allOf?.length === 1) return { ...plain(schema.allOf[0], all), description: schema.description }
  return schema
}

const typeOf = ({ type }: Schema): string | undefined =>
  typeof type === 'string' ? type : type?.find((each) => each !== 'null')

function kindOf(schema: Schema, all: Record<string, Schema>): Field['kind'] {
  if (schema.enum?.every((value) => typeof value === 'string')) return 'choice'
  const type = typeOf(schema)
  if (type === 'boolean') return 'boolean'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'string') return 'text'
  if (type === 'array' && typeOf(plain(schema.items, all)) === 'string') return 'list'
  return 'json'
}

function fieldOf(
  facts: { name: string; place: Field['place']; required: boolean; description?: string },
  given: Schema | undefined,
  all: Record<string, Schema>,
): Field {
  const schema = plain(given, all)
  return {
    ...facts,
    kind: kindOf(schema, all),
    description: facts.description ?? schema.description,
    choices: (schema.enum ?? []).map(String),
  }
}

function operationOf(
  path: string,
  method: string,
  document: OperationDocument,
  { schemas: all = {}, parameters: shared = {} }: NonNullable<ApiDocument['components']>,
): Operation {
  const body = plain(document.requestBody?.content?.['application/json']?.schema, all)
  const parameters = (document.parameters ?? [])
    .flatMap((each) => ('$ref' in each ? (shared[each.$ref.replace('#/components/parameters/', '')] ?? []) : each))
    .filter((each) => each.in === 'path' || each.in === 'query')
  return {
    id: document.operationId,
    group: document.tags?.[0] ?? 'other',
    method: method.toUpperCase(),
    path,
    summary: document.summary ?? document.operationId,
    description: document.description,
    hasBody: document.requestBody !== undefined,
    fields: [
      ...parameters.map((each) =>
        fieldOf(
          {
            name: each.name,
            place: each.in === 'path' ? 'path' : 'query',
            required: each.required ?? false,
            description: each.description,
          },
          each.schema,
          all,
        ),
      ),
      ...Object.entries(body.properties ?? {}).map(([name, schema]) =>
        fieldOf({ name, place: 'body', required: body.required?.includes(name) ?? false }, schema, all),
      ),
    ],
  }
}

/** Every operation that an API key opens. */
export function operationsOf(document: ApiDocument): Operation[] {
  return Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, operation]) => operation.security?.some((each) => 'apiKey' in each))
        .map(([method, operation]) => operationOf(path, method, operation, document.components ?? {})),
    )
    .filter(({ id }, index, list) => list.findIndex((each) => each.id === id) === index)
}
