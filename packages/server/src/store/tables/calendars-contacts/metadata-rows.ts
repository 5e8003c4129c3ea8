/**
 * Rows that hold metadata beside what a provider keeps: whose they are, the five keys that can be looked for, when it
 * was set, and the whole as JSON.
 */
import type { MetadataPair } from '@waypost/contract'
import { dynamic, type Queries, sql, type Value } from '../../engine/database.ts'
import { lockGrant } from '../grants/grants.ts'
import { keysOf } from './calendars.ts'

/** Whose objects are meant. */
export interface Holder {
  applicationId: string
  grantId: string
}

/** An object that has metadata, and when it was set. */
export interface WithMetadata {
  id: string
  updatedAt: number
}

export interface MetadataPage {
  after: WithMetadata | undefined
  limit: number
}

export const ofGrant = 'application_id = $1 and grant_id = $2'

/** The rows whose metadata has all pairs, by when it was set, newest first. `where` begins with whose they are. */
export async function findByMetadata(
  queries: Queries,
  { table, id, where, values }: { table: string; id: string; where: string; values: readonly Value[] },
  pairs: readonly MetadataPair[],
  { after, limit }: MetadataPage,
): Promise<WithMetadata[]> {
  const parameters = [...values]
  const bind = (value: Value): string => `$${parameters.push(value)}`
  // Key names come from the contract's list of five.
  const having = pairs.map(({ key, value }) => ` and ${key} = ${bind(value)}`).join('')
  const beyond = after ? ` and (updated_at, ${id}) < (${bind(after.updatedAt)}, ${bind(after.id)})` : ''
  const text = `select ${id} as id, updated_at from ${table} where ${where}${having}${beyond}
    order by updated_at desc, ${id} desc limit ${bind(limit)}`
  const rows = await queries.all(
    dynamic<{ id: string; updated_at: number }>({ name: `${table}.find`, text, reads: [table] }),
    parameters,
  )
  return rows.map((row) => ({ id: row.id, updatedAt: row.updated_at }))
}

const readTogether = 200
/** Few sizes of a list, and so few statements to prepare. */
const listSizes = [1, 10, 50, readTogether]

/** A list in parts for a statement each: the last item of a part is repeated up to one of the sizes. */
export function* inSizedParts<T extends string | object>(items: readonly T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += readTogether) {
    const part = items.slice(start, start + readTogether)
    const [last] = part.slice(-1)
    if (last === undefined) return
    const size = listSizes.find((one) => one >= part.length) ?? readTogether
    yield [...part, ...Array.from({ length: size - part.length }, () => last)]
  }
}

/** The rows of a table that has one for each message or draft, by the id in one column. */
export function mailRows(table: 'message_metadata' | 'draft_notes', id: 'message_id' | 'draft_id') {
  const put = sql({
    name: `${table}.put`,
    text: `insert into ${table} (application_id, grant_id, ${id}, key1, key2, key3, key4, key5, updated_at, document)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (grant_id, ${id}, application_id) do update
     set key1 = excluded.key1, key2 = excluded.key2, key3 = excluded.key3, key4 = excluded.key4, key5 = excluded.key5,
     updated_at = excluded.updated_at, document = excluded.document`,
    writes: [table],
  })
  const remove = sql({
    name: `${table}.remove`,
    text: `delete from ${table} where ${ofGrant} and ${id} = $3`,
    writes: [table],
  })
  const forget = sql({
    name: `${table}.forget`,
    text: `delete from ${table} where ${ofGrant} and ${id} = $3 and updated_at = $4`,
    writes: [table],
  })
  return {
    /** Replaces a row, or removes it where there is no document; answers whether the grant still stands. */
    async keep(
      tx: Queries,
      { applicationId, grantId }: Holder,
      row: { id: string; metadata: Record<string, string>; document: object | undefined; now: number },
    ): Promise<boolean> {
      // A grant that is deleted at this moment takes the row with it, or is gone before there is one.
      if (!(await lockGrant(tx, applicationId, grantId))) return false
      const at = [applicationId, grantId, row.id]
      if (row.document === undefined) await tx.run(remove, at)
      else await tx.run(put, [...at, ...keysOf(row.metadata), row.now, JSON.stringify(row.document)])
      return true
    },
    remove: async (tx: Queries, at: Holder, name: string): Promise<void> =>
      void (await tx.run(remove, [at.applicationId, at.grantId, name])),
    /** Removes the row of what is gone, unless it was written anew since. */
    forget: async (queries: Queries, at: Holder, gone: WithMetadata): Promise<void> =>
      void (await queries.run(forget, [at.applicationId, at.grantId, gone.id, gone.updatedAt])),
    find: (queries: Queries, at: Holder, pairs: readonly MetadataPair[], page: MetadataPage): Promise<WithMetadata[]> =>
      findByMetadata(queries, { table, id, where: ofGrant, values: [at.applicationId, at.grantId] }, pairs, page),
  }
}
