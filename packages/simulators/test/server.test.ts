import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import type { RawAnswer } from '../src/shared/http.ts'
import { listen } from '../src/shared/server.ts'

test('a response with repeated headers, and a streamed one, keep the connection open', async () => {
  const server = await listen(0)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  async function* pieces() {
    yield Buffer.from('one ')
    yield Buffer.from('two')
  }
  server.answerWith(async ({ url }): Promise<RawAnswer> => {
    const body = Buffer.from('plain')
    if (url.pathname === '/stream') return { status: 200, headers: {}, body, stream: pieces() }
    return { status: 401, headers: { 'www-authenticate': 'NTLM\nBasic realm="x"' }, body }
  })
  const sockets = new Set<unknown>()
  async function ask(path: string) {
    const requested = request(`${server.url}${path}`, { agent }).end()
    const [response]: IncomingMessage[] = await once(requested, 'response')
    sockets.add(requested.socket)
    const lines = response?.headersDistinct['www-authenticate']
    return { lines, body: await text(response ?? []) }
  }
  for (let round = 0; round < 2; round++) {
    expect(await ask('/')).toEqual({ lines: ['NTLM', 'Basic realm="x"'], body: 'plain' })
    expect(await ask('/stream')).toEqual({ lines: undefined, body: 'one two' })
    // An error that would break the connection occurs shortly after the response.
    await new Promise(setImmediate)
  }
  expect(sockets.size).toBe(1)
  agent.destroy()
  await server.close()
})
