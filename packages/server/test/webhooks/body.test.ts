import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { bodyOf, createBodyWriter } from '../../src/webhooks/delivery/body.ts'
import { compose } from '../../src/webhooks/envelope.ts'

const reported = (sequence: number, data: string) => ({
  ...{
    position: sequence,
    id: `n-${sequence}`,
    grant_id: 'g-1',
    type: 'event.é',
    source: '/x',
    sequence,
    created_at: 1_700_000_000_123,
  },
  payload: Buffer.from(data),
})
const textOf = (
  { payload, created_at: createdAt, grant_id: _, ...head }: ReturnType<typeof reported>,
  attempt: number,
): string => compose({ ...head, createdAt, attempt, data: String(payload) })

describe('the bytes of delivery bodies', () => {
  test('equal the text at every attempt, and stay unchanged while others are written', () => {
    const makeReady = createBodyWriter()
    const all = Array.from({ length: 600 }, (_, index) => reported(index, `"${'xé漢😀'.repeat(index)}"`))
    const ready = all.map(makeReady)
    for (const attempt of [1, 2, 12]) {
      expect(ready.map((each) => String(bodyOf(each, attempt, { compressed: false })))).toEqual(
        all.map((each) => textOf(each, attempt)),
      )
    }
  })

  test('are complete for a body that exceeds the shared buffer', () => {
    const long = reported(7, `"${'漢'.repeat(400_000)}"`)
    const ready = createBodyWriter()(long)
    expect(String(bodyOf(ready, 1, { compressed: false }))).toBe(textOf(long, 1))
  })

  test('are compressed once for the first attempt, and again if the attempt number differs', () => {
    const one = reported(1, '{"a":1}')
    const ready = createBodyWriter()(one)
    const first = bodyOf(ready, 1, { compressed: true })
    expect(bodyOf(ready, 1, { compressed: true })).toBe(first)
    expect(String(gunzipSync(first))).toBe(textOf(one, 1))
    expect(String(gunzipSync(bodyOf(ready, 3, { compressed: true })))).toBe(textOf(one, 3))
    expect(String(bodyOf(ready, 1, { compressed: false }))).toBe(textOf(one, 1))
  })
})
