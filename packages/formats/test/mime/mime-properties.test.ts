import { codePoint } from '@waypost/testing/code-points'
import { runs } from '@waypost/testing/level'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clean } from '../../src/html/clean.ts'
import { decodeBytes, MimeLimit, type PartNode, parseMessage } from '../../src/mime/mime.ts'
import { readStructure } from '../../src/mime/structure.ts'
import { decodeWords } from '../../src/mime/words.ts'

/** Bytes as they occur in mail, in random order. */
const scraps = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...[
          '\r\n',
          '\n',
          '\r',
          '\r\n\r\n',
          '--b',
          '--b--',
          '--c\r\n',
          ' ',
          '\t',
          ':',
          ';',
          '"',
          '=?utf-8?Q?',
          '=?utf-8?B?',
          '?=',
          '=',
        ],
        ...[
          'Subject: ',
          'From: ',
          'To: ',
          'Content-Type: multipart/mixed; boundary=b',
          'Content-Type: multipart/alternative; boundary=c',
        ],
        ...[
          'Content-Type: message/rfc822',
          'Content-Type: text/html',
          'Content-Type: text/plain; charset=',
          'utf-7',
          'iso-2022-jp',
        ],
        ...[
          'Content-Transfer-Encoding: base64',
          'Content-Transfer-Encoding: quoted-printable',
          'format=flowed',
          '<',
          '>',
          '@',
          ',',
          '(',
        ],
        ...[
          "filename*0*=utf-8''%",
          'Content-Disposition: attachment',
          'Content-ID: <a>',
          '<p>',
          '<table><tr><td>',
          '&amp',
          '<!--',
          '=E2=82',
        ],
      ),
      fc.string({ unit: codePoint, maxLength: 8 }),
    ),
    { maxLength: 60 },
  )
  .map((pieces) => Buffer.from(pieces.join(''), 'latin1'))

const anything = fc.oneof(
  scraps,
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
)

function leavesOf(root: PartNode): PartNode[] {
  const leaves: PartNode[] = []
  const waiting = [root]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (!node.type.startsWith('multipart/')) leaves.push(node)
    waiting.push(...(node.children ?? []))
  }
  return leaves
}

describe('any bytes', () => {
  test('are parsed, or refused by a limit, and nothing else', () => {
    fc.assert(
      fc.property(anything, (source) => {
        try {
          const { snippet, body, subject } = parseMessage(source)
          expect(snippet.length).toBeLessThanOrEqual(100)
          for (const text of [snippet, body, subject]) {
            expect(text.isWellFormed()).toBe(true)
            expect(text).not.toContain('\0')
          }
        } catch (error) {
          expect(error).toBeInstanceOf(MimeLimit)
        }
      }),
      { numRuns: runs(3_000) },
    )
  })

  test('give parts with unique numbers, inside the message', () => {
    fc.assert(
      fc.property(scraps, (source) => {
        const leaves = leavesOf(readStructure(source).root)
        const numbers = leaves.map(({ part }) => part)
        expect(new Set(numbers).size).toBe(numbers.length)
        for (const number of numbers) expect(number).toMatch(/^[1-9]\d*(\.[1-9]\d*)*$/)
        for (const { size } of leaves) {
          expect(size).toBeGreaterThanOrEqual(0)
          expect(size).toBeLessThanOrEqual(source.length)
        }
      }),
      { numRuns: runs(2_000) },
    )
  })

  test('survive base64 and quoted-printable', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), fc.constantFrom(4, 76), (bytes, width) => {
        const content = Buffer.from(bytes)
        const base64 = content.toString('base64').replaceAll(new RegExp(`.{${width}}`, 'g'), '$&\r\n')
        expect(decodeBytes(Buffer.from(base64), 'base64').equals(content)).toBe(true)
        const quoted = Array.from(content, (byte) => `=${byte.toString(16).padStart(2, '0')}`).join('=\r\n')
        expect(decodeBytes(Buffer.from(quoted), 'quoted-printable').equals(content)).toBe(true)
      }),
    )
  })
})

test('a subject survives encoded words, wherever they were split', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.array(fc.nat(60)), (subject, cuts) => {
      fc.pre(!/^\s|\s$|\0/.test(subject) && subject.isWellFormed())
      const bytes = Buffer.from(subject)
      const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
      const words = places.slice(1).map((end, i) => {
        const piece = bytes.subarray(places[i], end)
        const q = Array.from(piece, (byte) => `=${byte.toString(16).padStart(2, '0')}`).join('')
        return i % 2 === 0 ? `=?utf-8?B?${piece.toString('base64')}?=` : `=?UTF-8?q?${q}?=`
      })
      expect(decodeWords(words.join(' '))).toBe(subject)
    }),
  )
})

test('any body can be cleaned', () => {
  const flag = fc.boolean()
  const options = fc.record({
    ignore_links: flag,
    ignore_images: flag,
    images_as_markdown: flag,
    ignore_tables: flag,
    remove_conclusion_phrases: flag,
    html_as_markdown: flag,
  })
  const tags = 'div p b i a table tr td th ul ol li blockquote pre h1 br hr img head style script title span'.split(' ')
  const markup = fc
    .array(
      fc.oneof(
        fc.constantFrom(...tags.flatMap((tag) => [`<${tag}>`, `</${tag}>`])),
        fc.constantFrom(
          '<blockquote type=cite>',
          '<div class=gmail_quote>',
          '<div class="gmail_attr">',
          '<a href="http://x">',
          '<img src=cid:x>',
        ),
        fc.constantFrom(
          'On 3 March, Ann wrote:',
          'From: a',
          '\n',
          '> ',
          'Best',
          '&nbsp;',
          '&#x1f600;',
          '-----Original Message-----',
        ),
        fc.string({ maxLength: 6 }),
      ),
      { maxLength: 60 },
    )
    .map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(markup, flag, options, (body, isHtml, chosen) => {
      const text = clean(body, isHtml, chosen)
      expect(text).toBe(text.trimEnd())
      expect(text).not.toMatch(/\n\n\n/)
    }),
    { numRuns: runs(2_000) },
  )
})
