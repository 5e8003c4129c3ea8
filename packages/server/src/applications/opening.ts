/** The key that opens the store: found or created at the start, and checked before anything else uses it. */
import path from 'node:path'
import { createKeyFile, type KeyRing, keyRingFromFile, keyRingFromText } from '@waypost/platform/crypto/key-ring'
import type { Secrets } from '@waypost/platform/crypto/secrets'
import type { Database } from '@waypost/store/engine/database'
import { keepFact, readFact } from '@waypost/store/tables/applications/installation'
import { type Config, ConfigError, type ConfigSecrets } from '../config.ts'
import { keyCheckContext } from './rotation.ts'

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
