/** Large messages arrive unchanged by every route, and repeated requests send nothing again. */
import { createHash, randomBytes } from 'node:crypto'
import { isFull } from '@waypost/testing/level'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Json } from '../../conformance/accounts.ts'
import { type MailServers, openMailServers, type PostAccount } from './mail-servers.ts'

const megabyte = 1024 * 1024
const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** The attached file of a message, decoded from base64. */
function fileIn(source: Buffer): Buffer {
  const text = source.toString('latin1')
  const head = text.search(/^Content-Disposition: attachment/im)
  const from = text.indexOf('\r\n\r\n', head) + 4
  return Buffer.from(text.slice(from, text.indexOf('\r\n--', from)), 'base64')
}

/** The text of a message without parts. */
function textIn(source: Buffer): string {
  const text = source.toString('latin1')
  return text.slice(text.indexOf('\r\n\r\n') + 4)
}

describe('large uploads', () => {
  let accounts: MailServers
  let ann: PostAccount
  let bob: PostAccount
  beforeAll(async () => {
    accounts = await openMailServers()
  })
  afterAll(() => accounts?.[Symbol.asyncDispose]())
  beforeEach(async () => {
    ann = await accounts.newAccount()
    bob = await accounts.newAccount()
  })

  type Request = [method: string, path: string, body: FormData | string, headers?: Record<string, string>]
  const ask = async (
    ...[method, path, body, headers]: Request
  ): Promise<{ status: number; json: Json; replayed: boolean }> => {
    const answer = await fetch(`${accounts.url}/v3/grants/${ann.grantId}${path}`, {
      method,
      body,
      headers: { authorization: `Bearer ${accounts.key}`, ...headers },
    })
    const replayed = answer.headers.get('idempotent-response') === 'true'
    return { status: answer.status, json: await answer.json(), replayed }
  }
  const upload = async (...request: Request): Promise<{ data: Json; replayed: boolean }> => {
    const { status, json, replayed } = await ask(...request)
    expect({ status, error: json.error }).toEqual({ status: 200, error: undefined })
    return { data: json.data, replayed }
  }
  const form = (file: Buffer, fields: object): FormData => {
    const body = new FormData()
    body.set('message', JSON.stringify({ to: [{ email: bob.email }], body: '<p>See file</p>', ...fields }))
    body.set('file', new File([new Uint8Array(file)], 'file.bin', { type: 'application/octet-stream' }))
    return body
  }
  const asJson = { 'content-type': 'application/json' }

  const largest = isFull ? 20 : 8
  test(`of ${largest} MB in a form arrive byte for byte`, async () => {
    const file = randomBytes(largest * megabyte)
    await upload('POST', '/messages/send', form(file, { subject: 'form' }))
    expect(digest(fileIn((await bob.received()).source))).toBe(digest(file))
    expect(digest(fileIn((await ann.received('Sent')).source))).toBe(digest(file))
  })

  test('arrive once when repeated with an Idempotency-Key', async () => {
    const file = randomBytes(4 * megabyte)
    const key = { 'idempotency-key': crypto.randomUUID() }
    const first = await upload('POST', '/messages/send', form(file, { subject: 'form' }), key)
    const second = await upload('POST', '/messages/send', form(file, { subject: 'form' }), key)
    expect(second).toEqual({ data: first.data, replayed: true })
    expect(digest(fileIn((await bob.received()).source))).toBe(digest(file))
    const other = Buffer.from(file)
    other[other.length - 1] = (other.at(-1) ?? 0) ^ 1
    expect(await ask('POST', '/messages/send', form(other, { subject: 'form' }), key)).toMatchObject({ status: 409 })
    expect(await bob.mail()).toHaveLength(1)
  })

  test('of 6 MB in a draft and in its replacement are stored byte for byte', async () => {
    const [one, two] = [randomBytes(6 * megabyte), randomBytes(6 * megabyte)]
    const { data } = await upload('POST', '/drafts', form(one, { subject: 'draft' }))
    expect(digest(fileIn((await ann.received('Drafts')).source))).toBe(digest(one))
    await upload('PUT', `/drafts/${data.id}`, form(two, { subject: 'changed' }))
    const retained = await ann.received('Drafts')
    expect(retained.source.toString('latin1', 0, 2_000)).toContain('Subject: changed')
    expect(digest(fileIn(retained.source))).toBe(digest(two))
  })

  test('of 6 MB as a raw MIME message arrive unchanged, with CRLF for every line end', async () => {
    const line = 'A line of a text that somebody wrote, '
    const ends = ['\n', '\r\n', '\r']
    const count = Math.floor((6 * megabyte) / (line.length + 2))
    const text = Array.from({ length: count }, (_, at) => `${line}${at % 7}${ends[at % 3]}`).join('')
    const body = new FormData()
    const head = `From: ${ann.email}\r\nTo: ${bob.email}\r\nSubject: raw\r\n\r\n`
    body.set('mime', new File([`${head}${text}`], 'mime'))
    await upload('POST', '/messages/send?type=mime', body)
    const arrived = textIn((await bob.received()).source)
    expect(digest(Buffer.from(arrived))).toBe(digest(Buffer.from(text.replaceAll(/\r\n|\r|\n/g, '\r\n'))))
  })

  test('of 3 MB as base64 in JSON arrive byte for byte', async () => {
    const file = randomBytes(3 * megabyte)
    const attachments = [{ filename: 'f.bin', content_type: 'image/png', content: file.toString('base64') }]
    const body = JSON.stringify({ to: [{ email: bob.email }], subject: 'json', attachments })
    await upload('POST', '/messages/send', body, asJson)
    expect(digest(fileIn((await bob.received()).source))).toBe(digest(file))
  })

  test('of 7 MB as escaped JSON arrive as the decoded text', async () => {
    const body = `{"to":[{"email":"${bob.email}"}],"is_plaintext":true,"body":"${'\\u0041\\u000a'.repeat(600_000)}"}`
    const { data } = await upload('POST', '/messages/send', body, asJson)
    expect(data.body).toHaveLength(1_200_000)
    expect(digest(Buffer.from(textIn((await bob.received()).source).trimEnd()))).toBe(
      digest(Buffer.from('A\r\n'.repeat(600_000).trimEnd())),
    )
  })

  test('with megabytes of HTML are rejected for an invalid field, and tracked on request', async () => {
    const html = `<p>${'<b>Bold</b> text. '.repeat(60_000)}<a href="https://example.com/offer">Offer</a></p>`
    const fields = { to: [{ email: bob.email }], body: html }
    const wrong = { ...fields, custom_headers: [{ name: 'Bcc', value: 'x@example.org' }] }
    expect(await ask('POST', '/messages/send', JSON.stringify(wrong), asJson)).toMatchObject({
      status: 400,
      json: { error: { message: expect.stringContaining('custom_headers.0') } },
    })
    await upload('POST', '/messages/send', JSON.stringify({ ...fields, tracking_options: { links: true } }), asJson)
    const arrived = (await bob.received()).source.toString('latin1').replaceAll('=\r\n', '')
    expect(arrived).toContain('Bold text. Bold text. ')
    expect(arrived).toMatch(/<a href=3D"[^"]+\/t\/c\/[^"]+">Offer/)
  })
})
