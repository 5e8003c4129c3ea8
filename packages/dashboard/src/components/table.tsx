import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { plural } from '../format.ts'
import { Button } from './button.tsx'
import { Loaded } from './states.tsx'

export interface Column<T> {
  title: string
  cell(row: T): ReactNode
  /** Numbers and buttons stand at the end; `tight` columns take no more than they need. */
  kind?: 'end' | 'tight' | 'end tight'
  /** The title is read out only. */
  quiet?: boolean
}

interface TableProps<T> {
  label: string
  columns: readonly Column<T>[]
  id(row: T): string
  /** What can be done with a row, at its end. */
  actions?(row: T): ReactNode
}

export function Table<T>({ label, rows, columns: given, id, actions }: TableProps<T> & { rows: readonly T[] }) {
  const columns: readonly Column<T>[] = actions
    ? [...given, { title: 'Actions', quiet: true, kind: 'end tight', cell: actions }]
    : given
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls on narrow screens, and a keyboard must reach it
    <section className="table-frame" tabIndex={0} aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map(({ title, kind, quiet }) => (
              <th key={title} scope="col" className={kind}>
                {quiet ? <span className="hidden">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={id(row)} className="opens">
              {columns.map(({ title, cell, kind, quiet }) => (
                <td key={title} className={kind} data-label={quiet ? undefined : title}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** What the rows are called, one and many of them. */
interface Counted {
  one: string
  many?: string
}

/** The end of a list that comes page by page. */
function MoreRows({
  shown,
  one,
  many,
  more,
}: Counted & {
  shown: number
  more: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage(): unknown }
}) {
  return (
    <div className="foot">
      <span>
        {plural(shown, one, many)}
        {more.hasNextPage ? ' shown' : ''}
      </span>
      {more.hasNextPage && (
        <Button small busy={more.isFetchingNextPage} onClick={() => void more.fetchNextPage()}>
          Show more
        </Button>
      )}
    </div>
  )
}

/** A list that comes page by page, or what stands where there are no rows. */
export function PagedTable<T>({
  query,
  lines,
  none,
  one,
  many,
  ...table
}: TableProps<T> & Counted & { query: UseInfiniteQueryResult<T[]>; lines?: number; none: ReactNode }) {
  return (
    <Loaded query={query} lines={lines}>
      {(rows) =>
        rows.length === 0 ? (
          none
        ) : (
          <>
            <Table {...table} rows={rows} />
            <MoreRows shown={rows.length} {...{ one, many }} more={query} />
          </>
        )
      }
    </Loaded>
  )
}
