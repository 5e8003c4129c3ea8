/** A start that is killed in the middle of the n-th transaction, before it is committed: `dying-start.ts <n>`. */
import { readConfig } from '../../../src/config.ts'
import { createLog } from '../../../src/lib/log.ts'
import { createServices } from '../../../src/services/index.ts'
import type { Database } from '../../../src/store/engine/database.ts'
import { openDatabase } from '../../../src/store/engine/open.ts'

const { config, secrets } = readConfig({ ...process.env, NODE_ENV: 'test' })
const store = await openDatabase(config.dataDir, secrets.databaseUrl, { log: createLog('silent'), lock: false })
let left = Number(process.argv[2])
const dying: Database = {
  ...store,
  transaction: (work, sharing) =>
    store.transaction(async (tx) => {
      const done = await work(tx)
      if (--left === 0) process.kill(process.pid, 'SIGKILL')
      return done
    }, sharing),
}
await createServices(config, secrets, { database: dying })
