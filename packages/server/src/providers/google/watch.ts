/**
 * Noticing changes: one cursor for mail, calendars and contacts, each of them a part that is looked at where the grant's
 * scopes allow it. Google tells by push that there is something new, or is asked again and again.
 */
import { ApiError } from '../../lib/api-error.ts'
import { sleep } from '../../lib/clock.ts'
import type { Change, ChangeSource } from '../provider.ts'
import { isPassing } from './errors.ts'
import type { Session } from './session.ts'
import { calendar } from './watch-calendar.ts'
import { contacts } from './watch-contacts.ts'
import { mail } from './watch-mail.ts'

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
export interface WatchedPart<State = unknown> {
  name: 'mail' | 'calendar' | 'contacts'
  /** Whether the grant lets it be watched. */
  isWatched(session: Session): boolean
  /** What changed since the state was taken; without one nothing but what must not be missed, and where watching begins. */
  since(session: Session, state: State | undefined, options: { notBefore: number }): Promise<PartFound<State>>
}

// biome-ignore lint/suspicious/noExplicitAny: each part knows its own state alone
const parts: readonly WatchedPart<any>[] = [mail, calendar, contacts]

/** A part that Google refuses is tried again after this. */
const failedSeconds = 600

/** When each session wants to be looked at again, in seconds. */
const waits = new WeakMap<Session, number>()

function readCursor(cursor: string | undefined): Record<string, unknown> {
  if (cursor === undefined) return {}
  const parsed: unknown = JSON.parse(cursor)
  return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {}
}

/** A part that the grant was given later is told from then on; one that could not be looked at yet is null in the cursor. */
const beginning = (
  { io }: Session,
  cursor: string | undefined,
  state: unknown,
  { notBefore }: { notBefore: number },
): { notBefore: number } =>
  cursor !== undefined && state === undefined ? { notBefore: Math.max(notBefore, io.clock.now()) } : { notBefore }

/** What a part found, or why it could not look; what is wrong with the account itself is thrown. */
async function looked<State>(
  session: Session,
  part: WatchedPart<State>,
  state: State | undefined,
  options: { notBefore: number },
): Promise<PartFound<State> | ApiError> {
  try {
    return await part.since(session, state, options)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'grant_invalid') throw error
    if (!isPassing(error)) {
      session.io.log.warn({ error, grant_id: session.grant.id, part: part.name }, 'changes at Google cannot be read')
    }
    return error
  }
}

export const changes: ChangeSource<Session> = {
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
      const told = await looked(session, part, state ?? undefined, beginning(session, cursor, state, options))
      if (told instanceof ApiError) {
        failed.push(told)
        kept[part.name] = state ?? null
        again.push(isPassing(told) ? session.io.pollSeconds : failedSeconds)
        continue
      }
      kept[part.name] = told.state
      found.push(...told.changes)
      again.push(told.again ?? session.io.pollSeconds)
      more ||= told.more ?? false
    }
    // What was found is told first; the failure comes again at the next look if it has not passed by then.
    const passing = failed.find(isPassing)
    if (passing && found.length === 0 && !more) throw passing
    waits.set(session, Math.min(...again, 3600))
    return { changes: found, cursor: JSON.stringify(kept), ...(more ? { more } : {}) }
  },

  wait: (session, signal) => sleep((waits.get(session) ?? session.io.pollSeconds) * 1000, signal),
}
