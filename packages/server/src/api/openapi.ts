/** OpenAPI 3.1 from the contract: every operation with its parameters, body, answer and error bodies. */
import {
  type Audience,
  ConnectAuthQuery,
  type Contract,
  type ErrorCode,
  errors,
  methodsOf,
  type NamedRoute,
  paramsOf,
  type Route,
  rates,
  routesOf,
} from '@waypost/contract'
import { z } from 'zod'
import { hasOperation, namedAdapters, type Providers } from '../providers/registry.ts'
import { version } from '../version.ts'
import { openApiWebhooks } from './openapi-webhooks.ts'

type Json = Record<string, unknown>

/** The errors that every route of an audience can give. */
const common: Record<Audience, readonly ErrorCode[]> = {
  public: ['internal_error'],
  client: ['invalid_request', 'internal_error', 'service_unavailable'],
  application: [
    'invalid_request',
    'unauthorized',
    'administrator_required',
    'not_found',
    'resource_blocked',
    'rate_limited',
    'internal_error',
    'service_unavailable',
    'deadline_exceeded',
  ],
  administrator: [
    'invalid_request',
    'administrator_required',
    'rate_limited',
    'internal_error',
    'service_unavailable',
    'deadline_exceeded',
  ],
  grant: [
    'invalid_request',
    'unauthorized',
    'administrator_required',
    'grant_invalid',
    'grant_access_denied',
    'not_found',
    'grant_not_found',
    'not_supported_by_provider',
    'resource_blocked',
    'rate_limited',
    'provider_rate_limited',
    'provider_refused',
    'provider_unavailable',
    'internal_error',
    'service_unavailable',
    'deadline_exceeded',
  ],
}

/** The errors that every route which changes something can give. */
const onWrites: readonly ErrorCode[] = [
  'invalid_json',
  'payload_too_large',
  'unsupported_media_type',
  'invalid_idempotency_key',
  'invalid_idempotent_request',
  'concurrent_idempotent_request',
]

/** Whether an Idempotency-Key counts. */
const takesKey = ({ method, audience }: Route): boolean =>
  method !== 'GET' && audience !== 'public' && audience !== 'client'

/** Every error code that a route can answer with. */
export function errorsOf({ route }: NamedRoute): ErrorCode[] {
  const writes = takesKey(route)
  return [...new Set<ErrorCode>([...common[route.audience], ...(route.errors ?? []), ...(writes ? onWrites : [])])]
}

const refer = (id: string): Json => ({ $ref: `#/components/schemas/${id}` })

/** A schema by its name where it has one, else written out. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const id = z.globalRegistry.get(schema)?.id
  if (id) return refer(id)
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' })
  return rest
}

function answerSchema({ route }: NamedRoute): Json {
  if (route.flat && route.returns) {
    const requestId = { type: 'object', properties: { request_id: { type: 'string', format: 'uuid' } } }
    return { allOf: [schemaOf(route.returns, 'output'), requestId] }
  }
  const properties: Json = { request_id: { type: 'string', format: 'uuid' } }
  const required = ['request_id']
  for (const [name, field] of Object.entries(route.beside?.shape ?? {})) {
    properties[name] = schemaOf(field as z.ZodType, 'output')
    if (!(field as z.ZodType).safeParse(undefined).success) required.push(name)
  }
  if (route.returns) {
    const item = schemaOf(route.returns, 'output')
    properties.data = route.list ? { type: 'array', items: item } : item
    required.push('data')
  }
  if (route.list === 'offset' || route.list === 'cursor') {
    properties.next_cursor = { type: 'string', description: 'Absent on the last page; send it back as page_token' }
  }
  if (route.list === 'offset') Object.assign(properties, { limit: { type: 'integer' }, offset: { type: 'integer' } })
  return { type: 'object', properties, required }
}

const fieldParametersOf = (fields: z.ZodObject | undefined, place: 'query' | 'header'): Json[] =>
  Object.entries(fields?.shape ?? {}).map(([name, field]) => {
    const { description, ...schema } = schemaOf(field as z.ZodType, 'input')
    const needed = !(field as z.ZodType).safeParse(undefined).success
    return { name, in: place, required: needed, ...(description ? { description } : {}), schema }
  })

function parametersOf({ route }: NamedRoute): Json[] {
  const path = paramsOf(route.path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    ...(name === 'grant_id'
      ? { description: 'Grant id, e-mail address, grant:<id>, email:<address>, external:<id> or me' }
      : {}),
  }))
  const query = fieldParametersOf(route.query, 'query')
  const headers = fieldParametersOf(route.headers, 'header')
  const key = takesKey(route) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []
  return [...path, ...query, ...headers, ...key]
}

function failureSchema({ audience }: Route, codes: readonly ErrorCode[]): Json {
  if (audience === 'client') return refer('OAuthError')
  const type = { type: 'string', enum: [...new Set(codes.map((code) => errors[code].type))] }
  const error = { type: 'object', properties: { type } }
  return { allOf: [refer('Error'), { type: 'object', properties: { error } }] }
}

function responsesOf(named: NamedRoute): Json {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of errorsOf(named)) {
    const { status } = errors[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const failures = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => errors[code].title).join('; '),
        content: { 'application/json': { schema: failureSchema(named.route, codes) } },
      },
    ])
  const { status = 200, later } = named.route
  const postponed = later && { [String(later)]: { ...successOf(named), description: 'Taken, and done later' } }
  return { [String(status)]: successOf(named), ...postponed, ...Object.fromEntries(failures) }
}

function successOf(named: NamedRoute): Json {
  const requestId = { 'x-request-id': { schema: { type: 'string', format: 'uuid' } } }
  if (named.route.bytes) {
    const disposition = { description: '`attachment`, with the name of the file', schema: { type: 'string' } }
    return {
      description: 'The file, under its own content type; a connection that breaks means that it is not whole',
      headers: { ...requestId, 'content-disposition': disposition },
      content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
    }
  }
  return {
    description: 'Success',
    headers: requestId,
    content: { 'application/json': { schema: answerSchema(named) } },
  }
}

/** A body as JSON, and as a form where the route takes files. */
function bodyOf({ body, parts, mime, form: encoded }: Route): Json {
  if (!body) return {}
  const schema = schemaOf(body, 'input')
  const [part] = parts ?? []
  const form = part && {
    'multipart/form-data': {
      schema: {
        type: 'object',
        description: 'One part holds the JSON, every other one a file',
        properties: {
          [part]: schema,
          ...(mime
            ? { mime: { type: 'string', format: 'binary', description: 'With `type=mime`: the one part' } }
            : {}),
        },
        additionalProperties: { type: 'string', format: 'binary' },
      },
      encoding: { [part]: { contentType: 'application/json' } },
    },
  }
  const urlencoded = encoded && { 'application/x-www-form-urlencoded': { schema } }
  const required = !body.safeParse({}).success || !encoded
  return { requestBody: { required, content: { 'application/json': { schema }, ...form, ...urlencoded } } }
}

const security: Record<Audience, Json[]> = {
  public: [],
  application: [{ apiKey: [] }, { administrator: [] }],
  administrator: [{ administrator: [] }],
  grant: [{ apiKey: [] }, { accessToken: [] }],
  client: [{ apiKey: [] }, { accessToken: [] }, {}],
}

function operationOf(named: NamedRoute, providers: Providers, method: string): Json {
  const { route, id, resource, operation } = named
  const second = method !== methodsOf(route)[0]
  return {
    operationId: second ? `${id}.${method.toLowerCase()}` : id,
    tags: [resource],
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    security: [...security[route.audience], ...(route.token ? [{ accessToken: [] }] : [])],
    parameters: parametersOf(named),
    ...bodyOf(route),
    responses: responsesOf(named),
    ...(route.audience === 'grant' && !route.own ? { 'x-providers': supporters(providers, resource, operation) } : {}),
  }
}

/** The kinds whose adapter has an operation; of those whose accounts differ, the variants that have it where the kind has not. */
const supporters = (providers: Providers, resource: string, operation: string): string[] => {
  const able = namedAdapters(providers).filter(([, adapter]) => hasOperation(adapter, resource, operation))
  const names = new Set(able.map(([name]) => name))
  return able.filter(([name, { kind }]) => name === kind || !names.has(kind)).map(([name]) => name)
}

const errorSchema: Json = {
  type: 'object',
  required: ['request_id', 'error'],
  properties: {
    request_id: { type: 'string', format: 'uuid' },
    error: {
      type: 'object',
      required: ['type', 'message'],
      properties: {
        type: { type: 'string' },
        message: { type: 'string' },
        provider_error: { type: 'object', description: 'What the provider said' },
        validation_errors: { type: 'object', additionalProperties: { type: 'string' } },
        provider: { type: 'string' },
        capability: { type: 'string' },
      },
    },
  },
}

const oauthErrorSchema: Json = {
  type: 'object',
  required: ['error', 'error_code', 'error_description', 'error_uri', 'request_id'],
  properties: {
    error: { type: 'string' },
    error_code: { type: 'integer', description: 'The HTTP status' },
    error_description: { type: 'string' },
    error_uri: { type: 'string' },
    request_id: { type: 'string', format: 'uuid' },
  },
}

function componentSchemas(): Json {
  const { schemas } = z.toJSONSchema(z.globalRegistry, {
    uri: (id) => `#/components/schemas/${id}`,
    unrepresentable: 'any',
    io: 'input',
  })
  return Object.fromEntries(
    Object.entries(schemas)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, schema]) => {
        const { $schema: _s, $id: _i, id: _n, ...rest } = schema as Json
        return [id, rest]
      }),
  )
}

/** Where browsers begin a sign-in: a page of ours or the provider's, so that there is no function for it. */
const signInPath: Json = {
  get: {
    operationId: 'connect.auth',
    tags: ['connect'],
    summary: 'Begin a hosted sign-in, in a browser',
    description:
      'Leads to the sign-in page, and back to `redirect_uri` with `code` and `state`, or with `error`, `error_code`, `error_description` and `state`.',
    security: [],
    parameters: fieldParametersOf(ConnectAuthQuery, 'query'),
    responses: {
      302: { description: 'To the sign-in page of the provider or ours, or back with an error' },
      400: {
        description: 'The client is unknown or the redirect URI not its own: nobody is sent anywhere',
        content: { 'application/json': { schema: refer('Error') }, 'text/html': { schema: { type: 'string' } } },
      },
    },
  },
}

/** The whole document. */
export function openApiDocument(contract: Contract, options: { providers: Providers; baseUrl: string }): Json {
  const paths: Record<string, Json> = { '/v3/connect/auth': signInPath }
  for (const named of routesOf(contract)) {
    const path = named.route.path.replace(/:([a-z_]+)/g, '{$1}')
    for (const method of methodsOf(named.route)) {
      paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(named, options.providers, method) }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Waypost',
      version,
      summary: 'One API over mail and calendars',
      description: `Lists page by \`limit\` and \`page_token\`. Limits: ${rates.application.limit} requests per second and application, ${rates.grant.limit} per second and grant on grant data, ${rates.multipart.limit} of them as multipart/form-data.`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: options.baseUrl }],
    paths,
    webhooks: openApiWebhooks((schema) => schemaOf(schema, 'output')),
    components: {
      schemas: { Error: errorSchema, OAuthError: oauthErrorSchema, ...componentSchemas() },
      parameters: {
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description:
            'Any text up to 256 characters. For 24 hours a repetition with the same key and payload is answered with the first final outcome; 401, 408, 429 and 5xx are not kept, so that it is tried anew, and what the first has done at a provider is not done twice where the provider allows it (docs/idempotency.md).',
          schema: { type: 'string', maxLength: 256 },
        },
      },
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'API key of an application' },
        accessToken: { type: 'http', scheme: 'bearer', description: 'Access token of a grant' },
        administrator: { type: 'http', scheme: 'basic', description: 'User admin and the administrator password' },
      },
    },
  }
}
