/** The bytes of attachments over IMAP: small messages are fetched as a whole, large ones by part. */
import { randomBytes } from 'node:crypto'
import { sharedCyrus } from '@waypost/testing/peers/cyrus'
import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Json } from './accounts.ts'
import { imapSubject } from './imap-subject.ts'
import { type MailAccount, messageBySubject, messagesOf, type OpenMail } from './mail-subject.ts'
import { mimeMessage } from './mime-messages.ts'

const usual = { separator: '/', prefix: '' } as const
const padding = randomBytes(150_000).toString('base64').replace(/.{76}/g, '$&\r\n')
const inner = mimeMessage({ subject: 'Inner', files: [{ name: 'deep.txt', type: 'text/plain', content: 'deep' }] })
const latin = Buffer.from('Grüße aus Köln\r\n', 'latin1').toString('latin1')

/** A message with a part of each kind, and padding that makes it large. */
const strange = (subject: string, further: string): Buffer =>
  Buffer.from(
    `From: ann@people.test\r\nTo: bob@people.test\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@letters.test>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nSee below.\r\n--b\r\nContent-Type: text/plain; charset=iso-8859-1; format=flowed; name="notes.txt"\r\nContent-Disposition: inline; filename="notes.txt"\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${latin}--b\r\nContent-Type: message/rfc822\r\nContent-Disposition: attachment; filename*0*=utf-8''%C3%BCber; filename*1=".eml"\r\n\r\n${inner}\r\n--b\r\nContent-Type: application/x-odd\r\nContent-Disposition: attachment; filename=qp.bin\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${'=00=FF=\r\n'.repeat(20_000 / 10)}end\r\n--b\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename=further.bin\r\nContent-Transfer-Encoding: base64\r\n\r\n${further}\r\n--b--\r\n`,
    'latin1',
  )

describe.each([imapSubject('dovecot', sharedDovecot, usual), imapSubject('cyrus', sharedCyrus, usual)])(
  'attachments on $name',
  (subject) => {
    let open: OpenMail
    let account: MailAccount
    beforeAll(async () => {
      open = await subject.open()
      account = await open.newAccount()
      await account.deliver(strange('small', 'AAAA'))
      await account.deliver(strange('large', padding))
    })
    afterAll(() => open?.[Symbol.asyncDispose]())

    async function download(message: Json, filename: string | null): Promise<Buffer> {
      const { id } = message.attachments.find((each: Json) => each.filename === filename) ?? {}
      const path = `/v3/grants/${account.grantId}/attachments/${id}/download?message_id=${message.id}`
      const response = await open.service.app.request(path, { headers: { authorization: `Bearer ${open.key}` } })
      expect(response.status).toBe(200)
      return Buffer.from(await response.arrayBuffer())
    }

    test.each(['small', 'large'])(
      'of a %s message are the bytes that were sent, in their own charset',
      async (name) => {
        const message = await messageBySubject(account, name)
        expect(message.attachments.map(({ filename }: Json) => filename)).toEqual([
          'notes.txt',
          'über.eml',
          'qp.bin',
          'further.bin',
        ])
        expect((await download(message, 'notes.txt')).toString('latin1').trimEnd()).toBe(latin.trimEnd())
        expect((await download(message, 'über.eml')).toString('latin1').trimEnd()).toBe(inner.trimEnd())
        const odd = await download(message, 'qp.bin')
        expect(odd.subarray(0, 4000)).toEqual(Buffer.from('00ff'.repeat(2000), 'hex'))
        expect(odd.subarray(4000).toString().trimEnd()).toBe('end')
        const further = await download(message, 'further.bin')
        // For a large message, the server counts only the encoded bytes.
        expect(message.attachments.at(-1).size).toBe(name === 'small' ? further.length : undefined)
      },
    )

    test('that are the whole message are downloaded', async () => {
      for (const [name, content] of [
        ['one small', Buffer.from('%PDF')],
        ['one large', Buffer.from(padding, 'base64')],
      ] as const) {
        await account.deliver(
          `From: ann@people.test\nSubject: ${name}\nMIME-Version: 1.0\nContent-Type: application/pdf; name=one.pdf\nContent-Transfer-Encoding: base64\n\n${content.toString('base64').replace(/.{76}/g, '$&\n')}\n`,
        )
        const message = await messageBySubject(account, name)
        expect(message.attachments).toMatchObject([{ filename: 'one.pdf' }])
        expect((await download(message, 'one.pdf')).equals(content)).toBe(true)
      }
    })

    test('of a broken message are those that are listed', async () => {
      await account.deliver(
        'From: ann@people.test\nSubject: Broken\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=declared\n\n--other\nContent-Type: text/plain\n\nText\n--other\nContent-Type: application/pdf\nContent-Disposition: attachment; filename=a.pdf\n\nbytes\n--other--\n',
      )
      const message = await messageBySubject(account, 'Broken')
      expect(message.attachments).toMatchObject([{ filename: 'a.pdf' }])
      expect((await download(message, 'a.pdf')).toString()).toBe('bytes')
    })

    test('and addresses can be filtered by, even though only the bytes of messages contain them', async () => {
      const raw = { fields: 'raw_mime', subject: 'small' }
      const bytesOf = async (query: object) =>
        (await messagesOf(account, { ...raw, ...query })).map(({ raw_mime }) => raw_mime.length > 0)
      expect(await bytesOf({ to: 'bob@people.test', has_attachment: true })).toEqual([true])
      expect(await bytesOf({ to: 'nobody@people.test' })).toEqual([])
      expect(await bytesOf({ has_attachment: false })).toEqual([])
    })
  },
)
