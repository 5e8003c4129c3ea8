/** Tables whose rows belong to an application, or to one of its grants: templates and workflows. */
import { type Queries, sql, type Value } from '../../engine/database.ts'
import type { Call } from '../../engine/table.ts'
import { type After, firstPage } from './signatures.ts'

export interface Owner {
  applicationId: string
  /** null for the rows of the application. */
  grantId: string | null
}

/** The functions for the rows of one owner. */
export function ownedRows<R>(table: string, columns: string) {
  /** A statement for each kind of owner. The parameters of `rest` are numbered from `next`. */
  const statement = <T>(verb: string, begin: string, rest: (next: number) => string) => {
    const owned = (kind: string, owner: string, next: number) =>
      sql<T>(`${table}.${kind}.${verb}`)`${begin} from ${table} where application_id = $1 and ${owner} ${rest(next)}`
    const ofApplication = owned('ofApplication', 'grant_id is null', 2)
    const ofGrant = owned('ofGrant', 'grant_id = $2', 3)
    return ({ applicationId, grantId }: Owner, ...values: Value[]): Call<T> =>
      grantId === null ? [ofApplication, [applicationId, ...values]] : [ofGrant, [applicationId, grantId, ...values]]
  }
  const select = (verb: string, rest: (next: number) => string) => statement<R>(verb, `select ${columns}`, rest)
  const inOrder = (next: number): string =>
    `and (created_at, id) > ($${next}, $${next + 1}) order by created_at, id limit $${next + 2}`
  const list = select('list', inOrder)
  const get = select('get', (next) => `and id = $${next}`)
  const count = statement<{ n: number }>('count', 'select count(*) as n', () => '')
  const remove = statement<unknown>('remove', 'delete', (next) => `and id = $${next}`)
  return {
    select,
    /** In order of creation. */
    list: (
      queries: Queries,
      owner: Owner,
      { after = firstPage, limit }: { after: After | undefined; limit: number },
    ): Promise<R[]> => queries.all(...list(owner, after.createdAt, after.id, limit)),
    count: async (queries: Queries, owner: Owner): Promise<number> => (await queries.get(...count(owner)))?.n ?? 0,
    get: (queries: Queries, owner: Owner, id: string): Promise<R | undefined> => queries.get(...get(owner, id)),
    remove: async (tx: Queries, owner: Owner, id: string): Promise<boolean> =>
      (await tx.run(...remove(owner, id))) === 1,
  }
}
