/** Files in the answers of a provider on loopback, read as streams. */
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { ApiError } from '@waypost/platform/api-error'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ExchangeRules } from '../../src/shared/exchange.ts'
import { acceptedFile, type ProviderFile } from '../../src/shared/file-stream.ts'
import { openProviderPeer, type ProviderPeer } from './provider-peer.ts'

let peer: ProviderPeer
beforeAll(async () => {
  peer = await openProviderPeer()
})
afterAll(() => peer[Symbol.asyncDispose]())
beforeEach(() => {
  peer.requested()
  peer.refusedTokens.length = 0
})

const rules: ExchangeRules = {
  name: 'The provider',
  headers: {},
  refused: ({ status, body }) =>
    new ApiError(status === 404 ? 'not_found' : 'provider_refused', `${status} ${body.toString()}`),
}
const limits = { maxBytes: 10_000_000, deadlineMs: 10_000 }
const open = (maxBytes = limits.maxBytes): Promise<ProviderFile> =>
  acceptedFile(peer.io, { url: `${peer.url}/file`, method: 'GET', headers: {}, ...limits, maxBytes }, rules, {})
const bytesOf = async ({ content }: ProviderFile): Promise<Buffer> => Buffer.concat(await Array.fromAsync(content))

test('a file arrives with its size and its first bytes, uncompressed', async () => {
  peer.reply({ headers: { 'content-length': '5' }, body: 'hello' })
  const file = await open()
  expect([file.size, file.begin.toString(), (await bytesOf(file)).toString()]).toEqual([5, 'hello', 'hello'])
  expect(peer.requested()[0]?.headers['accept-encoding']).toBe('identity')
})

test('an empty file is empty', async () => {
  peer.reply({ body: '' })
  expect(await bytesOf(await open())).toHaveLength(0)
})

test('a refused token is replaced once', async () => {
  peer.reply({ status: 401, body: 'no' }, { body: 'hello' })
  expect((await bytesOf(await open())).toString()).toBe('hello')
  expect(peer.refusedTokens).toEqual(['token-0'])
})

test('a refusal is the error of the provider', async () => {
  peer.reply({ status: 404, body: 'gone' })
  await expect(open()).rejects.toMatchObject({ code: 'not_found', message: '404 gone' })
})

test('a compressed file is refused', async () => {
  peer.reply({ headers: { 'content-encoding': 'gzip' }, body: 'hello' })
  await expect(open()).rejects.toMatchObject({ code: 'provider_refused' })
})

test('a file that is cut off, or larger than the limit, fails while it is read', async () => {
  peer.reply((response) => {
    response.writeHead(200, { 'content-length': '1000' })
    response.write('hello')
    setImmediate(() => response.destroy())
  })
  await expect(open().then(bytesOf)).rejects.toMatchObject({ code: 'provider_unavailable' })
  peer.reply({ body: Buffer.alloc(200_000) })
  await expect(open(100_000).then(bytesOf)).rejects.toMatchObject({ code: 'provider_unavailable' })
})

test('a file that is canceled closes its connection', async () => {
  let answer: ServerResponse | undefined
  peer.reply((response) => {
    answer = response
    response.writeHead(200).write('hello')
  })
  const { content } = await open()
  const closed = answer && once(answer, 'close')
  await content.cancel()
  await closed
  expect(answer?.writableFinished).toBe(false)
})
