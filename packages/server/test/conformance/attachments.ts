/** Attachments as a client sees them, for every provider. */
import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectRefusal, expectStatus, type Json } from './accounts.ts'
import { type MailAccount, type MailSubject, messageBySubject, messagePath, type OpenMail } from './mail-subject.ts'
import { mimeMessage } from './mime-messages.ts'

const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index))
const large = randomBytes(3_000_000)
const inner = mimeMessage({ subject: 'Inner', files: [{ name: 'deep.txt', type: 'text/plain', content: 'deep' }] })
const calendar = 'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n'

const odd = `From: ann@people.test
Subject: Odd
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=outer

--outer
Content-Type: multipart/alternative; boundary=inner

--inner
Content-Type: text/plain

See the files.
--inner
Content-Type: text/calendar; method=REQUEST; charset=utf-8

${calendar.replaceAll('\r\n', '\n')}--inner--
--outer
Content-Type: message/rfc822

${inner.replaceAll('\r\n', '\n')}
--outer
Content-Type: text/csv; charset=iso-8859-1; name="=?utf-8?Q?=C3=BCbersicht.csv?="
Content-Transfer-Encoding: quoted-printable
Content-Disposition: attachment

name;K=F6ln
--outer
Content-Type: application/octet-stream
Content-Disposition: attachment; filename="empty.bin"
Content-Transfer-Encoding: base64


--outer--
`

export function describeAttachments(subject: MailSubject): void {
  describe(`attachments of ${subject.name}`, () => {
    let open: OpenMail
    let account: MailAccount
    let usual: Json
    let strange: Json
    beforeAll(async () => {
      open = await subject.open()
      account = await open.newAccount()
      await account.deliver({
        subject: 'Usual',
        html: '<p>Hello <img src="cid:logo@letters.test"></p>',
        files: [
          { name: 'bytes.bin', type: 'application/octet-stream; name="bytes.bin"', content: bytes },
          { name: 'Übersicht – 2026 "neu".pdf', type: 'application/pdf', content: 'PDF' },
          { name: 'logo.png', type: 'image/png', content: 'PNG', contentId: 'logo@letters.test' },
          { name: 'large.bin', type: 'application/zip', content: large },
          { name: 'page.html', type: 'text/html; charset=utf-8', content: '<script>alert(1)</script>' },
        ],
      })
      await account.deliver(odd)
      usual = await messageBySubject(account, 'Usual')
      strange = await messageBySubject(account, 'Odd')
    })
    afterAll(() => open?.[Symbol.asyncDispose]())

    const path = (id: string): string => `/attachments/${encodeURIComponent(id)}`
    const named = (message: Json, filename: string | null): Json => {
      const found = message.attachments.filter((each: Json) => each.filename === filename)
      expect(found, `${filename} in ${JSON.stringify(message.attachments)}`).toHaveLength(1)
      return found[0]
    }
    /** The bytes and the headers, as received over HTTP. */
    async function download(target: string): Promise<{ status: number; headers: Headers; content: Buffer }> {
      const response = await open.service.app.request(`/v3/grants/${account.grantId}${target}`, {
        headers: { authorization: `Bearer ${open.key}` },
      })
      return { status: response.status, headers: response.headers, content: Buffer.from(await response.arrayBuffer()) }
    }
    const downloadOf = (message: Json, { id }: Json) =>
      download(`${path(id)}/download?message_id=${encodeURIComponent(message.id)}`)

    test('are listed with their message, with every field that clients rely on', async () => {
      expect(usual.attachments).toHaveLength(5)
      for (const attachment of [...usual.attachments, ...strange.attachments]) {
        expect(attachment).toMatchObject({
          id: expect.stringMatching(/./),
          grant_id: account.grantId,
          content_type: expect.stringMatching(/^[\w.+-]+\/[\w.+-]+/),
        })
        expect(['number', 'undefined']).toContain(typeof attachment.size)
        expect(attachment).toHaveProperty('filename')
        expect(attachment.id).toBe(decodeURIComponent(attachment.id))
      }
      expect(new Set(usual.attachments.map(({ id }: Json) => id)).size).toBe(5)
      expect(named(usual, 'bytes.bin')).toMatchObject({
        content_type: expect.stringMatching(/^application\/octet-stream/),
      })
      expect(named(usual, 'bytes.bin').content_disposition).toMatch(/^attachment/)
      expect(named(usual, 'Übersicht – 2026 "neu".pdf')).toMatchObject({ content_type: 'application/pdf' })
    })

    test('have an exact size, or none', async () => {
      for (const [name, { length }] of [
        ['bytes.bin', { length: 256 }],
        ['large.bin', large],
      ] as const) {
        const { size = length } = named(usual, name)
        expect(size).toBe(length)
      }
    })

    test('within the text are marked as inline, with their content id', async () => {
      const logo = named(usual, 'logo.png')
      expect(logo).toMatchObject({ is_inline: true, content_type: 'image/png' })
      expect(logo.content_id.replace(/^<|>$/g, '')).toBe('logo@letters.test')
      expect(named(usual, 'bytes.bin').is_inline).toBe(false)
      expect(named(usual, 'bytes.bin')).not.toHaveProperty('content_id')
    })

    test('are found with the id of their message, and with nothing else', async () => {
      const attachment = named(usual, 'bytes.bin')
      const query = { message_id: usual.id }
      expect(expectStatus(await account.get(path(attachment.id), query), 200).body.data).toEqual(attachment)
      expectRefusal(await account.get(path(attachment.id)), /message_id/)
      expectRefusal(await account.get(`${path(attachment.id)}/download`), /message_id/)
      for (const wrong of ['no-such-attachment', '99', 'v0:eA==:eA==:1']) {
        expectStatus(await account.get(path(wrong), query), 404)
        expectStatus(await account.get(`${path(wrong)}/download`, query), 404)
      }
      expectStatus(await account.get(path(attachment.id), { message_id: 'no-such-message' }), 404)
      expectStatus(await account.get(`${path(attachment.id)}/download`, { message_id: 'no-such-message' }), 404)
    })

    test('are found below their message too', async () => {
      const attachment = named(usual, 'bytes.bin')
      const under = `${messagePath(usual.id)}${path(attachment.id)}`
      expect(expectStatus(await account.get(under), 200).body.data).toEqual(attachment)
      const { status, content } = await download(`${under}/download`)
      expect(status).toBe(200)
      expect(content.equals(bytes)).toBe(true)
    })

    test('are downloaded byte for byte, as a file that no browser opens', async () => {
      const { status, headers, content } = await downloadOf(usual, named(usual, 'bytes.bin'))
      expect(status).toBe(200)
      expect(content.equals(bytes)).toBe(true)
      expect(headers.get('content-type')).toMatch(/^application\/octet-stream/)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-disposition')).toMatch(/^attachment; .*filename\*=utf-8''bytes\.bin/i)
      expect(headers.get('x-request-id')).toMatch(/./)
      const page = await downloadOf(usual, named(usual, 'page.html'))
      expect(page.headers.get('content-disposition')).toMatch(/^attachment/)
      expect(page.headers.get('x-content-type-options')).toBe('nosniff')
    })

    test('keep their name in any script', async () => {
      const { headers } = await downloadOf(usual, named(usual, 'Übersicht – 2026 "neu".pdf'))
      const value = /filename\*=utf-8''([^;]+)/i.exec(headers.get('content-disposition') ?? '')?.[1] ?? ''
      expect(decodeURIComponent(value)).toBe('Übersicht – 2026 "neu".pdf')
    })

    test('are downloaded completely if they are large', async () => {
      const { content } = await downloadOf(usual, named(usual, 'large.bin'))
      const sum = (data: Buffer) => createHash('sha256').update(data).digest('hex')
      expect(content.length).toBe(large.length)
      expect(sum(content)).toBe(sum(large))
    })

    test('that are text keep their bytes in any encoding', async () => {
      const { content, headers } = await downloadOf(strange, named(strange, 'übersicht.csv'))
      expect(content.toString('latin1').trim()).toBe('name;Köln')
      expect(headers.get('content-type')).toMatch(/^text\/csv/)
      const empty = await downloadOf(strange, named(strange, 'empty.bin'))
      expect(empty).toMatchObject({ status: 200, content: Buffer.alloc(0) })
    })

    test('that are messages are one file, the whole message', async () => {
      const found = strange.attachments.filter(({ content_type }: Json) => content_type.startsWith('message/rfc822'))
      expect(found).toHaveLength(1)
      const { content } = await downloadOf(strange, found[0])
      expect(content.toString().trim()).toBe(inner.trim())
      expect(strange.attachments.map(({ filename }: Json) => filename)).not.toContain('deep.txt')
    })

    test('that are invitations have no name, and are downloaded', async () => {
      const found = strange.attachments.filter(({ content_type }: Json) => content_type.startsWith('text/calendar'))
      const isNamed = subject.lacks?.includes('names-of-nameless-files')
      expect(found).toMatchObject([{ filename: isNamed ? expect.any(String) : null }])
      const { content } = await downloadOf(strange, found[0])
      expect(content.toString().trim()).toBe(calendar.trim())
    })
  })
}
