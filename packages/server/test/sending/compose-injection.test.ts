/**
 * No field of a request can add a header, a recipient or a part to a message. Fifteen ways are tried. Each is refused
 * with the name of its field, or is harmless to two parsers and to a receiving server.
 */

import { parseMessage } from '@waypost/formats/mime/mime'
import { startSmtpSink, type Taken } from '@waypost/testing/peers/smtp-sink'
import { createTransport } from 'nodemailer'
import { describe, expect, test } from 'vitest'
import { compose } from '../../src/sending/compose/compose.ts'
import { composeRaw } from '../../src/sending/compose/raw.ts'
import { type Changes, date, fileOf, inputOf, messageId, readComposed, refusedFields } from './composing.ts'

/** Characters that end a line for some parser, and the injected text. */
const breaks = ['\r\n', '\n', '\r', '\0', '\r\n\r\n', '\u0085', '\v', '\f']
const injected = (place: string): string[] =>
  breaks.map((end) => `${place}${end}Bcc: victim@evil.test${end}X-Injected: yes`)

async function refusedEach(field: string, changesOf: (text: string) => Changes, place = 'a'): Promise<void> {
  for (const text of injected(place)) {
    expect(await refusedFields(() => compose(inputOf(changesOf(text)))), JSON.stringify(text)).toEqual([field])
  }
}

describe('a line break is refused', () => {
  test('in the subject', () => refusedEach('subject', (subject) => ({ request: { subject } })))

  test.each(['to', 'cc', 'bcc', 'reply_to', 'from'])('in a display name of %s', (list) =>
    refusedEach(`${list}.0.name`, (name) => ({ request: { [list]: [{ name, email: 'a@example.org' }] } })),
  )

  test.each(['to', 'cc', 'bcc', 'reply_to', 'from'])('in an address of %s', async (list) => {
    const changes = (email: string): Changes => ({ request: { [list]: [{ email }] } })
    await refusedEach(`${list}.0.email`, changes, 'a@example.org')
    await refusedEach(`${list}.0.email`, (text) => changes(`${text}@example.org`))
  })

  test('in the envelope sender, which is the account', () =>
    refusedEach('from.0.email', (email) => ({ account: { email, name: null } }), 'a@example.org'))

  test('in a custom header name', () =>
    refusedEach('custom_headers.0.name', (name) => ({ request: { custom_headers: [{ name, value: 'x' }] } }), 'X-A'))

  test('in a custom header value', () =>
    refusedEach('custom_headers.0.value', (value) => ({ request: { custom_headers: [{ name: 'X-A', value }] } })))

  test('in the Message-ID', () => refusedEach('message_id', (id) => ({ messageId: id }), 'a@example.org'))

  test('in In-Reply-To from any source', async () => {
    const header = (value: string): Changes => ({ request: { custom_headers: [{ name: 'In-Reply-To', value }] } })
    await refusedEach('custom_headers.0.value', header, '<a@example.org>')
    await refusedEach('reply_to_message_id', (id) => ({ request: { reply_to_message_id: id } }), '<a@example.org>')
  })

  test('in References', () =>
    refusedEach(
      'custom_headers.0.value',
      (value) => ({ request: { custom_headers: [{ name: 'References', value }] } }),
      '<a@example.org>',
    ))

  test('in the name of a file', () =>
    refusedEach('attachments.0.filename', (filename) => ({ files: [fileOf({ filename })] }), 'a.pdf'))

  test('in the type of a file', () =>
    refusedEach('attachments.0.content_type', (contentType) => ({ files: [fileOf({ contentType })] }), 'text/plain'))

  test('in the content id of a file', () =>
    refusedEach('attachments.0.content_id', (contentId) => ({ files: [fileOf({ contentId, inline: true })] })))
})

describe('text of strangers in the message that is answered', () => {
  test('adds no header: invalid ids are left out, and the subject becomes one line', async () => {
    const evil = 'x@example.org>\r\nBcc: victim@evil.test\r\nX-Injected: <y'
    const { names, own, source } = await readComposed({
      request: { subject: undefined },
      reply: {
        messageId: 'parent@example.org',
        references: [evil, 'a b@example.org', 'ok@example.org'],
        subject: `Hi\r\nBcc: victim@evil.test`,
      },
    })
    expect(names).not.toContain('bcc')
    expect(names).not.toContain('x-injected')
    expect(own.references).toEqual(['ok@example.org', 'parent@example.org'])
    expect(own.inReplyTo).toEqual(['parent@example.org'])
    expect(own.subject).toBe('Re: Hi Bcc: victim@evil.test')
    expect(source.slice(0, source.indexOf('\r\n\r\n'))).not.toMatch(/^bcc:/im)
  })

  test('names no parent if its id is invalid', async () => {
    const { names } = await readComposed({ reply: { messageId: 'a\r\nBcc: x', references: [], subject: 'Hi' } })
    expect(names).not.toContain('in-reply-to')
    expect(names).not.toContain('references')
  })
})

describe('an address', () => {
  test.each([
    'a@example.org, victim@evil.test',
    'a@example.org;victim@evil.test',
    'a@example.org victim@evil.test',
    '<a@example.org>',
    'Name <a@example.org>',
    'a@example.org>, <victim@evil.test',
    '"a@example.org, x"@evil.test',
    'a(comment)@example.org',
    'group:a@example.org;',
    'a@victim@evil.test',
    'a@[127.0.0.1]',
    'a@127.0.0.1',
    'a@evil.test/example.org',
    'a@evil.test?example.org',
    'a@example.org#evil.test',
    'a@ex%61mple.org',
    'a@exam\u00adple.org',
    'a@.example.org',
    'a@example..org',
    'a@-example.org',
    '@example.org',
    'a@',
    'a',
    '',
    `a@${'x'.repeat(64)}.org`,
    `${'a'.repeat(320)}@example.org`,
  ])('such as %j is refused', async (email) => {
    expect(await refusedFields(() => compose(inputOf({ request: { to: [{ email }] } })))).toEqual(['to.0.email'])
  })

  test.each(['jürgen@example.org', '用户@例子.example', 'пётр.иванов@почта.example'])(
    'with non-ASCII characters is written in UTF-8, with the envelope domain in ASCII: %s',
    async (email) => {
      const { composed, own } = await readComposed({ request: { to: [{ name: 'X', email }], reply_to: [{ email }] } })
      const [local, domain = ''] = email.split('@')
      expect(composed.recipients).toEqual([`${local}@${new URL(`http://${domain}`).hostname}`])
      expect(own.to[0]?.email.split('@')[0]).toBe(local)
      expect(own.reply_to[0]?.email.split('@')[0]).toBe(local)
      const header = composed.source.subarray(0, composed.source.indexOf('\r\n\r\n'))
      expect(header.toString('utf8')).toContain(`${local}@`)
    },
  )

  test('with non-ASCII characters only in the domain is completely ASCII', async () => {
    const { composed } = await readComposed({ request: { to: [{ email: 'anna@münchen.example' }] } })
    expect(composed.recipients).toEqual(['anna@xn--mnchen-3ya.example'])
    expect(composed.source.toString('latin1')).toContain('To: anna@xn--mnchen-3ya.example')
  })

  test.each(["o'neil+tag@example.org", 'a.b-c_d=e@sub.example.org', 'x@localhost', 'a..b@docomo.example'])(
    'such as %j is exactly one recipient',
    async (email) => {
      const { composed, own } = await readComposed({ request: { to: [{ email }] } })
      expect(composed.recipients).toEqual([email])
      expect(own.to).toHaveLength(1)
    },
  )

  test('has a display name that stays one, whatever it looks like', async () => {
    const names = [
      'a@evil.test, b',
      'x <victim@evil.test>',
      '"; Bcc: victim@evil.test',
      'a\\',
      '(c)',
      'g: x;',
      'tab\there',
    ]
    const { mail, own, composed } = await readComposed({
      request: { to: names.map((name, index) => ({ name, email: `r${index}@example.org` })) },
    })
    const addresses = names.map((_, index) => `r${index}@example.org`)
    expect(composed.recipients).toEqual(addresses)
    expect(mail.to?.value.map(({ address }) => address)).toEqual(addresses)
    expect(own.to.map(({ email }) => email)).toEqual(addresses)
    expect(own.to.map(({ name }) => name)).toEqual(names.map((name) => name.replace('\t', ' ')))
  })
})

describe('a custom header', () => {
  test.each([
    ...['From', 'to', 'CC', 'bcc', 'Sender', 'Reply-To', 'Subject', 'Date', 'Message-ID', 'MIME-Version', 'Received'],
    ...[
      'Content-Type',
      'content-transfer-encoding',
      'Content-X',
      'DKIM-Signature',
      'Return-Path',
      'Resent-Bcc',
      'ARC-Seal',
    ],
  ])('cannot be %s', async (name) => {
    const custom_headers = [{ name, value: 'x' }]
    expect(await refusedFields(() => compose(inputOf({ request: { custom_headers } })))).toEqual([
      'custom_headers.0.name',
    ])
  })

  test.each(['X A', 'X:A', 'Bcc ', ' Bcc', 'Bcc:', 'X-Ä', '', 'x'.repeat(77)])(
    'cannot have a name such as %j',
    async (name) => {
      const custom_headers = [{ name, value: 'x' }]
      expect(await refusedFields(() => compose(inputOf({ request: { custom_headers } })))).toEqual([
        'custom_headers.0.name',
      ])
    },
  )

  test('cannot change the threading of a reply', async () => {
    const custom_headers = [{ name: 'References', value: '<a@example.org>' }]
    const reply = { messageId: 'parent@example.org', references: [], subject: '' }
    expect(await refusedFields(() => compose(inputOf({ request: { custom_headers }, reply })))).toEqual([
      'custom_headers.0.name',
    ])
    const { own } = await readComposed({ request: { custom_headers } })
    expect(own.references).toEqual(['a@example.org'])
  })

  test('has no word longer than the line limit', async () => {
    const custom_headers = [{ name: 'X-A', value: 'x'.repeat(1_500) }]
    expect(await refusedFields(() => compose(inputOf({ request: { custom_headers } })))).toEqual([
      'custom_headers.0.value',
    ])
  })
})

describe('a file', () => {
  test.each(['text', 'text/plain/x', 'text/plain; x', 'multipart/mixed; boundary=x', 'multipart/mixed', 'a b/c'])(
    'cannot have a type such as %j',
    async (contentType) => {
      const files = [fileOf({ contentType })]
      expect(await refusedFields(() => compose(inputOf({ files })))).toEqual(['attachments.0.content_type'])
    },
  )

  test('is never read from a path or a URL', async () => {
    const { mail } = await readComposed({
      files: [fileOf({ filename: '/etc/passwd', ...({ path: '/etc/passwd', href: 'http://127.0.0.1/' } as object) })],
      request: { body: '<img src="file:///etc/passwd">' },
    })
    expect(mail.attachments.map(({ content }) => content.toString())).toEqual(['%PDF-1.7 offer'])
  })

  test('has a name that stays in its header', async () => {
    const filename = 'a"; name="b.exe"\\.pdf'
    const { mail, own } = await readComposed({ files: [fileOf({ filename })] })
    expect(own.attachments.map((each) => each.filename)).toEqual([filename])
    expect(mail.attachments).toHaveLength(1)
  })

  test('whose bytes look like another part stays one file', async () => {
    const once = await readComposed({ files: [fileOf()] })
    const boundary = /boundary="([^"]+)"/.exec(once.source)?.[1] ?? ''
    const content = Buffer.from(`\r\n--${boundary}\r\nContent-Type: text/html\r\n\r\nevil\r\n--${boundary}--\r\n`)
    const { mail } = await readComposed({ files: [fileOf({ content })] })
    expect(mail.attachments.map((each) => each.content.equals(content))).toEqual([true])
  })
})

describe('a body', () => {
  test('that contains the boundary of a message adds no part to the next one', async () => {
    const request = { body: 'x', is_plaintext: true }
    const boundary = /boundary="([^"]+)"/.exec((await readComposed({ request, files: [fileOf()] })).source)?.[1] ?? ''
    const body = `x\r\n--${boundary}\r\nContent-Type: text/html\r\n\r\n<b>evil</b>`
    const { mail, own } = await readComposed({ request: { ...request, body }, files: [fileOf()] })
    expect(own.isHtml).toBe(false)
    expect(mail.attachments).toHaveLength(1)
  })

  const received = async (source: Buffer): Promise<Taken[]> => {
    await using sink = await startSmtpSink()
    const transport = createTransport({ host: '127.0.0.1', port: sink.port, secure: false, ignoreTLS: true })
    await transport.sendMail({ raw: source, envelope: { from: 'a@example.com', to: ['b@example.org'] } })
    transport.close()
    return sink.taken
  }

  const smuggled = ['.', '..', '.\r', '\n.\n', '\r.\r', '\r\n.\n', '\n.\r\n']
  const second = 'MAIL FROM:<x@evil.test>\r\nRCPT TO:<victim@evil.test>\r\nDATA\r\nSubject: smuggled\r\n\r\nx\r\n.\r\n'
  const hostile = smuggled.map((end) => `before\r\n${end}\r\n${second}`).join('')

  test('with lines of dots is one message to a server, and arrives unchanged', async () => {
    const { composed, own } = await readComposed({ request: { body: `.\n..\n.a\n${hostile}`, is_plaintext: true } })
    expect(composed.source.toString('latin1').replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    const got = await received(composed.source)
    expect(got.map(({ to }) => to)).toEqual([['b@example.org']])
    expect(parseMessage(got[0]?.source ?? Buffer.of()).body).toBe(own.body)
  })

  test('given as raw MIME smuggles no second message', async () => {
    const source = Buffer.from(`From: a@example.com\r\nTo: b@example.org\r\n\r\n${hostile}`)
    const composed = await composeRaw(
      { source, account: { email: 'mira@example.com' }, messageId, date },
      async (bytes) => parseMessage(bytes),
    )
    expect(composed.recipients).toEqual(['b@example.org'])
    const got = await received(composed.source)
    expect(got.map(({ to }) => to)).toEqual([['b@example.org']])
    expect(got[0]?.source.toString('latin1')).toBe(composed.source.toString('latin1'))
  })
})
