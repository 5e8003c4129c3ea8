import { instanceId, parseInstanceId } from '@waypost/formats/recurrence/instance-ids'
import { runs } from '@waypost/testing/level'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalised, resolveHref } from '../../src/dav/hrefs.ts'
import { collectionId, collectionUrl, resourceId, resourceUrl } from '../../src/dav/ids.ts'

const home = 'https://dav.test/calendars/alice/'
const calendar = `${home}work/`

describe('an id', () => {
  test('is the name of a resource if that is plain', () => {
    expect(collectionId(home, calendar)).toBe('work')
    expect(collectionUrl(home, 'work')).toBe(calendar)
    expect(resourceId(calendar, `${calendar}4F-a.b@c~d.ics`, '.ics')).toBe('4F-a.b@c~d')
    expect(resourceUrl(calendar, '4F-a.b@c~d', '.ics')).toBe(`${calendar}4F-a.b@c~d.ics`)
  })

  test.each([
    ['has characters that ids have not', 'a%20b/'],
    ['begins as a path does', 'h_x/'],
    ['is a word that means something else', 'primary/'],
    ['looks like an occurrence', 'x_20260101T100000Z/'],
    ['stands deeper', 'a/b/'],
    ['is a dot', '.hidden/'],
  ])('is the path of a collection that %s', (_, rest) => {
    const id = collectionId(home, `${home}${rest}`)
    expect(id).toMatch(/^h_[\w-]+$/)
    expect(collectionUrl(home, id)).toBe(`${home}${rest}`)
  })

  test('distinguishes a resource with the extension from one without', () => {
    const [one, other] = [`${calendar}a.ics`, `${calendar}a`]
    expect(resourceId(calendar, one, '.ics')).toBe('a')
    const id = resourceId(calendar, other, '.ics')
    expect(id).toMatch(/^h_/)
    expect(resourceUrl(calendar, id, '.ics')).toBe(other)
  })

  test('cannot lead outside its collection', () => {
    const path = (text: string): string => `h_${Buffer.from(text).toString('base64url')}`
    expect(resourceUrl(calendar, path('/calendars/bob/work/a.ics'), '.ics')).toBeUndefined()
    expect(resourceUrl(calendar, path('/calendars/alice/work/../../bob/a'), '.ics')).toBeUndefined()
    expect(resourceUrl(calendar, path('//evil.test/calendars/alice/work/a b'), '.ics')).toBeUndefined()
    expect(resourceUrl(calendar, path('/calendars/alice/other/a b.ics'), '.ics')).toBeUndefined()
    expect(resourceUrl(calendar, path('/calendars/alice/other/a%20b.ics'), '.ics', home)).toBe(`${home}other/a%20b.ics`)
    for (const id of ['..', '.', 'a/b', 'h_', 'h_!', 'a b', '']) {
      expect(resourceUrl(calendar, id, '.ics'), id).toBeUndefined()
      expect(collectionUrl(home, id), id).toBeUndefined()
    }
  })

  test('belongs to only one resource, leads back to it, and never equals that of an occurrence', () => {
    const segment = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
      fc.string({ unit: fc.constantFrom('h', '_', '.', 'ics', '2', '0', 'T', 'Z', '-'), minLength: 1, maxLength: 20 }),
      fc.constantFrom('x_20260101', 'h_x', 'primary', 'a.ics.ics', 'a.ics'),
    )
    const address = fc
      .array(segment, { minLength: 1, maxLength: 3 })
      .map((parts) =>
        normalised(`${calendar}${parts.map((part) => encodeURIComponent(part.toWellFormed())).join('/')}`),
      )
      .filter((url) => url.startsWith(calendar) && url.length > calendar.length && !url.endsWith('/'))
    const seen = new Map<string, string>()
    fc.assert(
      fc.property(address, (url) => {
        const id = resourceId(calendar, url, '.ics')
        expect(resourceUrl(calendar, id, '.ics')).toBe(url)
        expect(seen.get(id) ?? url).toBe(url)
        seen.set(id, url)
        expect(parseInstanceId(id)).toBeUndefined()
        expect(parseInstanceId(instanceId(id, '20260101'))?.masterId).toBe(id)
        const book = collectionId(home, `${url}/`)
        expect(collectionUrl(home, book)).toBe(`${url}/`)
      }),
      { numRuns: runs(500) },
    )
  })
})

describe('an address that a server returns', () => {
  test.each([
    ['/dav/a b/', 'https://dav.test/dav/a%20b/'],
    ['/dav//x.ics', 'https://dav.test/dav/x.ics'],
    ['//dav/x.ics', 'https://dav.test/dav/x.ics'],
    ['x%2Ey.ics', 'https://dav.test/calendars/alice/x.y.ics'],
    ['/u/alice%40example.test/', 'https://dav.test/u/alice@example.test/'],
    ['/u/ALICE@example.test/caf%c3%a9%2Fx', 'https://dav.test/u/ALICE@example.test/caf%C3%A9%2Fx'],
    ['http://dav.test:80/a', 'https://dav.test/a'],
    ['https://dav.test:443/a', 'https://dav.test/a'],
    ['https://other.test/a?b#c', 'https://other.test/a'],
    ['ftp://dav.test/a', undefined],
    ['mailto:a@b.test', undefined],
    ['', undefined],
    ['/bad%zz', 'https://dav.test/bad%25zz'],
  ])('%s is read in one way', (href, url) => {
    expect(resolveHref(href, home)).toBe(url)
  })

  test('is the same as a path and with its host', () => {
    const path = fc.stringMatching(/^(\/[\w.~!$&'()*+,;=:@% -]{0,6}){1,4}$/)
    fc.assert(
      fc.property(path, (written) => {
        expect(resolveHref(written, home)).toBe(resolveHref(`https://dav.test${written}`, home))
      }),
      { numRuns: runs(500) },
    )
  })
})
