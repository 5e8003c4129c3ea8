// Trees of parts, with bodies and attachments in all places.
import type { DifficultMail } from './difficult-mail.ts'
import { base64Lines, bytes, difficult, lines, mail, part, parts, wellFormed } from './making-mail.ts'

const PLAIN = ['Content-Type: text/plain; charset=utf-8']
const HTML = ['Content-Type: text/html; charset=utf-8']
const multipart = (kind: string, boundary: string, ...all: readonly Buffer[]): Buffer =>
  part([`Content-Type: multipart/${kind}; boundary="${boundary}"`], parts(boundary, ...all))
const message = (kind: string, boundary: string, ...all: readonly Buffer[]): Buffer =>
  mail(['Subject: nested', `Content-Type: multipart/${kind}; boundary="${boundary}"`], parts(boundary, ...all))
const file = (name: string, type = 'application/pdf'): Buffer =>
  part(
    [
      `Content-Type: ${type}`,
      `Content-Disposition: attachment; filename="${name}"`,
      'Content-Transfer-Encoding: base64',
    ],
    base64Lines('0123456789'.repeat(20)),
  )
const picture = (id: string): Buffer =>
  part(
    [
      'Content-Type: image/png; name=p.png',
      `Content-ID: <${id}>`,
      'Content-Disposition: inline',
      'Content-Transfer-Encoding: base64',
    ],
    base64Lines('picture'),
  )
const calendar = part(['Content-Type: text/calendar; method=REQUEST; charset=utf-8'], 'BEGIN:VCALENDAR')

/** `depth` multiparts, one in the other, around a text. */
const nest = (depth: number): Buffer => {
  const open = Array.from(
    { length: depth },
    (_, i) => `Content-Type: multipart/mixed; boundary=b${i}.\r\n\r\n--b${i}.\r\n`,
  )
  return bytes('Subject: deep\r\n', ...open, '\r\ninnermost')
}

export const nestedMail: readonly DifficultMail[] = [
  wellFormed('text and HTML', () => message('alternative', 'b', part(PLAIN, 'plain'), part(HTML, '<p>html</p>')), {
    subject: 'nested',
    text: '<p>html</p>',
    isHtml: true,
    snippet: 'html',
    attachments: [],
  }),
  difficult('HTML before text', () => message('alternative', 'b', part(HTML, '<p>html</p>'), part(PLAIN, 'plain')), {
    text: '<p>html</p>',
    isHtml: true,
    attachments: [],
  }),
  difficult('an empty HTML form', () => message('alternative', 'b', part(PLAIN, 'plain'), part(HTML)), {
    text: 'plain',
    isHtml: false,
    attachments: [],
  }),
  wellFormed(
    'text, HTML with a picture, and a file',
    () =>
      message(
        'mixed',
        'b1',
        multipart(
          'alternative',
          'b2',
          part(PLAIN, 'plain'),
          multipart('related', 'b3', part(HTML, '<img src="cid:p">'), picture('p')),
        ),
        file('a.pdf'),
      ),
    {
      text: '<img src="cid:p">',
      isHtml: true,
      attachments: [
        { part: '1.2.2', type: 'image/png', filename: 'p.png', size: 7, disposition: 'inline', contentId: '<p>' },
        { part: '2', type: 'application/pdf', filename: 'a.pdf', size: 200, disposition: 'attachment' },
      ],
    },
  ),
  wellFormed(
    'an invitation',
    () => message('alternative', 'b', part(PLAIN, 'plain'), part(HTML, '<p>html</p>'), calendar),
    { text: '<p>html</p>', attachments: [{ part: '3', type: 'text/calendar', filename: null, size: 15 }] },
  ),
  wellFormed(
    'pieces of text around a file',
    () => message('mixed', 'b', part(PLAIN, 'one'), file('a.pdf'), part(PLAIN, 'two')),
    {
      text: 'one\ntwo',
      isHtml: false,
      attachments: [{ part: '2', type: 'application/pdf', filename: 'a.pdf', size: 200 }],
    },
  ),
  difficult(
    'HTML with a footer in plain text',
    () => message('mixed', 'b', part(HTML, '<p>one</p>'), part(PLAIN, 'two & <three>')),
    {
      text: '<p>one</p>\n<div style="white-space: pre-wrap">two &amp; &lt;three&gt;</div>',
      isHtml: true,
      snippet: 'one two & <three>',
      attachments: [],
    },
  ),
  difficult(
    'a text file beside the text',
    () =>
      message(
        'mixed',
        'b',
        part(PLAIN, 'one'),
        part(['Content-Type: text/plain; name=a.txt'], 'file'),
        part(['Content-Type: text/plain', 'Content-Disposition: attachment'], 'file'),
        part(['Content-Type: text/html; name=a.html', 'Content-Disposition: inline; filename=a.html'], 'file'),
      ),
    {
      text: 'one',
      isHtml: false,
      attachments: [
        { part: '2', type: 'text/plain', filename: 'a.txt' },
        { part: '3', type: 'text/plain', filename: null },
        { part: '4', type: 'text/html', filename: 'a.html', disposition: 'inline' },
      ],
    },
  ),
  difficult(
    'a body that has a name',
    () => mail(['Subject: x', 'Content-Type: text/html; name="body.html"'], '<p>x</p>'),
    {
      text: '<p>x</p>',
      isHtml: true,
      attachments: [],
    },
  ),
  wellFormed(
    'a forwarded message',
    () =>
      message(
        'mixed',
        'b',
        part(PLAIN, 'see below'),
        part(
          ['Content-Type: message/rfc822'],
          message('alternative', 'c', part(PLAIN, 'inner'), part(HTML, '<p>inner</p>'), file('inner.pdf')),
        ),
      ),
    { text: 'see below', attachments: [{ part: '2', type: 'message/rfc822', filename: null }] },
  ),
  difficult(
    'a message that is another one',
    () => mail(['Subject: outer', 'Content-Type: message/rfc822'], mail(['Subject: inner'], 'x')),
    {
      subject: 'outer',
      text: '',
      attachments: [{ part: '1', type: 'message/rfc822', filename: null }],
    },
  ),
  difficult(
    'a digest',
    () => message('digest', 'b', part([], mail(['Subject: one'], '1')), part([], mail(['Subject: two'], '2'))),
    {
      text: '',
      attachments: [
        { part: '1', type: 'message/rfc822', filename: null },
        { part: '2', type: 'message/rfc822', filename: null },
      ],
    },
  ),
  wellFormed(
    'a signed message',
    () =>
      message(
        'signed',
        'b',
        part(PLAIN, 'signed'),
        part(['Content-Type: application/pgp-signature; name=signature.asc'], '-----BEGIN'),
      ),
    {
      text: 'signed',
      attachments: [{ part: '2', type: 'application/pgp-signature', filename: 'signature.asc', size: 10 }],
    },
  ),
  difficult(
    'a report that mail did not arrive',
    () =>
      message(
        'report',
        'b',
        part(PLAIN, 'not delivered'),
        part(['Content-Type: message/delivery-status'], 'Action: failed'),
        part(['Content-Type: text/rfc822-headers'], 'Subject: x'),
      ),
    {
      text: 'not delivered',
      attachments: [
        { part: '2', type: 'message/delivery-status', filename: null },
        { part: '3', type: 'text/rfc822-headers', filename: null },
      ],
    },
  ),
  difficult(
    'a file alone',
    () =>
      mail(
        ['Subject: x', 'Content-Type: application/pdf; name=a.pdf', 'Content-Transfer-Encoding: base64'],
        base64Lines('pdf'),
      ),
    {
      text: '',
      attachments: [{ part: '1', type: 'application/pdf', filename: 'a.pdf', size: 3 }],
    },
  ),
  wellFormed(
    'a boundary that is the beginning of another',
    () =>
      message(
        'mixed',
        'b',
        multipart('alternative', 'bb', part(PLAIN, 'plain'), part(HTML, '<p>html</p>')),
        file('a.pdf'),
      ),
    { text: '<p>html</p>', attachments: [{ part: '2', type: 'application/pdf', filename: 'a.pdf' }] },
  ),
  wellFormed(
    'a boundary inside the text',
    () => message('mixed', 'b', part(PLAIN, lines('a --b c', ' --b', '--bc', '--b-', 'end')), file('a.pdf')),
    {
      text: 'a --b c\n --b\n--bc\n--b-\nend',
      attachments: [{ part: '2', type: 'application/pdf', filename: 'a.pdf' }],
    },
  ),
  wellFormed(
    'text before and after the parts',
    () =>
      bytes(
        mail(
          ['Subject: x', 'Content-Type: multipart/mixed; boundary=b'],
          'preamble\r\n',
          parts('b', part(PLAIN, 'text')),
        ),
        'epilogue',
      ),
    {
      text: 'text',
      attachments: [],
    },
  ),
  difficult(
    'parts that are empty',
    () =>
      mail(
        ['Subject: x', 'Content-Type: multipart/mixed; boundary=b'],
        lines('--b', '--b', '', '--b', 'Content-Type: image/png', '--b--'),
      ),
    {
      text: '',
      attachments: [{ part: '3', type: 'image/png', filename: null, size: 0 }],
    },
  ),
  difficult('fifty multiparts, one in the other', () => nest(50), { subject: 'deep', text: 'innermost' }),
  difficult('fifty-one multiparts, one in the other', () => nest(51), { refused: true }),
  difficult(
    'a related part whose root is named',
    () =>
      mail(
        ['Subject: x', 'Content-Type: multipart/related; boundary=b; start="<root>"'],
        parts('b', picture('p'), part([...HTML, 'Content-ID: <root>'], '<p>root</p>')),
      ),
    {
      text: '<p>root</p>',
      isHtml: true,
      attachments: [{ part: '1', type: 'image/png', filename: 'p.png', contentId: '<p>' }],
    },
  ),
]
