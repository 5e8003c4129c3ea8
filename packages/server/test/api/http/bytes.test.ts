/**
 * Responses that are files: their names, their streaming, and that an incomplete file is never taken for a complete
 * one.
 */
import { once } from 'node:events'
import { request } from 'node:http'
import { ApiError } from '@waypost/platform/api-error'
import type { FileContent } from '@waypost/providers/operations'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { dispositionOf, type FileEnd, flowOf, mediaTypeOf, startFile } from '../../../src/api/http/file-answer.ts'
import { type MailService, messageOf, openMailService, streamOf } from '../pipeline/mail-provider.ts'

const text = new TextEncoder()

/** A file that the test writes; it records whether it was canceled. */
function handFed(facts: Partial<FileContent> = {}) {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const cancelled = Promise.withResolvers<unknown>()
  const content = new ReadableStream<Uint8Array>({
    start: (own) => {
      controller = own
    },
    cancel: (reason) => cancelled.resolve(reason),
  })
  const file: FileContent = { content, contentType: 'text/plain', filename: 'a.txt', ...facts }
  return {
    file,
    cancelled: cancelled.promise,
    write: (part: string) => controller?.enqueue(text.encode(part)),
    fail: () => controller?.error(new Error('the mail server hung up')),
    end: () => controller?.close(),
  }
}

describe('the media type of a file', () => {
  test.for([
    'text/html',
    'application/vnd.oasis.opendocument.text',
    'text/plain; charset=utf-8',
    'image/png; name="a b.png"',
    'text/plain;charset=us-ascii;format=flowed',
    'application/pdf; name="with \\"quotes\\" and ; signs"',
  ])('%s is sent unchanged', (type) => {
    expect(mediaTypeOf(type)).toBe(type)
  })

  test.for([
    ['application/pdf; name=Übersicht.pdf', 'application/pdf'],
    ['image/png; name="broken', 'image/png'],
    ['text/plain; charset', 'text/plain'],
    ['text/html\r\nset-cookie: a=b', 'application/octet-stream'],
    ['text/plain; charset=utf-8\r\nset-cookie: a=b', 'text/plain'],
    ['', 'application/octet-stream'],
    ['pdf', 'application/octet-stream'],
    ['text/ html', 'application/octet-stream'],
    ['text/plain, text/html', 'application/octet-stream'],
    ['téxt/plain', 'application/octet-stream'],
  ] as const)('%j is sent as %s', ([given, sent]) => {
    expect(mediaTypeOf(given)).toBe(sent)
  })

  test('is cut to fit into a header', () => {
    expect(mediaTypeOf(`text/plain; name="${'x'.repeat(50_000)}"`)).toBe('text/plain')
    expect(mediaTypeOf(`${'x'.repeat(50_000)}/y`)).toBe('application/octet-stream')
    expect(mediaTypeOf(`text/plain${'; a=b'.repeat(50_000)}!`)).toBe('text/plain')
  })
})

describe('the name of a file', () => {
  test.for([
    ['report.pdf', `attachment; filename="report.pdf"; filename*=UTF-8''report.pdf`],
    ['Übersicht 100%.pdf', `attachment; filename="_bersicht 100_.pdf"; filename*=UTF-8''%C3%9Cbersicht%20100%25.pdf`],
    ['a"b\\c.txt', `attachment; filename="a_b_c.txt"; filename*=UTF-8''a%22b_c.txt`],
    ["it's (1)*.txt", `attachment; filename="it's (1)*.txt"; filename*=UTF-8''it%27s%20%281%29%2A.txt`],
    ['../../etc/passwd', `attachment; filename=".._.._etc_passwd"; filename*=UTF-8''.._.._etc_passwd`],
    ['a\r\nset-cookie: b', `attachment; filename="a__set-cookie: b"; filename*=UTF-8''a__set-cookie%3A%20b`],
    ['gpj.\u202eexe', `attachment; filename="gpj._exe"; filename*=UTF-8''gpj._exe`],
    ['📎.bin', `attachment; filename="_.bin"; filename*=UTF-8''%F0%9F%93%8E.bin`],
    ['\ud800.bin', `attachment; filename="_.bin"; filename*=UTF-8''%EF%BF%BD.bin`],
    ['', 'attachment'],
    [null, 'attachment'],
  ] as const)('%j is %s', ([name, header]) => {
    expect(dispositionOf(name)).toBe(header)
  })

  test('is cut to fit into a header', () => {
    expect(dispositionOf('📎'.repeat(10_000)).length).toBeLessThan(4096)
  })
})

describe('the flow of a file', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  async function flowing(file: FileContent, signal = new AbortController().signal) {
    const ends: FileEnd[] = []
    const { file: started } = await startFile(file, signal)
    const flow = flowOf(started, { signal, quietMs: 60_000, ended: (end) => void ends.push(end) })
    return { reader: flow.getReader(), ends }
  }

  test('ends when the provider sends nothing for a minute, and cancels the file', async () => {
    const { file, write, cancelled } = handFed()
    write('a')
    const { reader, ends } = await flowing(file)
    await reader.read()
    const next = expect(reader.read()).rejects.toThrow('no progress')
    await vi.advanceTimersByTimeAsync(59_999)
    expect(ends).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    await next
    await cancelled
    expect(ends).toEqual([{ bytes: 1, error: expect.any(Error) }])
  })

  test('ends when the client reads nothing for a minute', async () => {
    const { file, write, cancelled } = handFed()
    write('a')
    const { reader, ends } = await flowing(file)
    await vi.advanceTimersByTimeAsync(60_000)
    await cancelled
    await expect(reader.read()).rejects.toThrow('no progress')
    expect(ends).toHaveLength(1)
  })

  test('continues for hours while bytes arrive every minute', async () => {
    const { file, write, end } = handFed()
    write('a')
    const { reader, ends } = await flowing(file)
    for (let n = 0; n < 200; n++) {
      expect((await reader.read()).done).toBe(false)
      await vi.advanceTimersByTimeAsync(59_000)
      write('b')
    }
    await reader.read()
    end()
    expect((await reader.read()).done).toBe(true)
    await vi.advanceTimersByTimeAsync(120_000)
    expect(ends).toEqual([{ bytes: 201 }])
  })

  test.for([
    ['shorter', 13],
    ['longer', 11],
  ] as const)('fails if it is %s than declared', async ([, size]) => {
    const content = streamOf('hello, ', 'world')
    const { reader, ends } = await flowing({ content, contentType: 'text/plain', filename: null, size })
    const drained = (async () => {
      while (!(await reader.read()).done);
    })()
    await expect(drained).rejects.toThrow('12 bytes')
    expect(ends).toHaveLength(1)
  })

  test('that was aborted before never starts', async () => {
    const { file, cancelled } = handFed()
    const over = new AbortController()
    const started = startFile(file, over.signal)
    over.abort()
    await cancelled
    await started
    const { file: late, cancelled: lateToo } = handFed()
    await startFile(late, over.signal)
    await lateToo
  })
})

describe('a download', () => {
  let world: MailService
  let address: string
  let path: string
  beforeEach(async () => {
    world = await openMailService()
    world.mailbox.messages.set('m', messageOf('m'))
    address = await world.service.listen()
    path = `${world.at}/attachments/a/download?message_id=m`
  })
  afterEach(() => world[Symbol.asyncDispose]())

  const headers = () => ({ authorization: `Bearer ${world.service.apiKey}` })
  const get = (target = path, init: RequestInit = {}) => fetch(address + target, { headers: headers(), ...init })
  const logged = (line: string) => vi.waitFor(() => expect(world.service.logs()).toContain(line))

  test('returns the bytes with their media type and name', async () => {
    const response = await get()
    expect(await response.text()).toBe('hello, world')
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/plain',
      'content-disposition': `attachment; filename="hello.txt"; filename*=UTF-8''hello.txt`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(response.headers.has('content-length')).toBe(false)
    expect(response.headers.has('content-encoding')).toBe(false)
    expect(response.headers.has('access-control-allow-origin')).toBe(false)
  })

  test('declares its length if the provider is certain of it', async () => {
    world.mailbox.download = () => ({ content: streamOf('abc'), contentType: 'a/b', filename: null, size: 3 })
    const response = await get()
    expect(response.headers.get('content-length')).toBe('3')
    expect(await response.text()).toBe('abc')
  })

  test('may be empty, and may be large', async () => {
    world.mailbox.download = () => ({ content: streamOf(), contentType: 'a/b', filename: null, size: 0 })
    expect((await (await get()).arrayBuffer()).byteLength).toBe(0)
    const part = new Uint8Array(65_536).fill(7)
    const content = () => ReadableStream.from(Array.from({ length: 320 }, () => part))
    world.mailbox.download = () => ({ content: content(), contentType: 'a/b', filename: null })
    const bytes = new Uint8Array(await (await get()).arrayBuffer())
    expect(bytes.byteLength).toBe(20 * 1024 * 1024)
    expect(bytes.every((byte) => byte === 7)).toBe(true)
  })

  test('is sent while it arrives', async () => {
    const { file, write, end } = handFed()
    world.mailbox.download = () => file
    write('first')
    const reader = (await get()).body?.getReader()
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('first')
    write('second')
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('second')
    end()
    expect((await reader?.read())?.done).toBe(true)
  })

  test('is never compressed', async () => {
    world.mailbox.download = () => ({ content: streamOf('a'.repeat(9999)), contentType: 'text/plain', filename: null })
    const response = await get(path, { headers: { ...headers(), 'accept-encoding': 'gzip' } })
    expect(response.headers.has('content-encoding')).toBe(false)
    expect(await response.text()).toHaveLength(9999)
  })

  test('that fails before its first byte is answered with a JSON error', async () => {
    const { file, fail } = handFed()
    fail()
    const failures: (() => FileContent)[] = [
      () => {
        throw new ApiError('provider_unavailable', 'the mail server does not answer')
      },
      () => ({
        ...file,
        content: new ReadableStream({ start: (own) => own.error(new ApiError('provider_unavailable')) }),
      }),
      () => file,
    ]
    const seen: unknown[] = []
    for (const download of failures) {
      world.mailbox.download = download
      const response = await get()
      const body = JSON.parse(await response.text())
      expect(body.request_id).toBe(response.headers.get('x-request-id'))
      expect(response.headers.get('content-type')).toBe('application/json')
      expect(response.headers.has('content-disposition')).toBe(false)
      seen.push([response.status, body.error.type])
    }
    expect(seen).toEqual([
      [504, 'provider_error'],
      [504, 'provider_error'],
      [500, 'api.internal_error'],
    ])
  })

  test.for([
    ['of unknown length', undefined],
    ['of a known length', 1000],
  ] as const)('%s that fails in the middle breaks the connection', async ([, size]) => {
    const { file, write, fail } = handFed(size === undefined ? {} : { size })
    world.mailbox.download = () => file
    write('the beginning')
    const response = await get()
    const whole = response.text()
    fail()
    await expect(whole).rejects.toThrow()
    await logged('file broken off')
    expect(world.service.logs()).toContain('the mail server hung up')
  })

  test('that fails right after its first bytes, before the client read them, breaks the connection too', async () => {
    let pulls = 0
    const content = new ReadableStream<Uint8Array>(
      {
        pull(own) {
          if (pulls++ === 0) own.enqueue(text.encode('the beginning'))
          else own.error(new Error('the mail server hung up'))
        },
      },
      { highWaterMark: 0 },
    )
    world.mailbox.download = () => ({ content, contentType: 'text/plain', filename: null })
    const outcome = await get().then(
      (response) =>
        response.text().then(
          () => 'whole',
          () => 'broken',
        ),
      () => 'broken',
    )
    expect([outcome, pulls]).toEqual(['broken', 2])
  })

  test('that is shorter than declared breaks the connection', async () => {
    world.mailbox.download = () => ({ content: streamOf('abc'), contentType: 'a/b', filename: null, size: 5 })
    await expect(get().then((response) => response.text())).rejects.toThrow()
  })

  test('is canceled when the client disconnects, before the first byte and after', async () => {
    for (const begun of [true, false]) {
      const { file, write, cancelled } = handFed()
      world.mailbox.download = () => file
      if (begun) write('the beginning')
      const client = new AbortController()
      const requested = get(path, { signal: client.signal })
      if (begun) await requested
      else await vi.waitFor(() => expect(file.content.locked).toBe(true))
      client.abort()
      await requested.catch(() => undefined)
      await cancelled
    }
  })

  test('is canceled when the client stops reading and disconnects', async () => {
    const cancelled = Promise.withResolvers<void>()
    const content = new ReadableStream<Uint8Array>({
      pull: (own) => own.enqueue(new Uint8Array(65_536)),
      cancel: () => cancelled.resolve(),
    })
    world.mailbox.download = () => ({ content, contentType: 'a/b', filename: null })
    const outgoing = request(address + path, { headers: headers() })
    outgoing.on('error', () => undefined)
    outgoing.end()
    const [incoming] = await once(outgoing, 'response')
    incoming.pause()
    outgoing.destroy()
    await cancelled.promise
  })

  test('answers HEAD with its headers, and cancels the file', async () => {
    const { file, write, cancelled } = handFed({ size: 9 })
    world.mailbox.download = () => file
    write('something')
    const response = await get(path, { method: 'HEAD' })
    expect([response.status, response.headers.get('content-length')]).toEqual([200, '9'])
    expect(response.headers.get('content-disposition')).toContain('a.txt')
    expect(await response.text()).toBe('')
    await cancelled
  })

  test('leaves the connection usable for the next request', async () => {
    for (let n = 0; n < 3; n++) expect(await (await get()).text()).toBe('hello, world')
    expect((await get('/v3/grants')).status).toBe(200)
  })

  test('is readable by origins that the application registered, including its name', async () => {
    const origin = 'https://app.test'
    const requesting = { headers: { ...headers(), origin } }
    const before = await get(path, requesting)
    await before.text()
    expect(before.headers.has('access-control-allow-origin')).toBe(false)
    await world.service.call('PATCH', '/v3/applications', { body: { idp_settings: { origins: origin } } })
    const after = await get(path, requesting)
    await after.text()
    expect(after.headers.get('access-control-allow-origin')).toBe(origin)
    expect(after.headers.get('access-control-expose-headers')).toContain('content-disposition')
  })

  test('is counted and logged with its size', async () => {
    await (await get()).text()
    await logged('file sent')
    const line = world.service
      .logs()
      .split('\n')
      .find((one) => one.includes('file sent'))
    expect(JSON.parse(line ?? '')).toMatchObject({ route: 'attachments.download', bytes: 12 })
    const metrics = await world.service.call('GET', '/metrics')
    expect(metrics.body).toContain('waypost_http_requests_total{route="attachments.download",status="200"} 1')
  })

  test('whose first byte is late is answered with 504 and canceled', async () => {
    const { file, cancelled } = handFed()
    world.mailbox.download = () => file
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const requested = world.service.call('GET', path)
      while (!file.content.locked) await new Promise((resolve) => setImmediate(resolve))
      await vi.advanceTimersByTimeAsync(90_000)
      const answer = await requested
      expect([answer.status, answer.body.error.type]).toEqual([504, 'provider_error'])
      await cancelled
    } finally {
      vi.useRealTimers()
    }
  })
})
