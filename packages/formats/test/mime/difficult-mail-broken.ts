// Mail that breaks the rules, as real mail does.
import type { DifficultMail } from './difficult-mail.ts'
import { bytes, difficult, lines, mail, part, parts } from './making-mail.ts'

const MIXED = ['Subject: x', 'Content-Type: multipart/mixed; boundary=b']

export const brokenMail: readonly DifficultMail[] = [
  difficult('nothing at all', () => Buffer.alloc(0), { subject: '', from: [], text: '', attachments: [] }),
  difficult('headers alone', () => bytes('Subject: x\r\nFrom: ann@example.com'), {
    subject: 'x',
    from: [{ email: 'ann@example.com' }],
    text: '',
  }),
  difficult('a body alone', () => bytes('Hello, no headers here\r\nsecond line'), {
    text: 'Hello, no headers here\nsecond line',
  }),
  difficult('a blank line first', () => bytes('\r\nSubject: a header\r\n\r\nthe body'), {
    subject: 'a header',
    text: 'the body',
  }),
  difficult(
    'bare line feeds',
    () => bytes('Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b\n\ntwo\n--b--\n'),
    {
      subject: 'x',
      text: 'one\ntwo',
    },
  ),
  difficult(
    'no blank line before the body',
    () => bytes(lines('Subject: x', 'From: ann@example.com', 'This is the body', 'and more')),
    {
      subject: 'x',
      text: 'This is the body\nand more',
    },
  ),
  difficult(
    'a line without a colon among the headers',
    () => bytes(lines('Subject: x', 'this is no header', 'From: ann@example.com', '', 'body')),
    {
      subject: 'x',
      from: [{ email: 'ann@example.com' }],
      text: 'body',
    },
  ),
  difficult(
    'the separator line of a mailbox file',
    () => bytes(lines('From ann@example.com Tue Mar  3 10:00:00 2026', 'Subject: x', '', 'body')),
    {
      subject: 'x',
      text: 'body',
    },
  ),
  difficult('blanks before the colon', () => bytes(lines('Subject : x', 'From\t: ann@example.com', '', 'body')), {
    subject: 'x',
    from: [{ email: 'ann@example.com' }],
  }),
  difficult(
    'folded headers',
    () => bytes(lines('Subject: one', '\ttwo', '   three', 'From: Ann', ' <ann@example.com>', '', 'body')),
    {
      subject: 'one two   three',
      from: [{ name: 'Ann', email: 'ann@example.com' }],
    },
  ),
  difficult(
    'headers that come twice',
    () => bytes(lines('Subject: one', 'Subject: two', 'To: a@example.com', 'To: b@example.com', '', 'body')),
    {
      subject: 'one',
      to: [{ email: 'a@example.com' }, { email: 'b@example.com' }],
    },
  ),
  difficult('no closing boundary', () => mail(MIXED, lines('--b', '', 'one', '--b', '', 'two')), { text: 'one\ntwo' }),
  difficult(
    'an inner multipart that is never closed',
    () =>
      mail(
        MIXED,
        lines(
          '--b',
          'Content-Type: multipart/alternative; boundary=c',
          '',
          '--c',
          '',
          'plain',
          '--b',
          'Content-Type: image/png',
          '',
          'png',
          '--b--',
        ),
      ),
    { text: 'plain', attachments: [{ part: '2', type: 'image/png', filename: null, size: 3 }] },
  ),
  difficult(
    'a multipart without a boundary',
    () => mail(['Subject: x', 'Content-Type: multipart/mixed'], lines('--b', '', 'one', '--b--')),
    { text: 'one' },
  ),
  difficult(
    'a multipart with the wrong boundary',
    () => mail(['Subject: x', 'Content-Type: multipart/mixed; boundary=zzz'], lines('--b', '', 'one', '--b--')),
    {
      text: 'one',
    },
  ),
  difficult(
    'a multipart that is none',
    () => mail(['Subject: x', 'Content-Type: multipart/mixed; boundary=zzz'], 'just text'),
    { text: 'just text' },
  ),
  difficult(
    'a part without a blank line after its headers',
    () => mail(MIXED, lines('--b', 'Content-Type: text/plain', 'text at once', '--b--')),
    { text: 'text at once' },
  ),
  difficult(
    'a part without headers and without a blank line',
    () => mail(MIXED, lines('--b', 'text at once', '--b--')),
    { text: 'text at once' },
  ),
  difficult('a content type that is none', () => mail(['Subject: x', 'Content-Type: text'], 'body'), { text: 'body' }),
  difficult('an empty content type', () => mail(['Subject: x', 'Content-Type:'], 'body'), { text: 'body' }),
  difficult(
    'a transfer encoding that is none',
    () => mail(['Subject: x', 'Content-Transfer-Encoding: 7-bit; x'], 'body =41'),
    { text: 'body =41' },
  ),
  difficult('NUL in the text', () => mail(['Subject: a\0b'], 'c\0d'), { subject: 'ab', text: 'cd' }),
  difficult(
    'names with commas, comments, quotes and semicolons',
    () =>
      bytes(
        lines(
          'From: "Doe, Jane \\"JD\\"" (at work) <jane@example.com>',
          'To: a@example.com; Bob (Robert) <b@example.com>, "x;y" <c@example.com>',
          '',
          'x',
        ),
      ),
    {
      from: [{ name: 'Doe, Jane "JD"', email: 'jane@example.com' }],
      to: [
        { email: 'a@example.com' },
        { name: 'Bob', email: 'b@example.com' },
        { name: 'x;y', email: 'c@example.com' },
      ],
    },
  ),
  difficult(
    'groups of addresses',
    () =>
      bytes(lines('From: ann@example.com', 'To: Team: Bob <b@example.com>, c@example.com;, d@example.com', '', 'x')),
    {
      to: [{ name: 'Bob', email: 'b@example.com' }, { email: 'c@example.com' }, { email: 'd@example.com' }],
    },
  ),
  difficult(
    'undisclosed recipients',
    () => bytes(lines('From: ann@example.com', 'To: undisclosed-recipients:;', '', 'x')),
    { to: [] },
  ),
  difficult(
    'an encoded name with a comma, and one that looks like an address',
    () =>
      bytes(
        lines(
          'From: =?utf-8?Q?Doe=2C_J=C3=B6rg?= <j@example.com>',
          'To: =?utf-8?Q?evil=40example.org?= <b@example.com>',
          '',
          'x',
        ),
      ),
    {
      from: [{ name: 'Doe, Jörg', email: 'j@example.com' }],
      to: [{ name: 'evil@example.org', email: 'b@example.com' }],
    },
  ),
  difficult(
    'a sender without a domain',
    () => bytes(lines('From: MAILER-DAEMON', 'To: "" <b@example.com>, <c@example.com>', '', 'x')),
    {
      from: [{ email: 'MAILER-DAEMON' }],
      to: [{ email: 'b@example.com' }, { email: 'c@example.com' }],
    },
  ),
  difficult(
    'references in all shapes',
    () => bytes(lines('Message-ID: <a@x> (made up)', 'References: <1@x><2@x>', '\t<3', ' @x>, junk <4@x', '', 'x')),
    {
      messageId: 'a@x',
      references: ['1@x', '2@x', '3@x'],
    },
  ),
  difficult('a message id without brackets', () => bytes(lines('Message-ID: a@x', '', 'x')), { messageId: 'a@x' }),
  difficult(
    'the name of a prototype as header and parameter',
    () => mail(['Subject: x', '__proto__: y', 'Content-Type: text/plain; __proto__=z; constructor=w'], 'body'),
    { text: 'body' },
  ),
  difficult(
    'a snippet of a newsletter',
    () =>
      mail(
        ['Subject: x', 'Content-Type: text/html'],
        `<head><title>no</title><style>p{}</style></head><body><div>Deals&nbsp;&amp; more${'&zwnj;&nbsp;'.repeat(50)}</div><p>Now <b>o</b>n</p><script>alert(1)</script></body>`,
      ),
    {
      snippet: 'Deals & more Now on',
    },
  ),
  difficult(
    'a file name with line breaks and slashes',
    () =>
      mail(
        MIXED,
        parts(
          'b',
          part(['Content-Type: text/plain'], 'x'),
          part(['Content-Type: image/png', 'Content-Disposition: attachment; filename="../../etc/\x01pass\twd"'], 'y'),
        ),
      ),
    {
      attachments: [{ part: '2', type: 'image/png', filename: '../../etc/ pass wd' }],
    },
  ),
  difficult('a type without a subtype', () => bytes(lines('Subject: x', 'Content-Type: text', '', 'Hello')), {
    subject: 'x',
    text: 'Hello',
  }),
  difficult(
    'files whose types have no subtype',
    () => {
      const disposition = 'Content-Disposition: attachment; filename='
      const table = lines('Content-Type: text', `${disposition}a.csv`, '', '1,2')
      const other = lines('Content-Type: foo', `${disposition}b.bin`, '', 'xy')
      return mail(MIXED, lines('--b', '', 'Hello', '--b', table, '--b', other, '--b--'))
    },
    {
      text: 'Hello',
      attachments: [
        { part: '2', type: 'text/plain', filename: 'a.csv' },
        { part: '3', type: 'application/octet-stream', filename: 'b.bin' },
      ],
    },
  ),
  difficult(
    'headers that end with a line of blanks',
    () => bytes(lines('Subject: x', 'From: ann@example.com', ' \t', 'Hello', 'Note: more')),
    { subject: 'x', from: [{ email: 'ann@example.com' }], text: 'Hello\nNote: more' },
  ),
  difficult(
    'a part whose headers end with a line of blanks',
    () => mail(MIXED, lines('--b', 'Content-Type: text/plain', '  ', 'text', '--b--')),
    { text: 'text' },
  ),
  difficult(
    'a line of blanks among headers, and within one',
    () => bytes(lines('Subject: one', ' ', ' two', '\t', 'From: ann@example.com', '', 'body')),
    { subject: 'one  two', from: [{ email: 'ann@example.com' }], text: 'body' },
  ),
  difficult(
    'addresses with blanks and comments around dots and @',
    () =>
      bytes(
        lines(
          'From: ann . lee @ example . com (Ann)',
          'To: Bob <bob . b (his) @ example . com>, cy(nickname)@example.com, <@a.example,@b.example:dee@example.com>',
          '',
          'x',
        ),
      ),
    {
      from: [{ name: 'Ann', email: 'ann.lee@example.com' }],
      to: [{ name: 'Bob', email: 'bob.b@example.com' }, { email: 'cy@example.com' }, { email: 'dee@example.com' }],
    },
  ),
  difficult(
    'a name that nobody quoted, and an empty entry',
    () => bytes(lines('From: Lee, Ann <ann@example.com>', 'To: , b@example.com, ,c@example.com;', '', 'x')),
    {
      from: [{ name: 'Lee, Ann', email: 'ann@example.com' }],
      to: [{ email: 'b@example.com' }, { email: 'c@example.com' }],
    },
  ),
  ...[
    ['quoted', '"victim@bank.example" <evil@x.example>', 'victim@bank.example'],
    ['bare', 'victim@bank.example <evil@x.example>', 'victim@bank.example'],
    ['quoted with brackets', '"V <victim@bank.example>" <evil@x.example>', 'V <victim@bank.example>'],
    ['with brackets of its own', 'V <victim@bank.example> <evil@x.example>', 'V <victim@bank.example>'],
    ['encoded with brackets', '=?utf-8?Q?V_<victim@bank.example>,?= <evil@x.example>', 'V <victim@bank.example>,'],
    [
      'encoded in base64',
      `=?utf-8?B?${btoa('a@b.example <victim@bank.example>')}?= <evil@x.example>`,
      'a@b.example <victim@bank.example>',
    ],
    ['escaped', '"x\\" <victim@bank.example>" <evil@x.example>', 'x" <victim@bank.example>'],
  ].map(([kind, from, name = '']) =>
    difficult(`a name that is an address: ${kind}`, () => bytes(lines(`From: ${from}`, '', 'x')), {
      from: [{ name, email: 'evil@x.example' }],
    }),
  ),
  difficult(
    'an address whose local part is quoted, and a name alone',
    () => bytes(lines('From: "victim@bank.example"@x.example', 'To: "victim@bank.example"', '', 'x')),
    { from: [{ email: '"victim@bank.example"@x.example' }], to: [] },
  ),
]
