/**
 * The key that opens the store: found or created at the start, and checked before anything else uses it; and the data
 * keys under it, in memory, created at the first start and renewed with the key ring.
 *
 * When the key is rotated, only the wrapped data keys are rewritten, the sealed values stay. Rotation can be interrupted
 * at any point and run again: values under the newest key are skipped.
 */
import path from 'node:path'
import type { DataKey, DataKeys } from '@waypost/platform/crypto/data-seals'
import { createKeyFile, type KeyRing, keyRingFromFile, keyRingFromText } from '@waypost/platform/crypto/key-ring'
import type { SealContext, Secrets } from '@waypost/platform/crypto/secrets'
import { newId, newKey } from '@waypost/platform/ids'
import type { Database, Queries } from '@waypost/store/engine/database'
import { replaceSealedValue, sealedColumns, sealedValues } from '@waypost/store/sealing/sealed-values'
import {
  addDataKey,
  keepFact,
  listDataKeys,
  readFact,
  writeFact,
} from '@waypost/store/tables/applications/installation'
import { type Config, ConfigError, type ConfigSecrets } from '../config.ts'

/** The key file if the settings name no key. */
export const keyFileOf = (config: Config): string => path.join(config.dataDir, 'secret.key')

/** The key ring: from the settings, or from the file in the data folder, which the first start creates. */
export async function openKeyRing(config: Config, secrets: ConfigSecrets, database: Database): Promise<KeyRing> {
  if (secrets.secretKey !== undefined) {
    try {
      return keyRingFromText(secrets.secretKey)
    } catch (error) {
      throw new ConfigError([`WAYPOST_SECRET_KEY: ${error instanceof Error ? error.message : 'is not valid'}`])
    }
  }
  const file = keyFileOf(config)
  // One process at a time: two that start on an empty folder would create two keys or read half of one.
  return database.exclusively(async (tx) => {
    try {
      return keyRingFromFile(file)
    } catch (error) {
      const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
      if (!missing) throw error
    }
    if (await readFact(tx, 'key_check')) {
      throw new ConfigError([
        `the store was sealed with a key, but ${file} is missing and WAYPOST_SECRET_KEY is not set: restore the key; a new one cannot open the stored values`,
      ])
    }
    createKeyFile(file)
    return keyRingFromFile(file)
  })
}

/** Throws if the key cannot open the values in the store. */
export async function checkKey(database: Database, secrets: Secrets): Promise<void> {
  const sealed = await keepFact(database, 'key_check', secrets.seal('waypost', keyCheckContext))
  try {
    if (secrets.open(sealed, keyCheckContext) === 'waypost') return
  } catch (error) {
    throw new ConfigError([
      `the secret key does not open this store: set WAYPOST_SECRET_KEY to the key it was created with (${error instanceof Error ? error.message : ''})`,
    ])
  }
}

export const keyCheckContext = { table: 'installation', column: 'key_check', application: '', row: 'key_check' }

interface RotationProgress {
  rewrapped: number
  current: number
}

/** Re-wraps every sealed value under the newest key. */
export async function rewrapAll(
  database: Database,
  tools: { secrets: Secrets; keyRing: KeyRing },
  onProgress: (progress: RotationProgress) => void,
): Promise<RotationProgress> {
  const { secrets, keyRing } = tools
  const progress: RotationProgress = { rewrapped: 0, current: 0 }
  const newest = keyRing.current().id
  for (const column of sealedColumns) {
    for await (const value of sealedValues(database, column)) {
      if (secrets.keyIdOf(value.sealed) === newest) {
        progress.current++
        continue
      }
      const sealed = secrets.rewrap(value.sealed, value.context)
      if (await replaceSealedValue(database, column, value, sealed)) progress.rewrapped++
      if (progress.rewrapped % 1000 === 0) onProgress(progress)
    }
  }
  const check = await readFact(database, 'key_check')
  if (check) await writeFact(database, 'key_check', secrets.rewrap(check, keyCheckContext))
  return progress
}

/** The number of sealed values under each key. */
export async function countByKey(database: Database, secrets: Secrets): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const column of sealedColumns) {
    for await (const { sealed } of sealedValues(database, column)) {
      const id = secrets.keyIdOf(sealed)
      counts.set(id, (counts.get(id) ?? 0) + 1)
    }
  }
  return counts
}

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
