/**
 * Finds applications by a part of their name or id. Each suffix of both is an index entry, and each part is the
 * prefix of a suffix. So a rare text is found without a scan of all applications.
 */
import { insertingRows, type Queries, sql } from '../../engine/database.ts'

/** The stored length of a suffix. For a longer search text, the caller compares the rest. */
const maxPartLength = 64
/** The maximum number of entries to read. With more matches, a few segments of the full list fill a page. */
const maxFound = 1_000

const add = sql('application_names.add')`insert into application_names (application_id, part) values ($1, $2)
   on conflict do nothing`
const remove = sql('application_names.remove')`delete from application_names where application_id = $1 and part = $2`
const having = sql<{ id: string }>('application_names.having')`select application_id as id from application_names
   where part >= $1 and part < $2 limit ${maxFound}`

function partsOf(...texts: readonly string[]): Set<string> {
  const parts = new Set<string>()
  for (const text of texts) {
    const letters = Array.from(text)
    for (const from of letters.keys()) parts.add(letters.slice(from, from + maxPartLength).join(''))
  }
  return parts
}

/** Indexes the name of a new or renamed application. */
export async function indexName(
  tx: Queries,
  id: string,
  { name, former }: { name: string; former?: string | undefined },
): Promise<void> {
  if (name === former) return
  const parts = partsOf(name, id)
  if (former !== undefined) {
    for (const part of partsOf(former)) if (!parts.has(part)) await tx.run(remove, [id, part])
  }
  const rows = [...parts].map((part) => [id, part] as const)
  // Two batch sizes, so that few texts are prepared.
  while (rows.length > 0) {
    const piece = rows.splice(0, rows.length >= 16 ? 16 : 1)
    await tx.run(insertingRows('application_names.addAll', add, piece), piece.flat())
  }
}

/** The ids of all applications with this text in their name or id. Undefined if there are too many. */
export async function applicationsNamed(queries: Queries, text: string): Promise<string[] | undefined> {
  const part = Array.from(text).slice(0, maxPartLength).join('')
  const found = await queries.all(having, [part, `${part}\u{10FFFF}`])
  return found.length === maxFound ? undefined : [...new Set(found.map(({ id }) => id))]
}
