/**
 * Rows with metadata of objects that a provider stores: the grant, the five searchable keys, the time of the change,
 * and the whole metadata as JSON.
 */
import type { MetadataPair } from '@waypost/contract'
import { dynamic, type Queries, sql, type Value } from '../../engine/database.ts'
import { lockGrant } from '../grants/grants.ts'
import { keysOf } from './calendars.ts'

/** The account of the objects. */
export interface Holder {
  applicationId: string
  grantId: string
}

/** An object that has metadata, and the time at which it was set. */
export interface WithMetadata {
  id: string
  updatedAt: number
}

export interface MetadataPage {
  after: WithMetadata | undefined
  limit: number
}

export const ofGrant = 'application_id = $1 and grant_id = $2'

/**
 * The rows whose metadata contains all pairs, most recently set first. `where` starts with the condition on the
 * grant.
 */
export async function findByMetadata(
  queries: Queries,
  { table, id, where, values }: { table: string; id: string; where: string; values: readonly Value[] },
  pairs: readonly MetadataPair[],
  { after, limit }: MetadataPage,
): Promise<WithMetadata[]> {
  const parameters = [...values]
  const bind = (value: Value): string => `$${parameters.push(value)}`
  // The key names come from the fixed list of five in the contract.
  const having = pairs.map(({ key, value }) => ` and ${key} = ${bind(value)}`).join('')
  const beyond = after ? ` and (updated_at, ${id}) < (${bind(after.updatedAt)}, ${bind(after.id)})` : ''
  const text = `select ${id} as id, updated_at from ${table} where ${where}${having}${beyond}
    order by updated_at desc, ${id} desc limit ${bind(limit)}`
  const rows = await queries.all(
    dynamic<{ id: string; updated_at: number }>({ name: `${table}.find`, text }),
    parameters,
  )
  return rows.map((row) => ({ id: row.id, updatedAt: row.updated_at }))
}

const readTogether = 200
/** A few list lengths, so that few statements are prepared. */
const listSizes = [1, 10, 50, readTogether]

/** Splits a list into parts, one per statement. The last item is repeated to fill one of the fixed lengths. */
export function* inSizedParts<T extends string | object>(items: readonly T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += readTogether) {
    const part = items.slice(start, start + readTogether)
    const [last] = part.slice(-1)
    if (last === undefined) return
    const size = listSizes.find((one) => one >= part.length) ?? readTogether
    yield [...part, ...Array.from({ length: size - part.length }, () => last)]
  }
}

/** A table with one row per message or draft. */
export function mailRows(table: 'message_metadata' | 'draft_notes', id: 'message_id' | 'draft_id') {
  const put = sql(`${table}.put`)`
   insert into ${table} (application_id, grant_id, ${id}, key1, key2, key3, key4, key5, updated_at, document)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (grant_id, ${id}, application_id) do update
     set key1 = excluded.key1, key2 = excluded.key2, key3 = excluded.key3, key4 = excluded.key4, key5 = excluded.key5,
     updated_at = excluded.updated_at, document = excluded.document`
  const remove = sql(`${table}.remove`)`delete from ${table} where ${ofGrant} and ${id} = $3`
  const forget = sql(`${table}.forget`)`delete from ${table} where ${ofGrant} and ${id} = $3 and updated_at = $4`
  return {
    /** Replaces a row, or deletes it if there is no document. False if the grant no longer exists. */
    async keep(
      tx: Queries,
      { applicationId, grantId }: Holder,
      row: { id: string; metadata: Record<string, string>; document: object | undefined; now: number },
    ): Promise<boolean> {
      // With the lock, a concurrent deletion of the grant either deletes this row too, or has finished before it is
      // written.
      if (!(await lockGrant(tx, applicationId, grantId))) return false
      const at = [applicationId, grantId, row.id]
      if (row.document === undefined) await tx.run(remove, at)
      else await tx.run(put, [...at, ...keysOf(row.metadata), row.now, JSON.stringify(row.document)])
      return true
    },
    remove: async (tx: Queries, at: Holder, name: string): Promise<void> =>
      void (await tx.run(remove, [at.applicationId, at.grantId, name])),
    /** Deletes the row of a deleted object, unless it was written again in the meantime. */
    forget: async (queries: Queries, at: Holder, gone: WithMetadata): Promise<void> =>
      void (await queries.run(forget, [at.applicationId, at.grantId, gone.id, gone.updatedAt])),
    find: (queries: Queries, at: Holder, pairs: readonly MetadataPair[], page: MetadataPage): Promise<WithMetadata[]> =>
      findByMetadata(queries, { table, id, where: ofGrant, values: [at.applicationId, at.grantId] }, pairs, page),
  }
}
