/**
 * Any character of Unicode, as the unit of random texts: `fc.string({ unit: codePoint })`. Fast-check's own `binary` first
 * makes a map of all of them, which costs two seconds of a processor in each worker, and only serves its shorter examples.
 */
import fc from 'fast-check'

const firstSurrogate = 0xd800
const surrogates = 0x800

export const codePoint: fc.Arbitrary<string> = fc
  .nat({ max: 0x10ffff - surrogates })
  .map((index) => String.fromCodePoint(index < firstSurrogate ? index : index + surrogates))
