import { describe, expect, test } from 'vitest'
import { collect, type Place, type Search } from '../../src/shared/paging.ts'

const numbers = Array.from({ length: 23 }, (_, number) => number)

/** A provider's list with tokens for the start of a page; records the requested sizes. */
function listing(all: readonly number[] = numbers) {
  const sizes: number[] = []
  const page: Search<number>['page'] = async (token, size) => {
    sizes.push(size)
    const from = Number(token ?? 0)
    const next = from + size
    return { items: all.slice(from, next), next: next < all.length ? `${next}` : undefined }
  }
  return { sizes, page }
}

/** Reads everything page by page, with a limit for each page. */
async function readAll(search: Pick<Search<number>, 'page' | 'keep' | 'filteredSize'>, limits: number[]) {
  const pages: number[][] = []
  let place: Place | undefined
  for (let count = 0; count < 20; count += 1) {
    const found = await collect({ ...search, place, limit: limits[count % limits.length] ?? 1 })
    pages.push(found.items)
    if (!found.next) return pages
    place = JSON.parse(JSON.stringify(found.next))
  }
  throw new Error('the pages do not end')
}

describe('pages', () => {
  test('contain every item once, for any limits', async () => {
    const { page, sizes } = listing()
    const pages = await readAll({ page }, [10, 3, 7])
    expect(pages.flat()).toEqual(numbers)
    expect(pages.map(({ length }) => length)).toEqual([10, 3, 7, 3])
    // A token belongs to the size that it was made for.
    expect(new Set(sizes)).toEqual(new Set([10]))
  })

  test('of filtered items are filled from several of the provider', async () => {
    const { page } = listing()
    const keep = (number: number) => number % 5 === 0
    expect(await readAll({ page, keep, filteredSize: 4 }, [2])).toEqual([[0, 5], [10, 15], [20]])
  })

  test('can be empty although there are more: the client requests the next', async () => {
    const many = Array.from({ length: 100 }, (_, number) => number)
    const { page, sizes } = listing(many)
    const first = await collect({ page, keep: (number) => number === 99, filteredSize: 5, limit: 1, place: undefined })
    expect(first).toEqual({ items: [], next: ['50', 5, 0] })
    expect(sizes).toHaveLength(10)
    expect((await collect({ page, keep: (number) => number === 99, limit: 1, place: first.next })).items).toEqual([99])
  })

  test('that a provider leaves empty are skipped', async () => {
    const answers = [
      { items: [], next: 'a' },
      { items: [1], next: undefined },
    ]
    const page = async () => answers.shift() ?? { items: [], next: undefined }
    expect(await collect({ page, limit: 5, place: undefined })).toEqual({ items: [1] })
  })
})
