/**
 * Any Unicode character, as the unit of random texts: `fc.string({ unit: codePoint })`. The `binary` unit of fast-check
 * first builds a map of all characters, which costs two seconds of processor time in each worker, only to shrink
 * examples better.
 */
import fc from 'fast-check'

const firstSurrogate = 0xd800
const surrogates = 0x800

export const codePoint: fc.Arbitrary<string> = fc
  .nat({ max: 0x10ffff - surrogates })
  .map((index) => String.fromCodePoint(index < firstSurrogate ? index : index + surrogates))
