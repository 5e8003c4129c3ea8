import { Notification } from '@waypost/contract'
import { codePoint } from '@waypost/testing/code-points'
import { runs } from '@waypost/testing/level'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compose, type Data, type Envelope, maxBody, truncate } from '../../src/webhooks/envelope.ts'

// The seed is fixed, so that a failure is due to a change of the code. Remove it to search for new cases. The files of a
// worker share their settings: the next file gets the old ones back.
const settings = fc.readConfigureGlobal()
beforeAll(() => fc.configureGlobal({ ...settings, seed: 1739 }))
afterAll(() => fc.configureGlobal(settings))

const head = {
  type: 'event.created',
  source: '/virtual-calendar/events/realtime',
  id: '01a1ddc8-38e9-79ee-a1ab-914398e75e8a',
  createdAt: 1_739_223_251_999,
}
const application_id = '6e1f9a52-0c4b-4d27-9b35-f2a8c1d07e64'
const data = (object: object, more: object = {}): Data => ({ application_id, object, ...more })
const bytes = (text: string): number => Buffer.byteLength(text)
/** The body with the largest possible counters. */
const largest = (fitted: { type: string; data: string }): string =>
  compose({ ...head, ...fitted, sequence: Number.MAX_SAFE_INTEGER, attempt: 2_147_483_647 })

describe('the envelope', () => {
  test('is the CloudEvents object of the contract, character by character', () => {
    const text = compose({
      ...head,
      sequence: 17,
      attempt: 2,
      data: `{"application_id":"${application_id}","object":{}}`,
    })
    expect(text).toBe(
      '{"specversion":"1.0","type":"event.created","source":"/virtual-calendar/events/realtime","id":"01a1ddc8-38e9-79ee-a1ab-914398e75e8a","time":1739223251,"webhook_delivery_attempt":2,"grant_sequence":17,"data":{"application_id":"6e1f9a52-0c4b-4d27-9b35-f2a8c1d07e64","object":{}}}',
    )
    expect(Notification.safeParse(JSON.parse(text)).success).toBe(true)
  })

  test('contains its input unchanged, and keeps the text of data as it is', () => {
    const envelope: fc.Arbitrary<Omit<Envelope, 'data'>> = fc.record({
      type: fc.string({ unit: codePoint }),
      source: fc.string({ unit: codePoint }),
      id: fc.string({ unit: codePoint }),
      createdAt: fc.nat({ max: 9_000_000_000_000 }),
      sequence: fc.nat(),
      attempt: fc.nat(),
    })
    fc.assert(
      fc.property(envelope, fc.json({ maxDepth: 2 }), (given, text) => {
        const body = compose({ ...given, data: text })
        expect(body.endsWith(`"data":${text}}`)).toBe(true)
        expect(JSON.parse(body)).toEqual({
          specversion: '1.0',
          type: given.type,
          source: given.source,
          id: given.id,
          time: Math.floor(given.createdAt / 1000),
          webhook_delivery_attempt: given.attempt,
          grant_sequence: given.sequence,
          data: JSON.parse(text),
        })
      }),
    )
  })
})

describe('objects over 1 MB', () => {
  const big = (size: number, letter = 'x'): string => letter.repeat(size)

  test('are not truncated below the limit', () => {
    const whole = data({ id: 'e', object: 'event', description: big(900_000) })
    expect(truncate(head, whole)).toEqual({
      type: 'event.created',
      data: JSON.stringify(whole),
      bytes: bytes(JSON.stringify(whole)),
    })
  })

  test('lose large fields, the largest first, and the type gets the suffix .truncated', () => {
    const when = { object: 'date', date: '2026-11-15' }
    const names = { id: 'e', object: 'event', grant_id: 'g', calendar_id: 'c', when }
    const object = { ...names, title: 't', description: big(700_000), participants: [big(500_000)], location: big(300) }
    const fitted = truncate(head, data(object))
    expect(fitted.type).toBe('event.created.truncated')
    const { description: _, ...rest } = object
    expect(JSON.parse(fitted.data)).toEqual(data(rest))
    expect(fitted.bytes).toBe(bytes(fitted.data))
  })

  test('are measured in bytes of UTF-8 of the whole body, not in characters', () => {
    // 400,000 letters of three bytes each.
    const wide = truncate(head, data({ id: 'e', object: 'event', description: big(400_000, '漢') }))
    expect(wide.type).toBe('event.created.truncated')
    expect(truncate(head, data({ id: 'e', object: 'event', description: big(400_000) })).type).toBe('event.created')
  })

  test('are complete with exactly the limit, and not with one byte more', () => {
    const of = (size: number) => truncate(head, data({ id: 'e', object: 'event', description: big(size) }))
    // Room is reserved for the suffix and the counters, which are not known when it is written.
    const spare = bytes(largest({ ...of(1), type: 'event.created.truncated' })) - 1
    const fits = of(maxBody - spare)
    expect(fits.type).toBe('event.created')
    expect(bytes(largest({ ...fits, type: 'event.created.truncated' }))).toBe(maxBody)
    expect(of(maxBody - spare + 1).type).toBe('event.created.truncated')
  })

  test('also lose fields outside the object if the object alone is not enough', () => {
    const error = { type: 'x', message: big(2_000_000) }
    const fitted = truncate(
      { ...head, type: 'message.send_failed' },
      data({ id: 'm', object: 'message', grant_id: 'g', subject: 'Hello' }, { grant_id: 'g', reason: 'r', error }),
    )
    const left = JSON.parse(fitted.data)
    expect(left).toMatchObject({ application_id, grant_id: 'g', reason: 'r', object: { id: 'm', object: 'message' } })
    expect(left).not.toHaveProperty('error')
    expect(bytes(largest(fitted))).toBeLessThanOrEqual(maxBody)
  })

  test('stay null if the object is null', () => {
    const nothing: Data = { application_id, object: null, error: big(2_000_000) }
    expect(JSON.parse(truncate(head, nothing).data)).toEqual({ application_id, object: null })
  })

  test('always fit after truncation, keep their names, and lose only what is too much', () => {
    const value = fc.oneof(
      fc.tuple(fc.nat({ max: 600_000 }), fc.constantFrom('x', 'é', '漢', '"', '\u0000')).map(([n, l]) => big(n, l)),
      fc.jsonValue({ maxDepth: 2 }),
    )
    const fields = fc.dictionary(fc.string({ minLength: 1, maxLength: 12 }), value, { minKeys: 1, maxKeys: 6 })
    fc.assert(
      fc.property(fields, (extra) => {
        const whole = { ...extra, id: 'e', object: 'event', grant_id: 'g', calendar_id: null }
        const fitted = truncate(head, data(whole))
        expect(bytes(largest(fitted))).toBeLessThanOrEqual(maxBody)
        expect(fitted.bytes).toBe(bytes(fitted.data))
        const { object } = JSON.parse(fitted.data)
        expect(object).toMatchObject({ id: 'e', object: 'event', grant_id: 'g', calendar_id: null })
        const original = JSON.parse(JSON.stringify(whole))
        for (const [name, retained] of Object.entries(object)) expect(retained).toEqual(original[name])
        const gone = Object.keys(original).filter((name) => !Object.hasOwn(object, name))
        expect(fitted.type).toBe(gone.length > 0 ? 'event.created.truncated' : 'event.created')
        if (gone.length === 0) return
        // With the smallest removed field, the body would still have been too large.
        const sizes = gone.map((name) => bytes(JSON.stringify({ [name]: original[name] })))
        expect(bytes(largest(fitted)) + Math.min(...sizes)).toBeGreaterThan(maxBody - 16)
      }),
      { numRuns: runs(60) },
    )
  })
})
