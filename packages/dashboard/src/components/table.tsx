import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { plural } from '../format.ts'
import type { Order } from '../list/address.ts'
import type { Selection } from '../list/selection.ts'
import { Button } from './button.tsx'
import { Loaded } from './states.tsx'

export interface Column<T> {
  title: string
  cell(row: T): ReactNode
  /** `end` aligns numbers and buttons to the right; `tight` columns are as narrow as possible. */
  kind?: 'end' | 'tight' | 'end tight'
  /** The title is visible to screen readers only. */
  quiet?: boolean
  /** Name of the sort order by this column. */
  sort?: string
}

export interface Sorting {
  by: string
  order: Order
  onSort(by: string): void
}

export interface TableProps<T> {
  label: string
  columns: readonly Column<T>[]
  id(row: T): string
  /** Actions for a row, in its last cell. */
  actions?(row: T): ReactNode
  sorting?: Sorting
  selection?: Selection<T>
  /** Accessible name of a row in its check box. */
  nameOf?(row: T): string
  /** Old rows are shown while new ones load. */
  isChanging?: boolean
}

const marks: Record<Order, string> = { asc: '↑', desc: '↓' }

function Heading<T>({ column: { title, kind, quiet, sort }, sorting }: { column: Column<T>; sorting?: Sorting }) {
  const order = sort !== undefined && sorting?.by === sort ? sorting.order : undefined
  const shown = quiet ? <span className="hidden">{title}</span> : title
  return (
    <th scope="col" className={kind} aria-sort={order && (order === 'asc' ? 'ascending' : 'descending')}>
      {sort !== undefined && sorting ? (
        <button type="button" className="sort" onClick={() => sorting.onSort(sort)}>
          {shown}
          <span aria-hidden="true">{order ? marks[order] : '↕'}</span>
        </button>
      ) : (
        shown
      )}
    </th>
  )
}

/** Selects all rows on the page. */
function ChooseShown<T>({ rows, selection }: { rows: readonly T[]; selection: Selection<T> }) {
  const chosen = rows.filter((row) => selection.has(selection.id(row))).length
  return (
    <input
      type="checkbox"
      aria-label="Select all rows on this page"
      checked={rows.length > 0 && chosen === rows.length}
      ref={(element) => {
        if (element) element.indeterminate = chosen > 0 && chosen < rows.length
      }}
      onChange={(event) => selection.set(rows, event.currentTarget.checked)}
    />
  )
}

export function Table<T>({
  label,
  rows,
  columns: given,
  id,
  actions,
  sorting,
  selection,
  nameOf,
  isChanging,
}: TableProps<T> & { rows: readonly T[] }) {
  const columns: readonly Column<T>[] = actions
    ? [...given, { title: 'Actions', quiet: true, kind: 'end tight', cell: actions }]
    : given
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls on narrow screens, and a keyboard must reach it
    <section className="table-frame" tabIndex={0} aria-label={label} aria-busy={isChanging || undefined}>
      <table>
        <thead>
          <tr>
            {selection && (
              <th scope="col" className="tight">
                <ChooseShown rows={rows} selection={selection} />
              </th>
            )}
            {columns.map((column) => (
              <Heading key={column.title} column={column} sorting={sorting} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={id(row)} className="opens" data-chosen={selection?.has(id(row)) || undefined}>
              {selection && (
                <td className="tight choose">
                  <input
                    type="checkbox"
                    aria-label={`Select ${nameOf?.(row) ?? id(row)}`}
                    checked={selection.has(id(row))}
                    onChange={(event) => selection.set([row], event.currentTarget.checked)}
                  />
                </td>
              )}
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

/** Singular and plural of the row name. */
export interface RowCount {
  one: string
  many?: string
}

/** The end of a list that loads page by page. */
export function MoreRows({
  shown,
  one,
  many,
  more,
}: RowCount & {
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

/** A list that loads page by page, or a placeholder if it is empty. */
export function PagedTable<T>({
  query,
  lines,
  none,
  one,
  many,
  ...table
}: TableProps<T> & RowCount & { query: UseInfiniteQueryResult<T[]>; lines?: number; none: ReactNode }) {
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
