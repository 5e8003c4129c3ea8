/** The operations in the OpenAPI document, with the parameters, examples and code samples that the forms need. */
import { baseUrl } from '../../api.ts'
import { plain, type Schema, type Schemas, typeOf } from './schema.ts'

interface Reference {
  $ref: string
}
export interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema?: Schema
  example?: unknown
}
interface ExampleDocument {
  summary?: string
  value?: unknown
}
interface Content {
  schema?: Schema
  examples?: Record<string, ExampleDocument | Reference>
}
interface OperationDocument {
  operationId: string
  tags?: readonly string[]
  summary?: string
  description?: string
  security?: readonly Record<string, unknown>[]
  parameters?: readonly (Parameter | Reference)[]
  requestBody?: { content?: Record<string, Content> }
  'x-customer-data'?: boolean
  'x-codeSamples'?: readonly { label: string; source: string }[]
}
export interface ApiDocument {
  paths: Record<string, Record<string, OperationDocument>>
  components?: {
    schemas?: Record<string, Schema>
    parameters?: Record<string, Parameter>
    examples?: Record<string, ExampleDocument>
  }
}

export interface Example {
  summary: string
  body: unknown
}
export interface Operation {
  id: string
  group: string
  method: string
  path: string
  summary: string
  description: string | undefined
  parameters: readonly Parameter[]
  /** Schema of the request body, if there is one. */
  body: Schema | undefined
  /** Form part that contains the body, if files can be attached. */
  filePart: string | undefined
  examples: readonly Example[]
  /** Whether it reads or changes customer data. */
  isCustomerData: boolean
  /** The call with the published client. */
  nylas: string | undefined
}
export interface Api {
  operations: readonly Operation[]
  schemas: Schemas
}

export async function readDocument(signal: AbortSignal): Promise<ApiDocument> {
  const response = await fetch(`${baseUrl}/openapi.json`, { signal })
  if (!response.ok) throw new Error(`The API description could not be loaded: HTTP ${response.status}`)
  return await response.json()
}

const lastOf = ({ $ref }: Reference): string => $ref.slice($ref.lastIndexOf('/') + 1)

/** Items of a list with their references resolved. */
const resolved = <T extends object>(each: T | Reference, all: Record<string, T> = {}): T[] => {
  if (!('$ref' in each)) return [each]
  const found = all[lastOf(each as Reference)]
  return found ? [found] : []
}

/** A body without any value: an empty object, or an empty list. */
export const emptyBody = ({ body }: Operation): unknown => (body && typeOf(body) === 'array' ? [] : {})

function examplesOf(content: Content | undefined, all: Record<string, ExampleDocument> = {}): Example[] {
  return Object.entries(content?.examples ?? {}).flatMap(([name, each]) =>
    resolved(each, all).map(({ summary, value }) => ({
      summary: summary ?? (name === 'example' ? 'Example' : name),
      body: value,
    })),
  )
}

function operationOf(
  path: string,
  method: string,
  document: OperationDocument,
  components: NonNullable<ApiDocument['components']>,
): Operation {
  const { schemas = {}, parameters: shared, examples } = components
  const content = document.requestBody?.content ?? {}
  const body = content['application/json']
  const form = content['multipart/form-data']?.schema
  return {
    id: document.operationId,
    group: document.tags?.[0] ?? 'other',
    method: method.toUpperCase(),
    path,
    summary: document.summary ?? document.operationId,
    description: document.description,
    parameters: (document.parameters ?? [])
      .flatMap((each) => resolved(each, shared))
      .filter((each) => each.in === 'path' || each.in === 'query'),
    body: body && plain(body.schema, schemas),
    filePart: form && Object.keys(form.properties ?? {})[0],
    examples: examplesOf(body, examples),
    isCustomerData: document['x-customer-data'] === true,
    nylas: document['x-codeSamples']?.find(({ label }) => label === 'Nylas SDK')?.source,
  }
}

/** All operations available to API keys. An update with two HTTP methods is listed once. */
export function apiOf(document: ApiDocument): Api {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.security?.some((each) => 'apiKey' in each))
      .filter(([, { operationId }]) => operationId.split('.').length === 2)
      .map(([method, operation]) => operationOf(path, method, operation, document.components ?? {})),
  )
  return { operations, schemas: document.components?.schemas ?? {} }
}

export const ofGrant = ({ path }: Operation): boolean => path.includes('{grant_id}')

/** Operations shown first, if the account supports them. */
const first = ['messages.list', 'calendars.list', 'contacts.list', 'folders.list', 'threads.list', 'grants.get']

/** The initial operation: one that the account supports. */
export const beginning = (can: readonly string[] | undefined): string =>
  can === undefined ? 'applications.get' : (first.find((id) => can.includes(id)) ?? 'grants.get')
