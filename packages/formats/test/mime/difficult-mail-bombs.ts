// Malicious messages. Those beyond a limit are refused, and the others are parsed.
import type { DifficultMail } from './difficult-mail.ts'
import { base64Lines, bytes, difficult, lines, mail, part, parts } from './making-mail.ts'

const MB = 1024 * 1024
const refused = { refused: true } as const

export const bombs: readonly DifficultMail[] = [
  difficult(
    '50,000 messages, one in the other',
    () => bytes('Subject: x\r\n', 'Content-Type: message/rfc822\r\n\r\n'.repeat(50_000), '\r\nx'),
    refused,
  ),
  difficult(
    '5,000 multiparts, one in the other',
    () => {
      const open = Array.from(
        { length: 5_000 },
        (_, i) => `Content-Type: multipart/mixed; boundary=b${i}.\r\n\r\n--b${i}.\r\n`,
      )
      return bytes('Subject: x\r\n', ...open)
    },
    refused,
  ),
  difficult(
    '100,000 parts',
    () => mail(['Subject: x', 'Content-Type: multipart/mixed; boundary=b'], '--b\r\n\r\nx\r\n'.repeat(100_000)),
    refused,
  ),
  difficult(
    'parts in parts in parts',
    () => {
      const tree = (depth: number): Buffer =>
        depth === 0
          ? part([], 'x')
          : part(
              [`Content-Type: multipart/mixed; boundary=b${depth}`],
              parts(`b${depth}`, ...Array.from({ length: 12 }, () => tree(depth - 1))),
            )
      return bytes('Subject: x\r\n', tree(3))
    },
    refused,
  ),
  difficult(
    '2 MB of headers',
    () => bytes('Subject: x\r\n', 'X-Header: some value that says nothing\r\n'.repeat(52_000), '\r\nx'),
    refused,
  ),
  difficult('one header of 2 MB and nothing else', () => bytes('Subject: ', 'a'.repeat(2 * MB)), refused),
  difficult('one header of 2 MB', () => bytes('Subject: ', 'a'.repeat(2 * MB), '\r\n\r\nx'), refused),
  difficult('a header folded 200,000 times', () => bytes('Subject: x', '\r\n y'.repeat(200_000), '\r\n\r\nx'), {
    text: 'x',
  }),
  difficult(
    '900 KB of headers',
    () =>
      bytes('Subject: x\r\n', 'X-Header: some value that says nothing\r\n'.repeat(23_000), 'To: a@b.example\r\n\r\nx'),
    { text: 'x', to: [{ email: 'a@b.example' }] },
  ),
  difficult('41 MB', () => Buffer.alloc(41 * MB, 'x'), refused),
  difficult('100,000 addresses', () => bytes(`To: ${'a@b.example,'.repeat(100_000)}\r\n\r\nx`), refused),
  difficult('20,000 addresses', () => bytes(`To: ${'a@b.example,'.repeat(20_000)}z@b.example\r\n\r\nx`), { text: 'x' }),
  difficult('groups in groups', () => bytes(`To: ${'g:'.repeat(50_000)}\r\n\r\nx`), { text: 'x' }),
  difficult('comments in comments', () => bytes(`To: ${'('.repeat(100_000)}\r\n\r\nx`), { text: 'x', to: [] }),
  difficult(
    'addresses without end',
    () => bytes(`To: ${'<'.repeat(60_000)}${'@'.repeat(60_000)}${'"\\'.repeat(30_000)}\r\n\r\nx`),
    { text: 'x' },
  ),
  difficult('encoded words without end', () => bytes(`Subject: ${' =?a?q?'.repeat(36_000)}\r\n\r\nx`), { text: 'x' }),
  difficult('30,000 encoded words', () => bytes(`Subject: ${'=?a?q?x?='.repeat(28_000)}\r\n\r\nx`), {
    subject: 'x'.repeat(28_000),
  }),
  difficult('parameters without end', () => bytes('Content-Type: text/plain', '; a*1*=b'.repeat(30_000), '\r\n\r\nx'), {
    text: 'x',
  }),
  difficult('references without end', () => bytes('References: ', '<'.repeat(200_000), '\r\n\r\nx'), {
    references: [],
    text: 'x',
  }),
  difficult(
    '10 MB of lines that look like boundaries',
    () =>
      mail(
        ['Subject: x', 'Content-Type: multipart/mixed; boundary=b'],
        '--b\r\n\r\nstart',
        '\r\n--bb'.repeat(1_700_000),
        '\r\n--b--',
      ),
    refused,
  ),
  difficult(
    '10 MB of dashes',
    () => mail(['Subject: x', 'Content-Type: multipart/mixed; boundary="----"'], '-'.repeat(10 * MB)),
    { subject: 'x' },
  ),
  difficult(
    'quoted-printable of 10 MB',
    () => mail(['Subject: x', 'Content-Transfer-Encoding: quoted-printable'], '='.repeat(5 * MB), '= '.repeat(2 * MB)),
    { subject: 'x' },
  ),
  difficult('base64 of padding', () => mail(['Subject: x', 'Content-Transfer-Encoding: base64'], 'YQ=='.repeat(MB)), {
    text: 'a'.repeat(MB),
  }),
  difficult(
    '200,000 elements, one in the other',
    () => mail(['Subject: x', 'Content-Type: text/html'], '<div>'.repeat(200_000), 'deep'),
    { isHtml: true, snippet: 'deep' },
  ),
  difficult(
    'an attachment of 25 MB',
    () =>
      mail(
        ['Subject: large', 'Content-Type: multipart/mixed; boundary=b'],
        parts(
          'b',
          part(['Content-Type: text/plain'], 'see file'),
          part(
            [
              'Content-Type: application/zip',
              'Content-Disposition: attachment; filename=a.zip',
              'Content-Transfer-Encoding: base64',
            ],
            base64Lines(Buffer.alloc(25 * MB, 7)),
          ),
        ),
      ),
    {
      subject: 'large',
      text: 'see file',
      attachments: [{ part: '2', type: 'application/zip', filename: 'a.zip', size: 25 * MB }],
    },
  ),
  difficult('30 MB of text', () => mail(['Subject: x'], lines('word '.repeat(15)).repeat(400_000)), {
    subject: 'x',
    snippet: 'word '.repeat(20).trim(),
  }),
]
