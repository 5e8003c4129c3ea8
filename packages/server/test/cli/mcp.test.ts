/** `waypost mcp` with a scripted endpoint: its requests, what it forwards, and how it ends. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventsOf } from '../../src/cli/mcp/messages.ts'
import { run } from '../../src/cli/run.ts'
import { runHere } from '../command-line.ts'

interface Asked {
  headers: IncomingMessage['headers']
  body: { id?: number; method?: string; params?: { name?: string } }
}

/** The responses of the endpoint, by the name of the tool or the method. */
type Answer = (response: ServerResponse, requested: Asked) => void

const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void =>
  void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body, null, 2))
const event = (message: unknown): string => `event: message\ndata: ${JSON.stringify(message)}\n\n`

const requested: Asked[] = []
const closed: (number | undefined)[] = []
const answers: Record<string, Answer> = {
  initialize: (response, { body }) =>
    json(
      response,
      200,
      { jsonrpc: '2.0', id: body.id, result: { protocolVersion: '2025-11-25' } },
      { 'mcp-session-id': 'S1' },
    ),
  'notifications/initialized': (response) => void response.writeHead(202).end(),
  'notifications/cancelled': (response) => void response.writeHead(202).end(),
  plain: (response, { body }) => json(response, 200, { jsonrpc: '2.0', id: body.id, result: { ok: true } }),
  streamed: (response, { body }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(': keep-alive\n\n')
    response.write(event({ jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } }))
    response.end(event({ jsonrpc: '2.0', id: body.id, result: { ok: 'streamed' } }))
  },
  cut: (response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n'),
  refused: (response) =>
    json(response, 400, { jsonrpc: '2.0', id: null, error: { code: -32020, message: 'mismatch' } }),
  unauthorized: (response) => json(response, 401, { request_id: 'r', error: { message: 'the API key is unknown' } }),
  moved: (response) => void response.writeHead(307, { location: 'http://127.0.0.1:1/mcp' }).end(),
  hanging: (response, { body }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(': open\n\n')
    response.on('close', () => closed.push(body.id))
  },
}
answers['subscriptions/listen'] = answers.hanging as Answer

const server = createServer(async (request, response) => {
  const text = Buffer.concat(await request.toArray()).toString()
  const seen: Asked = { headers: request.headers, body: JSON.parse(text) }
  requested.push(seen)
  const { method = '', params } = seen.body
  answers[params?.name ?? method]?.(response, seen)
})
let url: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address === 'object') url = `http://127.0.0.1:${address?.port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const env = { WAYPOST_API_KEY: 'wprk_test_key' }
const call = (id: number, name: string, params: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: {}, ...params },
})

/** Starts the command; `printed` contains its standard output, as messages. */
function start(lines: unknown[] = []) {
  const input = new PassThrough()
  const written = { out: '', err: '' }
  const ended = run(['mcp', '--url', url], {
    env,
    input,
    out: (text) => {
      written.out += text
    },
    err: (text) => {
      written.err += text
    },
  })
  const say = (line: unknown): void => void input.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`)
  for (const line of lines) say(line)
  const printed = () =>
    written.out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  return { input, say, ended, written, printed }
}

/** Every response of the command to these lines until it ends. */
async function answersTo(...lines: unknown[]) {
  const command = start(lines)
  command.input.end()
  expect(await command.ended).toBe(0)
  return { printed: command.printed(), err: command.written.err }
}

const modern = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }

describe('waypost mcp', () => {
  test('passes requests on with the key, and responses back on one line each, also from an event stream', async () => {
    const { printed, err } = await answersTo(call(1, 'plain'), call(2, 'streamed'))
    expect(printed).toContainEqual({ jsonrpc: '2.0', id: 1, result: { ok: true } })
    expect(printed).toContainEqual({ jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } })
    expect(printed).toContainEqual({ jsonrpc: '2.0', id: 2, result: { ok: 'streamed' } })
    expect(printed).toHaveLength(3)
    expect(err).toBe('')
    expect(requested.at(-1)?.headers).toMatchObject({
      authorization: 'Bearer wprk_test_key',
      accept: 'application/json, text/event-stream',
    })
  })

  test('repeats version, method and name of a current request in headers, in Base64 if they are not ASCII', async () => {
    await answersTo(call(1, 'plain', modern), {
      jsonrpc: '2.0',
      id: 2,
      method: 'resources/read',
      params: { uri: 'waypost://grant/ä', name: 'plain', ...modern },
    })
    const headers = requested.slice(-2).map((each) => each.headers)
    expect(headers).toContainEqual(
      expect.objectContaining({
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'plain',
      }),
    )
    const encoded = `=?base64?${Buffer.from('waypost://grant/ä').toString('base64')}?=`
    expect(headers).toContainEqual(expect.objectContaining({ 'mcp-method': 'resources/read', 'mcp-name': encoded }))
  })

  test('keeps the session and the version of an older client', async () => {
    const command = start([{ jsonrpc: '2.0', id: 0, method: 'initialize', params: {} }])
    await expect.poll(() => command.printed()).toHaveLength(1)
    command.say({ jsonrpc: '2.0', method: 'notifications/initialized' })
    command.say(call(1, 'plain'))
    command.input.end()
    await command.ended
    const [, ...later] = requested.slice(-3)
    for (const { headers } of later)
      expect(headers).toMatchObject({ 'mcp-session-id': 'S1', 'mcp-protocol-version': '2025-11-25' })
    expect(command.printed()).toHaveLength(2)
  })

  test('answers with an error under the id of the request where the service refuses, redirects or hangs up', async () => {
    const { printed, err } = await answersTo(
      call(1, 'refused'),
      call(2, 'unauthorized'),
      call(3, 'moved'),
      call(4, 'cut'),
      'no JSON',
      '[]',
    )
    const errors = new Map(printed.map(({ id, error }) => [id, error]))
    expect(errors.get(1)).toEqual({ code: -32020, message: 'mismatch' })
    expect(errors.get(2)).toEqual({ code: -32603, message: 'the key was refused: the API key is unknown' })
    expect(errors.get(3)).toMatchObject({ message: 'the service answered with status 307' })
    expect(errors.get(4)).toMatchObject({ message: 'the connection ended before the response' })
    expect(printed.filter(({ id }) => id === null).map(({ error }) => error.code)).toEqual([-32700, -32600])
    expect(err).toContain('waypost mcp: the key was refused: the API key is unknown')
    expect(err).not.toContain(env.WAYPOST_API_KEY)
  })

  test('ends the request that the client cancels, and a subscription when the input ends', async () => {
    const command = start([
      call(7, 'hanging', modern),
      { jsonrpc: '2.0', id: 8, method: 'subscriptions/listen', params: modern },
    ])
    await expect
      .poll(() =>
        requested
          .slice(-2)
          .map(({ body }) => body.id)
          .sort(),
      )
      .toEqual([7, 8])
    command.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } })
    await expect.poll(() => closed).toEqual([7])
    command.input.end()
    expect(await command.ended).toBe(0)
    await expect.poll(() => closed).toEqual([7, 8])
    expect(command.printed()).toEqual([])
    expect(command.written.err).toBe('')
  })

  test('reports missing and invalid settings before it starts, and an unreachable service', async () => {
    const input = () => new PassThrough().end()
    const none = await runHere(['mcp'], {}, input())
    expect(none).toMatchObject({ code: 2, stdout: '' })
    expect(none.stderr).toContain('set WAYPOST_API_KEY to an API key, or name a file with --key-file')
    expect((await runHere(['mcp', '--url', 'waypost'], env, input())).stderr).toContain('--url must be the URL')
    expect((await runHere(['mcp', '--key-file', '/dev/null'], {}, input())).stderr).toContain('/dev/null is empty')
    const gone = new PassThrough().end(`${JSON.stringify(call(1, 'plain'))}\n`)
    const unreachable = await runHere(['mcp', '--url', 'http://127.0.0.1:1'], env, gone)
    expect(JSON.parse(unreachable.stdout)).toMatchObject({ id: 1, error: { code: -32603 } })
    expect(unreachable.stderr).toContain('127.0.0.1')
  })
})

test('events are read completely, however they are split', async () => {
  const bytes = Buffer.from('data: {"a":"ä"}\r\n\r\n: comment\n\ndata:1\ndata: 2\n\nevent: x\n\n')
  for (const size of [1, 2, 3, 1000]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    )
    const events = await Array.fromAsync(
      eventsOf(
        (async function* () {
          yield* chunks
        })(),
      ),
    )
    expect(events).toEqual(['{"a":"ä"}', '1\n2'])
  }
})
