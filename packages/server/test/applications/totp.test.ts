/** Codes of authenticator apps, with the test vectors of the standards. */

import { fromBase32, toBase32 } from '@waypost/platform/crypto/base32'
import { describe, expect, test } from 'vitest'
import { codeAt, stepOf, stepOfCode, totpUri } from '../../src/applications/second-factor.ts'

const secret = Buffer.from('12345678901234567890')

describe('codes', () => {
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('of second %i is %s (RFC 6238, appendix B)', (time, code) => {
    expect(codeAt(secret, stepOf(time * 1000))).toBe(code)
  })

  test('of counters are those of RFC 4226, appendix D', () => {
    const codes = ['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489']
    expect(codes.map((_, counter) => codeAt(secret, counter))).toEqual(codes)
  })

  test('are valid in their step and the adjacent ones, and never before the last accepted one', () => {
    const now = 1_111_111_109_000
    const step = stepOf(now)
    const found = (at: number, after = 0) => stepOfCode(secret, codeAt(secret, at), { now, after })
    expect([step - 2, step - 1, step, step + 1, step + 2].map((each) => found(each))).toEqual([
      undefined,
      step - 1,
      step,
      step + 1,
      undefined,
    ])
    expect(found(step, step)).toBeUndefined()
    expect(found(step + 1, step)).toBe(step + 1)
    for (const code of ['', '28708', '2870820', '٢٨٧٠٨٢']) {
      expect(stepOfCode(secret, code, { now: 59_000, after: 0 })).toBeUndefined()
    }
  })
})

test('secrets are encoded as apps read them (RFC 4648, section 10)', () => {
  const texts = ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar']
  expect(texts.map((text) => toBase32(Buffer.from(text)))).toEqual([
    '',
    'MY',
    'MZXQ',
    'MZXW6',
    'MZXW6YQ',
    'MZXW6YTB',
    'MZXW6YTBOI',
  ])
  for (const text of texts) expect(fromBase32(toBase32(Buffer.from(text)))?.toString()).toBe(text)
  expect(fromBase32('MZXW1')).toBeUndefined()
  expect(totpUri('MZXW6', { issuer: 'Way post', account: 'a+b@example.com' })).toBe(
    'otpauth://totp/Way%20post:a%2Bb%40example.com?secret=MZXW6&issuer=Way%20post&algorithm=SHA1&digits=6&period=30',
  )
})
