/** Data keys of the installation, encrypted. They encrypt notifications and other stored data. */
import { type Queries, sql } from '../../engine/database.ts'

export interface DataKeyRow {
  id: string
  sealed_key: string
  created_at: number
}

const list = sql<DataKeyRow>('data_keys.list')`select id, sealed_key, created_at from data_keys
   order by created_at desc, id desc`
const add = sql('data_keys.add')`insert into data_keys (id, sealed_key, created_at) values ($1, $2, $3)`

/** All data keys, newest first. */
export const listDataKeys = (queries: Queries): Promise<DataKeyRow[]> => queries.all(list)

export const addDataKey = (queries: Queries, row: DataKeyRow): Promise<number> =>
  queries.run(add, [row.id, row.sealed_key, row.created_at])
