import { describe, expect, test } from 'vitest'
import { createBodyWriter } from '../../src/webhooks/body.ts'

describe('the bytes of bodies', () => {
  test('are those of the text, and stay what they are while others are written', () => {
    const write = createBodyWriter()
    const texts = Array.from(
      { length: 600 },
      (_, index) => [`{"n":${index},"data":`, `"${'xé漢😀'.repeat(index)}"`] as const,
    )
    const written = texts.map(([opening, data]) => write(opening, data))
    expect(written.map(String)).toEqual(texts.map(([opening, data]) => `${opening}${data}}`))
  })

  test('of a body that is longer than all memory kept for others are whole', () => {
    const data = `"${'漢'.repeat(400_000)}"`
    const written = createBodyWriter()('{"data":', data)
    expect(written).toHaveLength(3 * 400_000 + 11)
    expect(String(written)).toBe(`{"data":${data}}`)
  })
})
