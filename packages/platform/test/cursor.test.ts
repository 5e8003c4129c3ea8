import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { keyRingFromText } from '../src/crypto/key-ring.ts'
import { createSecrets } from '../src/crypto/secrets.ts'
import { createCursors } from '../src/cursor.ts'

const keyText = randomBytes(32).toString('base64')
const ring = keyRingFromText(keyText)
const cursors = createCursors(ring)
const binding = 'app_1 list-events calendar_id=primary&limit=50'
const position = ['2026-01-01T00:00:00Z', 'event_1']

describe('a cursor', () => {
  test('returns any position', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 2 }), fc.string({ unit: 'grapheme' }), (value, bound) => {
        const json = JSON.parse(JSON.stringify(value))
        fc.pre(JSON.stringify(json).length < 300)
        expect(cursors.open(cursors.seal(json, bound), bound)).toEqual(json)
      }),
    )
    for (const value of [null, false, 0, '']) expect(cursors.open(cursors.seal(value, binding), binding)).toBe(value)
  })

  test('is one opaque word that reveals nothing of the position', () => {
    const token = cursors.seal(position, binding)
    expect(token).toMatch(/^[\w-]+$/)
    expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('event_1')
    expect(cursors.seal(position, `${binding} other`)).not.toBe(token)
    // Another process does not have its key.
    expect(createCursors(ring).seal(position, binding)).not.toBe(token)
  })

  test('is refused with another application, route or filter', () => {
    const token = cursors.seal(position, binding)
    for (const other of ['', `${binding} `, binding.replace('app_1', 'app_2'), binding.replace('primary', 'other')]) {
      expect(cursors.open(token, other)).toBeUndefined()
    }
  })

  test('is refused after a flip of any bit', () => {
    const bytes = Buffer.from(cursors.seal(position, binding), 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const flipped = Buffer.from(bytes)
      flipped[bit >> 3] ^= 1 << (bit & 7)
      expect(cursors.open(flipped.toString('base64url'), binding)).toBeUndefined()
    }
  })

  test('is refused after a change of any character, cut anywhere, or with something added', () => {
    const token = cursors.seal(position, binding)
    for (let at = 0; at < token.length; at += 1) {
      expect(cursors.open(token.slice(0, at), binding)).toBeUndefined()
      for (const replacement of ['A', 'B', '=', '+', '.']) {
        if (token[at] === replacement) continue
        expect(cursors.open(token.slice(0, at) + replacement + token.slice(at + 1), binding)).toBeUndefined()
      }
    }
    for (const added of ['A', 'AAAA', '=', ' ', '\n', '\0'])
      expect(cursors.open(token + added, binding)).toBeUndefined()
  })

  test('is refused if it is made up', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String()), (text) => {
        expect(cursors.open(text, binding)).toBeUndefined()
      }),
    )
    const id = Buffer.from(ring.current().id, 'hex')
    for (const length of [0, 1, 27, 28, 29, 100]) {
      const forged = Buffer.concat([id, randomBytes(length)]).toString('base64url')
      expect(cursors.open(forged, binding)).toBeUndefined()
    }
  })

  test('is not a sealed secret, nor the other way round', () => {
    const secrets = createSecrets(ring)
    const context = { table: 'grants', column: 'token', application: 'app_1', row: 'grant_1' }
    const [, id, wrapped] = secrets.seal('x', context).split('.')
    const posing = Buffer.concat([Buffer.from(id, 'hex'), Buffer.from(wrapped, 'base64url')]).toString('base64url')
    expect(cursors.open(posing, '2:v16:grants5:token5:app_17:grant_1')).toBeUndefined()
    expect(() => secrets.open(cursors.seal(position, binding), context)).toThrow()
  })

  test('longer than 2 KB is neither issued nor accepted', () => {
    expect(cursors.open(cursors.seal('x'.repeat(1490), binding), binding)).toHaveLength(1490)
    expect(() => cursors.seal('x'.repeat(1600), binding)).toThrow(RangeError)
    expect(cursors.open('A'.repeat(2049), binding)).toBeUndefined()
    expect(cursors.open('A'.repeat(10_000_000), binding)).toBeUndefined()
  })

  test('survives a key rotation until the old key is dropped', () => {
    const newText = randomBytes(32).toString('base64')
    const token = cursors.seal(position, binding)
    const during = createCursors(keyRingFromText(`${newText},${keyText}`))
    const after = createCursors(keyRingFromText(newText))
    expect(during.open(token, binding)).toEqual(position)
    expect(after.open(token, binding)).toBeUndefined()
    expect(after.open(during.seal(position, binding), binding)).toEqual(position)
  })
})
