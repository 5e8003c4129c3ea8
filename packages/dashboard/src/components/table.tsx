import type { ReactNode } from 'react'
import { plural } from '../format.ts'
import { Button } from './button.tsx'

export interface Column<T> {
  title: string
  cell(row: T): ReactNode
  /** Numbers and buttons stand at the end; `tight` columns take no more than they need. */
  kind?: 'end' | 'tight' | 'end tight'
  /** The title is read out only. */
  quiet?: boolean
}

export function Table<T>({
  label,
  rows,
  columns,
  id,
}: {
  label: string
  rows: readonly T[]
  columns: readonly Column<T>[]
  id(row: T): string
}) {
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

/** The end of a list that comes page by page. */
export function MoreRows({
  shown,
  one,
  many,
  more,
}: {
  shown: number
  one: string
  many?: string
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
