/** A part of an account that Google refuses to tell of, such as calendars of a user who has none, does not hold up the others. */
import { ApiError } from '../../lib/api-error.ts'
import type { Session } from './session.ts'
import type { WatchedPart } from './watch.ts'

const refusals = new Set<string>(['provider_refused', 'not_found', 'insufficient_scopes'])
const restSeconds = 3600

/** The same part, left alone for an hour after a refusal; its state stays as it was, null where it has none yet. */
export function patientPart<State>(part: WatchedPart<State>): WatchedPart<State | null> {
  const restsUntil = new WeakMap<Session, number>()
  return {
    ...part,
    async since(session, before, options) {
      const state = before ?? null
      const { clock, log } = session.io
      const left = Math.ceil(((restsUntil.get(session) ?? 0) - clock.now()) / 1000)
      if (left > 0) return { changes: [], state, again: left }
      try {
        return await part.since(session, state ?? undefined, options)
      } catch (error) {
        if (!(error instanceof ApiError) || !refusals.has(error.code)) throw error
        log.warn({ part: part.name, reason: error.message }, 'Google does not tell of changes; it is asked again later')
        restsUntil.set(session, clock.now() + restSeconds * 1000)
        return { changes: [], state, again: restSeconds }
      }
    },
  }
}
