/** What a list shows stands in the address: filters, order, page and length, so that a link shows others the same. */
import { useSearchParams } from 'wouter'

export type Order = 'asc' | 'desc'

/** Where in the list the page begins: these go when anything else of the list changes. */
const place = ['at', 'page']
const sizes = [25, 50, 100, 200] as const
const usualSize = 50

export interface ListAddress {
  read(name: string): string
  /** Changes filters; the list is shown from its beginning. An empty value takes a filter away. */
  set(changes: Record<string, string>): void
  sort: { by: string; order: Order }
  sortBy(by: string): void
  size: number
  sizes: readonly number[]
  /** The cursor of the page, and its number. */
  at: string
  page: number
  /** Goes to another page, as a step that the browser goes back from. */
  go(at: string, page: number): void
}

/** `sort` is the order that the list has where the address names none. */
export function useListAddress(usual: { by: string; order: Order }): ListAddress {
  const [params, setParams] = useSearchParams()
  const change = (changes: Record<string, string>, replace: boolean): void =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        for (const [name, value] of Object.entries(changes)) {
          if (value === '') after.delete(name)
          else after.set(name, value)
        }
        return after
      },
      { replace },
    )
  const fromStart = Object.fromEntries(place.map((name) => [name, '']))
  const by = params.get('sort') ?? usual.by
  const given = params.get('order')
  const order: Order = given === 'asc' || given === 'desc' ? given : usual.order
  const size = sizes.find((each) => String(each) === params.get('size')) ?? usualSize
  return {
    read: (name) => params.get(name) ?? '',
    set: (changes) => change({ ...fromStart, ...changes }, true),
    sort: { by, order },
    sortBy(next) {
      const turned: Order = next === by ? (order === 'asc' ? 'desc' : 'asc') : 'asc'
      const isUsual = next === usual.by && turned === usual.order
      change({ ...fromStart, sort: isUsual ? '' : next, order: isUsual ? '' : turned }, true)
    },
    size,
    sizes,
    at: params.get('at') ?? '',
    page: Math.max(1, Number(params.get('page')) || 1),
    go: (at, page) => change({ at, page: page > 1 ? String(page) : '' }, false),
  }
}

/** A dialog that the address opens, so that a link or a command leads to it; `new=yes` for making something. */
export function useOpened(name = 'new'): [open: boolean, set: (open: boolean) => void] {
  const [params, setParams] = useSearchParams()
  const set = (open: boolean): void =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        if (open) after.set(name, 'yes')
        else after.delete(name)
        return after
      },
      { replace: true },
    )
  return [params.has(name), set]
}

/** The times of a range of days, `from` and `to` included, as the viewer's own clock has them; in Unix seconds. */
export function daysOf(from: string, to: string): { since: number | undefined; before: number | undefined } {
  const start = (day: string, later: number): number | undefined => {
    const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? []
    if (year === undefined) return undefined
    const time = new Date(Number(year), Number(month) - 1, Number(date) + later).getTime()
    return Number.isNaN(time) || time < 0 ? undefined : Math.floor(time / 1000)
  }
  return { since: start(from, 0), before: start(to, 1) }
}
