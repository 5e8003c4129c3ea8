/** The search for grants by administrators. */
import type { Engine, Queries } from '../../engine/database.ts'
import {
  type Condition,
  countKeyset,
  equal,
  type Keyset,
  type KeysetPage,
  type KeysetPosition,
  readKeyset,
  type Span,
  within,
} from '../../engine/keyset.ts'
import { countGrantsBy } from './grants.ts'

export interface GrantSearch {
  /** A part of the address, the name or the id. */
  text?: string | undefined
  status?: 'valid' | 'invalid' | undefined
  provider?: string | undefined
  workspaceId?: string | undefined
  blocked?: boolean | undefined
  /** Milliseconds; `since` is inclusive, `before` is exclusive. */
  created?: Span | undefined
  /** A grant that was never used matches any `before`. */
  lastUsed?: Span | undefined
}
export type GrantSort = 'created_at' | 'last_used_at' | 'email' | 'grant_status'

export interface FoundGrant {
  id: string
  created_at: number
  document: string
  last_used_at: number | null
}

/** For each engine, the name in the document and the function that finds a substring. */
const speech: Record<Engine, { name: string; found: string }> = {
  sqlite: { name: `g.document ->> 'name'`, found: 'instr' },
  postgresql: { name: `cast(g.document as json) ->> 'name'`, found: 'strpos' },
}

const columns = 'g.id, g.created_at, g.document, u.last_used_at'
const withUses = 'grants g left join grant_uses u on u.grant_id = g.id and u.application_id = g.application_id'

function containing(engine: Engine, part: string): Condition {
  const { name, found } = speech[engine]
  return (bind) => {
    const text = bind(part.toLowerCase())
    const places = ['g.email_key', 'g.id', `lower(${name})`]
    return `(${places.map((place) => `${found}(${place}, ${text}) > 0`).join(' or ')})`
  }
}

/** The conditions by filter. */
function conditionsOf(engine: Engine, search: GrantSearch) {
  const { status, provider, workspaceId, blocked, created, lastUsed, text } = search
  return {
    status: equal('g.status', status),
    provider: equal('g.provider', provider),
    workspace: equal('g.workspace_id', workspaceId),
    blocked: equal('g.blocked', blocked === undefined ? undefined : Number(blocked)),
    created: within('g.created_at', created),
    text: text === undefined ? [] : [containing(engine, text)],
    usedSince: within('u.last_used_at', { since: lastUsed?.since }),
    usedBefore: lastUsed?.before === undefined ? [] : [notUsedSince(lastUsed.before)],
  }
}
const notUsedSince =
  (time: number): Condition =>
  (bind) =>
    `(u.last_used_at is null or u.last_used_at < ${bind(time)})`

interface GrantQuery {
  applicationId: string
  search: GrantSearch
  sort: GrantSort
  order: 'asc' | 'desc'
}

const verified: Condition = () => `g.status <> 'unverified'`

/** Sorted by a column of the grants table. */
function byColumn(engine: Engine, { applicationId, search, sort, order }: GrantQuery): Keyset {
  const { status, provider, workspace, created, ...rest } = conditionsOf(engine, search)
  const indexed: Condition[] = []
  const others: Condition[] = Object.values(rest).flat()
  if (sort === 'created_at') {
    // Only one of these filters can use its index in the order of creation.
    const [first = [], ...filters] = [workspace, provider, status].filter((filter) => filter.length > 0)
    indexed.push(...first, ...created)
    others.push(...filters.flat())
    // The index by creation time contains only verified grants.
    if (first.length === 0) indexed.push(verified)
  } else {
    others.push(...provider, ...workspace, ...created)
    ;(sort === 'grant_status' ? indexed : others).push(...status)
  }
  const keys = { created_at: ['g.created_at', 'g.id'], email: ['g.email_key'], grant_status: statusKeys } as const
  return {
    name: 'grants.search',
    keys: keys[sort === 'last_used_at' ? 'created_at' : sort],
    order,
    walk: { from: 'grants g', where: [...equal('g.application_id', applicationId), ...indexed] },
    read: { columns, from: withUses, where: [verified, ...others] },
    sparse: others.length > 0,
  }
}
const statusKeys = ['g.status', 'g.created_at', 'g.id'] as const

/** Sorted by the last use. Grants that were never used form a second part, sorted by creation. */
function byUse(engine: Engine, requested: GrantQuery): Keyset[] {
  const { applicationId, search, order } = requested
  const { usedSince, usedBefore: _, ...rest } = conditionsOf(engine, search)
  const others = Object.values(rest).flat()
  const used: Keyset = {
    name: 'grants.searchUsed',
    keys: ['u.last_used_at', 'u.grant_id'],
    order,
    walk: {
      from: 'grant_uses u',
      where: [...equal('u.application_id', applicationId), ...within('u.last_used_at', search.lastUsed)],
    },
    read: {
      columns,
      from: 'grant_uses u join grants g on g.id = u.grant_id and g.application_id = u.application_id',
      where: [...equal('g.application_id', applicationId), verified, ...others],
    },
    sparse: others.length > 0,
  }
  if (usedSince.length > 0) return [used]
  const walk = byColumn(engine, { ...requested, search: { ...search, lastUsed: undefined }, sort: 'created_at' })
  const unused: Keyset = {
    ...walk,
    name: 'grants.searchUnused',
    read: { ...walk.read, where: [...walk.read.where, () => 'u.grant_id is null'] },
    sparse: true,
  }
  return order === 'desc' ? [used, unused] : [unused, used]
}

const partsOf = (engine: Engine, requested: GrantQuery): Keyset[] =>
  requested.sort === 'last_used_at' ? byUse(engine, requested) : [byColumn(engine, requested)]

/** A page of the verified grants of an application. */
export const searchGrants = (
  queries: Queries,
  engine: Engine,
  { after, limit, ...requested }: GrantQuery & { after?: KeysetPosition | undefined; limit: number },
): Promise<KeysetPage<FoundGrant>> => readKeyset(queries, partsOf(engine, requested), { after, limit })

/** Counting stops here. */
export const maxCounted = 10_000
const maxPieces = 100

/** The number of verified grants that a search finds. Filters with stored counters need no search. */
export async function countFoundGrants(
  queries: Queries,
  engine: Engine,
  requested: Pick<GrantQuery, 'applicationId' | 'search'>,
): Promise<{ count: number; more: boolean }> {
  const { status, provider, blocked, ...others } = requested.search
  if (Object.values(conditionsOf(engine, others)).flat().length === 0) {
    const all = await countGrantsBy(queries, requested.applicationId, { status, provider, blocked })
    return { count: Math.min(all, maxCounted), more: all > maxCounted }
  }
  const parts = partsOf(engine, { ...requested, sort: 'created_at', order: 'desc' })
  return countKeyset(queries, parts, { max: maxCounted, pieces: maxPieces })
}
