/** Large requests that are refused before they are read: the client gets the response instead of a broken pipe. */
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Load } from '../../../src/telemetry/load.ts'
import { openService, type TestService } from '../../harness.ts'

let service: TestService
let base: URL
let refuses = true

/** Load shedding that refuses every request, like an overloaded node. */
const refusing: Load = {
  take(arrival) {
    if (refuses) arrival.refuse('overloaded')
    else arrival.begin()
    return () => undefined
  },
  accepted: () => undefined,
  learn: () => undefined,
  figures: () => ({ waiting: 0, underWay: 0, refused: { overloaded: 0, share: 0, visitor: 0 } }),
}

beforeAll(async () => {
  service = await openService({ overrides: { load: refusing } })
  base = new URL(await service.listen())
})
afterAll(() => service[Symbol.asyncDispose]())

const length = (pieces: number): string => `Content-Length: ${pieces * mebibyte.length}`
const mebibyte = Buffer.alloc(1024 * 1024, 'x')

/** Sends everything before it reads anything, as many clients do. Returns the response. */
async function upload(headers: readonly string[], pieces: number): Promise<string> {
  await using socket = connect(Number(base.port), base.hostname)
  const lines = ['POST /v3/webhooks HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${service.apiKey}`, ...headers]
  socket.pause()
  const write = (bytes: string | Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => {
      socket.once('error', reject)
      socket.write(bytes, (error) => (error ? reject(error) : resolve()))
    })
  await write(`${lines.join('\r\n')}\r\n\r\n`)
  for (let piece = 0; piece < pieces; piece++) await write(mebibyte)
  socket.end()
  return await text(socket)
}

describe('an upload that is refused because of load', () => {
  test.for([
    ['of a known length', [length(20)]],
    ['of a client that ends its connection', [length(20), 'Connection: close']],
  ] as const)('is answered 503 with Retry-After: %s', async ([, headers]) => {
    refuses = true
    const answer = await upload(['Content-Type: application/json', ...headers], 20)
    expect(answer).toMatch(/^HTTP\/1\.1 503 /)
    expect(answer).toMatch(/^retry-after: 1\r$/im)
    expect(answer).toContain('"type":"api.service_unavailable"')
  })

  test('is cut if it does not end', async () => {
    refuses = true
    await expect(upload([length(200), 'Content-Type: application/json'], 200)).rejects.toThrow()
  })
})

describe('a client that waits for 100 Continue', () => {
  const headers = ['Content-Length: 2', 'Content-Type: application/json', 'Expect: 100-continue']

  test('is refused without sending its body', async () => {
    refuses = true
    expect(await upload(headers, 0)).toMatch(/^HTTP\/1\.1 503 /)
  })

  test('sends its body once the request is accepted', async () => {
    refuses = false
    await using socket = connect(Number(base.port), base.hostname)
    const lines = [
      'POST /v3/webhooks HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${service.apiKey}`,
      'Connection: close',
      ...headers,
    ]
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    const heard = await new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(bytes.toString())))
    expect(heard).toMatch(/^HTTP\/1\.1 100 Continue/)
    socket.write('{}')
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /)
  })
})
