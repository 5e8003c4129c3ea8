import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createDecoder, decodeBytes } from '../../src/mime/encoding.ts'

const inPieces = (bytes: Buffer, cuts: readonly number[], encoding: string): Buffer => {
  const decoder = createDecoder(encoding)
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  const pieces = places.slice(1).map((end, index) => decoder.push(bytes.subarray(places[index], end)))
  return Buffer.concat([...pieces, decoder.end()])
}

const cuts = fc.array(fc.nat(), { maxLength: 8 })

describe('content in chunks', () => {
  test('in base64 is the same as a whole, wherever it is split', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), cuts, fc.integer({ min: 1, max: 90 }), (content, where, width) => {
        const lines = Buffer.from(content)
          .toString('base64')
          .replace(new RegExp(`.{${width}}`, 'g'), '$&\r\n')
        expect(inPieces(Buffer.from(lines), where, 'base64')).toEqual(Buffer.from(content))
      }),
    )
  })
  test('in base64 of several padded parts is decoded to its end', () => {
    expect(inPieces(Buffer.from('aGU=\r\nbGw=\r\nbw=='), [3, 9], 'base64').toString()).toBe('hello')
  })
  test('in quoted-printable is the same as a whole, wherever it is split', () => {
    const text = fc.array(fc.constantFrom('=', '=3D', '=\r\n', '\r\n', 'a', '=C3=BC', ' ', '\t', '=4', '\n'), {
      maxLength: 60,
    })
    fc.assert(
      fc.property(text, cuts, (parts, where) => {
        const bytes = Buffer.from(parts.join(''))
        expect(inPieces(bytes, where, 'quoted-printable')).toEqual(decodeBytes(bytes, 'quoted-printable'))
      }),
    )
  })
  test.each(['7bit', 'binary', 'x-unknown'])('in %s stays unchanged', (encoding) => {
    expect(inPieces(Buffer.from('a=3D\0'), [1, 2], encoding).toString()).toBe('a=3D\0')
  })
})
