/** The official clients of both generations, connected to a service within the process, and plain requests. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { App } from '../../../../src/api/app.ts'
import { requestFrom, responseFrom } from '../../../../src/api/http/web-http.ts'
import { createMcp, type McpOptions } from '../../../../src/api/mcp/mcp.ts'
import { approvalQuestions } from '../../../../src/api/mcp/protocol/approval-questions.ts'
import type { Endpoint } from '../../../../src/api/pipeline/page.ts'
import type { TestService } from '../../../harness.ts'

export const endpoint = new URL('http://waypost.test/mcp')

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** The signature of `fetch` over an app. */
export const fetchOf =
  (app: Pick<App, 'fetch'>): Fetch =>
  (input, init) =>
    app.fetch(new Request(input, init))

type Chosen = Pick<McpOptions, 'tools'> & Partial<McpOptions>

/** The endpoint of a service with replaced tools, questions or times. */
export function endpointOf({ services, app }: TestService, options: Chosen): Endpoint {
  const { config } = services
  const { stopping } = services.runtime
  const { approvals } = services.agents
  const common = { api: app.api, baseUrl: config.baseUrl, stopping, questions: approvalQuestions(approvals) }
  const [own] = createMcp({ ...common, ...options })
  if (!own) throw new Error('no endpoint')
  return own
}

export function appOf(service: TestService, options: Chosen): Pick<App, 'fetch'> {
  const own = endpointOf(service, options)
  return {
    fetch: async (request) =>
      responseFrom(await own.respond({ request: requestFrom(request), path: own.path, params: {} })),
  }
}

interface Connection {
  fetch: Fetch
  key: string
  url?: URL
  capabilities?: { elicitation?: Record<string, never> }
}

const headersFor = (key: string): { headers: Record<string, string> } => ({
  headers: { authorization: `Bearer ${key}` },
})

/** A client of 2026-07-28. */
export async function modernClient({ fetch, key, url = endpoint, capabilities = {} }: Connection): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  await client.connect(new StreamableHTTPClientTransport(url, { fetch, requestInit: headersFor(key) }))
  return client
}

/** A client of 2025-11-25. */
export async function olderClient({ fetch, key, url = endpoint, capabilities = {} }: Connection): Promise<OlderClient> {
  const client = new OlderClient({ name: 'test', version: '1' }, { capabilities })
  const transport = new OlderTransport(url, { fetch, requestInit: headersFor(key) })
  await client.connect(transport as Parameters<OlderClient['connect']>[0])
  return client
}

export interface Posted {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
  body: any
}

export interface Post {
  key?: string | null
  path?: string
  headers?: Record<string, string>
}

/** Sends one message unchanged. */
export async function post(app: Pick<App, 'fetch'>, body: unknown, options: Post = {}): Promise<Posted> {
  const { key, path = '/mcp', headers = {} } = options
  const response = await app.fetch(
    new Request(`http://waypost.test${path}`, {
      method: 'POST',
      headers: {
        ...(key ? { authorization: `Bearer ${key}` } : {}),
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  )
  const text = await response.text()
  const isJson = response.headers.get('content-type') === 'application/json' && text !== ''
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}

export const modernMeta = (capabilities: object = {}): object => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': capabilities,
})

/** A request of 2026-07-28 with its required headers. */
export function modern(method: string, params: Record<string, unknown> = {}, capabilities: object = {}) {
  const name = params.name ?? params.uri
  return {
    body: { jsonrpc: '2.0', id: 7, method, params: { ...params, _meta: modernMeta(capabilities) } },
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(name === undefined ? {} : { 'mcp-name': String(name) }),
    },
  }
}
