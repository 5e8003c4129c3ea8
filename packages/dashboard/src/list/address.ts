/**
 * The state of a list is stored in the URL: filters, order, page and page size, so that a link shows the same view.
 */
import { useSearchParams } from 'wouter'

export type Order = 'asc' | 'desc'

/** Query parameters of the page position. They are removed when anything else of the list changes. */
const place = ['at', 'page']
const sizes = [25, 50, 100, 200] as const
const defaultSize = 50

export interface ListAddress {
  read(name: string): string
  /** Changes filters and returns to the first page. An empty value removes a filter. */
  set(changes: Record<string, string>): void
  sort: { by: string; order: Order }
  sortBy(by: string): void
  size: number
  sizes: readonly number[]
  /** Cursor and number of the page. */
  at: string
  page: number
  /** Opens another page and adds it to the browser history. */
  go(at: string, page: number): void
}

/** `usual` is the order of the list if the URL names none. */
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
  const size = sizes.find((each) => String(each) === params.get('size')) ?? defaultSize
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

/**
 * A dialog opened by a query parameter, so that links and commands can open it. `new=yes` opens the create dialog.
 */
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

/** Converts a range of days in the viewer's time zone, `from` and `to` included, to Unix seconds. */
export function daysOf(from: string, to: string): { since: number | undefined; before: number | undefined } {
  const start = (day: string, later: number): number | undefined => {
    const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? []
    if (year === undefined) return undefined
    const time = new Date(Number(year), Number(month) - 1, Number(date) + later).getTime()
    return Number.isNaN(time) || time < 0 ? undefined : Math.floor(time / 1000)
  }
  return { since: start(from, 0), before: start(to, 1) }
}
