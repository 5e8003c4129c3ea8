/**
 * Watches an account with several parts: one cursor for mail, calendars and contacts. Each part is polled if the
 * grant's scopes allow it. The provider pushes that something changed, or is polled.
 */
import type { Grant } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { sleep } from '@waypost/platform/clock'
import type { SessionIo } from '../io.ts'
import type { Change, ChangeSource, FoundChanges, RefusedPart, SinceOptions } from '../provider.ts'
import { isRetryable } from './retryable.ts'

/** The fields of a provider's session that are needed here. */
export interface WatchingSession {
  readonly grant: Grant
  readonly io: SessionIo
}

/** The result of one part. */
export interface PartFound<State> {
  changes: Change[]
  state: State
  /** Whether there is more to read at once. */
  more?: boolean
  /** Changes of the stored places of messages. */
  places?: FoundChanges['places']
  /** Seconds until the next poll; the node's poll interval if absent. */
  again?: number
}

/** A part of an account; its state is stored in the cursor as JSON. */
export interface WatchedPart<S extends WatchingSession, State = unknown> {
  name: 'mail' | 'calendar' | 'contacts'
  /** The provider has no push for it. */
  polled?: true
  /** Whether the grant allows watching it. */
  isWatched(session: S): boolean
  /**
   * The changes since a state. Without a state: the start of the watch, with only the changes that must not be
   * missed.
   */
  since(session: S, state: State | undefined, options: SinceOptions): Promise<PartFound<State>>
}

/** The poll interval of a part that the provider pushes, in seconds. */
export const pushedSeconds = 600

/** Whether a grant has one of several scopes. */
export const hasAnyScope = ({ grant }: WatchingSession, scopes: ReadonlySet<string>): boolean =>
  grant.scope?.some((one) => scopes.has(one)) ?? false

/** A refused part is polled again after 30 s, then after twice the time, at most after an hour. */
export const refusedSeconds = (failures: number): number => Math.min(30 * 2 ** (failures - 1), 3600)

/** A part that the provider refused, such as calendars of a user who has none. */
interface Refused {
  /** In a row. */
  failures: number
  /** When it is polled again; milliseconds. */
  until: number
}

function readCursor(cursor: string | undefined): Record<string, unknown> {
  if (cursor === undefined) return {}
  const parsed: unknown = JSON.parse(cursor)
  return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {}
}

/**
 * A part that the grant got later is notified from then on; a part that could not be polled yet is null in the
 * cursor.
 */
const beginning = (
  { io }: WatchingSession,
  cursor: string | undefined,
  state: unknown,
  options: SinceOptions,
): SinceOptions => {
  if (cursor === undefined || state !== undefined) return options
  const notBefore = Math.max(options.notBefore, io.clock.now())
  return { ...options, notBefore, beganAt: notBefore }
}

/** The result of a part, or the reason for its failure; a problem with the account itself is thrown. */
async function foundBy<S extends WatchingSession, State>(
  session: S,
  part: WatchedPart<S, State>,
  state: State | undefined,
  options: SinceOptions,
): Promise<PartFound<State> | ApiError> {
  try {
    return await part.since(session, state, options)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'grant_invalid') throw error
    return error
  }
}

/** Changes of parts, and the seconds until they are to be polled again. */
export interface PartsSource<S> extends ChangeSource<S> {
  restOf(session: S): number
}

/**
 * Polls each part that the grant allows. A part that fails does not delay the others. A part that the provider
 * refuses is not polled for a while; its state stays as it was, null if it has none yet.
 */
export function watchedParts<S extends WatchingSession>(
  // biome-ignore lint/suspicious/noExplicitAny: each part knows its own state alone
  parts: readonly WatchedPart<S, any>[],
): PartsSource<S> {
  /** The seconds until the next poll of each session. */
  const waits = new WeakMap<S, number>()
  const restOf = (session: S): number => waits.get(session) ?? session.io.pollSeconds
  const refusals = new WeakMap<S, Map<string, Refused>>()
  const refusalsOf = (session: S): Map<string, Refused> => {
    const known = refusals.get(session) ?? new Map<string, Refused>()
    refusals.set(session, known)
    return known
  }
  /** Counts a refusal; returns the seconds until the part is polled again. */
  const refuse = (session: S, part: string): Refused & { seconds: number } => {
    const failures = (refusalsOf(session).get(part)?.failures ?? 0) + 1
    const seconds = refusedSeconds(failures)
    const refused = { failures, until: session.io.clock.now() + seconds * 1000 }
    refusalsOf(session).set(part, refused)
    return { ...refused, seconds }
  }
  return {
    restOf,
    async since(session, cursor, options) {
      const states = readCursor(cursor)
      const retained: Record<string, unknown> = {}
      const found: Change[] = []
      const again: number[] = []
      let more = false
      let places: FoundChanges['places']
      const passing: ApiError[] = []
      const refused: RefusedPart[] = []
      for (const part of parts) {
        if (!part.isWatched(session)) continue
        const state = states[part.name]
        const left = Math.ceil(((refusalsOf(session).get(part.name)?.until ?? 0) - session.io.clock.now()) / 1000)
        if (left > 0) {
          retained[part.name] = state ?? null
          again.push(left)
          continue
        }
        const reported = await foundBy(session, part, state ?? undefined, beginning(session, cursor, state, options))
        if (reported instanceof ApiError) {
          retained[part.name] = state ?? null
          if (isRetryable(reported)) {
            passing.push(reported)
            again.push(session.io.pollSeconds)
            continue
          }
          const { failures, seconds } = refuse(session, part.name)
          const facts = { error: reported, grant_id: session.grant.id, part: part.name, failures, again_in_s: seconds }
          session.io.log.warn(facts, 'the provider refuses to report changes; the node tries again later')
          again.push(seconds)
          refused.push({ part: part.name, error: reported, failures })
          continue
        }
        if (refusalsOf(session).delete(part.name))
          session.io.log.info({ grant_id: session.grant.id, part: part.name }, 'the provider reports changes again')
        retained[part.name] = reported.state
        found.push(
          ...(part.polled ? reported.changes.map((change): Change => ({ ...change, polled: true })) : reported.changes),
        )
        again.push(reported.again ?? session.io.pollSeconds)
        more ||= reported.more ?? false
        places ??= reported.places
      }
      // Changes that were found are notified first; a lasting failure comes again at the next poll.
      const [failure] = passing
      if (failure && found.length === 0 && !more && refused.length === 0) throw failure
      waits.set(session, Math.min(...again, 3600))
      const cursorAfter = JSON.stringify(retained)
      return {
        changes: found,
        cursor: cursorAfter,
        ...(more ? { more } : {}),
        ...(places ? { places } : {}),
        ...(refused.length > 0 ? { refused } : {}),
      }
    },

    async wait(session, signal) {
      await sleep(restOf(session) * 1000, signal)
      return 'time'
    },
  }
}

/**
 * Polls a part of an account without push notifications at the node's poll interval, and not each time another part
 * of the account, such as its mail, has something new.
 */
export function pacedPart<S extends WatchingSession, State>(part: WatchedPart<S, State>): WatchedPart<S, State> {
  /** When each session may be polled again, in milliseconds. */
  const rests = new WeakMap<S, number>()
  return {
    ...part,
    async since(session, state, options) {
      const { clock, pollSeconds } = session.io
      const left = (rests.get(session) ?? 0) - clock.now()
      if (state !== undefined && left > 0) return { changes: [], state, again: Math.ceil(left / 1000) }
      const found = await part.since(session, state, options)
      // A slow poll is not repeated immediately.
      rests.set(session, found.more ? 0 : clock.now() + (found.again ?? pollSeconds) * 1000)
      return found
    },
  }
}
