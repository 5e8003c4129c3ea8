/** Statements for many rows: parameter lists of a few fixed lengths, and arrays on PostgreSQL. */
import type { Statement, Value } from './database.ts'

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
