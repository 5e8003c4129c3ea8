/** Where rows are looked for among those that a column begins an index with. */
interface Stepped {
  table: string
  column: string
  /** Which rows are meant, as the index has them. */
  where?: string
  /** Begins behind this value, a parameter. */
  after?: string
}

/**
 * A query for the different values of a column, from one to the next by an index that begins with it: however many rows
 * have the same value, each costs one look. It has one column, `value`.
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
