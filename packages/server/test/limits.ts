/**
 * How long tests wait for a condition, unless they say longer: what a machine under several times its load keeps. Vitest
 * gives a second, and takes no other limit for `vi.waitFor` from its settings.
 */
import { vi } from 'vitest'

const least = 60_000
const marked = Symbol.for('waypost.patient')

const impatient = vi.waitFor
// Runs for every file of a worker, which all have the same `vi`.
if (!(marked in impatient)) {
  const patient: typeof vi.waitFor = (callback, options = {}) => {
    const { timeout = 0, interval = 50 } = typeof options === 'number' ? { timeout: options } : options
    return impatient(callback, { timeout: Math.max(timeout, least), interval })
  }
  vi.waitFor = Object.assign(patient, { [marked]: true })
}
