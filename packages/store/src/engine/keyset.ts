/**
 * Keyset pagination: reads a list in the order of an index, from a position on. Filters that no index supports are
 * applied to segments of `pieceRows` rows. One call reads at most `pieces` segments and yields to other work in
 * between.
 */
import { yieldBetween } from '@waypost/platform/parsing/yielding'
import { dynamic, type Queries, statedLimit, type Value } from './database.ts'

export type Bind = (value: Value) => string
export type Condition = (bind: Bind) => string

/** Compares a column with a value, if there is one. */
export const equal = (column: string, value: Value | undefined): Condition[] =>
  value === undefined ? [] : [(bind) => `${column} = ${bind(value)}`]

/** A column has one of some values. An empty list matches no row. */
export const among =
  (column: string, values: readonly string[]): Condition =>
  (bind) =>
    values.length > 0 ? `${column} in (${values.map(bind).join(', ')})` : '1 = 0'

/** Limits a column to a span; `since` is inclusive, `before` is exclusive. */
export const within = (column: string, { since, before }: Span = {}): Condition[] => [
  ...(since === undefined ? [] : [((bind) => `${column} >= ${bind(since)}`) satisfies Condition]),
  ...(before === undefined ? [] : [((bind) => `${column} < ${bind(before)}`) satisfies Condition]),
]
export interface Span {
  since?: number | undefined
  before?: number | undefined
}

/**
 * The values of the columns that define the order. In the position of a page, the index of the list part comes first.
 */
export type KeysetPosition = readonly (string | number)[]

/** One part of a list: rows in the order of columns that together are unique. */
export interface Keyset {
  /** The prefix of the statement names, such as `grants.search`. */
  name: string
  keys: readonly string[]
  order: 'asc' | 'desc'
  /** The rows in the order of an index. */
  walk: { from: string; where: readonly Condition[] }
  /** The columns to read, and the filter. */
  read: { columns: string; from: string; where: readonly Condition[] }
  /** True if the filter may match few rows; then the list is read in segments. */
  sparse: boolean
}

interface Between {
  after: KeysetPosition | undefined
  /** Up to and including this position. */
  to?: KeysetPosition | undefined
}

/** Rows per segment. */
const pieceRows = 1_000
/** The default number of segments per call. */
export const piecesPerCall = 20

const keyNames = ({ keys }: Keyset): string => keys.map((key, place) => `${key} as k${place}`).join(', ')
const orderOf = ({ keys, order }: Keyset): string => keys.map((key) => `${key} ${order}`).join(', ')

/** Builds the WHERE clause and appends its parameters to `values`. */
function whereOf(part: Keyset, conditions: readonly Condition[], between: Between, values: Value[]): string {
  const bind: Bind = (value) => `$${values.push(value)}`
  const row = (names: readonly string[]): string => (names.length === 1 ? `${names[0]}` : `(${names.join(', ')})`)
  const beyond = (position: KeysetPosition | undefined, sign: string): string[] =>
    position ? [`${row(part.keys)} ${sign} ${row(position.map(bind))}`] : []
  const isUp = part.order === 'asc'
  const all = [
    ...conditions.map((each) => each(bind)),
    ...beyond(between.after, isUp ? '>' : '<'),
    ...beyond(between.to, isUp ? '<=' : '>='),
  ]
  return all.length === 0 ? '' : `where ${all.join(' and ')}`
}

type Keys = Record<`k${number}`, string | number>
const positionOf = ({ keys }: Keyset, row: Keys): (string | number)[] =>
  keys.map((_, place) => row[`k${place}`] as string | number)

/** Removes the key columns from a row. */
function withoutKeys<T>({ keys }: Keyset, row: T & Keys): T {
  for (const place of keys.keys()) Reflect.deleteProperty(row, `k${place}`)
  return row
}

/** The position of the last row of the next segment. Undefined if fewer rows are left. */
async function pieceEnd(
  queries: Queries,
  part: Keyset,
  after: KeysetPosition | undefined,
): Promise<KeysetPosition | undefined> {
  const values: Value[] = []
  const where = whereOf(part, part.walk.where, { after }, values)
  const text = `select ${keyNames(part)} from ${part.walk.from} ${where} order by ${orderOf(part)} limit 1 offset ${pieceRows - 1}`
  const row = await queries.get(dynamic<Keys>({ name: `${part.name}.end`, text }), values)
  return row && positionOf(part, row)
}

async function readBetween<T>(
  queries: Queries,
  part: Keyset,
  between: Between & { limit: number },
): Promise<(T & Keys)[]> {
  const values: Value[] = []
  const where = whereOf(part, [...part.walk.where, ...part.read.where], between, values)
  const text = `select ${part.read.columns}, ${keyNames(part)} from ${part.read.from} ${where} order by ${orderOf(part)} limit ${statedLimit(between.limit)}`
  return (await queries.all(dynamic<T & Keys>({ name: part.name, text }), values)).slice(0, between.limit)
}

export interface KeysetPage<T> {
  rows: T[]
  /** The position for the next page. Undefined at the end of the list. */
  next: (string | number)[] | undefined
}

/** A page of a list that consists of several parts. It can be shorter than `limit` and still have a next page. */
export async function readKeyset<T>(
  queries: Queries,
  parts: readonly Keyset[],
  page: { after?: KeysetPosition | undefined; limit: number; pieces?: number },
): Promise<KeysetPage<T>> {
  const rows: T[] = []
  const othersTurn = yieldBetween()
  let [index, after] = page.after ? [Number(page.after[0]), page.after.slice(1)] : [0, undefined]
  let last = page.after ? [...page.after] : undefined
  let left = page.pieces ?? piecesPerCall
  for (let part = parts[index]; part; part = parts[++index], after = undefined) {
    for (;;) {
      const wanted = page.limit - rows.length
      const to = part.sparse ? await pieceEnd(queries, part, after) : undefined
      const found = await readBetween<T>(queries, part, { after, to, limit: wanted + 1 })
      for (const row of found.slice(0, wanted)) {
        last = [index, ...positionOf(part, row)]
        rows.push(withoutKeys(part, row))
      }
      if (found.length > wanted) return { rows, next: last }
      if (!to) break
      after = [...to]
      left -= 1
      if (left <= 0) return { rows, next: [index, ...to] }
      await othersTurn()
    }
  }
  return { rows, next: undefined }
}

/** Counts the rows of a list: exactly up to `max`, and within at most `pieces` segments. */
export async function countKeyset(
  queries: Queries,
  parts: readonly Keyset[],
  { max, pieces }: { max: number; pieces: number },
): Promise<{ count: number; more: boolean }> {
  let count = 0
  let left = pieces
  const othersTurn = yieldBetween()
  for (const part of parts) {
    for (let after: KeysetPosition | undefined; ; ) {
      const to = await pieceEnd(queries, part, after)
      count += await countBetween(queries, part, { after, to })
      if (count > max) return { count: max, more: true }
      if (!to) break
      after = to
      left -= 1
      if (left <= 0) return { count, more: true }
      await othersTurn()
    }
  }
  return { count, more: false }
}

async function countBetween(queries: Queries, part: Keyset, between: Between): Promise<number> {
  const values: Value[] = []
  const where = whereOf(part, [...part.walk.where, ...part.read.where], between, values)
  const text = `select count(*) as n from ${part.read.from} ${where}`
  return (await queries.get(dynamic<{ n: number }>({ name: `${part.name}.count`, text }), values))?.n ?? 0
}
