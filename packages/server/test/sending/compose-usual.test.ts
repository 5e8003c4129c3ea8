/** Messages of the usual shape are written as nodemailer writes them, byte by byte. */
import { expect, test } from 'vitest'
import { treeOf } from '../../src/sending/compose/bytes.ts'
import { type UsualFile, type UsualMessage, usualMessage } from '../../src/sending/compose/usual.ts'

const bob = { name: '', address: 'bob@example.com' }
const usual: UsualMessage = {
  from: [{ name: 'Mira Okafor', address: 'mira@example.com' }],
  to: [bob],
  cc: [],
  bcc: [],
  replyTo: [],
  subject: 'Hello',
  messageId: '<0f3b.c2d9a7@mail.example.com>',
  references: [],
  date: new Date(1_790_000_000_000),
  text: 'Hello Bob,\r\n\r\nhere it is.\r\n',
  html: '<p>Hello Bob,</p><p>here it is.</p>',
  files: [],
  boundary: 'c0ffee',
}
const bytes = Buffer.from(Array.from({ length: 1_000 }, (_, index) => index % 256))
const file: UsualFile = {
  filename: 'offer.pdf',
  contentType: 'application/pdf',
  contentDisposition: 'attachment',
  contentTransferEncoding: 'base64',
  content: bytes,
}
const many = Array.from({ length: 40 }, (_, index) => ({ name: `Number ${index}`, address: `n${index}@example.com` }))
const long = 'A line that is much longer than what a line of mail may be. '.repeat(40).trim()
const { html: _, ...plain } = usual

test.for<[what: string, message: UsualMessage]>([
  ['a text and its HTML', usual],
  ['a text alone', plain],
  ['a text without a last line end', { ...plain, text: 'One line' }],
  ['lines of 75, 76 and 77 letters', { ...usual, text: [75, 76, 77].map((count) => 'x'.repeat(count)).join('\r\n') }],
  ['long lines', { ...usual, text: long, html: `<p>${long}</p>` }],
  ['long lines of no letters', { ...usual, text: '1 = 1; '.repeat(40) }],
  ['a text of more than 128 KB in short lines', { ...usual, text: 'short line\r\n'.repeat(12_000) }],
  ['dots, blanks and tabs at the ends of lines', { ...usual, text: '.\r\n..dots \r\nblank\t\r\n   \r\n' }],
  ['letters of few and of many bytes', { ...usual, text: 'Grüße\r\n', html: `<p>${'漢字かな '.repeat(200)}</p>` }],
  ['as many letters of one kind as of the other', { ...usual, text: 'aé' }],
  [
    'signs of several units, and separators of lines',
    { ...usual, text: `${'👩‍👩‍👧 '.repeat(30)}\u2028${'y'.repeat(77)}` },
  ],
  ['control characters', { ...usual, text: 'bell \u0007 and delete \u007f' }],
  ['a subject of 67, 68 and more letters', { ...usual, subject: 'x'.repeat(67) }],
  ['a subject that is just too long', { ...usual, subject: 'y'.repeat(68) }],
  ['a subject of many words', { ...usual, subject: 'words that go on '.repeat(20).trim() }],
  ['a subject with quotation marks', { ...usual, subject: 'She said "no" to it' }],
  ['a subject that looks encoded', { ...usual, subject: '=?UTF-8?Q?x?=' }],
  ['a subject in another script', { ...usual, subject: 'Grüße aus Zürich, and words that go on and on until a fold' }],
  ['no subject', { ...usual, subject: '' }],
  ['many people', { ...usual, to: many, cc: many.slice(0, 3), replyTo: many.slice(4, 6) }],
  ['a sender beside the author', { ...usual, sender: { name: '', address: 'mira@example.org' } }],
  [
    'names with commas, quotation marks and other scripts',
    {
      ...usual,
      from: [{ name: 'Okafor, "Mira"', address: 'mira@example.com' }],
      to: [{ name: 'Zoë', address: 'zoe@example.com' }, bob],
    },
  ],
  [
    'addresses of other kinds',
    {
      ...usual,
      to: [
        "o'neill@example.com",
        'a..b@example.com',
        '.a@example.com',
        'x@xn--jgeva-dua.ee',
        'jürgen@example.com',
        'a_b+c-d@a.b-c.example',
      ].map((address) => ({ name: '', address })),
    },
  ],
  ['hidden recipients of a draft', { ...usual, bcc: many.slice(0, 2) }],
  ['nobody', { ...usual, to: [] }],
  [
    'an answer',
    {
      ...usual,
      inReplyTo: '<one@example.com>',
      references: Array.from({ length: 12 }, (_, index) => `<number-${index}@example.com>`),
    },
  ],
  ['a file', { ...usual, files: [file] }],
  ['a file beside a text alone', { ...plain, files: [file] }],
  [
    'files, one shown in line, one empty, one of whole lines',
    {
      ...usual,
      files: [
        { ...file, filename: 'a_b-c.1.txt', contentType: 'text/plain', contentDisposition: 'inline' },
        { ...file, filename: 'none', content: Buffer.alloc(0) },
        { ...file, filename: 'x'.repeat(50), contentType: 'image/svg+xml', content: bytes.subarray(0, 114) },
      ],
    },
  ],
])('%s', async ([, message]) => {
  expect(usualMessage(message)?.toString('latin1')).toBe((await treeOf(message).build()).toString('latin1'))
})

test.for<[what: string, message: UsualMessage]>([
  ['no text', { ...usual, text: '' }],
  ['empty HTML', { ...usual, html: '' }],
  ['a file that the HTML shows', { ...usual, files: [{ ...file, cid: 'one' }] }],
  ['a file with a Content-ID', { ...usual, files: [{ ...file, headers: { 'Content-ID': '<one>' } }] }],
  ['a name that needs quoting', { ...usual, files: [{ ...file, filename: 'my offer.pdf' }] }],
  ['a name in another script', { ...usual, files: [{ ...file, filename: 'å.pdf' }] }],
  ['a type with parameters', { ...usual, files: [{ ...file, contentType: 'text/calendar; method=REQUEST' }] }],
  [
    'a message in a message',
    {
      ...usual,
      files: [{ ...file, contentType: 'message/rfc822', contentTransferEncoding: '7bit' }],
    },
  ],
])('%s is left to nodemailer', ([, message]) => {
  expect(usualMessage(message)).toBeUndefined()
})
