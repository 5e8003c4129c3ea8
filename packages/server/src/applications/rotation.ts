/**
 * Rotation of the key-encryption key. Only the wrapped data keys are rewritten, the sealed values stay. It can be
 * interrupted at any point and run again: values under the newest key are skipped.
 */
import type { KeyRing } from '@waypost/platform/crypto/key-ring'
import type { Secrets } from '@waypost/platform/crypto/secrets'
import type { Database } from '@waypost/store/engine/database'
import { replaceSealedValue, sealedColumns, sealedValues } from '@waypost/store/sealing/sealed-values'
import { readFact, writeFact } from '@waypost/store/tables/applications/installation'

export const keyCheckContext = { table: 'installation', column: 'key_check', application: '', row: 'key_check' }

export interface RotationProgress {
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
