/** The key that opens the store: found or made at the start, and tried before anything else is done with it. */
import path from 'node:path'
import { type Config, ConfigError, type ConfigSecrets } from '../config.ts'
import { createKeyFile, type KeyRing, keyRingFromFile, keyRingFromText } from '../lib/crypto/key-ring.ts'
import type { Secrets } from '../lib/crypto/secrets.ts'
import type { Database } from '../store/engine/database.ts'
import { keepFact, readFact } from '../store/tables/applications/installation.ts'
import { keyCheckContext } from './rotation.ts'

/** Where the key stands when the settings do not name one. */
export const keyFileOf = (config: Config): string => path.join(config.dataDir, 'secret.key')

/** The key ring: from the settings, or from the file in the data folder, which the first start makes. */
export async function openKeyRing(config: Config, secrets: ConfigSecrets, database: Database): Promise<KeyRing> {
  if (secrets.secretKey !== undefined) {
    try {
      return keyRingFromText(secrets.secretKey)
    } catch (error) {
      throw new ConfigError([`WAYPOST_SECRET_KEY: ${error instanceof Error ? error.message : 'is not valid'}`])
    }
  }
  const file = keyFileOf(config)
  // One process at a time: two that start at once on an empty folder would make two keys, or read half of one.
  return database.exclusively(async (tx) => {
    try {
      return keyRingFromFile(file)
    } catch (error) {
      const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
      if (!missing) throw error
    }
    if (await readFact(tx, 'key_check')) {
      throw new ConfigError([
        `the store was sealed with a key, but ${file} is missing and WAYPOST_SECRET_KEY is not set: restore the key; a new one could open nothing`,
      ])
    }
    createKeyFile(file)
    return keyRingFromFile(file)
  })
}

/** Refuses to go on with a key that cannot open what the store holds. */
export async function checkKey(database: Database, secrets: Secrets): Promise<void> {
  const sealed = await keepFact(database, 'key_check', secrets.seal('waypost', keyCheckContext))
  try {
    if (secrets.open(sealed, keyCheckContext) === 'waypost') return
  } catch (error) {
    throw new ConfigError([
      `the secret key does not open this store: set WAYPOST_SECRET_KEY to the key it was made with (${error instanceof Error ? error.message : ''})`,
    ])
  }
}
