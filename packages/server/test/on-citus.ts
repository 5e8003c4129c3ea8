/**
 * `npm run test:citus` runs the suites of the store and of everything that uses it on a cluster of Citus: each service
 * and each migrated PostgreSQL database of a test is distributed over a coordinator and two workers.
 */

/** Whether the tests run on Citus; vitest.config.ts sets the variable. */
export const isOnCitus = process.env.WAYPOST_TEST_MODE === 'citus'

const folder = 'packages/server/test'

/** The suites that run on Citus. */
export const citusSuites = ['store', 'webhooks', 'journeys', 'changes', 'sending'].map(
  (each) => `${folder}/${each}/**/*.test.ts`,
)

/** Files of these suites that check facts of one PostgreSQL or of SQLite, each with its reason. */
const notOnCitus: Record<string, string> = {}

export const citusExcluded = Object.keys(notOnCitus).map((each) => `${folder}/${each}`)
