/**
 * How much of the suite runs. `npm test` runs `*.test.ts` on one store. `npm run check` adds `*.check.ts`, and tests the
 * store on both engines. `npm run check:full` adds `*.full.ts`, and every journey on both engines.
 */
export type Level = 'test' | 'check' | 'full' | 'citus'

/** vitest.config.ts sets the variable from its mode. Programs outside of a run of the suite count as `test`. */
export const level = (process.env.WAYPOST_TEST_LEVEL ?? 'test') as Level

export const isFull = level === 'full'
/** Whether this is `npm run check` or more. */
export const isCheck = level !== 'test'
