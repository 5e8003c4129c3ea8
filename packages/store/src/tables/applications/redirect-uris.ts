import { type Queries, sql } from '../../engine/database.ts'

export interface RedirectUriRow {
  id: string
  application_id: string
  platform: string
  url: string
  settings: string
  created_at: number
  updated_at: number
}

const columns = 'id, application_id, platform, url, settings, created_at, updated_at'

const insert = sql({
  name: 'redirect_uris.insert',
  text: `insert into redirect_uris (${columns}) values ($1, $2, $3, $4, $5, $6, $7) on conflict (application_id, url) do nothing`,
  writes: ['redirect_uris'],
})
const list = sql<RedirectUriRow>({
  name: 'redirect_uris.list',
  text: `select ${columns} from redirect_uris where application_id = $1 order by created_at, id`,
  reads: ['redirect_uris'],
})
const get = sql<RedirectUriRow>({
  name: 'redirect_uris.get',
  text: `select ${columns} from redirect_uris where application_id = $1 and id = $2`,
  reads: ['redirect_uris'],
})
const byUrl = sql<RedirectUriRow>({
  name: 'redirect_uris.byUrl',
  text: `select ${columns} from redirect_uris where application_id = $1 and url = $2`,
  reads: ['redirect_uris'],
})
const update = sql({
  name: 'redirect_uris.update',
  text: 'update redirect_uris set platform = $3, url = $4, settings = $5, updated_at = $6 where application_id = $1 and id = $2',
  writes: ['redirect_uris'],
})
const remove = sql({
  name: 'redirect_uris.remove',
  text: 'delete from redirect_uris where application_id = $1 and id = $2',
  writes: ['redirect_uris'],
})

/** Inserts the row. False if the application already has that URL. */
export const insertRedirectUri = async (queries: Queries, row: RedirectUriRow): Promise<boolean> =>
  (await queries.run(insert, [
    row.id,
    row.application_id,
    row.platform,
    row.url,
    row.settings,
    row.created_at,
    row.updated_at,
  ])) === 1
export const listRedirectUris = (queries: Queries, applicationId: string): Promise<RedirectUriRow[]> =>
  queries.all(list, [applicationId])
export const getRedirectUri = (
  queries: Queries,
  applicationId: string,
  id: string,
): Promise<RedirectUriRow | undefined> => queries.get(get, [applicationId, id])
export const findRedirectUri = (
  queries: Queries,
  applicationId: string,
  url: string,
): Promise<RedirectUriRow | undefined> => queries.get(byUrl, [applicationId, url])
export const updateRedirectUri = (queries: Queries, row: RedirectUriRow): Promise<number> =>
  queries.run(update, [row.application_id, row.id, row.platform, row.url, row.settings, row.updated_at])
export const deleteRedirectUri = (queries: Queries, applicationId: string, id: string): Promise<number> =>
  queries.run(remove, [applicationId, id])
