/**
 * Noticing changes of an account with several parts: one cursor for mail, calendars and contacts, each of them a part that
 * is looked at where the grant's scopes allow it. The provider tells by push that there is something new, or is asked
 * again and again.
 */
import type { Grant } from '@waypost/contract'
import { ApiError } from '../../lib/api-error.ts'
import { sleep } from '../../lib/clock.ts'
import type { SessionIo } from '../io.ts'
import type { Change, ChangeSource, SinceOptions } from '../provider.ts'
import { isRetryable } from './retryable.ts'

/** What is needed of a provider's session. */
export interface WatchingSession {
  readonly grant: Grant
  readonly io: SessionIo
}

/** What one part found. */
export interface PartFound<State> {
  changes: Change[]
  state: State
  /** Whether there is more to be told at once. */
  more?: boolean
  /** After how many seconds it wants to be asked again; as often as the node asks when absent. */
  again?: number
}

/** A part of an account: its state is kept in the cursor as JSON. */
export interface WatchedPart<S extends WatchingSession, State = unknown> {
  name: 'mail' | 'calendar' | 'contacts'
  /** The provider has no push for it. */
  polled?: true
  /** Whether the grant lets it be watched. */
  isWatched(session: S): boolean
  /** What changed since the state was taken; without one nothing but what must not be missed, and where watching begins. */
  since(session: S, state: State | undefined, options: SinceOptions): Promise<PartFound<State>>
}

/** Where the provider tells of a part by push, it is asked this rarely. */
export const pushedSeconds = 600

/** Whether a grant has one of several scopes, in full. */
export const hasAnyScope = ({ grant }: WatchingSession, scopes: ReadonlySet<string>): boolean =>
  grant.scope?.some((one) => scopes.has(one)) ?? false

/** A part that the provider refuses is tried again after this. */
const failedSeconds = 600

function readCursor(cursor: string | undefined): Record<string, unknown> {
  if (cursor === undefined) return {}
  const parsed: unknown = JSON.parse(cursor)
  return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {}
}

/** A part that the grant was given later is told from then on; one that could not be looked at yet is null in the cursor. */
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

/** What a part found, or why it could not look; what is wrong with the account itself is thrown. */
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
    if (!isRetryable(error)) {
      session.io.log.warn(
        { error, grant_id: session.grant.id, part: part.name },
        'changes at the provider cannot be read',
      )
    }
    return error
  }
}

/** Changes of parts, and after how many seconds these want to be looked at again. */
export interface PartsSource<S> extends ChangeSource<S> {
  restOf(session: S): number
}

/** Looks at each part that the grant lets be watched; one that fails does not hold up the others. */
export function watchedParts<S extends WatchingSession>(
  // biome-ignore lint/suspicious/noExplicitAny: each part knows its own state alone
  parts: readonly WatchedPart<S, any>[],
): PartsSource<S> {
  /** When each session wants to be looked at again, in seconds. */
  const waits = new WeakMap<S, number>()
  const restOf = (session: S): number => waits.get(session) ?? session.io.pollSeconds
  return {
    restOf,
    async since(session, cursor, options) {
      const states = readCursor(cursor)
      const kept: Record<string, unknown> = {}
      const found: Change[] = []
      const again: number[] = []
      let more = false
      const failed: ApiError[] = []
      for (const part of parts) {
        if (!part.isWatched(session)) continue
        const state = states[part.name]
        const told = await foundBy(session, part, state ?? undefined, beginning(session, cursor, state, options))
        if (told instanceof ApiError) {
          failed.push(told)
          kept[part.name] = state ?? null
          again.push(isRetryable(told) ? session.io.pollSeconds : failedSeconds)
          continue
        }
        kept[part.name] = told.state
        found.push(
          ...(part.polled ? told.changes.map((change): Change => ({ ...change, polled: true })) : told.changes),
        )
        again.push(told.again ?? session.io.pollSeconds)
        more ||= told.more ?? false
      }
      // What was found is told first; the failure comes again at the next look if it has not passed by then.
      const passing = failed.find(isRetryable)
      if (passing && found.length === 0 && !more) throw passing
      waits.set(session, Math.min(...again, 3600))
      return { changes: found, cursor: JSON.stringify(kept), ...(more ? { more } : {}) }
    },

    async wait(session, signal) {
      await sleep(restOf(session) * 1000, signal)
      return 'time'
    },
  }
}

const refusals = new Set<string>(['provider_refused', 'not_found', 'insufficient_scopes'])
const restSeconds = 3600

/**
 * A part of an account that the provider refuses to tell of, such as calendars of a user who has none, does not hold up
 * the others: the same part, left alone for an hour after a refusal; its state stays as it was, null where it has none yet.
 */
export function retryRefusedPart<S extends WatchingSession, State>(
  part: WatchedPart<S, State>,
): WatchedPart<S, State | null> {
  const restsUntil = new WeakMap<S, number>()
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
        log.warn(
          { error, grant_id: session.grant.id, part: part.name },
          'the provider does not tell of changes; it is asked again later',
        )
        restsUntil.set(session, clock.now() + restSeconds * 1000)
        return { changes: [], state, again: restSeconds }
      }
    },
  }
}
