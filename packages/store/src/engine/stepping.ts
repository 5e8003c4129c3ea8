/** A column that is the first of an index. */
interface Stepped {
  table: string
  column: string
  /** The condition of a partial index. */
  where?: string
  /** A parameter: start after this value. */
  after?: string
}

/**
 * A query for the distinct values of a column. It steps from one value to the next through the index, so each value
 * costs one lookup, no matter how many rows have it. The result has one column, `value`.
 */
export function stepping({ table, column, where, after }: Stepped): string {
  const next = (...conditions: (string | undefined)[]): string => {
    const all = conditions.filter((condition) => condition !== undefined).join(' and ')
    return `(select ${column} from ${table}${all === '' ? '' : ` where ${all}`} order by ${column} limit 1)`
  }
  return `with recursive steps (value) as (
     select ${next(where, after && `${column} > ${after}`)}
     union all
     select ${next(where, `${column} > steps.value`)} from steps where steps.value is not null)
   select value from steps where value is not null`
}
