/** Content lines: no text loses anything, values are decoded, and no text takes too long. */

import { runs } from '@waypost/testing/level'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changedLine, lineOf } from '../../src/icalendar/content-line-changes.ts'
import {
  ComponentNode,
  ContentLine,
  ContentTooLarge,
  type Item,
  parameterValues,
  parseItems,
  unescapeText,
  writeItems,
} from '../../src/icalendar/content-lines.ts'
import { type Parameters, text } from '../../src/icalendar/icalendar.ts'

const lineIn = (raw: string): ContentLine => {
  const [item] = parseItems(raw)
  if (!(item instanceof ContentLine)) throw new Error('no line')
  return item
}

/** Parts of texts that look like calendars. */
const piece = fc.oneof(
  fc.constantFrom(
    'BEGIN:VCALENDAR',
    'END:VCALENDAR',
    'BEGIN:VEVENT',
    'END:VEVENT',
    'BEGIN:VTIMEZONE',
    'END:VTIMEZONE',
    'end:vtimezone',
    'END:VTIMEZONEX',
    'BEGIN:',
    'END',
    ';',
    ':',
    '"',
    '\\',
    '^',
    '\ufeff',
    'SUMMARY',
    'TZID=',
    'X-A;B="c',
  ),
  fc.constantFrom('\r\n', '\n', '\r', '\r\r\n', '\r\n ', '\n\t', '\n\n', ' '),
  fc.string({ unit: 'binary', maxLength: 8 }),
)

describe('a tree of content lines', () => {
  test('returns every text that it was parsed from', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const whole = pieces.join('')
        const items = parseItems(whole)
        expect(writeItems(items)).toBe(whole)
        const touch = (all: readonly Item[]): void => {
          for (const one of all) if (one instanceof ComponentNode) touch(one.items)
        }
        touch(items)
        expect(writeItems(items)).toBe(whole)
      }),
      { numRuns: runs(2000) },
    )
  })

  test('reads values and parameters in any folding', () => {
    const name = fc.stringMatching(/^[A-Z][A-Z-]{0,10}$/)
    const free = fc
      .string({ unit: 'grapheme', maxLength: 60 })
      .map((one) => one.replace(/[^\P{Cc}\n]/gu, '').toWellFormed())
    fc.assert(
      fc.property(
        name,
        free,
        fc.dictionary(fc.stringMatching(/^X-[A-Z]{1,6}$/), free, { maxKeys: 3 }),
        fc.array(fc.nat(400), { maxLength: 6 }),
        (property, value, parameters, cuts) => {
          fc.pre(property !== 'BEGIN' && property !== 'END')
          const written: Parameters = parameters
          const { raw } = lineOf(text(property, value, written))
          const plain = raw.replace(/\r\n /g, '').replace(/\r\n$/, '')
          const points = [...plain]
          for (const cut of cuts) points.splice(cut % (points.length + 1), 0, '\r\n ')
          const line = lineIn(`${points.join('').replace(/^\r\n /, '')}\r\n`)
          expect(unescapeText(line.value)).toBe(unescapeText(text(property, value).value))
          expect(line.name).toBe(property)
          for (const [key, each] of Object.entries(parameters)) {
            expect(line.parameter(key)?.replace(/\s/g, '')).toBe(
              each.replace(/\u2028|\u2029|\u0085/g, '').replace(/\s/g, ''),
            )
          }
        },
      ),
      { numRuns: runs(500) },
    )
  })

  test('changes only the requested part of a line', () => {
    const line = lineIn('ATTENDEE;CN="A ^n B";partstat=accepted;X-A=1,"2,3";RSVP=TRUE:mailto:a@example.com\r\n')
    expect(changedLine(line, { parameters: { PARTSTAT: 'accepted' } })).toBe(line)
    expect(
      changedLine(line, { parameters: { PARTSTAT: 'DECLINED', RSVP: undefined, 'X-NEW': 'a;b' } }).raw.replace(
        '\r\n ',
        '',
      ),
    ).toBe('ATTENDEE;CN="A ^n B";PARTSTAT=DECLINED;X-A=1,"2,3";X-NEW="a;b":mailto:a@example.com\r\n')
    expect(changedLine(line, { value: 'mailto:b@example.com' }).value).toBe('mailto:b@example.com')
  })

  test('splits lists at their separators', () => {
    expect(parameterValues('"mailto:a@b.c","mailto:d, e@f.g",h')).toEqual(['mailto:a@b.c', 'mailto:d, e@f.g', 'h'])
  })

  test('keeps the group prefix of vCard', () => {
    expect(lineIn('item1.EMAIL;type=INTERNET:a@example.com\n')).toMatchObject({
      name: 'EMAIL',
      group: 'item1',
      value: 'a@example.com',
    })
  })
})

describe('a malicious text', () => {
  const calendar = (inner: string): string => `BEGIN:VCALENDAR\r\n${inner}END:VCALENDAR\r\n`

  test.each<[string, string]>([
    ['one line of a million folds', calendar(`SUMMARY:${'x\r\n '.repeat(1_000_000)}\r\n`)],
    ['one value of 4 million quotes', calendar(`SUMMARY;CN=${'"'.repeat(4_000_001)}:x\r\n`)],
    ['forty thousand lines', calendar('X-A:1\r\n'.repeat(40_000))],
    [
      'twenty thousand zones that end in small letters',
      calendar('BEGIN:VTIMEZONE\r\nend:vtimezone\r\n'.repeat(20_000)),
    ],
    [
      'twenty thousand zones that end in another name',
      calendar(`${'BEGIN:VTIMEZONE\r\nend:vtimezone\r\n'.repeat(20_000)}END:VTIMEZONEX\r\n`),
    ],
    ['forty thousand ends', calendar('END:VEVENT\r\n'.repeat(40_000))],
    ['a hundred thousand parameters', calendar(`X-A${';P=1'.repeat(100_000)}:1\r\n`)],
  ])('is parsed in one pass: %s', (_, bomb) => {
    const [item] = parseItems(bomb)
    if (!(item instanceof ComponentNode)) throw new Error('no component')
    const read = item.lines.reduce((sum, line) => sum + line.value.length + line.parameters.length, 0)
    expect(read).toBeLessThan(bomb.length)
    expect(item.text.length).toBe(bomb.length)
  })

  test.each<[string, string]>([
    ['more than 50,000 lines', calendar('X-A:1\n'.repeat(50_001))],
    ['more than 10 million characters', calendar(`X-A:${'x'.repeat(10_000_000)}\n`)],
    ['components in components in components', 'BEGIN:VCALENDAR\n'.repeat(17)],
  ])('is refused: %s', (_, bomb) => {
    expect(() => parseItems(bomb)).toThrow(ContentTooLarge)
  })
})
