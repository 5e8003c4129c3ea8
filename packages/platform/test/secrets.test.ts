import { createCipheriv, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { codePoint } from '@waypost/testing/code-points'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createKeyFile, dropKeys, keyRingFromFile, keyRingFromText, prependKey } from '../src/crypto/key-ring.ts'
import { createSecrets, deriveKey, encryptBytes, type SealContext, SecretsError } from '../src/crypto/secrets.ts'

const canary = 'canary-refresh-token-1//0gXyZ'
const context: SealContext = { table: 'grants', column: 'refresh_token', application: 'app_1', row: 'grant_1' }
const keyText = randomBytes(32).toString('base64')
const ring = keyRingFromText(keyText)
const secrets = createSecrets(ring)

function refuse(sealed: string, where: SealContext = context): void {
  let thrown: unknown
  try {
    secrets.open(sealed, where)
  } catch (error) {
    thrown = error
  }
  expect(thrown).toBeInstanceOf(SecretsError)
  const message = String(thrown)
  expect(message).not.toContain(canary)
  for (const part of sealed.split('.').slice(2)) if (part.length > 8) expect(message).not.toContain(part)
}

describe('sealing', () => {
  test('returns any text and any bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), fc.uint8Array(), (text, bytes) => {
        expect(secrets.open(secrets.seal(text, context), context)).toBe(text)
        const buffer = Buffer.from(bytes)
        expect(secrets.openBytes(secrets.seal(buffer, context), context)).toEqual(buffer)
      }),
    )
  })

  test('keeps a byte order mark and the empty text', () => {
    for (const text of ['', '\ufefftoken', '\0']) expect(secrets.open(secrets.seal(text, context), context)).toBe(text)
  })

  test('writes the documented format without the plaintext', () => {
    const sealed = secrets.seal(canary, context)
    expect(sealed).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]{80}\.[\w-]+$/)
    expect(secrets.keyIdOf(sealed)).toBe(ring.current().id)
    expect(sealed).not.toContain(canary)
    expect(sealed).not.toContain(Buffer.from(canary).toString('base64url').slice(0, 20))
  })

  test('refuses text that UTF-8 would change, and reading bytes that are not text as text', () => {
    expect(() => secrets.seal('\ud800', context)).toThrow(SecretsError)
    expect(() => secrets.open(secrets.seal(Buffer.from([0xff]), context), context)).toThrow(SecretsError)
  })

  test('never repeats an initialization vector or a data key', () => {
    const seen = new Set<string>()
    const key = randomBytes(32)
    const nothing = Buffer.alloc(0)
    for (let count = 0; count < 20_000; count += 1) {
      seen.add(encryptBytes(key, nothing, nothing).toString('latin1', 0, 12))
    }
    expect(seen.size).toBe(20_000)
    const sealed = Array.from({ length: 1000 }, () => secrets.seal('same', context).split('.'))
    expect(new Set(sealed.map((parts) => parts[2])).size).toBe(1000)
    expect(new Set(sealed.map((parts) => parts[3])).size).toBe(1000)
  })
})

describe('opening refuses', () => {
  test('a value moved to another row, application, column or table', () => {
    const sealed = secrets.seal(canary, context)
    for (const field of ['table', 'column', 'application', 'row'] as const) {
      refuse(sealed, { ...context, [field]: 'other' })
    }
  })

  test('the values of two rows swapped, whole or in part', () => {
    const other = { ...context, row: 'grant_2' }
    const mine = secrets.seal(canary, context)
    const theirs = secrets.seal('theirs', other)
    refuse(theirs, context)
    refuse(mine, other)
    const [version, id, , payload] = mine.split('.')
    refuse([version, id, theirs.split('.')[2], payload].join('.'))
    refuse([version, id, mine.split('.')[2], theirs.split('.')[3]].join('.'))
  })

  test('mixed parts of two values of the same place', () => {
    const a = secrets.seal(canary, context).split('.')
    const b = secrets.seal('older token', context).split('.')
    refuse([a[0], a[1], b[2], a[3]].join('.'))
  })

  test('a context whose parts only look the same when joined', () => {
    const sealed = secrets.seal(canary, { ...context, table: 'a', column: 'bc' })
    refuse(sealed, { ...context, table: 'ab', column: 'c' })
    refuse(secrets.seal(canary, { ...context, table: 'a1:b', column: '' }), { ...context, table: 'a', column: 'b' })
  })

  test('a flip of any bit of any byte', () => {
    const [version, id, ...parts] = secrets.seal(canary, context).split('.')
    for (const part of [0, 1]) {
      const bytes = Buffer.from(parts[part], 'base64url')
      for (let bit = 0; bit < bytes.length * 8; bit += 1) {
        const flipped = Buffer.from(bytes)
        flipped[bit >> 3] ^= 1 << (bit & 7)
        refuse([version, id, ...parts.with(part, flipped.toString('base64url'))].join('.'))
      }
    }
  })

  test('any other character at any place of the text', () => {
    const sealed = secrets.seal(canary, context)
    for (let at = 0; at < sealed.length; at += 1) {
      for (const replacement of ['A', 'B', '0', '.', '=', '+', ' ']) {
        if (sealed[at] !== replacement) refuse(sealed.slice(0, at) + replacement + sealed.slice(at + 1))
      }
    }
  })

  test('a text cut anywhere or with something added', () => {
    const sealed = secrets.seal(canary, context)
    for (let length = 0; length < sealed.length; length += 1) refuse(sealed.slice(0, length))
    for (const added of ['A', '=', '.', '.AAAA', ' ', '\n', '\0']) refuse(sealed + added)
    refuse(` ${sealed}`)
  })

  test('a tag cut to four bytes', () => {
    const [version, id, wrapped, payload] = secrets.seal(canary, context).split('.')
    for (const length of [0, 4, 8, 12, 15]) {
      const short = Buffer.from(payload, 'base64url').subarray(0, length - 16)
      refuse([version, id, wrapped, short.toString('base64url')].join('.'))
    }
  })

  test('a tag of four bytes, even if it is right for the right key', () => {
    const aad = Buffer.from('2:v16:grants13:refresh_token5:app_17:grant_1')
    const dek = randomBytes(32)
    const wrapped = encryptBytes(deriveKey(ring.current(), 'wrap data key'), dek, aad)
    const sealWithTag = (authTagLength: number) => {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', dek, iv, { authTagLength }).setAAD(aad)
      const payload = Buffer.concat([iv, cipher.update(canary), cipher.final(), cipher.getAuthTag()])
      return ['v1', ring.current().id, wrapped.toString('base64url'), payload.toString('base64url')].join('.')
    }
    expect(secrets.open(sealWithTag(16), context)).toBe(canary)
    for (const length of [4, 8, 12, 15]) refuse(sealWithTag(length))
  })

  test('cleartext and anything else that is not sealed', () => {
    const odd = ['', canary, 'v1', 'v1...', `v1.${ring.current().id}..`, 'null', '{"token":"x"}', 'v0.a.b.c', '....']
    for (const text of odd) refuse(text)
    expect(() => secrets.keyIdOf(canary)).toThrow(SecretsError)
    expect(() => secrets.rewrap(canary, context)).toThrow(SecretsError)
    fc.assert(fc.property(fc.string(), (text) => refuse(text)))
  })

  test('another version', () => {
    refuse(secrets.seal(canary, context).replace('v1.', 'v2.'))
  })

  test('a missing key, naming only the key', () => {
    const foreign = createSecrets(keyRingFromText(randomBytes(32).toString('hex'))).seal(canary, context)
    refuse(foreign)
    expect(() => secrets.open(foreign, context)).toThrow(secrets.keyIdOf(foreign))
    expect(() => secrets.rewrap(foreign, context)).toThrow(SecretsError)
  })

  test('a key id exchanged for that of another key in the ring', () => {
    const both = keyRingFromText(`${randomBytes(32).toString('hex')},${keyText}`)
    const [version, , ...rest] = secrets.seal(canary, context).split('.')
    const claimed = [version, both.current().id, ...rest].join('.')
    expect(() => createSecrets(both).open(claimed, context)).toThrow(SecretsError)
  })
})

describe('rotation', () => {
  test('re-wraps only the data key, and the old key can be removed', () => {
    const oldText = randomBytes(32).toString('base64')
    const newText = randomBytes(32).toString('base64')
    const before = createSecrets(keyRingFromText(oldText))
    const during = createSecrets(keyRingFromText(`${newText},${oldText}`))
    const after = createSecrets(keyRingFromText(newText))

    const sealed = before.seal(canary, context)
    expect(during.open(sealed, context)).toBe(canary)
    const rewrapped = during.rewrap(sealed, context)
    expect(rewrapped.split('.')[3]).toBe(sealed.split('.')[3])
    expect(during.keyIdOf(rewrapped)).not.toBe(during.keyIdOf(sealed))
    expect(during.rewrap(rewrapped, context)).toBe(rewrapped)
    expect(after.open(rewrapped, context)).toBe(canary)
    expect(() => after.open(sealed, context)).toThrow(SecretsError)
    expect(() => before.open(rewrapped, context)).toThrow(SecretsError)
  })

  test('does not re-wrap a value for another place', () => {
    const oldText = randomBytes(32).toString('base64')
    const sealed = createSecrets(keyRingFromText(oldText)).seal(canary, context)
    const during = createSecrets(keyRingFromText(`${randomBytes(32).toString('base64')},${oldText}`))
    expect(() => during.rewrap(sealed, { ...context, row: 'grant_2' })).toThrow(SecretsError)
  })

  test('fails no open in a running server, from the new key to the dropped old one', () => {
    const folder = mkdtempSync(join(tmpdir(), 'waypost-rotation-'))
    try {
      const path = join(folder, 'keys')
      const oldId = createKeyFile(path)
      let time = 0
      const server = createSecrets(keyRingFromFile(path, () => time))
      let rows = Array.from({ length: 20 }, (_, row) => ({ row: `grant_${row}`, sealed: '' }))
      rows = rows.map(({ row }) => ({ row, sealed: server.seal(row, { ...context, row }) }))

      prependKey(path)
      const worker = createSecrets(keyRingFromFile(path, () => time))
      for (const row of rows.slice(0, 10)) row.sealed = worker.rewrap(row.sealed, { ...context, row: row.row })
      // The worker was killed half-way; the server's ring has not read the file yet.
      for (const { row, sealed } of rows) expect(server.open(sealed, { ...context, row })).toBe(row)
      for (const row of rows) row.sealed = worker.rewrap(row.sealed, { ...context, row: row.row })
      time = 1000
      expect(rows.filter((row) => server.keyIdOf(row.sealed) === oldId)).toEqual([])
      dropKeys(path, [oldId])
      time = 2000
      for (const { row, sealed } of rows) expect(server.open(sealed, { ...context, row })).toBe(row)
      expect(server.keyIdOf(server.seal(canary, context))).not.toBe(oldId)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('deriving', () => {
  test('returns 32 bytes that depend only on key and purpose', () => {
    const other = keyRingFromText(randomBytes(32).toString('hex')).current()
    const key = ring.current()
    expect(deriveKey(key, 'a')).toHaveLength(32)
    expect(deriveKey(key, 'a')).toEqual(deriveKey(key, 'a'))
    expect(deriveKey(key, 'a')).not.toEqual(deriveKey(key, 'b'))
    expect(deriveKey(key, 'a')).not.toEqual(deriveKey(other, 'a'))
    expect(deriveKey(key, 'a')).not.toEqual(key.bytes)
  })
})
