/**
 * The state of a list is stored in the URL: filters, order, page and page size, so that a link shows the same view.
 */
import { useSearchParams } from 'wouter'

export type Order = 'asc' | 'desc'

/** Query parameters of the page position. They are removed when anything else of the list changes. */
const firstPage = { at: '', page: '' }
const sizes = [25, 50, 100, 200] as const
const defaultSize = 50

export interface ListAddress {
  read(name: string): string
  /** Changes filters and returns to the first page. An empty value removes a filter. */
  set(changes: Record<string, string>): void
  /** Whether any of these filters is set. */
  isFiltered(names: readonly string[]): boolean
  sort: { by: string; order: Order }
  sortBy(by: string): void
  size: number
  sizes: readonly number[]
  /** Cursor and number of the page. */
  at: string
  page: number
  /** Shows one object, such as in a dialog, and adds it to the browser history. Without an id it is closed. */
  show(name: string, id: string): void
  /** Opens another page and adds it to the browser history. */
  go(at: string, page: number): void
}

/** Reads and changes query parameters. An empty value removes one. */
function useParameters() {
  const [params, setParams] = useSearchParams()
  const change = (changes: Record<string, string>, replace = true): void =>
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
  return { read: (name: string): string => params.get(name) ?? '', change }
}

/** Filters are stored in the URL, so that they survive navigation and can be shared. */
export function useFilters(): Pick<ListAddress, 'read' | 'set'> {
  const { read, change } = useParameters()
  return { read, set: (changes) => change({ ...firstPage, ...changes }) }
}

/** `usual` is the order of the list if the URL names none. */
export function useListAddress(usual: { by: string; order: Order }): ListAddress {
  const { read, change } = useParameters()
  const { set } = useFilters()
  const by = read('sort') || usual.by
  const given = read('order')
  const order: Order = given === 'asc' || given === 'desc' ? given : usual.order
  const size = sizes.find((each) => String(each) === read('size')) ?? defaultSize
  return {
    read,
    set,
    isFiltered: (names) => names.some((name) => read(name) !== ''),
    sort: { by, order },
    sortBy(next) {
      const turned: Order = next === by ? (order === 'asc' ? 'desc' : 'asc') : 'asc'
      const isUsual = next === usual.by && turned === usual.order
      set({ sort: isUsual ? '' : next, order: isUsual ? '' : turned })
    },
    size,
    sizes,
    at: read('at'),
    page: Math.max(1, Number(read('page')) || 1),
    show: (name, id) => change({ [name]: id }, false),
    go: (at, page) => change({ at, page: page > 1 ? String(page) : '' }, false),
  }
}

/**
 * A dialog opened by a query parameter, so that links and commands can open it. `new=yes` opens the create dialog.
 */
export function useOpened(name = 'new'): [open: boolean, set: (open: boolean) => void] {
  const { read, change } = useParameters()
  return [read(name) !== '', (open) => change({ [name]: open ? 'yes' : '' })]
}

/** The value of a filter with the options yes and no. */
export const yesOrNo = (text: string | undefined): boolean | undefined =>
  text === 'yes' ? true : text === 'no' ? false : undefined

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
