import { describe, expect, test } from 'vitest'
import {
  assembleMessage,
  bodyParts,
  decodeBytes,
  hasAttachment,
  MimeLimit,
  type ParsedMessage,
  type PartNode,
  parseMessage,
} from '../../src/mime/mime.ts'
import { readStructure } from '../../src/mime/structure.ts'
import { type DifficultMail, difficultMail, type ExpectedMail } from './difficult-mail.ts'
import { base64Lines, bytes, lines, mail, part, parts } from './making-mail.ts'

/** The parts of a message that are compared with the expected result. */
function reported(parsed: ParsedMessage, expected: ExpectedMail): ExpectedMail {
  const { subject, from, to, body, isHtml, snippet, attachments, references, messageId } = parsed
  const all: ExpectedMail = {
    subject,
    from,
    to,
    text: body.trim(),
    isHtml,
    snippet,
    attachments,
    references,
    messageId,
  }
  return Object.fromEntries(Object.entries(all).filter(([name]) => name in expected))
}

function check({ source, expected }: DifficultMail): void {
  if ('refused' in expected) {
    expect(() => parseMessage(source)).toThrow(MimeLimit)
    return
  }
  const { attachments, ...rest } = expected
  const parsed = parseMessage(source)
  expect(reported(parsed, rest)).toEqual(rest)
  if (attachments !== undefined) expect(parsed.attachments).toMatchObject([...attachments])
}

describe('difficult mail', () => {
  test('has enough kinds', () => {
    expect(difficultMail.length).toBeGreaterThanOrEqual(60)
    expect(new Set(difficultMail.map(({ name }) => name)).size).toBe(difficultMail.length)
  })
  for (const each of difficultMail) test(`is parsed or refused: ${each.name}`, () => check(each))
})

test('a refused message names the exceeded limit', () => {
  const refused = (name: string) => (): unknown => {
    const found = difficultMail.find((each) => each.name === name)
    if (found === undefined) throw new Error(`there is no ${name}`)
    return parseMessage(found.source)
  }
  expect(refused('41 MB')).toThrow('larger than 40 MB')
  expect(refused('100,000 parts')).toThrow('more than 1000 parts')
  expect(refused('50,000 messages, one in the other')).toThrow('more than 50 levels')
  expect(refused('2 MB of headers')).toThrow('more than 1 MB of headers')
})

test('headers keep their order, their duplicates and their encoded words', () => {
  const { headers } = parseMessage(bytes(lines('Received: a', 'X-A: =?utf-8?Q?=C3=A9?=', 'received: b', '', 'x')))
  expect(headers).toEqual([
    { name: 'Received', value: 'a' },
    { name: 'X-A', value: '=?utf-8?Q?=C3=A9?=' },
    { name: 'received', value: 'b' },
  ])
})

test('every kind of recipient is read', () => {
  const source = bytes(
    lines('From: a@x', 'To: b@x', 'Cc: c@x', 'Bcc: d@x', 'Reply-To: E <e@x>', 'In-Reply-To: <1@x>', '', ''),
  )
  expect(parseMessage(source)).toMatchObject({
    from: [{ email: 'a@x' }],
    to: [{ email: 'b@x' }],
    cc: [{ email: 'c@x' }],
    bcc: [{ email: 'd@x' }],
    reply_to: [{ name: 'E', email: 'e@x' }],
    inReplyTo: ['1@x'],
  })
})

test('a body is truncated after 10 MB', () => {
  const { body } = parseMessage(mail([], 'x'.repeat(12 * 1024 * 1024)))
  expect(body.length).toBe(10 * 1024 * 1024)
})

test('a snippet has at most 100 characters and no half character', () => {
  const { snippet } = parseMessage(
    mail(['Content-Type: text/plain; charset=utf-8'], Buffer.from(`a${'😀'.repeat(80)}`)),
  )
  expect(snippet).toBe(`a${'😀'.repeat(49)}`)
})

describe('part numbers', () => {
  const numbers = (source: Buffer): string[] => {
    const found: string[] = []
    const waiting: PartNode[] = [readStructure(source).root]
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      found.push(`${node.part} ${node.type}`)
      waiting.push(...(node.children ?? []).toReversed())
    }
    return found
  }

  test('are those of RFC 3501', () => {
    // The example of section 6.4.5.
    const leaf = (type: string): Buffer => part([`Content-Type: ${type}`], 'x')
    const multi = (kind: string, boundary: string, ...all: Buffer[]): Buffer =>
      part([`Content-Type: multipart/${kind}; boundary=${boundary}`], parts(boundary, ...all))
    const message = (inner: Buffer): Buffer =>
      part(['Content-Type: message/rfc822'], bytes('Subject: inner\r\n', inner))
    const source = bytes(
      'Subject: x\r\n',
      multi(
        'mixed',
        'b1',
        leaf('text/plain'),
        leaf('application/octet-stream'),
        message(multi('mixed', 'b2', leaf('text/plain'), leaf('application/octet-stream'))),
        multi(
          'mixed',
          'b3',
          leaf('image/gif'),
          message(
            multi(
              'mixed',
              'b4',
              leaf('text/plain'),
              multi('alternative', 'b5', leaf('text/plain'), leaf('text/richtext')),
            ),
          ),
        ),
      ),
    )
    expect(numbers(source)).toEqual([
      ' multipart/mixed',
      '1 text/plain',
      '2 application/octet-stream',
      '3 message/rfc822',
      '3 multipart/mixed',
      '3.1 text/plain',
      '3.2 application/octet-stream',
      '4 multipart/mixed',
      '4.1 image/gif',
      '4.2 message/rfc822',
      '4.2 multipart/mixed',
      '4.2.1 text/plain',
      '4.2.2 multipart/alternative',
      '4.2.2.1 text/plain',
      '4.2.2.2 text/richtext',
    ])
  })

  test('of messages without parts end with 1', () => {
    expect(numbers(mail([], 'x'))).toEqual(['1 text/plain'])
    expect(numbers(mail(['Content-Type: message/rfc822'], mail([], 'x')))).toEqual([
      '1 message/rfc822',
      '1.1 text/plain',
    ])
  })
})

describe('a message assembled from parts', () => {
  const whole = mail(
    ['Subject: =?utf-8?Q?caf=C3=A9?=', 'Content-Type: multipart/mixed; boundary=b'],
    parts(
      'b',
      part(
        ['Content-Type: multipart/alternative; boundary=c'],
        parts(
          'c',
          part(['Content-Type: text/plain; charset=utf-8'], 'plain'),
          part(
            ['Content-Type: text/html; charset=utf-8', 'Content-Transfer-Encoding: base64'],
            base64Lines('<p>grün</p>'),
          ),
        ),
      ),
      part(['Content-Type: image/png', 'Content-Disposition: attachment; filename=a.png'], 'png'),
    ),
  )
  const { root } = readStructure(whole)
  const header = whole.subarray(0, whole.indexOf('\r\n\r\n') + 4)

  test('is the same as the whole one', () => {
    expect(bodyParts(root)).toEqual(['1.2'])
    const texts = [{ part: '1.2', bytes: Buffer.from(base64Lines('<p>grün</p>')) }]
    expect(assembleMessage({ header, structure: root, texts })).toEqual(parseMessage(whole))
  })

  test('has the available part of a truncated body', () => {
    const cut = Buffer.from(base64Lines('<p>grün</p>')).subarray(0, 9)
    const { body } = assembleMessage({ header, structure: root, texts: [{ part: '1.2', bytes: cut }] })
    expect(body).toBe('<p>gr\ufffd')
  })

  test('has no body when none was fetched', () => {
    expect(assembleMessage({ header, structure: root, texts: [] })).toMatchObject({ body: '', subject: 'café' })
  })
})

describe('hasAttachment', () => {
  const withPart = (...headers: string[]): PartNode =>
    readStructure(
      mail(
        ['Content-Type: multipart/related; boundary=b'],
        parts('b', part(['Content-Type: text/html'], 'x'), part(headers, 'y')),
      ),
    ).root

  test('is false for a message of text', () => {
    expect(hasAttachment(readStructure(mail([], 'x')).root)).toBe(false)
  })
  test('is false for images that the body shows', () => {
    expect(hasAttachment(withPart('Content-Type: image/png', 'Content-ID: <a>'))).toBe(false)
    expect(hasAttachment(withPart('Content-Type: image/png', 'Content-ID: <a>', 'Content-Disposition: inline'))).toBe(
      false,
    )
  })
  test('is true for files, including images', () => {
    expect(hasAttachment(withPart('Content-Type: application/pdf'))).toBe(true)
    expect(
      hasAttachment(withPart('Content-Type: image/png', 'Content-ID: <a>', 'Content-Disposition: attachment')),
    ).toBe(true)
    expect(hasAttachment(withPart('Content-Type: image/png', 'Content-Disposition: inline'))).toBe(true)
  })
})

test('a part is decoded from its transfer encoding, whatever it contains', () => {
  const decoded = (text: string, encoding: string): string => decodeBytes(Buffer.from(text), encoding).toString()
  expect(decoded('aGVs\r\nbG8=\r\n', 'base64')).toBe('hello')
  expect(decoded('aGVsbG8=IHdvcmxk', 'base64')).toBe('hello world')
  expect(decoded('caf=C3=A9=\n!', 'quoted-printable')).toBe('café!')
  expect(decoded('a=20b', '7bit')).toBe('a=20b')
  expect(decoded('a=20b', 'x-unknown')).toBe('a=20b')
})
