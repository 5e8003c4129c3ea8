/**
 * The key that opens the store: found or created at the start, and checked before anything else uses it.
 *
 * When it is rotated, only the wrapped data keys are rewritten, the sealed values stay. Rotation can be interrupted at any
 * point and run again: values under the newest key are skipped.
 */
import path from 'node:path'
import { createKeyFile, type KeyRing, keyRingFromFile, keyRingFromText } from '@waypost/platform/crypto/key-ring'
import type { Secrets } from '@waypost/platform/crypto/secrets'
import type { Database } from '@waypost/store/engine/database'
import { replaceSealedValue, sealedColumns, sealedValues } from '@waypost/store/sealing/sealed-values'
import { keepFact, readFact, writeFact } from '@waypost/store/tables/applications/installation'
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
