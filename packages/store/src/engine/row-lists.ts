/** Statements for many rows: parameter lists of a few fixed lengths, and arrays on PostgreSQL. */
import { dynamic, type Queries, type Statement, type Value } from './database.ts'

/** Segments whose lengths are powers of two, so that few texts are prepared. */
export function* pieces<T>(rows: readonly T[], max = 256): Generator<readonly T[]> {
  for (let from = 0; from < rows.length; ) {
    const length = 2 ** Math.floor(Math.log2(Math.min(rows.length - from, max)))
    yield rows.slice(from, from + length)
    from += length
  }
}

export const parameters = (count: number, from: number): string =>
  Array.from({ length: count }, (_, index) => `$${from + index}`).join(', ')

/** Composes the statement for each number of rows once. */
export function forRows<T>(compose: (count: number) => Statement<T>): (count: number) => Statement<T> {
  const composed = new Map<number, Statement<T>>()
  return (count) => {
    const statement = composed.get(count) ?? compose(count)
    composed.set(count, statement)
    return statement
  }
}

const element = (value: Value): string => {
  if (value === null) return 'NULL'
  return typeof value === 'number' ? String(value) : `"${value.replaceAll(/["\\]/g, '\\$&')}"`
}

/** An array in PostgreSQL's text form: any number of values becomes one parameter of one statement. */
export const arrayText = (values: readonly Value[]): string => `{${values.map(element).join(',')}}`

/** Rows of placeholders. Each value is cast, because PostgreSQL cannot infer its type in a statement with a join. */
export function valuesOf(rows: readonly (readonly Value[])[], types: readonly string[]): string {
  let count = 0
  return rows.map(() => `(${types.map((type) => `cast($${++count} as ${type})`).join(', ')})`).join(', ')
}

/** Writes rows in pieces, with the statement that `text` makes of their placeholders. */
export async function writeRows(
  queries: Queries,
  rows: readonly (readonly Value[])[],
  { name, types, text }: { name: string; types: readonly string[]; text(values: string): string },
): Promise<void> {
  for (const piece of pieces(rows, 128)) {
    await queries.run(dynamic({ name, text: text(valuesOf(piece, types)) }), piece.flat())
  }
}
