/**
 * Applications by a part of their name or id: every end of both is an entry of an index, and what begins an end is a part.
 * So few are found among many without a look at the others.
 */
import { insertingRows, type Queries, sql } from '../../engine/database.ts'

/** So many letters of an end are kept: who looks for more compares the rest. */
const longestPart = 64
/** So many entries are read. Where there are more, a page is full after a few pieces of a list. */
const mostFound = 1_000

const add = sql({
  name: 'application_names.add',
  text: 'insert into application_names (application_id, part) values ($1, $2) on conflict do nothing',
  writes: ['application_names'],
})
const remove = sql({
  name: 'application_names.remove',
  text: 'delete from application_names where application_id = $1 and part = $2',
  writes: ['application_names'],
})
const having = sql<{ id: string }>({
  name: 'application_names.having',
  text: `select application_id as id from application_names where part >= $1 and part < $2 limit ${mostFound}`,
  reads: ['application_names'],
})

function partsOf(...texts: readonly string[]): Set<string> {
  const parts = new Set<string>()
  for (const text of texts) {
    const letters = Array.from(text)
    for (const from of letters.keys()) parts.add(letters.slice(from, from + longestPart).join(''))
  }
  return parts
}

/** An application has another name, or its first. */
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
  // Pieces of one length, so that the texts are few.
  while (rows.length > 0) {
    const piece = rows.splice(0, rows.length >= 16 ? 16 : 1)
    await tx.run(insertingRows('application_names.addAll', add, piece), piece.flat())
  }
}

/** The ids of those that have a text in their name or id, all of them; undefined where there are many. */
export async function applicationsNamed(queries: Queries, text: string): Promise<string[] | undefined> {
  const part = Array.from(text).slice(0, longestPart).join('')
  const found = await queries.all(having, [part, `${part}\u{10FFFF}`])
  return found.length === mostFound ? undefined : [...new Set(found.map(({ id }) => id))]
}
