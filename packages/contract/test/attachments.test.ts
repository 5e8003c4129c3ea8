import { expect, test } from 'vitest'
import { OutgoingAttachment } from '../src/outgoing.ts'

const problemOf = (content: string): string | undefined =>
  OutgoingAttachment.safeParse({ filename: 'file.bin', content }).error?.issues[0]?.message

const long = Buffer.alloc(200_000, 'bytes of a file ').toString('base64')
const wrong = 'must be the content of the file in base64'

test.for<[string, string, string | undefined]>([
  ['as it is usually written', long, undefined],
  ['padded', 'QQ==', undefined],
  ['without its padding', 'QQ', undefined],
  ['in lines', long.replace(/.{76}/g, '$&\r\n'), undefined],
  ['in the alphabet of URLs', '-_-_', undefined],
  ['in both alphabets', '-_+/', undefined],
  ['empty', '', 'must not be empty'],
  ['a line break alone', '\n', 'must not be empty'],
  ['one character', 'A', wrong],
  ['one character too many', `${long.replace(/=+$/, '')}A`.slice(0, 4 * 20_000 + 1), wrong],
  ['a space', 'QUJD RA', wrong],
  ['a space in place of a character', 'QUJD R==', wrong],
  ['a space where two pieces meet', `${long.slice(0, 65_535)} ${long.slice(65_536)}`, wrong],
  ['an end within', `${long.slice(0, 65_535)}=${long.slice(65_536)}`, wrong],
  ['a letter of no alphabet', `${long.slice(0, 100)}é${long.slice(101)}`, wrong],
])('a file in base64, %s', ([, content, problem]) => {
  expect(problemOf(content)).toBe(problem)
})
