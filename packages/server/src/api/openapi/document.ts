/** OpenAPI 3.1 from the contract: every operation with its parameters, body, answers and samples. */
import { ConnectAuthQuery, type Contract, methodsOf, rates, routesOf } from '@waypost/contract'
import { applicationId } from '@waypost/contract/examples'
import { version } from '@waypost/platform/versions'
import type { Providers } from '@waypost/providers/registry'
import { errorComponents } from './error-responses.ts'
import { exampleComponents } from './examples.ts'
import { type Json, refer } from './json.ts'
import { operationOf } from './operation.ts'
import { fieldParametersOf } from './request.ts'
import { componentSchemas, usedSchemas } from './schemas.ts'
import { type Paths, shareParameters } from './shared-parameters.ts'
import { tagGroups, tags } from './tags.ts'
import { openApiWebhooks, webhookParameters, webhookResponses } from './webhooks.ts'

const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Any text up to 256 characters. For 24 hours, a retry with the same key and payload gets the first final response. Responses with 401, 408, 429 and 5xx are not stored, so a retry runs again; it does not repeat what was already done at a provider, if the provider allows that (docs/idempotency.md).',
  schema: { type: 'string', maxLength: 256 },
}

const headers: Json = {
  'x-request-id': {
    description: 'The `request_id` of the response.',
    schema: { type: 'string', format: 'uuid' },
  },
  'x-provider-request-count': {
    description:
      'Number of calls to the provider for this request, also as `Nylas-Provider-Request-Count`. Absent where it is unknown, such as for mail over IMAP.',
    schema: { type: 'integer' },
  },
  'x-google-quota-units': {
    description: '`google`: quota units of Gmail for this request, also as `Nylas-Gmail-Quota-Usage`.',
    schema: { type: 'integer' },
  },
  'retry-after': { description: 'Number of seconds to wait before a retry.', schema: { type: 'string' } },
}

const signatureHeader = (name: string, description: string): Json => ({
  type: 'apiKey',
  in: 'header',
  name,
  description,
})

const securitySchemes: Json = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'API key of an application' },
  accessToken: { type: 'http', scheme: 'bearer', description: 'Access token of a grant' },
  schedulingSession: {
    type: 'http',
    scheme: 'bearer',
    description: 'Id of a scheduling session. A configuration without `requires_session_auth` needs none.',
  },
  administrator: {
    type: 'http',
    scheme: 'basic',
    description:
      'User admin and the password of the installation, or address and password of a person without a second factor',
  },
  serviceAccountKid: signatureHeader(
    'X-Nylas-Kid',
    'Signed request: the `private_key_id` of a service account. All four signature headers are needed, and no Authorization header (docs/service-accounts.md).',
  ),
  serviceAccountNonce: signatureHeader(
    'X-Nylas-Nonce',
    'Signed request: 8 to 128 random letters and digits, used once',
  ),
  serviceAccountTimestamp: signatureHeader(
    'X-Nylas-Timestamp',
    'Signed request: Unix time in seconds, within five minutes of the time of the service',
  ),
  serviceAccountSignature: signatureHeader(
    'X-Nylas-Signature',
    'Signed request: base64 of the RSA-SHA256 signature (PKCS #1 v1.5) over the canonical JSON of method, nonce, path, payload and timestamp',
  ),
}

const introduction = `Read and write the mail, calendars and contacts of people whose accounts are connected. A connected account is a *grant*: connect one with the routes under *Authentication*, and name its id or email address in the path of the others.

Send the API key of your application as \`Authorization: Bearer <key>\`. An answer has the object or list in \`data\` and the id of the request in \`request_id\`. An error has \`error.type\`, \`error.message\` and, for an invalid request, the fields. Times are Unix seconds.

Lists page by \`limit\` and \`page_token\`. Limits: ${rates.application.limit} requests per second and application, ${rates.grant.limit} per second and grant on grant data, ${rates.multipart.limit} of them as multipart/form-data.`

const signInSample = {
  client_id: applicationId,
  redirect_uri: 'https://app.example.com/callback',
  response_type: 'code',
}

/** The start of a hosted sign-in: a page for browsers, so the SDK has no function for it. */
const signInPath = (): Json => ({
  get: {
    operationId: 'connect.auth',
    tags: ['connect'],
    summary: 'Start a hosted sign-in in a browser',
    description:
      'Redirects to the sign-in page, and then back to `redirect_uri` with `code` and `state`, or with `error`, `error_code`, `error_description` and `state`.',
    security: [],
    parameters: fieldParametersOf(ConnectAuthQuery, 'query', signInSample),
    responses: {
      302: {
        description: 'Redirect to the sign-in page of the provider or of Waypost, or back with an error',
        headers: { location: { description: 'The URL of the redirect.', schema: { type: 'string' } } },
      },
      400: {
        description: 'The client is unknown or the redirect URI is not registered: the browser is not redirected',
        content: {
          'application/json': { schema: refer('schemas', 'Error') },
          'text/html': { schema: { type: 'string' } },
        },
      },
    },
  },
})

function allPaths(contract: Contract, options: { providers: Providers; baseUrl: string }): Paths {
  const paths: Paths = { '/v3/connect/auth': signInPath() as Paths[string] }
  for (const named of routesOf(contract)) {
    const path = named.route.path.replace(/:([a-z_]+)/g, '{$1}')
    for (const method of methodsOf(named.route)) {
      paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(named, method, options) }
    }
  }
  return paths
}

/** The whole document. */
export function openApiDocument(contract: Contract, options: { providers: Providers; baseUrl: string }): Json {
  const routes = routesOf(contract)
  const { paths, parameters } = shareParameters(allPaths(contract, options))
  const failures = errorComponents(routes)
  const responses = { ...failures.responses, ...webhookResponses }
  const webhooks = openApiWebhooks()
  return {
    openapi: '3.1.0',
    info: {
      title: 'Waypost',
      version,
      summary: 'One API over mail and calendars',
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: options.baseUrl }],
    tags: tags(),
    'x-tagGroups': tagGroups(),
    paths,
    webhooks,
    components: {
      schemas: usedSchemas(componentSchemas(), [paths, webhooks, responses]),
      responses,
      parameters: { IdempotencyKey: idempotencyKey, ...parameters, ...webhookParameters },
      examples: { ...failures.examples, ...exampleComponents(routes) },
      headers,
      securitySchemes,
    },
  }
}
