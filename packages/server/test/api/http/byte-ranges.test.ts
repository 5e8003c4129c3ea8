/** Parts of attachments: `Range` requests, with and without a size that the provider knows, and with curl. */
import { execFile } from 'node:child_process'
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { needsProgram } from '@waypost/testing/peers/needs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requestedRange } from '../../../src/api/http/byte-range.ts'
import type { HttpRequest } from '../../../src/api/http/http.ts'
import { type MailService, messageOf, openMailService } from '../pipeline/mail-provider.ts'

const run = promisify(execFile)

describe('the Range header', () => {
  const of = (headers: Record<string, string>, method = 'GET') =>
    requestedRange({ method, header: (name: string) => headers[name] ?? null } as unknown as HttpRequest)

  test.for([
    ['bytes=0-4', { first: 0, last: 4 }],
    ['bytes=5-', { first: 5 }],
    ['bytes=-3', { lastBytes: 3 }],
    ['BYTES= 1-2 ', { first: 1, last: 2 }],
  ] as const)('%j is one range', ([header, range]) => {
    expect(of({ range: header })).toEqual(range)
  })

  test.for(['bytes=0-1,3-4', 'bytes=4-2', 'bytes=-', 'bytes=a-b', 'items=0-4', 'bytes=1', `bytes=${'9'.repeat(20)}-`])(
    '%j is not a valid range, so the whole file is sent',
    (header) => {
      expect(of({ range: header })).toBeUndefined()
    },
  )

  test('is ignored with If-Range, which never matches, and with HEAD', () => {
    expect(of({ range: 'bytes=0-1', 'if-range': '"x"' })).toBeUndefined()
    expect(of({ range: 'bytes=0-1' }, 'HEAD')).toBeUndefined()
  })
})

const content = Uint8Array.from({ length: 300_000 }, (_, at) => at % 251)

describe.each(['known', 'unknown'] as const)('a file whose size is %s', (size) => {
  let world: MailService
  let url: string
  beforeAll(async () => {
    world = await openMailService()
    world.mailbox.messages.set('m', messageOf('m'))
    url = `${await world.service.listen()}${world.at}/attachments/p2/download?message_id=m`
    world.mailbox.download = () => ({
      content: ReadableStream.from(
        Array.from({ length: 30 }, (_, at) => content.subarray(at * 10_000, (at + 1) * 10_000)),
      ),
      contentType: 'application/pdf',
      filename: 'a.pdf',
      ...(size === 'known' ? { size: content.length } : {}),
    })
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const ask = async (range?: string, more: Record<string, string> = {}) => {
    const headers = { authorization: `Bearer ${world.service.apiKey}`, ...more, ...(range ? { range } : {}) }
    const response = await fetch(url, { headers })
    return { status: response.status, headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) }
  }

  test.for([
    ['bytes=0-0', 0, 0],
    ['bytes=9999-10000', 9_999, 10_000],
    ['bytes=123456-', 123_456, 299_999],
    ['bytes=299999-400000', 299_999, 299_999],
    ['bytes=-5', 299_995, 299_999],
    ['bytes=-999999', 0, 299_999],
  ] as const)('%s is answered with this part', async ([range, first, last]) => {
    const { status, headers, bytes } = await ask(range)
    expect(status).toBe(206)
    expect(headers.get('content-range')).toBe(`bytes ${first}-${last}/300000`)
    expect(headers.get('content-length')).toBe(String(last - first + 1))
    expect(headers.get('content-disposition')).toContain('a.pdf')
    expect(Buffer.from(bytes).equals(content.subarray(first, last + 1))).toBe(true)
  })

  test('beyond the end is 416 with the size; several ranges and If-Range get the whole file', async () => {
    const refused = await ask('bytes=300000-')
    expect(refused.status).toBe(416)
    expect(refused.headers.get('content-range')).toBe('bytes */300000')
    for (const whole of [await ask('bytes=0-1,5-6'), await ask('bytes=0-1', { 'if-range': '"x"' }), await ask()]) {
      expect(whole.status).toBe(200)
      expect(whole.headers.get('accept-ranges')).toBe('bytes')
      expect(whole.bytes.length).toBe(300_000)
    }
  })

  test('curl requests a part with -r, and completes a broken download with -C -', async (context) => {
    needsProgram(context, 'curl')
    await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-range-'))
    const file = path.join(folder.path, 'a.pdf')
    const key = ['-s', '-H', `Authorization: Bearer ${world.service.apiKey}`]
    await run('curl', [...key, '-r', '100-299', '-o', file, url])
    expect((await readFile(file)).equals(content.subarray(100, 300))).toBe(true)
    await writeFile(file, content.subarray(0, 123_457))
    await run('curl', [...key, '-C', '-', '-o', file, url])
    expect((await readFile(file)).equals(content)).toBe(true)
  })
})

test('the attachments of a message are listed', async () => {
  await using world = await openMailService()
  world.mailbox.messages.set('m', messageOf('m'))
  const listed = await world.service.call('GET', `${world.at}/messages/m/attachments`)
  expect(listed.body.data).toEqual([
    { id: 'p2', grant_id: world.grantId, filename: 'hello.txt', content_type: 'text/plain', size: 12 },
  ])
  expect((await world.service.call('GET', `${world.at}/messages/none/attachments`)).status).toBe(404)
})
