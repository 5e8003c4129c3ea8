/** A start that ends in the middle of a transaction. */

import { createLog } from '@waypost/platform/log'
import type { Database } from '@waypost/store/engine/database'
import { openDatabase } from '@waypost/store/engine/open'
import type { readConfig } from '../../../src/config.ts'
import { createServices } from '../../../src/services/index.ts'

/** Starts a service, and calls `die` in the n-th transaction before it is committed. */
export async function dieAt(
  nth: number,
  { config, secrets }: ReturnType<typeof readConfig>,
  die: () => void,
): Promise<void> {
  const log = createLog('silent')
  await using store = await openDatabase(config.dataDir, secrets.databaseUrl, { log, lock: false })
  let left = nth
  const database: Database = {
    ...store,
    transaction: (work, sharing) =>
      store.transaction(async (tx) => {
        const done = await work(tx)
        if (--left === 0) die()
        return done
      }, sharing),
    [Symbol.asyncDispose]: async () => {},
  }
  await using _services = await createServices(config, secrets, { database, log })
}
