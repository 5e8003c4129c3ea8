/** Grants as administrators look for them. */
import { takingTurns } from '../lib/turns.ts'
import { dynamic, type Engine, type Queries, sql, type Value } from './database.ts'

export interface GrantSearch {
  /** A part of the address, the name or the id. */
  text?: string | undefined
  status?: 'valid' | 'invalid' | undefined
  provider?: string | undefined
}

export interface FoundGrant {
  id: string
  created_at: number
  document: string
  last_used_at: number | null
}

/** How each engine reads a field of the document, and finds a text in another. */
const speech: Record<Engine, { field(name: string): string; found: string }> = {
  sqlite: { field: (name) => `json_extract(g.document, ${name})`, found: 'instr' },
  postgresql: { field: (name) => `cast(g.document as json) ->> cast(${name} as text)`, found: 'strpos' },
}

/** Where the name stands in the document. */
const nameOf: Record<Engine, string> = { sqlite: '$.name', postgresql: 'name' }

interface Position {
  time: number
  id: string
}

/** A text is looked for in so many grants at a time. */
const lookedThrough = 1_000

const windowEnd = sql<{ created_at: number; id: string }>(
  'grants.windowEnd',
  `select created_at, id from grants where application_id = $1 and (created_at, id) < ($2, $3)
   order by created_at desc, id desc limit 1 offset ${lookedThrough - 1}`,
)
const newest: Position = { time: Number.MAX_SAFE_INTEGER, id: '' }

/** Those between two positions, the newest first. */
function findBetween(
  queries: Queries,
  engine: Engine,
  at: { applicationId: string; search: GrantSearch; after: Position; to: Position | undefined; limit: number },
): Promise<FoundGrant[]> {
  const { search, after, to } = at
  const values: Value[] = [at.applicationId, at.limit, after.time, after.id]
  const add = (value: Value): string => `$${values.push(value)}`
  const where = [`g.application_id = $1`, `g.status <> 'unverified'`, '(g.created_at, g.id) < ($3, $4)']
  if (to) where.push(`(g.created_at, g.id) >= (${add(to.time)}, ${add(to.id)})`)
  if (search.status !== undefined) where.push(`g.status = ${add(search.status)}`)
  if (search.provider !== undefined) where.push(`g.provider = ${add(search.provider)}`)
  if (search.text !== undefined) {
    const { field, found } = speech[engine]
    const part = add(search.text.toLowerCase())
    const places = ['g.email_key', 'g.id', `lower(${field(add(nameOf[engine]))})`]
    where.push(`(${places.map((place) => `${found}(${place}, ${part}) > 0`).join(' or ')})`)
  }
  const text = `select g.id, g.created_at, g.document, u.last_used_at from grants g
   left join grant_uses u on u.grant_id = g.id where ${where.join(' and ')}
   order by g.created_at desc, g.id desc limit $2`
  return queries.all(dynamic<FoundGrant>('grants.search', text), values)
}

/**
 * Verified grants of an application, the newest first. No index finds a part of a text: grants are looked through for it
 * in pieces, and others have their turn in between.
 */
export async function searchGrants(
  queries: Queries,
  engine: Engine,
  at: { applicationId: string; search: GrantSearch; after?: Position | undefined; limit: number },
): Promise<FoundGrant[]> {
  const { applicationId, search, limit } = at
  const found: FoundGrant[] = []
  const othersTurn = takingTurns()
  for (let after = at.after ?? newest; ; await othersTurn()) {
    const end =
      search.text === undefined ? undefined : await queries.get(windowEnd, [applicationId, after.time, after.id])
    const to = end && { time: end.created_at, id: end.id }
    const wanted = limit - found.length
    found.push(...(await findBetween(queries, engine, { applicationId, search, after, to, limit: wanted })))
    if (!to || found.length >= limit) return found
    after = to
  }
}
