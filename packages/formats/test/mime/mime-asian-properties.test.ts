/** Text in Asian charsets is decoded, however a mailer split it into encoded words. */

import { runs } from '@waypost/testing/level'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readAddresses } from '../../src/mime/addresses.ts'
import { createDecoder, decodeBytes } from '../../src/mime/encoding.ts'
import { decodeWords } from '../../src/mime/words.ts'

/** A character of two seven-bit bytes. */
type Pair = readonly [number, number]
type Run = { readonly ascii: string } | { readonly pairs: readonly Pair[] }

interface Stateful {
  readonly charset: string
  /** The charset that has the same characters with the eighth bit set. */
  readonly euc: string
  readonly rows: readonly [number, number]
  readonly opening: string
  readonly into: string
  readonly back: string
}

const stateful: readonly Stateful[] = [
  { charset: 'ISO-2022-JP', euc: 'euc-jp', rows: [0x30, 0x4e], opening: '', into: '\x1b$B', back: '\x1b(B' },
  { charset: 'iso-2022-jp', euc: 'euc-jp', rows: [0x24, 0x24], opening: '', into: '\x1b$@', back: '\x1b(J' },
  { charset: 'iso-2022-kr', euc: 'euc-kr', rows: [0x30, 0x47], opening: '\x1b$)C', into: '\x0e', back: '\x0f' },
  { charset: 'hz-gb-2312', euc: 'gb18030', rows: [0x30, 0x56], opening: '', into: '~{', back: '~}' },
]

const stretches = ({ rows: [first, last] }: Stateful): fc.Arbitrary<Run[]> =>
  fc.array(
    fc.oneof(
      fc.stringMatching(/^[A-Za-z0-9 .,!]{1,8}$/).map((ascii) => ({ ascii })),
      fc
        .array(fc.tuple(fc.integer({ min: first, max: last }), fc.integer({ min: 0x21, max: 0x72 })), {
          minLength: 1,
          maxLength: 6,
        })
        .map((pairs) => ({ pairs })),
    ),
    { minLength: 1, maxLength: 6 },
  )

const textOf = (all: readonly Run[], { euc }: Stateful): string =>
  all
    .map((run) =>
      'ascii' in run
        ? run.ascii
        : new TextDecoder(euc).decode(Buffer.from(run.pairs.flatMap(([a, b]) => [a | 0x80, b | 0x80]))),
    )
    .join('')

const bytesOf = (all: readonly Run[], { opening, into, back }: Stateful): Buffer =>
  Buffer.from(
    `${opening}${all
      .map((run) => ('ascii' in run ? run.ascii : `${into}${Buffer.from(run.pairs.flat()).toString('latin1')}${back}`))
      .join('')}`,
    'latin1',
  )

const inWord = (charset: string, bytes: Buffer, isQ: boolean): string =>
  isQ
    ? `=?${charset}?Q?${Array.from(bytes, (byte) => `=${byte.toString(16).padStart(2, '0')}`).join('')}?=`
    : `=?${charset}?B?${bytes.toString('base64')}?=`

describe.each(stateful)('$charset over $euc', (form) => {
  test('is decoded from words that are each complete', () => {
    fc.assert(
      fc.property(stretches(form), fc.boolean(), (all, isQ) => {
        const words = all.map((run) => inWord(form.charset, bytesOf([run], form), isQ))
        expect(decodeWords(words.join(' '))).toBe(textOf(all, form))
      }),
    )
  })

  test('is decoded from words that were split anywhere but in an escape', () => {
    fc.assert(
      fc.property(stretches(form), fc.array(fc.nat(), { maxLength: 4 }), (all, cuts) => {
        const bytes = bytesOf(all, form)
        const isWhole = (at: number): boolean =>
          ![form.opening, form.into, form.back].some((mark) =>
            Array.from(mark.slice(1), (_, i) =>
              bytes.toString('latin1', at - i - 1, at - i - 1 + mark.length),
            ).includes(mark),
          )
        const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).filter(isWhole), bytes.length].sort(
          (a, b) => a - b,
        )
        const words = places.slice(1).map((end, i) => inWord(form.charset, bytes.subarray(places[i], end), i % 2 === 1))
        expect(decodeWords(words.join('\r\n '))).toBe(textOf(all, form))
      }),
    )
  })
})

test.each(['euc-jp', 'euc-kr', 'gb18030', 'big5', 'shift_jis', 'utf-8'])(
  '%s is decoded from words that were split anywhere',
  (charset) => {
    const lead = charset === 'shift_jis' ? [0x88, 0x97] : [0xb0, 0xc5]
    const pair = fc.tuple(fc.integer({ min: lead[0] ?? 0, max: lead[1] ?? 0 }), fc.integer({ min: 0xa1, max: 0xf0 }))
    fc.assert(
      fc.property(
        fc.array(pair, { minLength: 1, maxLength: 20 }),
        fc.array(fc.nat(), { maxLength: 6 }),
        (pairs, cuts) => {
          const raw = Buffer.from(pairs.flat())
          const text =
            charset === 'utf-8' ? new TextDecoder('euc-kr').decode(raw) : new TextDecoder(charset).decode(raw)
          fc.pre(!/[\ufffd\0]/.test(text))
          const bytes = charset === 'utf-8' ? Buffer.from(text) : raw
          const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
          const words = places.slice(1).map((end, i) => inWord(charset, bytes.subarray(places[i], end), i % 2 === 0))
          expect(decodeWords(words.join(' '))).toBe(text)
        },
      ),
    )
  },
)

describe('a list of addresses', () => {
  const address = fc.stringMatching(/^[a-z]{1,6}@[a-z]{1,6}\.example$/)
  const scrap = fc.oneof(
    fc.constantFrom('<', '>', '"', '\\', '(', ')', ',', ';', ':', '@', ' ', 'a@b.example', '<v@bank.example>', '.'),
    fc.string({ maxLength: 4 }),
  )
  const hostile = fc.array(scrap, { maxLength: 8 }).map((pieces) => pieces.join('').replaceAll(/[\r\n\0]/g, ''))
  const written = (name: string, kind: number): string =>
    kind === 0
      ? `"${name.replaceAll(/["\\]/g, '\\$&')}"`
      : `=?utf-8?${kind === 1 ? `B?${Buffer.from(name).toString('base64')}` : `Q?${Array.from(Buffer.from(name), (byte) => `=${byte.toString(16).padStart(2, '0')}`).join('')}`}?=`

  test('has exactly the addresses in brackets, whatever the names are', () => {
    const entry = fc.tuple(hostile, address, fc.nat(2))
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 4 }), (entries) => {
        fc.pre(entries.every(([name]) => !name.includes('=?')))
        const header = entries.map(([name, email, kind]) => `${written(name, kind)} <${email}>`).join(', ')
        expect(readAddresses(header).map(({ email }) => email)).toEqual(entries.map(([, email]) => email))
      }),
      { numRuns: runs(1_000) },
    )
  })

  test('never has more addresses than entries', () => {
    fc.assert(
      fc.property(hostile, (header) => {
        const marks = header.match(/[,;:]/g)?.length ?? 0
        expect(readAddresses(header).length).toBeLessThanOrEqual(marks + 1)
      }),
      { numRuns: runs(2_000) },
    )
  })

  test.each(['(', '<', '"', 'a,', '((a)', '<"', '\\(', 'a@', 'a@b ', '"a" ', '=?a?q?'])(
    'is parsed in linear time: %s',
    (piece) => {
      expect(readAddresses(piece.repeat(100_000 / piece.length)).length).toBeLessThanOrEqual(100_000)
    },
  )
})

test('a uuencoded file is the same as a whole and in chunks, wherever it is split', () => {
  const encode = (content: Buffer): string => {
    const lines: string[] = []
    const digit = (bits: number): string => String.fromCharCode((bits & 0x3f || 0x40) + 0x20)
    for (let at = 0; at < content.length; at += 45) {
      const line = content.subarray(at, at + 45)
      let text = digit(line.length)
      for (let i = 0; i < line.length; i += 3) {
        const bits = ((line[i] ?? 0) << 16) | ((line[i + 1] ?? 0) << 8) | (line[i + 2] ?? 0)
        text += digit(bits >> 18) + digit(bits >> 12) + digit(bits >> 6) + digit(bits)
      }
      lines.push(text)
    }
    return ['A word before', 'begin 644 a b.bin', ...lines, '`', 'end', 'and one after', ''].join('\r\n')
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.array(fc.nat(), { maxLength: 6 }), (content, cuts) => {
      const bytes = Buffer.from(encode(Buffer.from(content)), 'latin1')
      expect(decodeBytes(bytes, 'x-uuencode').equals(Buffer.from(content))).toBe(true)
      const decoder = createDecoder('uuencode')
      const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
      const pieces = places.slice(1).map((end, i) => decoder.push(bytes.subarray(places[i], end)))
      expect(Buffer.concat([...pieces, decoder.end()]).equals(Buffer.from(content))).toBe(true)
    }),
  )
  expect(decodeBytes(Buffer.from('no file here'), 'x-uuencode').toString()).toBe('no file here')
})
