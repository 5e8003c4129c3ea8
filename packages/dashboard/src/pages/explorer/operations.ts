/** The operations of the API as its OpenAPI document tells them: what a form for one needs, its examples and samples. */
import { baseUrl } from '../../api.ts'
import { plain, type Schema, type Schemas } from './schema.ts'

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
  /** The schema of the body, where there is one. */
  body: Schema | undefined
  /** The part of a form that holds the body, where files may come along. */
  filePart: string | undefined
  examples: readonly Example[]
  /** Whether it shows or changes what is a customer's own. */
  isCustomerData: boolean
  /** How the published client says it. */
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

/** What a list holds, with what it refers to. */
const resolved = <T extends object>(each: T | Reference, all: Record<string, T> = {}): T[] => {
  if (!('$ref' in each)) return [each]
  const found = all[lastOf(each as Reference)]
  return found ? [found] : []
}

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

/** Every operation that an API key opens; an update that two methods answer stands there once. */
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

/** What people look at first, by what an account can do. */
const first = ['messages.list', 'calendars.list', 'contacts.list', 'folders.list', 'threads.list', 'grants.get']

/** The operation to begin with: one that the account can do. */
export const beginning = (can: readonly string[] | undefined): string =>
  can === undefined ? 'applications.get' : (first.find((id) => can.includes(id)) ?? 'grants.get')
