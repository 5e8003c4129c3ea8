/** The installation's data keys, in memory: created at the first start, renewed with the key ring. */
import type { DataKey, DataKeys } from '@waypost/platform/crypto/data-seals'
import type { SealContext, Secrets } from '@waypost/platform/crypto/secrets'
import { newId, newKey } from '@waypost/platform/ids'
import type { Database, Queries } from '@waypost/store/engine/database'
import { addDataKey, listDataKeys } from '@waypost/store/tables/applications/installation'

const contextOf = (id: string): SealContext => ({ table: 'data_keys', column: 'sealed_key', application: id, row: id })

/** Creates a data key that seals from now on. Running nodes load it with their next heartbeat. */
export async function renewDataKey(queries: Queries, secrets: Secrets, now: number): Promise<void> {
  const id = newId().slice(0, 8)
  const sealed_key = secrets.seal(newKey(), contextOf(id))
  await addDataKey(queries, { id, sealed_key, created_at: now })
}

/** Loads the data keys. Creates the first one if there is none. */
export async function openDataKeys(database: Database, secrets: Secrets, now: number): Promise<DataKeys> {
  let keys: DataKey[] = []
  const refresh = async (): Promise<void> => {
    const rows = await listDataKeys(database)
    const known = new Map(keys.map((key) => [key.id, key]))
    keys = rows.map(
      ({ id, sealed_key }) =>
        known.get(id) ?? { id, bytes: Buffer.from(secrets.open(sealed_key, contextOf(id)), 'base64') },
    )
  }
  await refresh()
  if (keys.length === 0) {
    // One process at a time: the first key is used for hashes, so there must be only one.
    await database.exclusively(async (tx) => {
      if ((await listDataKeys(tx)).length === 0) await renewDataKey(tx, secrets, now)
    })
    await refresh()
  }
  const need = (key: DataKey | undefined): DataKey => {
    if (!key) throw new Error('the store contains no data key')
    return key
  }
  return {
    refresh,
    find: (id) => keys.find((key) => key.id === id),
    newest: () => need(keys[0]),
    oldest: () => need(keys.at(-1)),
  }
}
