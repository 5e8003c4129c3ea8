/** Everything in a message, and the digest that an approval is bound to. */
import { describe, expect, test } from 'vitest'
import { readWhole, wholeDigest } from '../../src/mime/whole.ts'

const lines = (...text: string[]): string => text.join('\r\n')

/** As a mail program writes it. */
const message = (boundary = 'b1'): string =>
  lines(
    'Date: Mon, 01 Jun 2026 12:00:00 +0000',
    'From: Ann <ann@people.test>',
    'To: bob@people.test',
    'Subject: Offer b1 b2',
    'MIME-Version: 1.0',
    `Content-Type: multipart/mixed;\r\n boundary="${boundary}"`,
    '',
    'This is a multi-part message in MIME format.',
    `--${boundary}`,
    'Content-Type: multipart/alternative; boundary=inner',
    '',
    '--inner',
    'Content-Type: text/plain',
    '',
    'Plain words',
    '--inner',
    'Content-Type: text/html',
    '',
    '<p>Words of <b>HTML</b></p>',
    '--inner--',
    `--${boundary}`,
    'Content-Type: image/png',
    'Content-ID: <logo>',
    'Content-Disposition: inline; filename="logo.png"',
    'Content-Transfer-Encoding: base64',
    '',
    'R09PRA==',
    `--${boundary}--`,
    'After all',
  )

const digest = (text: string): string => wholeDigest(Buffer.from(text, 'latin1'))
const read = (text: string) => readWhole(Buffer.from(text, 'latin1'))

describe('a digest of a whole message', () => {
  test('is the same with another date, and with other delimiters', () => {
    expect(digest(message('another_1'))).toBe(digest(message()))
    expect(digest(message().replace('12:00:00', '13:30:00'))).toBe(digest(message()))
    expect(digest(message().replace(/^Date:.*\r\n/, ''))).toBe(digest(message()))
  })

  test.each<[string, (text: string) => string]>([
    ['a receipt', (text) => `Disposition-Notification-To: eve@x.test\r\n${text}`],
    ['an apparent recipient', (text) => `Apparently-To: eve@x.test\r\n${text}`],
    ['a Bcc', (text) => `Bcc: eve@x.test\r\n${text}`],
    ['a Date inside of another header', (text) => text.replace('MIME-Version: 1.0', 'MIME-Version: 1.0\r\n Date: x')],
    ['a folded date of another header', (text) => text.replace('To: bob', 'To:\r\n Date: bob')],
    ['the hidden alternative', (text) => text.replace('Plain words', 'Plain swords')],
    ['the markup', (text) => text.replace('<b>', '<B>')],
    ['a byte of a file', (text) => text.replace('R09PRA', 'RVZJTA')],
    ['the name of a file', (text) => text.replace('logo.png', 'logo.exe')],
    ['a content id', (text) => text.replace('<logo>', '<other>')],
    ['an encoding', (text) => text.replace('base64', '8bit')],
    ['what is before the parts', (text) => text.replace('multi-part message', 'multi-part massage')],
    ['what is after the parts', (text) => text.replace('After all', 'After tax')],
    ['a line before the headers', (text) => `\r\n${text}`],
    ['a parameter next to the boundary', (text) => text.replace('boundary=inner', 'boundary=inner; x=y')],
    ['a delimiter that ends another part', (text) => text.replace('--inner--\r\n', '')],
    ['the words of the boundary elsewhere', (text) => text.replace('Offer b1 b2', 'Offer b2 b1')],
    ['a boundary in the text', (text) => text.replace('Plain words', '--b2\r\nPlain words')],
  ])('differs by %s', (_, change) => {
    const changed = change(message())
    expect(changed).not.toBe(message())
    expect(digest(changed)).not.toBe(digest(message()))
  })

  test('takes only the delimiters out, not the same words in the text or in the subject', () => {
    const withWord = (word: string): string => message(word).replace('Plain words', `Pay ${word}`)
    expect(digest(withWord('eve'))).not.toBe(digest(withWord('bob')))
    const inSubject = (word: string): string => message(word).replace('Offer', `Pay ${word} boundary=${word}`)
    expect(digest(inSubject('eve'))).not.toBe(digest(inSubject('bob')))
    const before = (word: string): string =>
      message(word).replace('This is a', `Content-Type: x; boundary=${word}\r\nThis is a`)
    expect(digest(before('eve'))).not.toBe(digest(before('bob')))
  })

  test('of any change of one byte is another, except in dates and delimiters', () => {
    const text = message('delimiter')
    const seen = digest(text)
    const free = /^Date:.*\r\n|(?:--)?"?delimiter"?(?:--)?(?:\r\n)?|(?:--)?inner(?:--)?(?:\r\n)?/gm
    const isFree = new Set(
      [...text.matchAll(free)].flatMap(({ index, 0: found }) => Array.from(found, (_, at) => index + at)),
    )
    for (let at = 0; at < text.length; at++) {
      // The line break before a delimiter belongs to it.
      if (isFree.has(at) || isFree.has(at + 1) || isFree.has(at + 2)) continue
      const changed = `${text.slice(0, at)}${text[at] === 'X' ? 'Y' : 'X'}${text.slice(at + 1)}`
      expect(digest(changed), `${at}: ${JSON.stringify(text.slice(at, at + 20))}`).not.toBe(seen)
    }
  })
})

describe('everything in a message', () => {
  test('is read: both alternatives, what is outside of the parts, and each file', () => {
    const { texts, files, headers } = read(message())
    expect(texts.map(({ role, text }) => [role, text.trim()])).toEqual([
      ['outside', 'This is a multi-part message in MIME format.'],
      ['outside', 'After all'],
      ['other form', 'Plain words'],
      ['body', '<p>Words of <b>HTML</b></p>'],
    ])
    expect(files).toEqual([
      { filename: 'logo.png', type: 'image/png', size: 4, head: new Uint8Array(Buffer.from('GOOD')) },
    ])
    expect(headers.map(({ name }) => name)).toContain('Subject')
  })

  test('includes texts without a name wherever they are, and invitations', () => {
    const related = lines(
      'Content-Type: multipart/related; boundary=r',
      '',
      '--r',
      'Content-Type: text/html',
      '',
      '<p>Shown</p>',
      '--r',
      'Content-Type: text/plain',
      '',
      'Beside',
      '--r',
      'Content-Type: text/calendar; method=REQUEST',
      '',
      'BEGIN:VCALENDAR',
      '--r--',
    )
    expect(read(related).texts.map(({ role, text }) => [role, text.trim()])).toEqual([
      ['body', '<p>Shown</p>'],
      ['other form', 'Beside'],
      ['other form', 'BEGIN:VCALENDAR'],
    ])
  })

  test('of a delimiter that nothing follows is text outside of the parts', () => {
    const { texts } = read(
      lines('Content-Type: multipart/mixed; boundary=b', '', 'Hidden words', '--bogus', '--b--', ''),
    )
    expect(texts).toMatchObject([{ role: 'outside', text: expect.stringContaining('Hidden words') }])
  })

  test('is refused if a text is too long to be read', () => {
    const long = `Content-Type: text/plain\r\n\r\n${'x'.repeat(11 * 1024 * 1024)}`
    expect(() => read(long)).toThrow('longer than 10 MB')
  })
})
