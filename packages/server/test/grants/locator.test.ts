import { randomUUID } from 'node:crypto'
import { providerKinds } from '@waypost/contract'
import { emailKey } from '@waypost/platform/email-key'
import { runs } from '@waypost/testing/level'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseLocator, reservedAddress } from '../../src/grants/locator.ts'

const id = '1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b'

describe('the grant segment of a path', () => {
  test.each([
    [id, { by: 'id', value: id }],
    [id.toUpperCase(), { by: 'id', value: id }],
    [`grant:${id}`, { by: 'id', value: id }],
    [`grant:${id.toUpperCase()}`, { by: 'id', value: id }],
    ['grant:not-a-uuid', { by: 'id', value: 'not-a-uuid' }],
    ['me', { by: 'me' }],
    ['a@x.test', { by: 'email', value: 'a@x.test' }],
    ['A@X.TEST', { by: 'email', value: 'a@x.test' }],
    [' a@x.test ', { by: 'email', value: 'a@x.test' }],
    ['email:A@x.test', { by: 'email', value: 'a@x.test' }],
    [`email:${id}`, { by: 'email', value: id }],
    ['email:me', { by: 'email', value: 'me' }],
    ['external:User-42', { by: 'external', value: 'User-42' }],
    ['external:email:a@x.test', { by: 'external', value: 'email:a@x.test' }],
    [`external:${id}`, { by: 'external', value: id }],
    ['Room 5', { by: 'email', value: 'room 5' }],
  ] as const)('parses %j', (segment, expected) => {
    expect(parseLocator(segment)).toEqual(expected)
  })

  test.each([
    '',
    'grant:',
    'email:',
    'external:',
    'me\0',
    'a@x.test\n',
    '\u0007',
    'a\u0085b',
    '\ud800',
    'x'.repeat(513),
  ])('matches no grant when it is %j', (segment) => {
    expect(parseLocator(segment)).toBeUndefined()
  })

  test('is read as an id before "me", and as both before an address', () => {
    expect(parseLocator(randomUUID())).toMatchObject({ by: 'id' })
    expect(parseLocator('me')).toEqual({ by: 'me' })
    for (const like of ['ME', 'Me', ' me', 'me ', 'me@', 'mé', 'ｍｅ', 'me\u200b', id.slice(1), `${id}0`, `{${id}}`]) {
      expect(parseLocator(like)).toMatchObject({ by: 'email' })
    }
  })
})

describe('the form in which addresses are compared', () => {
  test.each([
    ['A@x.test', 'a@x.test'],
    ['a@X.test', 'a@x.test'],
    ['\t a@x.test \u00a0', 'a@x.test'],
    // The same letters, composed and decomposed.
    ['zoe\u0308@x.test', 'zo\u00eb@x.test'],
    ['ÄRGER@X.TEST', 'ärger@x.test'],
    // One character in lower case, two in upper case.
    ['J\u030c@x.test', '\u01f0@x.test'],
    ['"A B"@x', '"a b"@x'],
  ])('equates %j and %j', (one, other) => {
    expect(emailKey(one)).toBe(emailKey(other))
  })

  test.each([
    ['a@x.test.', 'a trailing dot'],
    ['a+b@x.test', 'a tag'],
    ['ａ@x.test', 'a full-width letter'],
    ['а@x.test', 'a Cyrillic letter'],
    ['a@x.test@x.test', 'a second at sign'],
    ['a@x/../..', 'a path'],
    ['a%40x.test', 'an escape that was written out'],
    ['%2e%2e%2f', 'an escaped path'],
    ['a@x.test\u200b', 'an invisible letter'],
    ['.a@x.test', 'a leading dot'],
  ])('distinguishes %j from a@x.test: %s', (address) => {
    expect(emailKey(address)).not.toBe('a@x.test')
    expect(reservedAddress(address)).toBeUndefined()
    expect(parseLocator(address)).toEqual({ by: 'email', value: emailKey(address) })
  })

  test('is stable: the key of a key is the key', () => {
    const marked = fc.tuple(fc.constantFrom(...'HJTWYİŔÅΣK'), fc.integer({ min: 0x300, max: 0x345 }))
    const letter = marked.map(([base, mark]) => base + String.fromCodePoint(mark))
    fc.assert(
      fc.property(fc.array(fc.oneof(letter, fc.string({ unit: 'grapheme', maxLength: 3 }))), (parts) => {
        const text = parts.join('')
        expect(emailKey(emailKey(text))).toBe(emailKey(text))
      }),
      { numRuns: runs(2000) },
    )
  })
})

describe('an address that could be read as another locator', () => {
  test.each([
    ['', 'empty'],
    ['   ', 'empty'],
    ['\u00a0\u2003', 'empty'],
    ['me', 'reserved word'],
    ['ME', 'reserved word'],
    [' Me ', 'reserved word'],
    [id, 'form of a grant id'],
    [id.toUpperCase(), 'form of a grant id'],
    [` ${id} `, 'form of a grant id'],
    ['grant:x', 'must not start with'],
    ['GRANT:x', 'must not start with'],
    [' Email:a@x.test', 'must not start with'],
    ['external:', 'must not start with'],
    ['a\0b', 'control characters'],
    ['a\r\nb', 'control characters'],
    ['a\u0085b', 'control characters'],
    ['a\ud800', 'control characters'],
  ])('is refused: %j', (address, reason) => {
    expect(reservedAddress(address)).toContain(reason)
  })

  /** Identifiers of virtual accounts that the contract accepts. */
  const settings = providerKinds['virtual-calendar'].customSettings
  const trap = fc.constantFrom(
    'me',
    'ME',
    'grant:',
    'email:',
    'EXTERNAL:',
    id,
    id.toUpperCase(),
    ' ',
    '\u00a0',
    '\u2000',
  )
  const odd = fc.constantFrom('\u212a', 'İ', 'ß', 'Σ', '\u0308', '\u200b', '\ufeff', '%40', '/', '..', '@', ':', '"')
  const letters = fc.string({ unit: 'grapheme', maxLength: 12 })
  const address = fc
    .array(fc.oneof(trap, odd, letters, fc.emailAddress(), fc.uuid()), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join(''))

  test('is the only one refused: every accepted address is its own locator and no other', () => {
    fc.assert(
      fc.property(address, (text) => {
        fc.pre(settings.safeParse({ email: text }).success && reservedAddress(text) === undefined)
        const own = { by: 'email', value: emailKey(text) }
        // As the client gave it, as the grant has it, and in the explicit form.
        for (const segment of [text, text.trim(), `email:${text}`]) expect(parseLocator(segment)).toEqual(own)
      }),
      { numRuns: runs(3000) },
    )
  })

  test('is refused in every case, and with spaces around it', () => {
    const reserved = fc.oneof(
      fc.constant('me'),
      fc.uuid(),
      fc.tuple(fc.constantFrom('grant:', 'email:', 'external:'), letters).map((parts) => parts.join('')),
    )
    const spaces = fc.constantFrom('', ' ', '\t', '\u00a0 ')
    fc.assert(
      fc.property(reserved, spaces, spaces, fc.boolean(), (text, before, after, loud) => {
        const written = before + (loud ? text.toUpperCase() : text) + after
        expect(reservedAddress(written)).toBeDefined()
      }),
    )
  })
})
