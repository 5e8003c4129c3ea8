/**
 * Seals, once, what an earlier version wrote in clear, before the node does anything else. Each piece is a transaction of
 * its own: after a crash the next start goes on, and passes over what is sealed already.
 */
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import { type SealContext, SecretsError } from '@waypost/platform/crypto/secrets'
import type { Log } from '@waypost/platform/log'
import type { Database } from '@waypost/store/engine/database'
import {
  type ClearColumn,
  type ClearRow,
  clearColumns,
  clearPieces,
  sealClearValue,
} from '@waypost/store/sealing/clear-values'
import { readFact, removeFact } from '@waypost/store/tables/applications/installation'

const contextOf = ({ table, column, row: names }: ClearColumn, row: ClearRow): SealContext => ({
  table,
  column,
  application: row.application,
  row: names.map((name) => row[name]).join(' '),
})

function isSealed(seals: DataSeals, value: string, context: SealContext): boolean {
  try {
    seals.open(value, context)
    return true
  } catch (error) {
    if (error instanceof SecretsError) return false
    throw error
  }
}

/** What takes the place of a clear value, and of what stands in clear beside it. */
function sealedOf(seals: DataSeals, of: ClearColumn, row: ClearRow): { sealed: string; hash: string | undefined } {
  const { table, hashed } = of
  if (hashed === undefined) return { sealed: seals.seal(row.value, contextOf(of, row)), hash: undefined }
  const hash = seals.hash(String(row[hashed]), { table, column: hashed, application: row.application })
  return { sealed: seals.seal(row.value, contextOf(of, { ...row, [hashed]: hash })), hash }
}

/** Does so where the store may hold such values; later starts ask for one fact alone. */
export async function sealClearValues(database: Database, seals: DataSeals, log: Log): Promise<void> {
  const fact = await readFact(database, 'clear_values')
  if (!fact) return
  log.info({}, 'values that an earlier version stored unencrypted are being sealed; the service starts afterwards')
  // The number of the migration from which on it may be so; without one, from the first.
  const from = Number.parseInt(fact, 10) || 0
  const columns = clearColumns.filter(({ since }) => since >= from)
  let sealed = 0
  for (const column of columns) {
    for await (const rows of clearPieces(database, column)) {
      const clear = rows.filter((row) => !isSealed(seals, row.value, contextOf(column, row)))
      if (clear.length === 0) continue
      await database.transaction(async (tx) => {
        for (const row of clear) await sealClearValue(tx, column, row, sealedOf(seals, column, row))
      })
      sealed += clear.length
      if (sealed % 10_000 < clear.length) log.info({ sealed }, 'values sealed so far')
    }
  }
  try {
    await database.rewrite(columns)
  } catch (error) {
    log.error({ error }, 'free pages of the store may still contain unencrypted values; the next start tries again')
    return
  }
  await removeFact(database, 'clear_values')
  log.info({ sealed }, 'all values are sealed; earlier backups still contain them unencrypted')
}
