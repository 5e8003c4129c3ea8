/** Many rows of values in one statement. */
import { dynamic, type Queries, type Value } from './database.ts'
import { pieces } from './row-lists.ts'

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
