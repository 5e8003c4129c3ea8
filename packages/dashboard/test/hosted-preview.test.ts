/** The preview of hosted pages and the contrast of their colors, without a browser. */
import {
  checkContrast,
  colorsOf,
  contrast,
  nearestReadable,
  parseColor,
  schemes,
  usual,
} from '@waypost/contract/hosted-colors'
import { describe, expect, test } from 'vitest'
import { openService } from '../../server/test/harness.ts'

test('the preview of hosted pages is for administrators, only in frames of the dashboard, and sends nothing', async () => {
  await using service = await openService()
  const path = '/dashboard/hosted-preview?view=password'
  expect((await service.app.request(path)).status).toBe(401)
  const wrong = await service.call('GET', path, {})
  expect(wrong.status).toBe(401)
  const seen = await service.call('GET', path, { admin: true })
  expect(seen.status).toBe(200)
  const policy = seen.headers.get('content-security-policy') ?? ''
  for (const rule of ['sandbox;', "default-src 'none'", "form-action 'none'", "frame-ancestors 'self'"]) {
    expect(policy).toContain(rule)
  }
  expect(seen.headers.get('x-frame-options')).toBe('SAMEORIGIN')
  expect(seen.body).toContain('<body inert>')
  const odd = new URLSearchParams({ hosted_authentication: '{"color_primary":"red;}","spacing":-1}', branding: '[' })
  const mended = await service.call('GET', `/dashboard/hosted-preview?${odd}`, { admin: true })
  expect([mended.status, mended.body.includes('red;}')]).toEqual([200, false])
})

describe('the contrast', () => {
  /** Colors spread over the whole range. */
  const colors = Array.from(
    { length: 200 },
    (_, index) => `#${((index * 84_017 + 4_099) % 0xffffff).toString(16).padStart(6, '0')}`,
  )

  test('of everything on the pages is sufficient for any chosen color', () => {
    for (const color of colors) {
      for (const scheme of schemes) {
        const { fill, onFill, link } = colorsOf({ color_primary: color }, scheme)
        expect(contrast(fill, onFill), color).toBeGreaterThanOrEqual(4.5)
        for (const ground of [usual[scheme].form, usual[scheme].soft]) {
          expect(contrast(link, parseColor(ground) ?? [0, 0, 0]), `${color} ${scheme}`).toBeGreaterThanOrEqual(4.5)
        }
      }
    }
  })

  test('keeps a readable color and changes others as little as possible', () => {
    const white = [255, 255, 255] as const
    expect(nearestReadable([11, 92, 192], [white], 4.5)).toEqual([11, 92, 192])
    const near = contrast(nearestReadable([255, 212, 0], [white], 4.5), white)
    expect(near).toBeGreaterThanOrEqual(4.5)
    expect(near).toBeLessThan(4.7)
    expect(checkContrast({}).filter(({ passes }) => !passes)).toEqual([])
  })
})
