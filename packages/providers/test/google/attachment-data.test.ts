/** The content of an attachment, in an answer of Google that arrives in pieces. */
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { decodedData } from '../../src/google/gmail/attachments.ts'

const bytes = Buffer.concat([Buffer.from([0xfb, 0xff, 0xfe]), randomBytes(50_000)])

async function* arriving(text: string, pieceBytes: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < text.length; from += pieceBytes) yield Buffer.from(text.slice(from, from + pieceBytes))
}
const decoded = async (text: string, pieceBytes: number): Promise<string> =>
  Buffer.concat(await Array.fromAsync(decodedData(arriving(text, pieceBytes)))).toString('hex')

test.each([1, 7, 1_000, 1_000_000])('is decoded from pieces of %i bytes', async (pieceBytes) => {
  for (const size of [0, 1, 2, 3, 50_003]) {
    const data = bytes.subarray(0, size)
    const padded = data.toString('base64').replaceAll('+', '-').replaceAll('/', '_')
    const hex = data.toString('hex')
    expect(await decoded(`{\n  "data": "${data.toString('base64url')}"\n}\n`, pieceBytes)).toBe(hex)
    expect(await decoded(`{"size":${size},"data":"${padded}","more":"abcd"}`, pieceBytes)).toBe(hex)
    expect(await decoded(`{"data":"${padded.replaceAll('=', '\\u003d')}"}`, pieceBytes)).toBe(hex)
  }
})

test.each(['', '{}', '{"data":"aGVsbG8', '<html>', 'x'.repeat(2_000_000)])(
  'is refused if it is missing or cut off: %.20s',
  async (text) => {
    await expect(decoded(text, 100_000)).rejects.toMatchObject({ code: 'provider_unavailable' })
  },
)
