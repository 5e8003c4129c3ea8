/** Grants as administrators look for them. */
import { dynamic, type Engine, type Queries, type Value } from './database.ts'

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

/** Verified grants of an application, the newest first. */
export function searchGrants(
  queries: Queries,
  engine: Engine,
  at: { applicationId: string; search: GrantSearch; after?: { time: number; id: string } | undefined; limit: number },
): Promise<FoundGrant[]> {
  const { search, after } = at
  const values: Value[] = [at.applicationId, at.limit]
  const add = (value: Value): string => `$${values.push(value)}`
  const where = [`g.application_id = $1`, `g.status <> 'unverified'`]
  if (search.status !== undefined) where.push(`g.status = ${add(search.status)}`)
  if (search.provider !== undefined) where.push(`g.provider = ${add(search.provider)}`)
  if (search.text !== undefined) {
    const { field, found } = speech[engine]
    const part = add(search.text.toLowerCase())
    const places = ['g.email_key', 'g.id', `lower(${field(add(nameOf[engine]))})`]
    where.push(`(${places.map((place) => `${found}(${place}, ${part}) > 0`).join(' or ')})`)
  }
  if (after) where.push(`(g.created_at, g.id) < (${add(after.time)}, ${add(after.id)})`)
  const text = `select g.id, g.created_at, g.document, u.last_used_at from grants g
   left join grant_uses u on u.grant_id = g.id where ${where.join(' and ')}
   order by g.created_at desc, g.id desc limit $2`
  return queries.all(dynamic<FoundGrant>('grants.search', text), values)
}
