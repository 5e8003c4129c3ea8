/**
 * The cost of calendars, on SQLite and on PostgreSQL:
 * - (a) reading, as calendars grow (`calendar/reading.ts`);
 * - (b) creating and changing events with their notifications, against the bare statements (`calendar/writing.ts`).
 *
 * The floor of (b) is a bare `node:http` server that runs the statements: it looks up the key, the grant and the
 * calendar, writes the event row and the numbered notification, commits durably, and returns the event. A stricter
 * floor runs the same statements without HTTP. Read only the ratios.
 *
 *   npm run bench:calendar [-- --quick] [-- --json] [-- --writes]
 */
import { startPostgres } from '@waypost/testing/peers/postgres'
import { measureReading } from './calendar/reading.ts'
import { measureWriting } from './calendar/writing.ts'
import { type FigureRow, report } from './figures.ts'
import { openNode } from './node.ts'

const writesAlone = process.argv.includes('--writes')
const rows: FigureRow[] = []
await using postgres = await startPostgres()
for (const store of ['SQLite', 'PostgreSQL']) {
  const newStore = async () => (store === 'PostgreSQL' ? await postgres.createDatabase() : undefined)
  rows.push(...(await measureWriting(store, await newStore())))
  if (writesAlone) continue
  const url = await newStore()
  await using node = await openNode(url ? { DATABASE_URL: url } : {})
  rows.push(...(await measureReading(store, node)))
}
report(rows)
