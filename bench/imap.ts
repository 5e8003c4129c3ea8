/**
 * The cost of a mailbox at a real dovecot, in parts that can run alone:
 *
 *   start     from nothing to the first page; the first page of an account against bare imapflow doing the same
 *   pages     a page of 50 of 5,000 messages, read before and never read, by 1 and by 10 concurrent clients
 *   filters   filtered pages, and threads
 *   sizes     the same page of a mailbox with ten times as many messages, and of one with 200 folders
 *   large     pages and filters of 100,000 old messages in 305 folders (21,000 with `--quick`)
 *   arrivals  from the arrival of a message, in the inbox and in another folder, to its notification
 *   memory    an idle watched grant, compared with a socket that does the same
 *
 * Floors are bare imapflow that fetches the same fields of the same messages on open connections. Read only ratios
 * and differences within one run.
 *
 * With `--quick`, only pages and arrivals run, unless `--only` names others.
 *
 *   npm run bench:imap [-- --quick] [-- --json] [-- --only=start|pages|filters|sizes|large|arrivals|memory]
 */
import { startDovecot } from '@waypost/testing/peers/dovecot'
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
