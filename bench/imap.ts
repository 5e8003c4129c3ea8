/**
 * What a mailbox at a real dovecot costs, in parts that can be asked for alone:
 *
 *   start     from nothing to the first page; the first page of an account against bare imapflow doing all of it
 *   pages     a page of 50 of 5,000 messages, read before and never read, asked for by 1 and by 10 at a time
 *   filters   pages that a filter lets through, and threads
 *   sizes     the same page of a mailbox with ten times as many messages, and of one with 200 folders
 *   large     pages and filters of 100,000 old messages in 305 folders (21,000 with `--quick`)
 *   arrivals  from the arrival of a message, in the inbox and in another folder, to its notification
 *   memory    an idle watched grant beside a socket that does the same
 *
 * Floors are bare imapflow fetching the same fields of the same messages on connections that are open already. Only ratios
 * and differences within one run are meant to be read.
 *
 * With `--quick` these are pages and arrivals, unless others are asked for.
 *
 *   npm run bench:imap [-- --quick] [-- --json] [-- --only=start|pages|filters|sizes|large|arrivals|memory]
 */
import { startDovecot } from '../packages/server/test/peers/dovecot.ts'
import { type FigureRow, quick, report } from './figures.ts'
import { benchArrivals } from './imap/arrivals.ts'
import { benchFilters } from './imap/filters.ts'
import { benchLarge } from './imap/large.ts'
import { benchMemory } from './imap/memory.ts'
import { benchPages } from './imap/pages.ts'
import { rowsOf } from './imap/rows.ts'
import { benchSizes } from './imap/sizes.ts'
import { benchStart } from './imap/start.ts'

const only = process.argv.find((word) => word.startsWith('--only='))?.slice(7)
const parts = {
  start: benchStart,
  pages: benchPages,
  filters: benchFilters,
  sizes: benchSizes,
  large: benchLarge,
  arrivals: benchArrivals,
  memory: benchMemory,
}

await using server = await startDovecot({ connectionsPerUser: 100 })
const rows: FigureRow[] = []
for (const [name, bench] of Object.entries(parts)) {
  if (!(only?.split(',').includes(name) ?? (!quick || name === 'pages' || name === 'arrivals'))) continue
  const found = await bench(server)
  rows.push(...(Array.isArray(found) ? found : rowsOf(name, found)))
}
report(rows)
