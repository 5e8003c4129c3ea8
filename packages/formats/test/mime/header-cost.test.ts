/**
 * Headers that a stranger wrote to be slow to read. `npm run check:full` reads 300 KB of each: a reader that searches the same
 * characters again for each position would need minutes, and the test would run out of time. `npm run check` reads half
 * of it, and `npm test` a fifth.
 */

import { isCheck, isFull } from '@waypost/testing/level'
import { describe, expect, test } from 'vitest'
import { readAddresses, readMessageIds } from '../../src/mime/addresses.ts'
import { readParameters } from '../../src/mime/headers.ts'
import { parseMessage } from '../../src/mime/mime.ts'
import { decodeWords } from '../../src/mime/words.ts'

const SIZE = isFull ? 300_000 : isCheck ? 150_000 : 60_000
const filled = (unit: string): string => unit.repeat(Math.ceil(SIZE / unit.length))

const HOSTILE: readonly (readonly [name: string, value: string])[] = [
  ['escaped quotes', filled('\\"')],
  ['quotes that open after escapes', filled('"\\"')],
  ['one quote and escapes', `"${filled('\\"')}`],
  ['opening quotes', filled('"a ')],
  ['opening comments', filled('(')],
  ['comments with escapes', filled('(\\)')],
  ['comments that close too early', `${filled('((a)')}`],
  ['opening brackets', filled('<')],
  ['brackets with quotes', filled('<"')],
  ['brackets with escaped quotes', filled('<"\\"')],
  ['brackets of domains', filled('[')],
  ['commas', filled(',')],
  ['words and commas', filled('a,')],
  ['spaces', filled(' ')],
  ['spaces before a word', `${filled(' ')}a`],
  ['a name of spaces', `a${filled(' ')}b <a@example.org>`],
  ['spaces before a dot', `a${filled(' ')}x.y@example.org`],
  ['tabs and commas', filled('\t ,')],
  ['signs', filled('@')],
  ['words and signs', filled('a @ ')],
  ['groups', filled('a:')],
  ['semicolons', filled(';')],
  ['encoded words that never end', filled('=?utf-8?q?a')],
  ['an encoded word that never ends', `=?utf-8?q?${filled('?')}`],
  ['encoded words of bytes', `=?utf-8?q?${filled('\u00fc')}`],
  ['many encoded words of UTF-7', filled('=?utf-7?q?+AAA?= ')],
  ['parameters', filled(';a=b')],
  ['parameters with parts', filled(';a*0=b')],
  ['parameters with escapes', `;a="${filled('\\"')}`],
  ['parameters that never close', filled(';a="')],
  ['carriage returns', filled('\r')],
  ['NUL', filled('\0')],
]

describe('headers that are made to be slow', () => {
  test.each(HOSTILE)('%s are read in linear time', (_, value) => {
    expect(readAddresses(value).every(({ email }) => email !== '')).toBe(true)
    expect(readMessageIds(value).every((id) => id !== '')).toBe(true)
    expect(typeof decodeWords(value)).toBe('string')
    expect(readParameters(`text/plain${value}`).value).not.toBe('')
  })

  test.each(HOSTILE)('%s do not cost a message its subject', (_, value) => {
    const line = value.slice(0, SIZE * 0.8).replaceAll(/[\r\n]/g, ' ')
    const header = `From: ${line}\r\nTo: ${line}\r\nContent-Type: text/plain; ${line}\r\nReferences: ${line}\r\n`
    const source = Buffer.from(`Subject: A letter\r\n${header}\r\nHello`, 'latin1')
    expect(parseMessage(source)).toMatchObject({ subject: 'A letter', body: expect.stringContaining('Hello') })
  })

  test('the limit of addresses holds, whatever the form of the list', () => {
    const plain = filled('a@example.org,')
    expect(readAddresses(plain, { max: 101 })).toHaveLength(101)
    expect(readAddresses(`(c) ${plain}`, { max: 101 })).toHaveLength(101)
    expect(readAddresses('team: a@example.org, b@example.org;', { max: 1 })).toEqual([{ email: 'a@example.org' }])
  })

  test('comments may contain comments, quotes and escapes at any depth', () => {
    expect(readAddresses('(a (b (c \\) (d)) "e") f) grace@example.org (x)')).toEqual([
      { name: 'x', email: 'grace@example.org' },
    ])
    expect(readAddresses('"Hopper \\"Amazing\\" Grace" <grace@example.org>, (never closed ada@example.org')).toEqual([
      { name: 'Hopper "Amazing" Grace', email: 'grace@example.org' },
      { email: 'ada@example.org', name: expect.any(String) },
    ])
  })
})
