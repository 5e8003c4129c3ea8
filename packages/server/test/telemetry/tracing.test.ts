/** Traces as an OTLP receiver over HTTP gets them; and an unavailable receiver, which does no harm. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { createLog } from '@waypost/platform/log'
import { Counts } from '@waypost/platform/tally'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readTraceparent } from '../../src/telemetry/otlp.ts'
import { createTracing } from '../../src/telemetry/tracing.ts'
import { openService, type TestService } from '../harness.ts'

interface Attribute {
  key: string
  value: Record<string, string>
}
interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Attribute[]
  status: { code?: number }
}

const attribute = ({ attributes }: Span, name: string): string | undefined =>
  Object.values(attributes.find(({ key }) => key === name)?.value ?? {})[0]

async function openReceiver(): Promise<{
  url: string
  server: Server
  spans: Span[]
  bodies: string[]
  keys: unknown[]
}> {
  const spans: Span[] = []
  const bodies: string[] = []
  const keys: unknown[] = []
  const server = createServer(async (request, response) => {
    // biome-ignore lint/suspicious/noExplicitAny: the form of OTLP is what is tested
    const body: any = await json(request)
    bodies.push(JSON.stringify(body))
    keys.push(request.headers['x-key'])
    if (request.url === '/v1/traces')
      for (const { scopeSpans } of body.resourceSpans) for (const { spans: some } of scopeSpans) spans.push(...some)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, spans, bodies, keys }
}

const parent = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }

describe('a service with a receiver of traces', () => {
  let receiver: Awaited<ReturnType<typeof openReceiver>>
  let service: TestService
  let requestId: string | null

  beforeAll(async () => {
    receiver = await openReceiver()
    const env = { WAYPOST_OTLP_URL: `${receiver.url}/`, WAYPOST_OTLP_HEADERS: 'X-Key=CANARY-otlp-key, b=c' }
    service = await openService({ env })
    const { id } = await service.createGrant('CANARY@traces.test')
    const made = await service.call('POST', `/v3/grants/${id}/calendars?CANARY=1`, {
      body: { name: 'CANARY', description: 'CANARY' },
      headers: { traceparent: `00-${parent.traceId}-${parent.spanId}-01` },
    })
    requestId = made.headers.get('x-request-id')
    await service.call('GET', '/v3/grants', { headers: { traceparent: `00-${parent.traceId}-${parent.spanId}-00` } })
    await service.call('GET', '/v3/grants/CANARY-nobody', { headers: { traceparent: 'CANARY' } })
    await service[Symbol.asyncDispose]()
  })
  afterAll(() => void receiver.server.close())

  test('sends the remaining spans when it ends, with the headers of the settings', () => {
    expect(receiver.spans.length).toBeGreaterThan(0)
    expect(new Set(receiver.keys)).toEqual(new Set(['CANARY-otlp-key']))
  })

  test('continues the trace of the caller: the request, the operation and the transaction below it', () => {
    const [request, ...more] = receiver.spans.filter(({ parentSpanId }) => parentSpanId === parent.spanId)
    expect(more).toEqual([])
    expect(request).toMatchObject({ traceId: parent.traceId, kind: 2, name: 'POST /v3/grants/:grant_id/calendars' })
    if (!request) return
    expect(attribute(request, 'waypost.route')).toBe('calendars.create')
    expect(attribute(request, 'waypost.request_id')).toBe(requestId)
    expect(attribute(request, 'http.response.status_code')).toBe('200')
    const below = receiver.spans.filter(({ parentSpanId }) => parentSpanId === request.spanId)
    expect(below.map(({ name }) => name).toSorted()).toEqual(['store transaction', 'virtual-calendar calendars.create'])
    for (const span of below) {
      expect(span.traceId).toBe(parent.traceId)
      expect(BigInt(span.startTimeUnixNano)).toBeLessThanOrEqual(BigInt(span.endTimeUnixNano))
    }
    expect(service.logs()).toContain(`"trace_id":"${parent.traceId}"`)
  })

  test('starts a new trace without a valid header, and names the error', () => {
    const refused = receiver.spans.find((span) => attribute(span, 'http.response.status_code') === '404')
    expect(refused?.parentSpanId).toBeUndefined()
    expect(refused && attribute(refused, 'error.type')).toBe('grant_not_found')
  })

  test('omits requests that the caller does not sample', () => {
    expect(receiver.spans.filter((span) => attribute(span, 'waypost.route') === 'grants.list')).toEqual([])
  })

  test('contains no content, addresses or secrets', () => {
    expect(receiver.bodies.filter((body) => body.includes('CANARY'))).toEqual([])
  })
})

test('an unavailable receiver only loses spans', async () => {
  const spans = new Counts()
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  const { url, server } = await openReceiver()
  await new Promise((resolve) => server.close(resolve))
  const options = { url, headers: {}, ratio: 1, clock: { now: () => 1_000 }, nodeId: 'node', everyMs: 1, maxQueued: 10 }
  const tracing = createTracing({ ...options, log, spans })
  for (let count = 0; count < 100; count++) tracing.begin('work', 'internal')?.end()
  expect(spans.of('dropped').value).toBe(90)
  await expect.poll(() => spans.of('dropped').value).toBe(100)
  expect(lines.join('')).toContain('traces could not be sent')
  await tracing[Symbol.asyncDispose]()
})

test('requests without a sampling decision are traced in part', () => {
  const quiet = createLog('silent')
  const options = { url: 'http://127.0.0.1:1', headers: {}, clock: { now: () => 0 }, nodeId: 'node', log: quiet }
  const none = createTracing({ ...options, ratio: 0, spans: new Counts() })
  expect(none.begin('work', 'internal')).toBeUndefined()
  expect(none.begin('work', 'internal', { parent: `00-${parent.traceId}-${parent.spanId}-01` })).toBeDefined()
})

test('an invalid traceparent is ignored', () => {
  const good = `00-${parent.traceId}-${parent.spanId}-01`
  expect(readTraceparent(good)).toEqual({ ...parent, isSampled: true })
  expect(readTraceparent(good.replace(/^00/, 'cc').concat('-more'))).toEqual({ ...parent, isSampled: true })
  const wrong = [
    '',
    'x',
    good.toUpperCase(),
    `${good}-more`,
    good.replace(/^00/, 'ff'),
    good.replace(parent.traceId, '0'.repeat(32)),
  ]
  for (const text of [null, undefined, ...wrong]) expect(readTraceparent(text), String(text)).toBeUndefined()
})
