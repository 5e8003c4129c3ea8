import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pageByKey } from '../src/shared/key-pages.ts'

test('pages by key contain everything once, ordered by key, for any page size', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string()), fc.integer({ min: 1, max: 5 }), (keys, limit) => {
      const shown: string[] = []
      let position: string | undefined
      do {
        const page = pageByKey(keys, (key) => key, { position, limit })
        expect(page.items.length).toBeLessThanOrEqual(limit)
        shown.push(...page.items)
        position = page.next
      } while (position !== undefined)
      expect(shown).toEqual(keys.toSorted((a, b) => (a < b ? -1 : 1)))
    }),
  )
})

test('a page by key continues after the last returned item, even if that was deleted and others were added', () => {
  const page = { position: 'b', limit: 2 }
  expect(pageByKey(['d', 'a', 'c', 'e'], (key) => key, page)).toEqual({ items: ['c', 'd'], next: 'd' })
})
