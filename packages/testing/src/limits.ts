/**
 * Runs before every test file. It sets how long tests wait for a condition, and how often they try a property. Vitest has
 * no setting for `vi.waitFor`, and its own limit of one second is too short for a busy machine.
 */
import fc from 'fast-check'
import { vi } from 'vitest'
import { defaultRuns } from './level.ts'

// A failure prints the seed of its property. `WAYPOST_TEST_SEED=… npm test -- <file>` tries the same values again.
const seed = process.env.WAYPOST_TEST_SEED
fc.configureGlobal({ numRuns: defaultRuns, ...(seed === undefined ? {} : { seed: Number(seed) }) })

const least = 60_000
const maxPause = 500
const marked = Symbol.for('waypost.patient')
// The real function, even if a test installs fake timers later.
const now = performance.now.bind(performance)

/** The interval grows with the time waited, because each check of a service takes processor time from other tests. */
function lessAndLess<T>(callback: () => T): () => T {
  const begun = now()
  let next = begun
  let failure: unknown
  return () => {
    if (now() < next) throw failure
    const failed = (error: unknown): never => {
      failure = error
      next = now() + Math.min((now() - begun) / 10, maxPause)
      throw error
    }
    try {
      const result = callback()
      return result instanceof Promise ? (result.catch(failed) as T) : result
    } catch (error) {
      return failed(error)
    }
  }
}

const impatient = vi.waitFor
// Runs for every file of a worker. All files share one `vi`.
if (!(marked in impatient)) {
  const patient: typeof vi.waitFor = (callback, options = {}) => {
    const { timeout = 0, interval = 50 } = typeof options === 'number' ? { timeout: options } : options
    return impatient(lessAndLess(callback), { timeout: Math.max(timeout, least), interval })
  }
  vi.waitFor = Object.assign(patient, { [marked]: true })
}
