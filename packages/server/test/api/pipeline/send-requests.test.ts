/** Requests to send, to schedule and to draft, before a message is composed. */
import { request as httpRequest } from 'node:http'
import { ApiError } from '@waypost/platform/api-error'
import { newId } from '@waypost/platform/ids'
import { testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createUploadMemory } from '../../../src/api/http/payload.ts'
import type { Answer, CallOptions } from '../../harness.ts'
import { contentOf, createFakeSending, fileText } from './fake-sending.ts'
import { connectMail, type MailService, openMailService } from './mail-provider.ts'

const now = 1_790_000_000_000
const clock = testClock(now)
const sending = createFakeSending()
let world: MailService
beforeAll(async () => {
  world = await openMailService({ overrides: { sending, clock } })
})
beforeEach(() => {
  sending.reset()
  world.mailbox.calls.length = 0
  world.mailbox.drafts.clear()
})
afterAll(() => world[Symbol.asyncDispose]())

const call = (method: string, path: string, options?: CallOptions) =>
  world.service.call(method, `${world.at}${path}`, options)
const send = (body: unknown, options: CallOptions = {}) => call('POST', '/messages/send', { ...options, body })
const to = [{ email: 'bob@mail.test' }]
const lastContent = () => contentOf(sending.sends.at(-1))

/** Sends a form. */
async function post(path: string, form: FormData, { headers = {}, method = 'POST' } = {}): Promise<Answer> {
  const response = await world.service.app.request(`${world.at}${path}`, {
    method,
    headers: { authorization: `Bearer ${world.service.apiKey}`, ...headers },
    body: form,
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}
/** A form of a message and files: name, content, file name, type. */
function formOf(message: unknown, ...files: [string, string | Uint8Array<ArrayBuffer>, string?, string?][]): FormData {
  const form = new FormData()
  if (message !== undefined) form.append('message', typeof message === 'string' ? message : JSON.stringify(message))
  for (const [name, content, filename, type] of files) {
    if (filename === undefined) form.append(name, String(content))
    else form.append(name, new Blob([content], type === undefined ? {} : { type }), filename)
  }
  return form
}

describe('the answer of a send', () => {
  test('has the envelope of a send, and the fields of the original API even if they are empty', async () => {
    const { status, body } = await send({ to })
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['request_id', 'grant_id', 'data'])
    expect(body.grant_id).toBe(world.grantId)
    expect(body.data).toMatchObject({ subject: '', body: '', to, cc: [], reply_to_message_id: '', schedule_id: '' })
    expect(body.data.from).toEqual([{ email: 'ada@mail.test' }])
  })

  test('is 202 with the schedule in both places if it is sent later', async () => {
    const send_at = now / 1000 + 3600
    const { status, body } = await send({ to, send_at })
    expect(status).toBe(202)
    expect(body).toMatchObject({
      grant_id: world.grantId,
      schedule_id: 'schedule-1',
      data: { send_at, use_draft: false },
    })
    expect(body.data.schedule_id).toBe('schedule-1')
    expect(body.data.id).toBeUndefined()
  })

  test.for([
    ['send_refused', 402],
    ['send_failed', 422],
    ['provider_unreachable', 503],
    ['outcome_unknown', 504],
  ] as const)('is %s as %i with the error of the provider', async ([code, status]) => {
    sending.before = () => {
      throw new ApiError(code, 'no', { providerError: { status: 550, message: 'no such user' } })
    }
    const answer = await send({ to })
    expect(answer.status).toBe(status)
    expect(answer.body.error).toEqual({
      type: 'provider_error',
      message: 'no',
      provider_error: { status: 550, message: 'no such user' },
    })
  })
})

test('all fields reach sending unchanged', async () => {
  const request = {
    to: [{ name: 'Bob Ünal', email: 'bob+tag@mail.test' }, { email: 'ünal@exämple.test' }],
    cc: [{ name: '', email: 'c@x' }],
    bcc: [{ email: 'd@mail.test' }],
    reply_to: [{ email: 'e@mail.test' }],
    from: [{ name: 'Ada', email: 'alias@mail.test' }],
    subject: 'Grüße\tund mehr',
    body: '<p>Hi</p>\r\n',
    is_plaintext: true,
    reply_to_message_id: '<a@b>',
    custom_headers: [{ name: 'X-Mine', value: 'ü' }],
    tracking_options: { opens: true, links: false, thread_replies: true, label: 'spring' },
    metadata: { key1: 'a', MyKey: 'b' },
  }
  expect((await send(request)).status).toBe(200)
  expect(lastContent().request).toMatchObject(request)
  expect(lastContent().files).toEqual([])
})

test('null counts as absent, and an empty reply_to_message_id replies to nothing', async () => {
  const names = [
    'cc',
    'bcc',
    'from',
    'subject',
    'body',
    'attachments',
    'custom_headers',
    'send_at',
    'template',
    'metadata',
  ]
  const answer = await send({ to, ...Object.fromEntries(names.map((name) => [name, null])), reply_to_message_id: '' })
  expect(answer.status).toBe(200)
  expect(lastContent().request.reply_to_message_id).toBeUndefined()
})

describe('an invalid request is refused with the field, and nothing is sent', () => {
  const header = (name: string, value = 'x') => ({ to, custom_headers: [{ name, value }] })
  const file = (changes: object) => ({ to, attachments: [{ filename: 'a.txt', content: 'YQ==', ...changes }] })
  test.for<[string, unknown]>([
    ['to', {}],
    ['to', { to: [] }],
    ['to', { to: 'bob@mail.test' }],
    ['to.0.email', { to: [{ name: 'Bob' }] }],
    ...[
      '',
      'bob',
      'bob@',
      '@x.test',
      'a b@x.test',
      'a@x..test',
      'a@x.test, b@x.test',
      'Bob <a@x.test>',
      '.a@x.test',
    ].map((email): [string, unknown] => ['to.0.email', { to: [{ email }] }]),
    ['to.0.email', { to: [{ email: 'a@x.test\r\nRCPT TO:<b@x.test>' }] }],
    ['to.0.email', { to: [{ email: `${'a'.repeat(320)}@x.test` }] }],
    ['to.0.name', { to: [{ email: 'a@x.test', name: 'A\r\nBcc: b@x.test' }] }],
    ['cc.0.name', { to, cc: [{ email: 'a@x.test', name: 'A\nB' }] }],
    ['bcc.0.email', { to, bcc: [{ email: 'a\n@x.test' }] }],
    ['reply_to.0.name', { to, reply_to: [{ email: 'a@x.test', name: '\r' }] }],
    ['from', { to, from: [] }],
    ['from', { to, from: [{ email: 'a@x.test' }, { email: 'b@x.test' }] }],
    ['from.0.name', { to, from: [{ email: 'a@x.test', name: 'A\r\nX: y' }] }],
    ['subject', { to, subject: 'a\r\nBcc: b@x.test' }],
    ['subject', { to, subject: 'a\nb' }],
    ['subject', { to, subject: 'x'.repeat(999) }],
    ['reply_to_message_id', { to, reply_to_message_id: '<a@b>\r\nX: y' }],
    ['custom_headers.0.value', header('X-A', 'a\r\nBcc: b@x.test')],
    ['custom_headers.0.value', header('X-A', 'a\nb')],
    ...['', 'X A', 'X:A', 'X-Ä', 'X-A\r\nBcc'].map((name): [string, unknown] => [
      'custom_headers.0.name',
      header(name),
    ]),
    ...[
      'From',
      'TO',
      'cc',
      'Bcc',
      'Date',
      'Message-ID',
      'MIME-Version',
      'Content-Type',
      'content-anything',
      'DKIM-Signature',
      'Return-Path',
      'Subject',
    ].map((name): [string, unknown] => ['custom_headers.0.name', header(name)]),
    ['custom_headers.0.name', { ...header('References'), reply_to_message_id: '<a@b>' }],
    ['attachments.0.content', file({ content: '' })],
    ['attachments.0.content', file({ content: '====' })],
    ['attachments.0.content', file({ content: 'not base64!' })],
    ['attachments.0.content', file({ content: 'YQ=a' })],
    ['attachments.0.content', file({ content: 'YWJjZ' })],
    ['attachments.0.content', file({ content: undefined })],
    ['attachments.0.filename', file({ filename: undefined })],
    ['attachments.0.filename', file({ filename: 'a.txt"\r\nX: y' })],
    ['attachments.0.content_type', file({ content_type: 'text/plain\r\nX: y' })],
    ['attachments.0.content_type', file({ content_type: 'pdf' })],
    ['attachments.0.content_id', file({ content_id: 'a>\r\nX: y' })],
    ['attachments.0.content_id', file({ content_id: 'a b' })],
    ['send_at', { to, send_at: now / 1000 + 59 }],
    ['send_at', { to, send_at: now / 1000 - 1 }],
    ['send_at', { to, send_at: now / 1000 + 30 * 86_400 + 1 }],
    ['send_at', { to, send_at: now }],
    ['send_at', { to, send_at: '1790003600' }],
    ['use_draft', { to, use_draft: true }],
    ['tracking_options.label', { to, tracking_options: { opens: true, label: 'x'.repeat(2049) } }],
    ['tracking_options.label', { to, tracking_options: { opens: true, label: 'a\nb' } }],
    ['tracking_options.domain_name', { to, tracking_options: { domain_name: '127.0.0.1' } }],
    ['tracking_options.domain_name', { to, tracking_options: { opens: true, domain_name: 'mail.example.com' } }],
    ['metadata.k', { to, metadata: { k: 1 } }],
    ['signature_id', { to, signature_id: 'nobody' }],
    ['template.id', { to, template: { id: 'nothing' } }],
  ])('%s of %j', async ([field, body]) => {
    const answer = await send(body)
    expect(answer.status, JSON.stringify(answer.body)).toBe(400)
    expect(Object.keys(answer.body.error.validation_errors)).toContain(field)
    expect(answer.body.error.message).toContain(field)
    expect(sending.sends).toEqual([])
  })

  test('drafts that wait are for other providers', async () => {
    const waiting = await send({ to, send_at: now / 1000 + 60, use_draft: true })
    expect([waiting.status, waiting.body.error.type]).toEqual([422, 'not_supported_by_provider'])
  })

  test('an unknown upload is not found, and the error names it', async () => {
    const upload = await send({ to, attachments: [{ id: 'upload-1' }] })
    expect([upload.status, upload.body.error.type]).toEqual([404, 'not_found_error'])
    expect(upload.body.error.message).toContain('attachments.0.id')
    expect(sending.sends).toEqual([])
  })

  test('the host of this service is accepted as custom host', async () => {
    const domain_name = ` ${new URL(world.service.services.config.baseUrl).hostname.toUpperCase()}. `
    expect((await send({ to, tracking_options: { opens: true, domain_name } })).status).toBe(200)
  })

  test('times at the limits are accepted', async () => {
    for (const ahead of [60, 30 * 86_400]) expect((await send({ to, send_at: now / 1000 + ahead })).status).toBe(202)
  })
})

describe('files in JSON', () => {
  test('are decoded; a content id makes them inline unless the disposition says otherwise', async () => {
    const content = Buffer.from('hello?>').toString('base64')
    const files = [
      { filename: 'a.txt', content, content_type: 'text/plain; charset=utf-8', size: 99, is_inline: true },
      { filename: 'b.png', content: content.replace(/=+$/, ''), content_id: '<logo>' },
      { filename: 'c.png', content: content.replaceAll('/', '_'), content_id: 'c', content_disposition: 'Attachment' },
      {
        filename: 'd.png',
        content: `${content.slice(0, 4)}\r\n${content.slice(4)}`,
        content_disposition: 'inline; x=y',
      },
    ]
    expect((await send({ to, attachments: files })).status).toBe(200)
    expect(lastContent().files.map(fileText)).toEqual([
      { filename: 'a.txt', contentType: 'text/plain; charset=utf-8', content: 'hello?>', inline: false },
      { filename: 'b.png', contentType: '', content: 'hello?>', inline: true, contentId: 'logo' },
      { filename: 'c.png', contentType: '', content: 'hello?>', inline: false, contentId: 'c' },
      { filename: 'd.png', contentType: '', content: 'hello?>', inline: true },
    ])
  })

  test('up to 3 MiB are accepted, one byte more is not', async () => {
    const file = (bytes: number) => ({ filename: 'big.bin', content: Buffer.alloc(bytes, 7).toString('base64') })
    const half = 3 * 1024 * 1024 * 0.5
    expect((await send({ to, attachments: [file(half), file(half)] })).status).toBe(200)
    const answer = await send({ to, attachments: [file(half), file(half + 1)] })
    expect(answer.status).toBe(413)
    expect(answer.body.error.message).toMatch(/^max size of attachments for json is 3MB, received '3145729'/)
    expect(sending.sends).toHaveLength(1)
  })

  test('a body above 8 MB is refused, one with 7 MB of text is accepted', async () => {
    expect((await send({ to, body: 'x'.repeat(7_000_000) })).status).toBe(200)
    const answer = await send({ to, body: 'x'.repeat(8_388_608) })
    expect([answer.status, answer.body.error.message]).toEqual([413, 'the body must not be larger than 8388608 bytes'])
  })
})

describe('a form', () => {
  test('contains files as parts, with file names and content ids', async () => {
    const message = { to, subject: 'Grüße €', metadata: { MyKey: 'a', key1: 'ü' }, reply_to_message_id: '<a@b>' }
    const form = formOf(
      message,
      ['file0', 'zero', 'zéro.txt', 'text/plain'],
      ['logo-1', 'png', 'logo.png', 'image/png'],
      ['file', 'one', 'one.bin'],
      ['attachment', 'two', 'two.bin'],
    )
    const answer = await post('/messages/send', form)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    expect(lastContent().request).toMatchObject(message)
    expect(lastContent().files.map(fileText)).toEqual([
      { filename: 'zéro.txt', contentType: 'text/plain', content: 'zero', inline: false },
      { filename: 'logo.png', contentType: 'image/png', content: 'png', inline: true, contentId: 'logo-1' },
      { filename: 'one.bin', contentType: 'application/octet-stream', content: 'one', inline: false },
      { filename: 'two.bin', contentType: 'application/octet-stream', content: 'two', inline: false },
    ])
  })

  test('needs no file, and ignores an empty file field', async () => {
    expect((await post('/messages/send', formOf({ to }))).status).toBe(200)
    const raw =
      '--B\r\nContent-Disposition: form-data; name="message"; filename=""\r\nContent-Type: application/json\r\n\r\n'
    const none = '\r\n--B\r\nContent-Disposition: form-data; name="file0"; filename=""\r\n\r\n\r\n--B--'
    const answer = await send(`${raw}${JSON.stringify({ to })}${none}`, {
      headers: { 'content-type': 'multipart/form-data; boundary=B' },
    })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    expect(lastContent().files).toEqual([])
  })

  test('may be chunked without a length', async () => {
    const base = await world.service.listen()
    const request = new Request('http://x.test', { method: 'POST', body: formOf({ to }, ['file0', 'hello', 'a.txt']) })
    const bytes = Buffer.from(await request.clone().arrayBuffer())
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const outgoing = httpRequest(
        `${base}${world.at}/messages/send`,
        {
          method: 'POST',
          headers: {
            authorization: `Bearer ${world.service.apiKey}`,
            'content-type': request.headers.get('content-type') ?? '',
            'transfer-encoding': 'chunked',
          },
        },
        (response) => response.resume().on('end', () => resolve(response.statusCode)),
      )
      outgoing.on('error', reject)
      for (let at = 0; at < bytes.length; at += 7) outgoing.write(bytes.subarray(at, at + 7))
      outgoing.end()
    })
    expect(status).toBe(200)
    expect(lastContent().files.map(fileText)).toMatchObject([{ content: 'hello' }])
  })

  test('of 20 MB is accepted, one above 25 MB is not', async () => {
    const big = Buffer.alloc(20 * 1024 * 1024)
    for (let at = 0; at < big.length; at += 4096) big.writeUInt32LE(at, at)
    expect((await post('/messages/send', formOf({ to }, ['file0', big, 'big.bin']))).status).toBe(200)
    expect(Buffer.compare(Buffer.from(lastContent().files[0]?.content ?? []), big)).toBe(0)
    const tooLarge = { error: { message: 'the body must not be larger than 26214400 bytes' } }
    const declared = await post('/messages/send', formOf({ to }), { headers: { 'content-length': '26214401' } })
    expect([declared.status, declared.body]).toMatchObject([413, tooLarge])
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(Buffer.alloc(1_000_000)) })
    const response = await world.service.app.request(
      new Request(`http://x.test${world.at}/messages/send`, {
        method: 'POST',
        headers: { authorization: `Bearer ${world.service.apiKey}`, 'content-type': 'multipart/form-data; boundary=B' },
        body: endless,
        duplex: 'half',
      }),
    )
    expect([response.status, await response.json()]).toMatchObject([413, tooLarge])
  })

  test.for<[string, () => FormData, string, string?]>([
    ['no message', () => formOf(undefined, ['file0', 'x', 'a.txt']), 'message: the part is missing', 'received file0'],
    ['no part', () => formOf(undefined, ['x', '']), 'message: the part is missing'],
    ['JSON that is broken', () => formOf('{"to":'), 'message: '],
    ['JSON that is no object', () => formOf('[]'), 'message: the part must be one JSON object'],
    ['two messages', () => formOf({ to }, ['message', '{}']), 'message: must be given once'],
    ['an option beside the message', () => formOf({ to }, ['signature_id', 'x']), 'signature_id: has no filename'],
    ['a field of the message that is wrong', () => formOf({ to: [] }), 'to: must have at least one recipient'],
    [
      'a name that is no content id',
      () => formOf({ to }, ['my file', 'x', 'a.txt']),
      'my file: cannot be a content id',
    ],
    ['a line break in a file name', () => formOf({ to }, ['file0', 'x', 'a\r\nb.txt']), 'file0: has a file name'],
    ['a type that is none', () => formOf({ to }, ['file0', 'x', 'a.txt', 'pdf']), 'file0: the content type'],
  ])('with %s is refused by name', async ([, form, problem, more = '']) => {
    const answer = await post('/messages/send', form())
    expect(answer.status).toBe(400)
    expect(answer.body.error.message).toContain(problem)
    expect(answer.body.error.message).toContain(more)
    expect(sending.sends).toEqual([])
  })

  test('that is not UTF-8 is refused', async () => {
    const form = formOf(undefined)
    form.append('message', new Blob([Buffer.from('{"subject":"\xff"}', 'latin1')]), '')
    const answer = await post('/messages/send', form)
    expect([answer.status, answer.body.error.message]).toEqual([400, 'message: the part is not valid UTF-8'])
  })

  test('is refused by routes without files, which keep their limit for JSON', async () => {
    const answer = await post('/folders', formOf({ name: 'Bills' }))
    expect([answer.status, answer.body.error.type]).toEqual([415, 'invalid_request_error'])
    const large = await call('POST', '/folders', { body: { name: 'x'.repeat(1_048_576) } })
    expect(large.body.error.message).toBe('the body must not be larger than 1048576 bytes')
  })

  test('and JSON are the only bodies; a charset parameter is accepted', async () => {
    const plain = await send('{}', { headers: { 'content-type': 'text/plain' } })
    expect([plain.status, plain.body.error.message]).toEqual([
      400,
      'request must be of content-type multipart/form-data or application/json',
    ])
    expect((await send({ to }, { headers: { 'content-type': 'application/json; charset=utf-8' } })).status).toBe(200)
  })
})

describe('a whole message', () => {
  const source = Buffer.from('From: a@x.test\r\nTo: b@x.test\r\n\r\nbyte \x00\xff for byte\r\n.\r\n', 'latin1')
  test.for(['a field', 'a file'])('is taken as %s, to the byte', async (kind) => {
    const head = kind === 'a file' ? '; filename="m.eml"\r\nContent-Type: message/rfc822' : ''
    const body = Buffer.concat([
      Buffer.from(`--B\r\nContent-Disposition: form-data; name="mime"${head}\r\n\r\n`),
      source,
      Buffer.from('\r\n--B--\r\n'),
    ])
    const response = await world.service.app.request(`${world.at}/messages/send?type=mime&fields=include_headers`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.service.apiKey}`, 'content-type': 'multipart/form-data; boundary=B' },
      body,
    })
    expect(response.status).toBe(200)
    const order = sending.sends.at(-1)
    expect(order?.content).toEqual({ mime: expect.anything() })
    expect(order && 'mime' in order.content && Buffer.compare(order.content.mime, source)).toBe(0)
    expect(order?.fields).toBe('include_headers')
  })

  test('excludes options that could change the message', async () => {
    const both = await post('/messages/send?type=mime', formOf({ send_at: 1 }, ['mime', 'From: a']))
    expect([both.status, both.body.error.message]).toMatchObject([
      400,
      expect.stringContaining('message: cannot be combined'),
    ])
    const none = await post('/messages/send?type=mime', formOf({ to }))
    expect(none.body.error.message).toContain('mime: the part is missing')
    const json = await call('POST', '/messages/send?type=mime', { body: { to } })
    expect(json.body.error.message).toContain('type: with mime the body is multipart/form-data')
    const empty = await post('/messages/send?type=mime', formOf(undefined, ['mime', '']))
    expect(empty.body.error.message).toContain('mime: must not be empty')
    expect(sending.sends).toEqual([])
  })

  test('is an ordinary file without type=mime', async () => {
    await post('/messages/send', formOf({ to }, ['mime', 'x', 'a.eml', 'message/rfc822']))
    expect(lastContent().files.map(fileText)).toMatchObject([{ contentId: 'mime', filename: 'a.eml' }])
  })
})

describe('an Idempotency-Key', () => {
  let headers: { 'idempotency-key': string }
  beforeEach(() => {
    headers = { 'idempotency-key': newId() }
  })

  test('reaches sending, and a retry of a form receives the first answer, whatever its boundary', async () => {
    const form = () => formOf({ to }, ['file0', 'x', 'a.txt'])
    const first = await post('/messages/send', form(), { headers })
    const second = await post('/messages/send', form(), { headers })
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('idempotent-response')).toBe('true')
    expect(sending.sends.map(({ idempotencyKey }) => idempotencyKey)).toEqual([headers['idempotency-key']])
  })

  test.for<[string, () => FormData]>([
    ['another file', () => formOf({ to }, ['file0', 'y', 'a.txt'])],
    ['another file name', () => formOf({ to }, ['file0', 'x', 'b.txt'])],
    ['another part name', () => formOf({ to }, ['file1', 'x', 'a.txt'])],
    ['another message', () => formOf({ to, subject: 'x' }, ['file0', 'x', 'a.txt'])],
    ['one file more', () => formOf({ to }, ['file0', 'x', 'a.txt'], ['file1', 'x', 'a.txt'])],
  ])('with %s is refused', async ([, form]) => {
    await post('/messages/send', formOf({ to }, ['file0', 'x', 'a.txt']), { headers })
    const answer = await post('/messages/send', form(), { headers })
    expect([answer.status, answer.body.error.type]).toEqual([409, 'api.invalid_idempotent_request'])
    expect(sending.sends).toHaveLength(1)
  })

  test('stores the 202 of a scheduled message, and of a whole message', async () => {
    const body = { to, send_at: now / 1000 + 90 }
    const first = await send(body, { headers })
    const second = await send(body, { headers })
    expect([second.status, second.body]).toEqual([202, first.body])
    const mime = () => formOf(undefined, ['mime', 'From: a@x.test\r\n\r\n'])
    await post('/messages/send?type=mime', mime(), { headers: { 'idempotency-key': 'raw' } })
    const again = await post('/messages/send?type=mime', mime(), { headers: { 'idempotency-key': 'raw' } })
    expect(again.headers.get('idempotent-response')).toBe('true')
    expect(sending.sends).toHaveLength(2)
  })

  test('is free again if the outcome of sending is unknown, so that sending can decide', async () => {
    sending.before = () => {
      throw new ApiError('outcome_unknown')
    }
    expect((await send({ to }, { headers })).status).toBe(504)
    sending.before = () => undefined
    expect((await send({ to }, { headers })).status).toBe(200)
    expect(sending.sends.map(({ idempotencyKey }) => idempotencyKey)).toEqual(Array(2).fill(headers['idempotency-key']))
  })
})

test('forms have their own limit of ten a second', async () => {
  await using limited = await openMailService({
    overrides: { sending, clock: testClock(now) },
    env: { WAYPOST_RATE_LIMITS: 'on' },
  })
  const old = world
  world = limited
  try {
    for (let count = 0; count < 10; count++) expect((await post('/messages/send', formOf({ to }))).status).toBe(200)
    const answer = await post('/messages/send', formOf({ to }))
    expect([answer.status, answer.headers.get('ratelimit-limit')]).toEqual([429, '10'])
    expect((await post('/drafts', formOf({ to }))).status).toBe(429)
    expect((await send({ to })).status).toBe(200)
  } finally {
    world = old
  }
})

test('one application gets half of the memory for large bodies, and only bodies in memory count', () => {
  const room = createUploadMemory(100)
  const declared = room.take(50, 'greedy')
  declared.need(0)
  const second = room.take(50, 'greedy')
  expect(() => room.take(1, 'greedy')).toThrow('of this application')
  expect(() => declared.need(1)).toThrow('of this application')
  const other = room.take(50, 'modest')
  expect(() => declared.need(1)).toThrow('too many large requests at once')
  for (const each of [declared, second, other]) each[Symbol.dispose]()
  room.take(100)
})

test('a node accepts as many large bodies as its memory allows', () => {
  const room = createUploadMemory(100)
  const first = room.take(60)
  expect(() => room.take(41)).toThrow('too many large requests at once')
  const second = room.take(40)
  first[Symbol.dispose]()
  expect(() => room.take(61)).toThrow('too many large requests at once')
  room.take(60)[Symbol.dispose]()
  second[Symbol.dispose]()
  const whole = room.take(100)
  whole.need(30)
  const rest = room.take(70)
  whole[Symbol.dispose]()
  rest[Symbol.dispose]()
  room.take(100)
})

describe('schedules', () => {
  test('are listed, read and canceled', async () => {
    await send({ to, send_at: now / 1000 + 60 })
    const pending = {
      schedule_id: 'schedule-1',
      status: { code: 'pending', description: 'schedule send awaiting send at time' },
    }
    const list = await call('GET', '/messages/schedules')
    expect([list.status, list.body.data]).toEqual([200, [pending]])
    expect((await call('GET', '/messages/schedules/schedule-1')).body.data).toEqual(pending)
    const stopped = await call('DELETE', '/messages/schedules/schedule-1')
    expect([stopped.status, stopped.body.data]).toEqual([202, { message: 'requested cancelation for workflow' }])
  })

  test('that do not exist are not found, and those that are too late stay', async () => {
    for (const method of ['GET', 'DELETE']) expect((await call(method, '/messages/schedules/x')).status).toBe(404)
    await send({ to, send_at: now / 1000 + 60 })
    sending.stops = 'too late'
    const answer = await call('DELETE', '/messages/schedules/schedule-1')
    expect([answer.status, answer.body.error.type]).toEqual([409, 'conflict'])
  })

  test('of another grant look like ones that do not exist', async () => {
    await send({ to, send_at: now / 1000 + 60 })
    const other = await connectMail(world.service, 'bob@mail.test')
    const answer = await world.service.call('GET', `/v3/grants/${other}/messages/schedules/schedule-1`)
    expect(answer.status).toBe(404)
    expect((await world.service.call('GET', `/v3/grants/${other}/messages/schedules`)).body.data).toEqual([])
  })
})

test('an account without mail cannot send, but has schedules', async () => {
  const { id } = await world.service.createGrant('rooms')
  for (const path of ['messages/send', 'drafts/x', 'drafts']) {
    const answer = await world.service.call('POST', `/v3/grants/${id}/${path}`, { body: { to } })
    expect([answer.status, answer.body.error.type], path).toEqual([422, 'not_supported_by_provider'])
  }
  expect((await world.service.call('GET', `/v3/grants/${id}/messages/schedules`)).body.data).toEqual([])
})

describe('drafts', () => {
  const create = (body: unknown) => call('POST', '/drafts', { body })

  test('are created, read, changed and deleted at the provider', async () => {
    const made = await create({ subject: 'One', starred: true })
    expect(made.status, JSON.stringify(made.body)).toBe(200)
    const { id } = made.body.data
    expect(made.body.data).toMatchObject({
      object: 'draft',
      subject: 'One',
      starred: true,
      thread_id: '',
      grant_id: world.grantId,
    })
    expect((await call('GET', `/drafts/${id}`)).body.data).toEqual(made.body.data)
    const changed = await call('PUT', `/drafts/${id}`, { body: { subject: 'Two' } })
    expect([changed.status, changed.body.data.subject]).toEqual([200, 'Two'])
    expect((await call('GET', '/drafts?any_email=a@x.test&any_email=b@x.test')).body.data).toHaveLength(1)
    expect(world.mailbox.calls.at(-1)).toMatchObject({
      given: [{ any_email: ['a@x.test', 'b@x.test'], limit: 50 }, undefined],
    })
    expect((await call('DELETE', `/drafts/${id}`)).body).toEqual({ request_id: expect.any(String) })
    expect((await call('GET', `/drafts/${id}`)).status).toBe(404)
  })

  test.for(['message', 'draft'])('come as a form too, the JSON in the part %s', async (name) => {
    const form = formOf(undefined, [name, JSON.stringify({ subject: 'Form' })], ['file0', 'x', 'a.txt'])
    const made = await post('/drafts', form)
    expect([made.status, made.body.data?.subject]).toEqual([200, 'Form'])
    expect(sending.drafted.at(-1)?.files.map(fileText)).toMatchObject([{ filename: 'a.txt', content: 'x' }])
    const change = formOf(undefined, [name, '{}'], ['file0', 'y', 'b.txt'])
    expect((await post(`/drafts/${made.body.data.id}`, change, { method: 'PUT' })).status).toBe(200)
    expect(sending.changed.at(-1)?.files?.map(fileText)).toMatchObject([{ filename: 'b.txt', content: 'y' }])
  })

  test('keep their files unless the change contains files', async () => {
    const { id } = (await create({})).body.data
    await call('PUT', `/drafts/${id}`, { body: { subject: 'x' } })
    expect(sending.changed.at(-1)?.files).toBeUndefined()
    await call('PUT', `/drafts/${id}`, { body: { attachments: [] } })
    expect(sending.changed.at(-1)?.files).toEqual([])
  })

  test('have no time: send_at is refused', async () => {
    const { id } = (await create({})).body.data
    for (const answer of [
      await create({ send_at: now / 1000 + 90 }),
      await call('PUT', `/drafts/${id}`, { body: { send_at: now / 1000 + 90 } }),
    ]) {
      expect([answer.status, Object.keys(answer.body.error.validation_errors)]).toEqual([400, ['send_at']])
    }
  })

  test('follow the same rules as messages', async () => {
    for (const body of [
      { subject: 'a\r\nb' },
      { to: [{ email: 'x' }] },
      { custom_headers: [{ name: 'To', value: 'x' }] },
    ]) {
      expect((await create(body)).status).toBe(400)
    }
    expect(world.mailbox.calls).toEqual([])
  })

  test('keep metadata, tracking and the message they reply to, until they are sent', async () => {
    const tracking_options = { opens: true, label: 'spring' }
    const made = await create({ metadata: { key1: 'a' }, tracking_options, reply_to_message_id: '<p@x>' })
    const { id } = made.body.data
    const retained = { metadata: { key1: 'a' }, tracking_options, reply_to_message_id: '<p@x>' }
    for (const answer of [made, await call('GET', `/drafts/${id}`)]) expect(answer.body.data).toMatchObject(retained)
    expect((await call('GET', '/drafts')).body.data[0]).toMatchObject(retained)

    // Tracking is merged, metadata is replaced, and neither is sent to the provider.
    const before = sending.changed.length
    const change = { tracking_options: { links: true }, metadata: { key2: 'b' } }
    const changed = await call('PUT', `/drafts/${id}`, { body: change })
    expect(changed.body.data).toMatchObject({
      metadata: { key2: 'b' },
      tracking_options: { opens: true, links: true, label: 'spring' },
      reply_to_message_id: '<p@x>',
    })
    expect(changed.body.data.metadata).toEqual({ key2: 'b' })
    expect(sending.changed).toHaveLength(before)

    const sent = await call('POST', `/drafts/${id}`, { body: {} })
    expect([sent.status, sent.body.grant_id]).toEqual([200, world.grantId])
    expect(sending.sentDrafts.at(-1)).toMatchObject({
      draftId: id,
      metadata: { key2: 'b' },
      tracking: { opens: true, links: true, label: 'spring' },
      replyToMessageId: '<p@x>',
    })
    expect((await call('GET', `/drafts/${id}`)).body.data.metadata).toBeUndefined()
  })

  test('lose tracking when all of it is turned off, and metadata when it is cleared', async () => {
    const { id } = (await create({ metadata: { key1: 'a' }, tracking_options: { opens: true } })).body.data
    const body = { tracking_options: { opens: false, links: false }, metadata: null }
    const { data } = (await call('PUT', `/drafts/${id}`, { body })).body
    expect([data.tracking_options, data.metadata]).toEqual([undefined, undefined])
  })

  test('are found by their metadata, separately from messages', async () => {
    const ids = []
    for (const key1 of ['a', 'a', 'b']) {
      ids.push((await create({ metadata: { key1 } })).body.data.id)
      clock.advance(1)
    }
    const first = await call('GET', '/drafts?metadata_pair=key1:a&limit=1')
    expect(first.body.data.map(({ id }: { id: string }) => id)).toEqual([ids[1]])
    const next = await call('GET', `/drafts?metadata_pair=key1:a&limit=1&page_token=${first.body.next_cursor}`)
    expect([next.body.data[0].id, next.body.next_cursor]).toEqual([ids[0], undefined])
    expect((await call('GET', '/messages?metadata_pair=key1:a')).body.data).toEqual([])
    world.mailbox.drafts.delete(ids[1] ?? '')
    expect((await call('GET', '/drafts?metadata_pair=key1:a')).body.data).toHaveLength(1)
    expect((await call('GET', '/drafts?metadata_pair=key1:a&subject=x')).status).toBe(400)
  })

  test.for([undefined, '', {}, { signature_id: null }])('are sent with the body %j', async (body) => {
    const { id } = (await create({})).body.data
    const answer = await call('POST', `/drafts/${id}`, { body })
    expect([answer.status, answer.body.data?.schedule_id]).toEqual([200, ''])
    expect(sending.sentDrafts.at(-1)).toMatchObject({ draftId: id, signature: undefined })
  })

  test('stay unchanged when they cannot be sent', async () => {
    const { id } = (await create({ metadata: { key1: 'a' } })).body.data
    sending.before = () => {
      throw new ApiError('send_refused')
    }
    expect((await call('POST', `/drafts/${id}`)).status).toBe(402)
    expect((await call('GET', `/drafts/${id}`)).body.data.metadata).toEqual({ key1: 'a' })
  })
})
