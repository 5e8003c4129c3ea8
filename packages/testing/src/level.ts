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

/** How often a property is tried that names no number. fast-check alone tries it 100 times. */
export const defaultRuns = isFull ? 1_000 : 25

/**
 * How often to try a property or a loop of random cases. The number is what one run needed before there were levels:
 * `npm test` and `npm run check` try a quarter of it, and `npm run check:full`, every night, four times as many. Each run
 * draws other cases.
 */
export function runs(count: number): number {
  return Math.max(1, Math.ceil(count * (isFull ? 4 : 0.25)))
}
