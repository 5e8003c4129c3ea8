/** A table, declared once: the type of its rows, its columns, and statements whose parameters have names. */
import {
  type Declaration,
  type Queries,
  type Row,
  type Statement,
  statement,
  type Template,
  template,
  type Value,
} from './database.ts'

/** Has the type of a column's values, and nothing at run time. */
export interface Column<T extends Value> {
  readonly value?: T
}

export const text: Column<string> = {}
export const number: Column<number> = {}
/** A text that has one of some values. */
export const word = <T extends string>(): Column<T> => ({})
export const nullable = <T extends Value>(_column: Column<T>): Column<T | null> => ({})

type Columns = Readonly<Record<string, Column<Value>>>
type Rows<C extends Columns> = { -readonly [K in keyof C]: C[K] extends Column<infer T> ? T : never }
export type RowOf<T extends { readonly of: Columns }> = Rows<T['of']>

/** A statement and its parameters, as in `queries.run(...update(row))`. */
export type Call<T> = readonly [Statement<T>, readonly Value[]]

/** A statement whose text names its parameters: `where id = :id`. They come from the values of an object. */
export const named = <P extends Readonly<Record<string, Value>>>(
  name: string,
  also?: Pick<Declaration, 'raises'>,
): Template<(values: P) => Call<unknown>> => template((text) => byName({ ...also, name, text }))

function byName<P extends Readonly<Record<string, Value>>>(declared: Declaration): (values: P) => Call<unknown> {
  const names: string[] = []
  const positionOf = (name: string): string => `$${names.includes(name) ? names.indexOf(name) + 1 : names.push(name)}`
  // Not a cast of PostgreSQL, such as `::text`.
  const text = declared.text.replaceAll(/(?<!:):(\w+)/g, (_, name: string) => positionOf(name))
  const positional = statement({ ...declared, text })
  return (values) => [
    positional,
    names.map((each) => {
      const value = values[each]
      if (value === undefined) throw new Error(`${declared.name} needs a value for ${each}`)
      return value
    }),
  ]
}

/** Statements on one table, of which each has its name: ``update('revoke')`set …` `` of `api_keys` is `api_keys.revoke`. */
export function statementsOn(table: string) {
  const starting =
    <T = Row>(start: string) =>
    (verb: string): Template<Statement<T>> =>
      template((rest) => statement({ name: `${table}.${verb}`, text: `${start} ${rest}` }))
  return {
    starting,
    /** Counts rows: ``count('ofGrant')`where …` ``. */
    count: starting<{ n: number }>(`select count(*) as n from ${table}`),
    /** Changes rows: ``update('revoke')`set … where …` ``. */
    update: starting(`update ${table}`),
    /** Deletes rows: ``delete('remove')`where …` ``. */
    delete: starting(`delete from ${table}`),
    /**
     * Deletes rows that are older than a time by a column, the oldest first and 1,000 at a time. The function returns
     * whether there may be more. `key` is the primary key.
     */
    purge: (key: string, by: string, also = ''): ((queries: Queries, before: number) => Promise<boolean>) => {
      const old = `select ${key} from ${table} where ${by} < $1 ${also} order by ${by} limit 1000`
      const remove = starting(`delete from ${table}`)('purge')`where (${key}) in (${old})`
      return async (queries, before) => (await queries.run(remove, [before])) > 0
    },
  }
}

export function table<const C extends Columns>(name: string, of: C) {
  const names = Object.keys(of)
  const columns = names.join(', ')
  /** A parameter for each column. */
  const values = names.map((column) => `:${column}`).join(', ')
  const { starting, ...statements } = statementsOn(name)
  return {
    ...statements,
    of,
    columns,
    values,
    /** Reads whole rows: ``select('byHash')`where hash = $1` ``. */
    select: starting<Rows<C>>(`select ${columns} from ${name}`),
    /** Assigns to columns the parameters of their names. */
    set: (...changed: readonly (keyof C & string)[]): string =>
      changed.map((column) => `${column} = :${column}`).join(', '),
    /** The values of a row, in the order of the columns. */
    valuesOf: (row: Rows<C>): Value[] => {
      const of: Readonly<Record<string, Value>> = row
      return names.map((column) => of[column] ?? null)
    },
    /** The statement that inserts a row, unless there is one with the same value of these columns. */
    insert: (conflict?: string, also?: Partial<Declaration>): ((row: Rows<C>) => Call<unknown>) => {
      const unless = conflict === undefined ? '' : ` on conflict (${conflict}) do nothing`
      const text = `insert into ${name} (${columns}) values (${values})${unless}`
      return byName({ name: `${name}.insert`, text, ...also })
    },
    /** The statement that inserts a row, or replaces the one with the same value of these columns. */
    upsert: (verb: string, conflict: string): ((row: Rows<C>) => Call<unknown>) => {
      const keys = conflict.split(', ')
      const replaced = names
        .filter((column) => !keys.includes(column))
        .map((column) => `${column} = excluded.${column}`)
      const text = `insert into ${name} (${columns}) values (${values})
   on conflict (${conflict}) do update set ${replaced.join(', ')}`
      return byName({ name: `${name}.${verb}`, text })
    },
  }
}
