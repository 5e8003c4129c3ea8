import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nextTry, parseRetryAfter } from '../../src/webhooks/delivery/retry.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const now = Date.UTC(2026, 5, 1, 12)
const bases = [0, 5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour]

/** The delay before the next attempt. */
function waitOf(tried: Omit<Parameters<typeof nextTry>[0], 'now'>): number | 'over' {
  const next = nextTry({ ...tried, now })
  return 'over' in next ? 'over' : next.dueAt - now
}

/** A possible random number. */
const drawn = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

describe('the schedule of attempts', () => {
  test('has eight attempts over more than a day', () => {
    expect(bases.map((_base, tries) => waitOf({ tries, status: 500, random: 0.5 }))).toEqual([
      0,
      5 * second,
      5 * minute,
      30 * minute,
      2 * hour,
      5 * hour,
      11 * hour,
      11 * hour,
    ])
    expect(waitOf({ tries: 8, status: 500, random: 0.5 })).toBe('over')
    expect(waitOf({ tries: 9, random: 0.5 })).toBe('over')
  })

  test.each([
    [1, 4 * second, 6 * second],
    [2, 4 * minute, 6 * minute],
    [3, 24 * minute, 36 * minute],
    [4, 96 * minute, 144 * minute],
    [5, 4 * hour, 6 * hour],
    [6, 10 * hour, 12 * hour],
    [7, 10 * hour, 12 * hour],
  ])('after %i attempts waits from %i to %i ms, at random', (tries, least, max) => {
    expect(waitOf({ tries, random: 0 })).toBe(least)
    expect(waitOf({ tries, random: 1 })).toBe(max)
    fc.assert(
      fc.property(drawn, (random) => {
        const wait = Number(waitOf({ tries, random }))
        expect(wait).toBeGreaterThanOrEqual(least)
        expect(wait).toBeLessThanOrEqual(max)
        expect(Number.isInteger(wait)).toBe(true)
      }),
    )
  })

  test('spans at least 24 hours for any jitter, and at most 34', () => {
    const span = (draws: number[]): number => {
      let at = now
      for (let tries = 0; tries < bases.length; tries++) {
        const next = nextTry({ tries, now: at, status: 500, random: draws[tries] ?? 0 })
        if ('over' in next) throw new Error('over too soon')
        at = next.dueAt
      }
      expect(nextTry({ tries: bases.length, now: at, random: 0 })).toEqual({ over: true })
      return at - now
    }
    expect(span(bases.map(() => 0)) / hour).toBeCloseTo(26.07, 1)
    fc.assert(
      fc.property(fc.array(drawn, { minLength: 8, maxLength: 8 }), (draws) => {
        expect(span(draws)).toBeGreaterThanOrEqual(24 * hour)
        expect(span(draws)).toBeLessThanOrEqual(34 * hour)
      }),
    )
  })

  test('410 ends it at once', () => {
    for (let tries = 0; tries <= bases.length; tries++)
      expect(waitOf({ tries, status: 410, retryAfter: '5', random: 0.5 })).toBe('over')
  })

  test.each([undefined, 100, 301, 400, 404, 408, 500, 502, 504, 599])('%s is tried again', (status) => {
    expect(waitOf({ tries: 1, status, random: 0.5 })).toBe(5 * second)
  })
})

describe('Retry-After', () => {
  test.each([
    // After two attempts the delay is 5 minutes, so a requested delay counts from 5 minutes to an hour.
    ['within the bounds', '400', 400 * second],
    ['exactly the wait', '300', 300 * second],
    ['exactly an hour', '3600', hour],
    ['shorter than the wait', '1', 300 * second],
    ['none', '0', 300 * second],
    ['longer than an hour', '3601', hour],
    ['huge', '99999999999', hour],
    ['a row of a thousand digits', '9'.repeat(1000), hour],
    ['with space around it', ' 400 ', 400 * second],
    ['a date within the bounds', 'Mon, 01 Jun 2026 12:07:00 GMT', 420 * second],
    ['a date far away', 'Fri, 31 Dec 2099 23:59:59 GMT', hour],
    ['a date that has passed', 'Sun, 06 Nov 1994 08:49:37 GMT', 300 * second],
    ['a date in the form of RFC 850', 'Monday, 01-Jun-26 12:07:00 GMT', 420 * second],
    ['a date in the form of asctime', 'Mon Jun  1 12:07:00 2026', 420 * second],
  ])('%s is followed within the limits', (_name, retryAfter, expected) => {
    for (const status of [429, 503]) expect(waitOf({ tries: 2, status, retryAfter, random: 0 })).toBe(expected)
  })

  test('of half a minute is followed at the first attempt', () => {
    expect(waitOf({ tries: 1, status: 429, retryAfter: '30', random: 0 })).toBe(30 * second)
    expect(waitOf({ tries: 1, status: 503, retryAfter: '3600', random: 1 })).toBe(hour)
  })

  test('at most doubles long delays', () => {
    expect(waitOf({ tries: 4, status: 429, retryAfter: '99999', random: 0 })).toBe(4 * hour)
  })

  const longest = (tries: number): number => Math.max(2 * (bases[tries] ?? 0), hour)

  test.each([
    [
      '',
      '-1',
      '-400',
      '+400',
      '1.5',
      '4e2',
      '0x190',
      '400s',
      '400, 500',
      'soon',
      'NaN',
      'Infinity',
      '\u0664\u0660\u0660',
    ],
    [
      '2026-06-01T12:07:00Z',
      'Mon, 01 Jun 2026 12:07:00',
      'Mon, 01 Jun 2026 12:07:00 PST',
      'Mon, 99 Jun 2026 12:07:00 GMT',
    ],
    ['Mon, 01 Jux 2026 12:07:00 GMT', 'Mon, 01 Jun 2026 25:07:00 GMT', 'Jun 1 2026', '2027'.concat('-'), ' ', '\u0000'],
  ])('is ignored if it is garbage: %j …', (...texts) => {
    for (const retryAfter of texts) {
      expect(parseRetryAfter(retryAfter, now), retryAfter).toBeUndefined()
      expect(waitOf({ tries: 2, status: 429, retryAfter, random: 0 }), retryAfter).toBe(4 * minute)
    }
  })

  test('never throws or exceeds the limits, for any text', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 7 }), drawn, (retryAfter, tries, random) => {
        const wait = Number(waitOf({ tries, status: 503, retryAfter, random }))
        expect(wait).toBeGreaterThanOrEqual((bases[tries] ?? 0) * 0.8)
        expect(wait).toBeLessThanOrEqual(longest(tries))
      }),
    )
  })

  test('is randomized a little longer, never shorter than requested or beyond the limits', () => {
    expect(waitOf({ tries: 2, status: 429, retryAfter: '400', random: 1 })).toBe(480 * second)
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 100_000 }),
        fc.integer({ min: 1, max: 7 }),
        drawn,
        (requested, tries, random) => {
          const wait = Number(waitOf({ tries, status: 429, retryAfter: String(requested), random }))
          const base = bases[tries] ?? 0
          expect(wait).toBeGreaterThanOrEqual(Math.min(Math.max(requested * second, base), longest(tries)))
          expect(wait).toBeLessThanOrEqual(longest(tries))
        },
      ),
    )
  })

  test('counts only with 429 and 503', () => {
    for (const status of [undefined, 302, 400, 500, 502, 504])
      expect(waitOf({ tries: 2, status, retryAfter: '600', random: 0 })).toBe(4 * minute)
    expect(waitOf({ tries: 2, status: 429, random: 0 })).toBe(4 * minute)
  })

  test('adds no attempts after the last', () => {
    expect(waitOf({ tries: 8, status: 429, retryAfter: '1', random: 0 })).toBe('over')
  })
})
