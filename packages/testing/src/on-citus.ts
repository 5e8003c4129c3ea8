/**
 * `npm run test:citus` runs the suites of the store and of everything that uses it on a cluster of Citus: each service
 * and each migrated PostgreSQL database of a test is distributed over a coordinator and two workers.
 */

import { level } from './level.ts'

/** Whether the tests run on Citus. */
export const isOnCitus = level === 'citus'

/** The suites that run on Citus. */
export const citusSuites = [
  'packages/store/test/**/*.{test,check}.ts',
  ...['store', 'releases', 'webhooks', 'journeys', 'changes', 'sending', 'grants', 'outbox', 'agents', 'booking'].map(
    (each) => `packages/server/test/${each}/**/*.{test,check}.ts`,
  ),
]

/** Files of these suites that check facts of one PostgreSQL or of SQLite, each with its reason. */
const notOnCitus: Record<string, string> = {
  'releases/checkout.test.ts': 'the source of releases',
  'releases/statements.check.ts': 'begins with a store that is not distributed',
  'store/engine/backup.test.ts': 'files of SQLite, and dumps of one PostgreSQL',
  'store/engine/pgbouncer.check.ts': 'a pooler in front of one PostgreSQL',
  'store/engine/sqlite-log.test.ts': 'SQLite',
  'store/engine/sqlite-visibility.test.ts': 'SQLite',
  'store/engine/idle-node.test.ts': 'SQLite',
  'store/engine/work-signals.check.ts': 'signals and statements of one PostgreSQL',
  'store/migrations/*.{test,check}.ts': 'schema changes of a store that is not distributed',
  'store/sharding/distribute.check.ts': 'begins with a store that is not distributed',
  'store/sharding/table-placement.check.ts': 'the catalog before it is distributed',
  'store/statements/*.{test,check}.ts': 'declarations, catalogs and query plans of one PostgreSQL and of SQLite',
  'store/tables/event-writes.test.ts': 'counts the statements of one PostgreSQL and of SQLite',
}

export const citusExcluded = Object.keys(notOnCitus).flatMap((each) => [
  `packages/server/test/${each}`,
  `packages/${each.replace('/', '/test/')}`,
])
