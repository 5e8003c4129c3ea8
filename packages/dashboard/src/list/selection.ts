/** The selected rows of a list: some rows from several pages, or everything that matches the filters. */
import { useState } from 'react'

export interface Selection<T> {
  rows: ReadonlyMap<string, T>
  /** Everything that matches is selected, on all pages. */
  all: boolean
  has(id: string): boolean
  set(rows: readonly T[], chosen: boolean): void
  setAll(): void
  clear(): void
  id(row: T): string
}

/** `scope` identifies the list. A different list starts with an empty selection. */
export function useSelection<T>(id: (row: T) => string, scope: string): Selection<T> {
  const [state, setState] = useState<{ scope: string; rows: Map<string, T>; all: boolean }>()
  const { rows, all } = state?.scope === scope ? state : { rows: new Map<string, T>(), all: false }
  return {
    rows,
    all,
    has: (each) => all || rows.has(each),
    set(changed, chosen) {
      const after = new Map(rows)
      for (const row of changed) {
        if (chosen) after.set(id(row), row)
        else after.delete(id(row))
      }
      setState({ scope, rows: after, all: false })
    },
    setAll: () => setState({ scope, rows: new Map(rows), all: true }),
    clear: () => setState({ scope, rows: new Map(), all: false }),
    id,
  }
}
