/** Messages that are written in one step equal those of nodemailer's streams. */
import { Readable } from 'node:stream'
import MailComposer from 'nodemailer/lib/mail-composer'
import { expect, test } from 'vitest'
import { bytesOf } from '../../src/sending/compose/bytes.ts'

const head = {
  from: { name: 'Zoë', address: 'zoe@example.com' },
  to: 'bob@example.com',
  subject: 'Grüße, and a subject that is long enough to be folded into a second line of the header',
  messageId: '<one@example.com>',
  date: new Date(1_790_000_000_000),
  baseBoundary: 'boundary',
  newline: 'win',
}
const file = Buffer.from(Array.from({ length: 1_000 }, (_, index) => index % 256))
const long = `${'A line that is much longer than what a line of mail may be. '.repeat(40)}\r\n`

test.for([
  ['a plain text', { text: 'One line.\r\nAnother.\r\n' }],
  ['a text without a last line end', { text: 'One line' }],
  ['nothing at all', { text: '' }],
  ['dots, blanks and tabs at the ends of lines', { text: '.\r\n..dots \r\nblank\t\r\n   \r\n' }],
  ['long lines', { text: long, html: `<p>${long}</p>` }],
  ['letters of few and of many bytes', { text: 'Grüße\r\n', html: `<p>${'漢字かな交じり文 '.repeat(200)}</p>` }],
  ['signs of several units', { text: `${'👩‍👩‍👧‍👦 = é '.repeat(100)}\r\n` }],
  ['a file', { text: 'See file', html: '<p>See file</p>', attachments: [{ filename: 'å.bin', content: file }] }],
  ['a file of whole lines', { text: 'See', attachments: [{ filename: 'a', content: file.subarray(0, 114) }] }],
  ['an empty file', { text: 'See', attachments: [{ filename: 'none.txt', content: Buffer.alloc(0) }] }],
  [
    'an image that the text shows, and a message',
    {
      text: 'See',
      html: '<img src="cid:one">',
      attachments: [
        { filename: 'one.png', content: file, cid: 'one', contentDisposition: 'inline' as const },
        {
          content: 'Subject: x\r\n\r\nBody\r\n',
          contentType: 'message/rfc822',
          contentTransferEncoding: '7bit' as const,
        },
      ],
    },
  ],
] as const)('%s', async ([, content]) => {
  // Each is compiled again, because writing a tree changes it.
  const tree = () =>
    new MailComposer({
      ...head,
      ...content,
      attachments: [...('attachments' in content ? content.attachments : [])],
    }).compile()
  expect((await bytesOf(tree())).toString('latin1')).toBe((await tree().build()).toString('latin1'))
})

test('a file that is not read yet is written by the streams', async () => {
  const content = () => Readable.from([file.subarray(0, 100), file.subarray(100)], { objectMode: false })
  const tree = () =>
    new MailComposer({ ...head, text: 'x', attachments: [{ filename: 'a', content: content() }] }).compile()
  expect((await bytesOf(tree())).equals(await tree().build())).toBe(true)
})
