/** The rows that a table shows: one page, read from the service or cut from a complete list in memory. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { WaypostError } from '@waypost/sdk'
import type { ListAddress } from './address.ts'

export interface Total {
  count: number
  /** The list is longer than the count. */
  more: boolean
}

export interface ListView<T> {
  rows: readonly T[] | undefined
  error: unknown
  retry(): void
  /** Old rows are shown while new ones load. */
  isChanging: boolean
  total: Total | undefined
  /** Number of the first row in the list. */
  first: number
  next: (() => void) | undefined
  previous: (() => void) | undefined
}

export interface PageOf<T> {
  data: T[]
  nextCursor: string | undefined
}
export type ReadPage<T> = (page: { page_token?: string; limit: number }, signal: AbortSignal) => Promise<PageOf<T>>

/** Reads until `limit` rows are found, because one call searches only a limited range and may return few. */
export async function readRows<T>(
  read: ReadPage<T>,
  { at, size }: { at: string; size: number },
  signal: AbortSignal,
): Promise<PageOf<T>> {
  const rows: T[] = []
  let token = at
  for (;;) {
    const page = await read({ limit: size - rows.length, ...(token ? { page_token: token } : {}) }, signal)
    rows.push(...page.data)
    if (page.nextCursor === undefined || rows.length >= size) return { data: rows, nextCursor: page.nextCursor }
    token = page.nextCursor
  }
}

/** Maps each cursor to the previous one for the Back button, because cursors only lead forward. */
const before = new Map<string, string>()

/** The service rejects the cursor: it belongs to another version, order or person. */
const isUnknownCursor = (error: unknown): boolean =>
  error instanceof WaypostError && error.validationErrors?.page_token !== undefined

/** A list that the service sorts and pages. */
export function useServiceList<T>(
  key: readonly unknown[],
  address: ListAddress,
  read: ReadPage<T>,
  options: { total?: Total | undefined; refetchInterval?: number } = {},
): ListView<T> {
  const { at, size, page } = address
  const query = useQuery({
    queryKey: [...key, { at, size, ...address.sort }],
    queryFn: async ({ signal }) => {
      try {
        return await readRows(read, { at, size }, signal)
      } catch (error) {
        if (at === '' || !isUnknownCursor(error)) throw error
        address.go('', 1)
        return readRows(read, { at: '', size }, signal)
      }
    },
    // Rows stay visible while another order or page loads.
    placeholderData: keepPreviousData,
    ...(options.refetchInterval ? { refetchInterval: options.refetchInterval } : {}),
  })
  const next = query.isPlaceholderData ? undefined : query.data?.nextCursor
  return {
    rows: query.data?.data,
    error: query.error,
    retry: () => void query.refetch(),
    isChanging: query.isPlaceholderData,
    total: options.total,
    first: (page - 1) * size + 1,
    next:
      next === undefined
        ? undefined
        : () => {
            before.set(next, at)
            address.go(next, page + 1)
          },
    previous: at === '' ? undefined : () => address.go(before.get(at) ?? '', before.get(at) ? page - 1 : 1),
  }
}

/** A list that is complete in memory: sorted and paged here. */
export function pageOfRows<T>(
  all: readonly T[] | undefined,
  address: ListAddress,
  {
    keys,
    fits,
    ...rest
  }: {
    /** Sort key of each order. */
    keys: Record<string, (row: T) => string | number>
    fits(row: T): boolean
    error: unknown
    retry(): void
  },
): ListView<T> & { found: readonly T[] } {
  const { size, page, sort } = address
  const key = keys[sort.by] ?? Object.values(keys)[0] ?? (() => 0)
  const sign = sort.order === 'asc' ? 1 : -1
  const found = (all ?? [])
    .filter(fits)
    .map((row) => ({ row, key: key(row) }))
    .sort((a, b) => sign * (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ row }) => row)
  const start = Math.min(page - 1, Math.max(0, Math.ceil(found.length / size) - 1)) * size
  return {
    ...rest,
    found,
    rows: all && found.slice(start, start + size),
    isChanging: false,
    total: { count: found.length, more: false },
    first: start + 1,
    next: start + size < found.length ? () => address.go('', start / size + 2) : undefined,
    previous: start > 0 ? () => address.go('', start / size) : undefined,
  }
}
