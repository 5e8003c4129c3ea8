/** Weak passwords, and a bounded time to check any password. */

import { runs } from '@waypost/testing/level'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { weaknessOf } from '../../src/applications/password-policy.ts'

describe('a password', () => {
  test.each([
    ['aaaabbbb', 'has too few different characters'],
    ['wort wort wort ', undefined],
    ['abcdabcdabcd', 'repeats one short piece'],
    ['qwertz123', 'is a row of keys'],
    ['asdfghjklpoiuytrewq', 'is a row of keys'],
    ['asdfgh!!', 'is a row of keys'],
    ['31.12.1999', 'is a number or a date'],
    ['Passw0rd!', 'is one of the most common passwords'],
    ['iloveyoujessica1', 'is one of the most common passwords'],
    ['DragonMasterFootballMonkey', 'is one of the most common passwords'],
    ['a heron over the weir', undefined],
    ['correct horse battery staple', undefined],
    ['kQ7#vLp2', undefined],
  ])('%s: %s', (password, weakness) => {
    expect(weaknessOf(password)).toBe(weakness)
  })

  // Each can be split in millions of ways, all of which fail: trying all of them would take years.
  test.each([
    ['abcdefghijklm'.repeat(5)],
    ['qwertyuiop'.repeat(7)],
    [`${'0123456789'.repeat(6)}x!`],
    ['passpassword'.repeat(6)],
    [`${'asdasdf'.repeat(9)}#`],
    [`${'lovelylove'.repeat(6)}é`],
    [`${'abcabcdef'.repeat(200)}`],
  ])('%s is checked quickly', (password) => {
    for (const ending of ['', '#', 'q', 'é1']) weaknessOf(password.slice(0, 63) + ending)
  })

  test('of any letters is checked quickly', () => {
    const piece = fc.constantFrom(
      'abc',
      'cde',
      'love',
      'lovely',
      'pass',
      'password',
      'qwe',
      'rty',
      '123',
      '#',
      'é',
      '\n',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 400 }), (pieces) => void weaknessOf(pieces.join(''))),
      { numRuns: runs(500) },
    )
  })
})
