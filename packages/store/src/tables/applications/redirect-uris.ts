import type { Queries } from '../../engine/database.ts'
import { named, number, type RowOf, table, text } from '../../engine/table.ts'

const redirectUris = table('redirect_uris', {
  id: text,
  application_id: text,
  platform: text,
  url: text,
  settings: text,
  created_at: number,
  updated_at: number,
})
export type RedirectUriRow = RowOf<typeof redirectUris>

const { set } = redirectUris
const insert = redirectUris.insert('application_id, url')
const list = redirectUris.select('list')`where application_id = $1 order by created_at, id`
const get = redirectUris.select('get')`where application_id = $1 and id = $2`
const byUrl = redirectUris.select('byUrl')`where application_id = $1 and url = $2`
const update = named<RedirectUriRow>('redirect_uris.update')`update redirect_uris
   set ${set('platform', 'url', 'settings', 'updated_at')} where application_id = :application_id and id = :id`
const remove = redirectUris.delete('remove')`where application_id = $1 and id = $2`

/** Inserts the row. False if the application already has that URL. */
export const insertRedirectUri = async (queries: Queries, row: RedirectUriRow): Promise<boolean> =>
  (await queries.run(...insert(row))) === 1
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
export const updateRedirectUri = (queries: Queries, row: RedirectUriRow): Promise<number> => queries.run(...update(row))
export const deleteRedirectUri = (queries: Queries, applicationId: string, id: string): Promise<number> =>
  queries.run(remove, [applicationId, id])
