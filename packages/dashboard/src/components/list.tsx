/** A long list: one page at a time, sorted by a column, with bulk actions on selected rows. */
import { type ReactNode, useId } from 'react'
import { count, plural } from '../format.ts'
import type { ListAddress } from '../list/address.ts'
import type { ListView, Total } from '../list/view.ts'
import { useRights } from '../rights.ts'
import { Button } from './button.tsx'
import { Icon } from './icons.tsx'
import { ErrorNote, Skeleton } from './states.tsx'
import { type RowCount, Table, type TableProps } from './table.tsx'

export const sayTotal = ({ count: value, more }: Total, { one, many }: RowCount): string =>
  more ? `${count(value)}+ ${many ?? `${one}s`}` : plural(value, one, many)

/** The position in the list, and links to the previous and next page. */
function Pager<T>({ view, address, ...words }: RowCount & { view: ListView<T>; address: ListAddress }) {
  const id = useId()
  const shown = view.rows?.length ?? 0
  const { total, first, next, previous } = view
  const isWhole = next === undefined && previous === undefined
  const range = `${count(first)}–${count(first + shown - 1)}`
  return (
    <div className="foot">
      <span aria-live="polite">
        {isWhole ? plural(shown, words.one, words.many) : total ? `${range} of ${sayTotal(total, words)}` : range}
      </span>
      <div className="actions">
        <span className="page-size">
          <label htmlFor={id}>Rows</label>
          <select
            id={id}
            className="input"
            value={address.size}
            onChange={(event) =>
              address.set({ size: event.currentTarget.value === '50' ? '' : event.currentTarget.value })
            }
          >
            {address.sizes.map((size) => (
              <option key={size}>{size}</option>
            ))}
          </select>
        </span>
        {!isWhole && (
          <nav className="actions" aria-label="Pages">
            <Button small aria-label="Previous page" disabled={!previous} onClick={previous}>
              <Icon name="back" />
            </Button>
            <Button small aria-label="Next page" disabled={!next} onClick={next}>
              <Icon name="forward" />
            </Button>
          </nav>
        )}
      </div>
    </div>
  )
}

/** On a phone the table has no headings, so the order is chosen here. */
function SortChoice<T>({ columns, address }: { columns: TableProps<T>['columns']; address: ListAddress }) {
  const id = useId()
  const sortable = columns.flatMap(({ title, sort }) => (sort === undefined ? [] : [[sort, title] as const]))
  if (sortable.length === 0) return null
  const { by, order } = address.sort
  return (
    <div className="phone-sort">
      <label htmlFor={id}>Order</label>
      <select
        id={id}
        className="input"
        value={`${by} ${order}`}
        onChange={(event) => {
          const [next = '', turned = ''] = event.currentTarget.value.split(' ')
          address.set({ sort: next, order: turned })
        }}
      >
        {sortable.flatMap(([sort, title]) => [
          <option key={`${sort} asc`} value={`${sort} asc`}>
            {title} ↑
          </option>,
          <option key={`${sort} desc`} value={`${sort} desc`}>
            {title} ↓
          </option>,
        ])}
      </select>
    </div>
  )
}

export function ListTable<T>({
  view,
  address,
  none,
  one,
  many,
  bulk,
  selection,
  ...table
}: TableProps<T> &
  RowCount & {
    view: ListView<T>
    address: ListAddress
    /** Shown when there are no rows. */
    none: ReactNode
    /** Bulk actions on the selected rows. */
    bulk?: ReactNode
  }) {
  const { change } = useRights()
  // The bulk bar stays visible when no row is left, so that its result can be read.
  return (
    <>
      {change && bulk}
      <Rows {...{ view, address, none, one, many }} {...table} selection={change ? selection : undefined} />
    </>
  )
}

function Rows<T>({
  view,
  address,
  none,
  one,
  many,
  ...table
}: TableProps<T> & RowCount & { view: ListView<T>; address: ListAddress; none: ReactNode }) {
  const { rows, error } = view
  if (error && (!rows || view.isChanging)) {
    return (
      <div className="card-body">
        <ErrorNote error={error} onRetry={view.retry} />
      </div>
    )
  }
  if (!rows) return <Skeleton lines={8} />
  if (rows.length === 0 && view.previous === undefined) return none
  return (
    <>
      <SortChoice columns={table.columns} address={address} />
      <Table
        {...table}
        rows={rows}
        isChanging={view.isChanging}
        sorting={{ ...address.sort, onSort: address.sortBy }}
      />
      <Pager {...{ view, address, one, many }} />
    </>
  )
}
