import { codePoint } from '@waypost/testing/code-points'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyOf, before, keysOf, parseNative, searchDay, since, type Token } from '../../src/imap/index/search.ts'

const day = 86_400
const at = Date.UTC(2026, 10, 15, 12) / 1000

describe('days of a search', () => {
  test('are written as IMAP writes them', () => {
    expect(searchDay(at)).toBe('15-Nov-2026')
    expect(searchDay(Date.UTC(2026, 0, 1) / 1000)).toBe('1-Jan-2026')
  })
  test('include every time zone on both sides', () => {
    expect(since(at)).toEqual([{ word: 'SINCE' }, { word: searchDay(at - day) }])
    expect(before(at)).toEqual([{ word: 'BEFORE' }, { word: searchDay(at + 2 * day) }])
  })
})

describe('filters as search keys', () => {
  test('no filters make no keys', () => expect(keysOf({})).toEqual([]))
  test('texts stay texts, whatever they contain', () => {
    expect(keysOf({ subject: 'SEEN" NOT DELETED' })).toEqual([{ word: 'SUBJECT' }, { text: 'SEEN" NOT DELETED' }])
  })
  test('words are texts that must all match', () => {
    const texts = ['NOT', 'two words'].flatMap((each) => [{ word: 'TEXT' }, { text: each }])
    expect(keysOf({ q: 'NOT "two words" -' })).toEqual(texts)
  })
  test('several addresses are alternatives', () => {
    expect(keysOf({ from: ['a@x', 'b@x'] })).toEqual([
      [{ word: 'OR' }, [{ word: 'FROM' }, { text: 'a@x' }], [{ word: 'FROM' }, { text: 'b@x' }]],
    ])
  })
  test('flags are searched as set or unset', () => {
    expect(keysOf({ unread: true, starred: false })).toEqual([{ word: 'UNSEEN' }, { word: 'UNFLAGGED' }])
  })
  test('any of no alternatives matches nothing', () => expect(anyOf([])).toEqual([{ word: 'NOT' }, { word: 'ALL' }]))
})

describe('a native search', () => {
  test('is parsed into words, texts and parentheses', () => {
    expect(parseNative('OR (FROM "a \\"b\\"" UNSEEN) LARGER 1000')).toEqual([
      { word: 'OR' },
      [{ word: 'FROM' }, { text: 'a "b"' }, { word: 'UNSEEN' }],
      { word: 'LARGER' },
      { word: '1000' },
    ])
  })
  test('accepts non-ASCII characters as text', () =>
    expect(parseNative('SUBJECT Grüße')).toEqual([{ word: 'SUBJECT' }, { text: 'Grüße' }]))
  test.each([
    '',
    '  ',
    '(UNSEEN',
    'UNSEEN)',
    'SUBJECT "open',
    'UNSEEN\r\nX LOGOUT',
    'SUBJECT {5}',
    `${'('.repeat(30)}ALL${')'.repeat(30)}`,
  ])('%j is refused', (query) => expect(() => parseNative(query)).toThrow('search_query_native'))
  test('never writes anything but its tokens', () => {
    const flat = (tokens: readonly Token[]): string[] =>
      tokens.flatMap((token) => (Array.isArray(token) ? flat(token) : 'word' in token ? [token.word] : []))
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (query) => {
        try {
          for (const word of flat(parseNative(query))) expect(word).toMatch(/^[\x21-\x7e]+$/)
        } catch (error) {
          expect(String(error)).toContain('search_query_native')
        }
      }),
    )
  })
})
