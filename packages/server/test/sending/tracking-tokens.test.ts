/** Tokens of tracked links and pixels: foreign and changed tokens are rejected. */
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { keyRingFromText } from '@waypost/platform/crypto/key-ring'
import { deriveKey } from '@waypost/platform/crypto/secrets'
import { describe, expect, test } from 'vitest'
import { createTrackingTokens, sealOf } from '../../src/sending/tracking/tokens.ts'

const newKey = (): string => randomBytes(32).toString('base64')
const keys = { old: newKey(), newer: newKey(), foreign: newKey() }
const ring = keyRingFromText(keys.old)
const tokens = createTrackingTokens(ring)
const sendId = randomUUID()
const link = { sendId, link: 7, target: 'https://www.example.com/a?b=c' }

describe('a token', () => {
  test('identifies its link and message, or the pixel', () => {
    const text = tokens.sign(link)
    expect(text).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]+\.[\w-]{22}$/)
    expect(tokens.read(text)).toEqual({ sendId, link: 7, seal: sealOf(text), isChecked: true })
    expect(tokens.read(tokens.sign({ sendId, link: undefined }))).toMatchObject({ sendId, link: undefined })
  })

  test('is the same at every attempt, and different for every message, link and target', () => {
    expect(tokens.sign(link)).toBe(tokens.sign(link))
    const others = [
      tokens.sign({ ...link, sendId: randomUUID() }),
      tokens.sign({ ...link, link: 8 }),
      tokens.sign({ ...link, target: 'https://www.example.com/a?b=d' }),
      tokens.sign({ sendId, link: undefined }),
      tokens.sign(link),
    ]
    expect(new Set(others).size).toBe(others.length)
  })

  test('is invalid once any of its characters changes', () => {
    const text = tokens.sign(link)
    const changed = Array.from(text, (character, at) =>
      ['A', 'b', '0', '.', '-', '%'].flatMap((other) =>
        other === character ? [] : [text.slice(0, at) + other + text.slice(at + 1)],
      ),
    ).flat()
    expect(changed.length).toBeGreaterThan(400)
    // A changed key id refers to a missing key: only the store could recognize such a token, and it does not.
    const trusted = changed.filter((each) => tokens.read(each)?.isChecked)
    expect(trusted).toEqual([])
    const known = changed.filter((each) => tokens.read(each)?.seal === sealOf(text))
    expect(known).toEqual([])
    const cut = Array.from(text, (_, at) => text.slice(0, at))
    expect([...cut, `${text}A`, `${text}=`, `${text}.`, ` ${text}`].filter((each) => tokens.read(each))).toEqual([])
  })

  test('does not accept the payload, the MAC or the key of another one', () => {
    const [version, kid, payload, mac] = tokens.sign(link).split('.')
    const [, , payload2, mac2] = tokens.sign({ ...link, sendId: randomUUID() }).split('.')
    expect(tokens.read([version, kid, payload2, mac].join('.'))).toBeUndefined()
    expect(tokens.read([version, kid, payload, mac2].join('.'))).toBeUndefined()
    const foreign = keyRingFromText(keys.foreign)
    const forged = createTrackingTokens(foreign).sign(link).split('.')
    expect(tokens.read([version, kid, forged[2], forged[3]].join('.'))).toBeUndefined()
    expect(tokens.read(forged.join('.'))?.isChecked).toBe(false)
  })

  test('is not signed by a key for another purpose', () => {
    const [version, kid, payload] = tokens.sign(link).split('.')
    const signed = [version, kid, payload].join('.')
    for (const purpose of ['cursor v1', 'wrap data key', 'tracking v2']) {
      const mac = createHmac('sha256', deriveKey(ring.current(), purpose)).update(signed).digest().subarray(0, 16)
      expect(tokens.read(`${signed}.${mac.toString('base64url')}`)).toBeUndefined()
    }
  })

  test('is valid while its key is in the ring, and is then checked by the store', () => {
    const text = tokens.sign(link)
    const rotated = createTrackingTokens(keyRingFromText(`${keys.newer},${keys.old}`))
    expect(rotated.read(text)).toMatchObject({ sendId, isChecked: true })
    const dropped = createTrackingTokens(keyRingFromText(keys.newer))
    expect(dropped.read(text)).toEqual({ sendId, link: 7, seal: sealOf(text), isChecked: false })
  })

  test.each(['', '.', 'v1', 'v1...', 'v2.00000000.AA.AA', 'x'.repeat(10_000), 'v1.zzzzzzzz.AA.AA', '../../etc'])(
    'is not %j',
    (text) => {
      expect(tokens.read(text)).toBeUndefined()
    },
  )

  test('is only issued for ids that are UUIDs', () => {
    expect(() => tokens.sign({ sendId: 'x', link: 0 })).toThrow(TypeError)
  })
})
