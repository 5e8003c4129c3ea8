/** The composed bytes of a message, parsed by mailparser and by our own parser. */
import { randomBytes } from 'node:crypto'
import { parseMessage } from '@waypost/formats/mime/mime'
import { describe, expect, test } from 'vitest'
import { type Composed, compose } from '../../src/sending/compose/compose.ts'
import { composeFromDraft, composeRaw, type RawInput } from '../../src/sending/compose/raw.ts'
import { textOfHtml } from '../../src/sending/compose/text.ts'
import { date, fileOf, inputOf, messageId, read, readComposed, refusedFields } from './composing.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe('a composed message', () => {
  test('has the account as sender, with its name, its id, its date and its recipients', async () => {
    const { composed, mail, header } = await readComposed({
      request: { cc: [{ email: 'cc@example.org' }], reply_to: [{ name: 'Desk', email: 'desk@example.com' }] },
    })
    expect(mail.from?.value).toEqual([{ name: 'Mira Okafor', address: 'mira@example.com' }])
    expect(mail.to?.value).toEqual([{ name: 'Jonas', address: 'jonas@example.org' }])
    expect(mail.replyTo?.value).toEqual([{ name: 'Desk', address: 'desk@example.com' }])
    expect(header('message-id')).toBe(`<${messageId}>`)
    expect(header('date')).toBe('Mon, 12 May 2025 09:30:00 +0000')
    expect(composed).toMatchObject({
      messageId,
      from: 'mira@example.com',
      recipients: ['jonas@example.org', 'cc@example.org'],
    })
    expect(composed.head).toMatchObject({ subject: 'Hello', cc: [{ email: 'cc@example.org' }] })
  })

  test('has the same bytes for the same input, and others if anything differs', async () => {
    const input = () => inputOf({ files: [fileOf(), fileOf({ filename: 'b.txt', contentType: '' })] })
    const [first, second] = [await compose(input()), await compose(input())]
    expect(first.source.equals(second.source)).toBe(true)
    const other = await compose({ ...input(), messageId: 'another@mail.example.com' })
    expect(other.source.includes(/boundary="([^"]+)"/.exec(first.source.toString())?.[1] ?? 'no boundary')).toBe(false)
  })

  test('has a large file byte for byte, and other tasks run while it is encoded', async () => {
    const content = randomBytes(8 * 1024 * 1024 + 1)
    let turns = 0
    let isDone = false
    const others = (): void => {
      turns++
      if (!isDone) setImmediate(others)
    }
    setImmediate(others)
    const { source } = await compose(inputOf({ files: [fileOf({ content, contentType: 'application/pdf' })] }))
    isDone = true
    expect(turns).toBeGreaterThan(2)
    const text = source.toString('latin1')
    const encoded =
      /Content-Transfer-Encoding: base64\r\nContent-Disposition: attachment[\s\S]*?\r\n\r\n([^-]*)/.exec(text)?.[1] ??
      ''
    expect(Buffer.from(encoded, 'base64').equals(content)).toBe(true)
    const longest = encoded.split('\r\n').reduce((max, { length }) => Math.max(max, length), 0)
    expect(longest).toBe(76)
  })

  test('has HTML and a text version of it', async () => {
    const body =
      '<h1>Hall</h1><p>Free on <b>12&nbsp;May</b>.<br>See <a href="https://hall.example/?a=1&amp;b=2">the plan</a></p>'
    const { mail, own, composed } = await readComposed({ request: { body } })
    expect(own.isHtml).toBe(true)
    expect(own.body.trim()).toBe(body)
    expect(mail.text?.trim()).toBe('Hall\n\nFree on 12\u00a0May.\nSee the plan <https://hall.example/?a=1&b=2>')
    expect(composed.snippet).toBe('Hall Free on 12 May. See the plan')
  })

  test('is only text on request', async () => {
    const { source, mail, own } = await readComposed({
      request: { body: 'a < b\n> c', is_plaintext: true },
      signature: '<b>M</b>',
    })
    expect(source).not.toContain('multipart')
    expect(source).not.toContain('text/html')
    expect(own.isHtml).toBe(false)
    expect(mail.text?.trim()).toBe('a < b\n> c')
  })

  test('requires neither subject nor body', async () => {
    const { names, own } = await readComposed({ request: { subject: undefined, body: undefined } })
    expect(names).not.toContain('subject')
    expect(own.body.trim()).toBe('')
  })

  test('can have texts, names and file names in every script', async () => {
    const name = 'Zoë Ågren 山田, "Ops"'
    const { mail, own } = await readComposed({
      request: {
        subject: 'Ärende: 見積もり 📎 "quoted"',
        body: '<p>Größe 大きさ 🎈</p>',
        to: [{ name, email: 'zoe@example.org' }],
      },
      files: [fileOf({ filename: 'Übersicht – 見積書 (1).pdf' }), fileOf({ filename: `${'lång '.repeat(30)}.txt` })],
    })
    expect(mail.subject).toBe('Ärende: 見積もり 📎 "quoted"')
    expect(own.subject).toBe(mail.subject)
    expect(mail.to?.value).toEqual([{ name, address: 'zoe@example.org' }])
    expect(own.to).toEqual([{ name, email: 'zoe@example.org' }])
    expect(own.body).toContain('Größe 大きさ 🎈')
    expect(mail.attachments.map(({ filename }) => filename)).toEqual([
      'Übersicht – 見積書 (1).pdf',
      `${'lång '.repeat(30)}.txt`,
    ])
    expect(own.attachments.map(({ filename }) => filename)).toEqual(mail.attachments.map(({ filename }) => filename))
  })

  test('keeps the bytes of every file', async () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 31) % 256))
    const text = Buffer.from('one\nline\r\nends\rof\n.\nall kinds\n')
    const { mail } = await readComposed({
      files: [fileOf({ content: bytes }), fileOf({ filename: 'a.txt', contentType: 'text/plain', content: text })],
    })
    expect(mail.attachments.map(({ content }) => Buffer.compare(content, bytes))[0]).toBe(0)
    expect(mail.attachments[1]?.content.equals(text)).toBe(true)
  })

  test('shows inline files that its HTML refers to, and attaches the others', async () => {
    const { source, own, composed } = await readComposed({
      request: { body: '<p>See</p><img src="cid:logo@x"><img src="cid:a%2Bb">' },
      files: [
        fileOf({ filename: 'logo.png', contentType: 'image/png', content: png, contentId: 'logo@x', inline: true }),
        fileOf({ filename: 'b.png', contentType: 'image/png', content: png, contentId: '<a+b>', inline: true }),
        fileOf({ filename: 'unused.png', contentType: 'image/png', content: png, contentId: 'unused', inline: true }),
        fileOf(),
      ],
    })
    const kinds = [...source.matchAll(/multipart\/\w+/g)].map(([kind]) => kind)
    expect(kinds).toEqual(['multipart/mixed', 'multipart/alternative', 'multipart/related'])
    const related = source.slice(source.indexOf('multipart/related'), source.indexOf('unused.png'))
    expect(related).toContain('Content-ID: <logo@x>')
    expect(related).toContain('Content-ID: <a+b>')
    const reported = own.attachments.map(({ filename, disposition, contentId }) => [filename, disposition, contentId])
    expect(reported).toEqual([
      ['logo.png', 'inline', '<logo@x>'],
      ['b.png', 'inline', '<a+b>'],
      ['unused.png', 'attachment', '<unused>'],
      ['offer.pdf', 'attachment', undefined],
    ])
    // The part numbers are those that a parser counts.
    expect(composed.attachments.map(({ part }) => part)).toEqual(own.attachments.map(({ part }) => part))
    expect(composed.attachments.map(({ part: _, ...file }) => file)).toEqual([
      { filename: 'logo.png', contentType: 'image/png', contentId: 'logo@x', inline: true, size: png.length },
      { filename: 'b.png', contentType: 'image/png', contentId: 'a+b', inline: true, size: png.length },
      { filename: 'unused.png', contentType: 'image/png', contentId: 'unused', inline: false, size: png.length },
      { filename: 'offer.pdf', contentType: 'application/pdf', inline: false, size: 14 },
    ])
  })

  test('derives the type of a file from its name', async () => {
    const { own, composed } = await readComposed({ files: [fileOf({ filename: 'table.csv', contentType: '' })] })
    expect(own.attachments[0]?.type).toBe('text/csv')
    expect(composed.attachments[0]?.contentType).toBe('text/csv')
  })

  test('attaches a message as a message if possible, and else as a file with its bytes', async () => {
    const plain = Buffer.from('From: a@example.org\r\nSubject: Inner\r\n\r\nText\r\n')
    const eight = Buffer.from('From: a@example.org\nSubject: Grüße\n\nText\n')
    const eml = (content: Buffer) => fileOf({ filename: 'inner.eml', contentType: 'message/rfc822', content })
    const { own, mail } = await readComposed({ files: [eml(plain), eml(eight)] })
    expect(own.attachments.map(({ type }) => type)).toEqual(['message/rfc822', 'application/octet-stream'])
    expect(mail.attachments.map(({ content }) => content.toString().trim())).toEqual([
      plain.toString().trim(),
      eight.toString().trim(),
    ])
  })

  test('has bcc only in the envelope, but in a draft as a header', async () => {
    const request = { bcc: [{ name: 'Hidden', email: 'hidden@example.net' }] }
    const sent = await readComposed({ request })
    expect(sent.source).not.toContain('hidden')
    expect(sent.composed.recipients).toEqual(['jonas@example.org', 'hidden@example.net'])
    expect(sent.composed.head.bcc).toEqual([{ name: 'Hidden', email: 'hidden@example.net' }])
    const draft = await readComposed({ request, keepBcc: true })
    expect(draft.own.bcc).toEqual([{ name: 'Hidden', email: 'hidden@example.net' }])
  })

  test('has each recipient once in the envelope', async () => {
    const { composed } = await readComposed({
      request: { cc: [{ email: 'jonas@example.org' }], bcc: [{ email: 'Jonas@EXAMPLE.org' }] },
    })
    expect(composed.recipients).toEqual(['jonas@example.org', 'Jonas@example.org'])
  })

  test('requires a recipient, unless it is a draft', async () => {
    const request = { to: [] }
    expect(await refusedFields(() => compose(inputOf({ request })))).toEqual(['to'])
    expect((await compose(inputOf({ request, keepBcc: true }))).recipients).toEqual([])
  })

  test('has non-ASCII domains in ASCII form', async () => {
    const { composed, own } = await readComposed({
      request: { to: [{ email: 'info@Jõgeva.EE' }], from: [{ email: 'alias@bücher.example' }] },
    })
    expect(composed.recipients).toEqual(['info@xn--jgeva-dua.ee'])
    expect(composed.from).toBe('mira@example.com')
    expect(own.from).toEqual([{ email: 'alias@xn--bcher-kva.example' }])
  })

  test('has custom headers with their names, unfolded if they fit into a line', async () => {
    const unsubscribe = `<https://example.com/${'u'.repeat(200)}>, <mailto:u@example.com?subject=no>`
    const { source, header } = await readComposed({
      request: {
        custom_headers: [
          { name: 'List-Unsubscribe', value: unsubscribe },
          { name: 'X-myCRM-ID', value: ' 42 ' },
          { name: 'X-Colour', value: 'grün' },
          { name: 'X-Long', value: 'word '.repeat(500) },
        ],
      },
    })
    expect(source).toContain(`\r\nX-myCRM-ID: 42\r\n`)
    expect(source).toContain(`List-Unsubscribe: ${unsubscribe}\r\n`)
    expect(header('x-colour')).toBe('=?UTF-8?Q?gr=C3=BCn?=')
    expect(header('x-long')).toBe('word '.repeat(500).trim())
    expect(Math.max(...source.split('\r\n').map((line) => line.length))).toBeLessThan(998)
  })

  test('has the signature at the very end, after a line break, in HTML and text', async () => {
    const body = '<html><body><p>Hi</p><blockquote>Earlier</blockquote></body></html>\n'
    const { own, mail } = await readComposed({ request: { body }, signature: '<p>Mira<br>Events</p>' })
    expect(own.body.trim()).toBe(
      '<html><body><p>Hi</p><blockquote>Earlier</blockquote><br><p>Mira<br>Events</p></body></html>',
    )
    expect(mail.text?.trim()).toMatch(/^Hi\n\n> Earlier\n+Mira\nEvents$/)
    const alone = await readComposed({ request: { body: undefined }, signature: '<p>Mira</p>' })
    expect(alone.own.body.trim()).toBe('<p>Mira</p>')
  })

  test('has the HTML with tracking, and the text without it', async () => {
    const { own, mail } = await readComposed({
      request: { body: '<a href="https://a.example/x">x</a>' },
      tracking: { html: '<a href="https://track.example/t/c/1">x</a>' },
    })
    expect(own.body.trim()).toBe('<a href="https://track.example/t/c/1">x</a>')
    expect(mail.text?.trim()).toBe('x <https://a.example/x>')
  })

  test('refuses two senders', async () => {
    const from = [{ email: 'a@example.org' }, { email: 'b@example.org' }]
    expect(await refusedFields(() => compose(inputOf({ request: { from } })))).toEqual(['from'])
  })
})

describe('the text of HTML', () => {
  test.each([
    ['lists', '<ul><li>one<li>two<ol start="3"><li>three</li></ol></ul>', '- one\n- two\n\n  3. three'],
    ['quotations', '<p>a</p><blockquote><p>b</p><blockquote>c</blockquote></blockquote>', 'a\n\n> b\n>\n> > c'],
    ['preformatted text', '<pre>a  b\n  c</pre>', 'a  b\n  c'],
    ['cells', '<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\nc'],
    [
      'links that say where they lead',
      '<a href="https://x.test/">https://x.test/</a> <a href="mailto:a@x.test">a@x.test</a>',
      'https://x.test/ a@x.test',
    ],
    [
      'pictures',
      '<img src="cid:x" alt="A hall"><a href="https://x.test/"><img src="y"></a>',
      'A hall<https://x.test/>',
    ],
    ['nothing that is hidden', '<head><title>t</title><style>p{}</style></head><script>x</script>a', 'a'],
    ['entities', 'a &lt;b&gt; &amp; &copy;', 'a <b> & ©'],
    ['rules', 'a<hr>b', 'a\n---\nb'],
  ])('has %s', (_, html, text) => {
    expect(textOfHtml(html)).toBe(text)
  })

  test('is fast for deep or long HTML', () => {
    expect(textOfHtml(`${'<div>'.repeat(50_000)}deep`)).toBe('deep')
    expect(textOfHtml(`${'<blockquote>'.repeat(5_000)}deep`)).toContain('> deep')
    expect(textOfHtml('<a href="https://x.test/">x'.repeat(50_000))).toBe('x <https://x.test/>'.repeat(50_000))
    expect(textOfHtml('<a href="https://x.test/"><b>x'.repeat(50_000))).toContain('x')
  })
})

describe('a raw MIME message', () => {
  const raw = (text: string, changes: Partial<RawInput> = {}): RawInput => ({
    source: Buffer.from(text, 'latin1'),
    account: { email: 'mira@example.com' },
    messageId,
    date,
    ...changes,
  })
  const parse = async (source: Uint8Array) => parseMessage(source)
  const whole =
    'From: Mira <mira@example.com>\r\nTo: a@example.org,\r\n b@example.org\r\nCc: "C, D" <c@example.org>\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\nMessage-ID: <mine@example.com>\r\nDate: Mon, 12 May 2025 11:30:00 +0200\r\nX-Odd:  kept   as it is\t\r\n\r\nText\r\n.\r\nend\r\n'

  test('stays unchanged to the last byte', async () => {
    const composed = await composeRaw(raw(whole), parse)
    expect(composed.source.toString('latin1')).toBe(whole)
    expect(composed).toMatchObject({
      messageId: 'mine@example.com',
      from: 'mira@example.com',
      recipients: ['a@example.org', 'b@example.org', 'c@example.org'],
      snippet: 'Text . end',
    })
    expect(composed.head).toMatchObject({ subject: 'Grüße', cc: [{ name: 'C, D', email: 'c@example.org' }] })
  })

  test('is sent to its Bcc, without naming them', async () => {
    const hidden = whole.replace('Subject:', 'Bcc: h1@example.net,\r\n\th2@example.net\r\nSubject:')
    const composed = await composeRaw(raw(hidden), parse)
    expect(composed.source.toString('latin1')).toBe(whole)
    expect(composed.recipients).toEqual(expect.arrayContaining(['h1@example.net', 'h2@example.net']))
    expect(composed.head.bcc).toEqual([{ email: 'h1@example.net' }, { email: 'h2@example.net' }])
  })

  test('gets an id and a date if it has none', async () => {
    const composed = await composeRaw(raw('From: mira@example.com\r\nTo: a@example.org\r\n\r\nText\r\n'), parse)
    expect(composed.messageId).toBe(messageId)
    expect(composed.source.toString('latin1')).toBe(
      `Message-ID: <${messageId}>\r\nDate: Mon, 12 May 2025 09:30:00 +0000\r\nFrom: mira@example.com\r\nTo: a@example.org\r\n\r\nText\r\n`,
    )
  })

  test('has CRLF for every line end, so that no server reads another message', async () => {
    const composed = await composeRaw(raw(`${whole.replaceAll('\r\n', '\n')}\n.\nMAIL FROM:<x@evil.test>\r.\r`), parse)
    expect(composed.source.toString('latin1').replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    expect(composed.source.toString('latin1').startsWith(whole)).toBe(true)
  })

  test('without a body is a message too', async () => {
    const composed = await composeRaw(raw('From: mira@example.com\r\nTo: a@example.org'), parse)
    expect((await read(composed)).own.to).toEqual([{ email: 'a@example.org' }])
  })

  test.each([
    ['no sender', 'To: a@example.org\r\n\r\n'],
    ['two senders', `From: x@example.com\r\n${whole}`],
    ['two ids', `Message-ID: <x@example.com>\r\n${whole}`],
    ['an id that is none', whole.replace('<mine@example.com>', '<a b>')],
    ['no recipients', 'From: mira@example.com\r\nTo: undisclosed-recipients:;\r\n\r\n'],
    ['NUL', `${whole}\0`],
    ['no headers', '\r\nText'],
    ['a line that is no header', `${whole.replace('X-Odd:', 'X Odd')}`],
    ['too many headers', `X: ${'x'.repeat(1_100_000)}\r\n${whole}`],
  ])('is refused with %s', async (_, text) => {
    expect(await refusedFields(() => composeRaw(raw(text), parse))).toEqual(['mime'])
  })

  test.each([
    ['101 addresses', Array.from({ length: 101 }, (_, index) => `a${index}@example.org`).join(', ')],
    ['a megabyte of invalid addresses', '"\\" <@>, '.repeat(80_000)],
    ['an address among half a megabyte of spaces', `a@example.org,${' '.repeat(500_000)}.`],
  ])('recipients are counted before each is checked: %s', async (_, to) => {
    for (const name of ['To', 'Cc', 'Bcc', 'Reply-To']) {
      const others = name === 'To' ? '' : 'To: b@example.org\r\n'
      const text = `From: mira@example.com\r\n${others}${name}: ${to}\r\n\r\nText\r\n`
      expect(await refusedFields(() => composeRaw(raw(text), parse))).toEqual(['mime'])
    }
  })

  test('is refused with an invalid recipient address, which is named', async () => {
    expect(await refusedFields(() => composeRaw(raw(whole.replace('a@example.org', 'ä@example.org')), parse))).toEqual([
      'mime: to',
    ])
  })

  test('that is a draft gets a new date and keeps its id', async () => {
    const composed = await composeFromDraft(raw(whole, { field: 'draft' }), parse)
    const sent = await read(composed)
    expect(sent.header('date')).toBe('Mon, 12 May 2025 09:30:00 +0000')
    expect(sent.names.filter((name) => name === 'date')).toHaveLength(1)
    expect(composed.messageId).toBe('mine@example.com')
  })
})

describe('the envelope of a message', () => {
  const parse = async (source: Uint8Array) => parseMessage(source)
  const account = { email: 'mira@example.com', name: null }
  const people = (count: number, at = 'x') =>
    Array.from({ length: count }, (_, index) => ({ email: `p${index}@${at}.example.org` }))
  const raw = (head: string): Promise<Composed> =>
    composeRaw({ source: Buffer.from(`${head}\r\n\r\nText\r\n`), account, messageId, date }, parse)
  const headerOf = ({ source }: Composed): string => source.toString('latin1').split('\r\n\r\n', 1)[0] ?? ''

  test("is from the account, whatever the message's author, and the account is added as Sender", async () => {
    for (const email of ['ceo@bank.example.net', 'sales@example.com']) {
      const composed = await compose(inputOf({ account, request: { from: [{ email }] } }))
      expect(composed.from).toBe('mira@example.com')
      expect(headerOf(composed)).toMatch(/^Sender: <?mira@example\.com>?$/m)
      const own = await raw(`From: ${email}\r\nTo: a@example.org`)
      expect(own.from).toBe('mira@example.com')
      expect(headerOf(own)).toMatch(/^Sender: <mira@example\.com>$/m)
    }
    for (const email of ['mira@example.com', 'Mira@Example.com']) {
      const composed = await compose(inputOf({ account, request: { from: [{ email }] } }))
      expect([composed.from, headerOf(composed).includes('Sender:')]).toEqual(['mira@example.com', false])
    }
  })

  test('has a Sender for two authors, and accepts the account as Sender', async () => {
    const both = await raw('From: mira@example.com, ceo@bank.example.net\r\nTo: a@example.org')
    expect(headerOf(both)).toMatch(/^Sender: <mira@example\.com>$/m)
    const given = await raw('From: ceo@bank.example.net\r\nSender: Mira <mira@example.com>\r\nTo: a@example.org')
    expect(headerOf(given).match(/^Sender:/gm)).toHaveLength(1)
  })

  test.each([
    ['a sender that is a stranger', 'Sender: ceo@bank.example.net'],
    ['two senders', 'Sender: mira@example.com\r\nSender: ceo@bank.example.net'],
    ['people to send it to once more', 'Resent-To: b@example.org'],
    ['somebody who sends it once more', 'Resent-From: ceo@bank.example.net'],
  ])('is refused for bytes with %s', async (_, header) => {
    const text = `From: mira@example.com\r\nTo: a@example.org\r\n${header}`
    expect(await refusedFields(() => raw(text))).toEqual(['mime'])
  })

  test('has no Return-Path of a client', async () => {
    const composed = await raw('Return-Path: <ceo@bank.example.net>\r\nFrom: mira@example.com\r\nTo: a@example.org')
    expect(composed.source.toString()).not.toContain('bank.example.net')
  })

  test('has at most a hundred recipients, in to, cc and bcc together', async () => {
    const split = { to: people(40), cc: people(30, 'y'), bcc: people(30, 'z') }
    expect((await compose(inputOf({ request: split }))).recipients).toHaveLength(100)
    const [to, cc, bcc] = Object.values(split).map((list) => list.map(({ email }) => email).join(', '))
    const lists = `From: mira@example.com\r\nTo: ${to}\r\nCc: ${cc}\r\nBcc: ${bcc}`
    expect((await raw(lists)).recipients).toHaveLength(100)
  })

  test.each([
    ['in to', { to: people(101) }],
    ['in cc', { cc: people(101, 'y') }],
    ['in bcc', { bcc: people(101, 'z') }],
    ['in three lists', { to: people(34), cc: people(34, 'y'), bcc: people(33, 'z') }],
    ['one of them named twice', { to: people(100), cc: people(1) }],
  ])('does not have one more, %s', async (_, lists) => {
    const request = { to: people(0), ...lists }
    expect(await refusedFields(() => compose(inputOf({ request })))).toEqual(['to'])
    expect(await refusedFields(() => compose(inputOf({ request, keepBcc: true })))).toEqual(['to'])
    const headers = Object.entries(request).map(
      ([name, list]) => `${name}: ${list.map(({ email }) => email).join(', ')}`,
    )
    expect(await refusedFields(() => raw(`From: mira@example.com\r\n${headers.join('\r\n')}`))).toEqual(['mime'])
    const group = people(101).map(({ email }) => email)
    expect(await refusedFields(() => raw(`From: mira@example.com\r\nTo: all: ${group.join(', ')};`))).toEqual(['mime'])
  })
})
