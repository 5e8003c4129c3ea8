/** Many rows of values in one statement. */
import type { Value } from './database.ts'

/** Rows of placeholders. Each value is cast, because PostgreSQL cannot infer its type in a statement with a join. */
export function valuesOf(rows: readonly (readonly Value[])[], types: readonly string[]): string {
  let count = 0
  return rows.map(() => `(${types.map((type) => `cast($${++count} as ${type})`).join(', ')})`).join(', ')
}

/** Segments whose lengths are powers of two, so that few texts are prepared. */
export function* pieces<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < rows.length; ) {
    const length = 2 ** Math.floor(Math.log2(Math.min(rows.length - from, 128)))
    yield rows.slice(from, from + length)
    from += length
  }
}
