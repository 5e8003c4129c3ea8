/**
 * Changes of an account whose mail is pushed and whose other parts are polled, with one cursor for both. Waiting for
 * mail works as usual. The other parts are polled when they are due, and their failures do not delay mail.
 */

import { ApiError } from '@waypost/platform/api-error'
import { z } from 'zod'
import type { ChangeSource, SinceOptions } from '../provider.ts'
import { type PartsSource, type WatchedPart, type WatchingSession, watchedParts } from './watched-parts.ts'

/** Changes of mail, with a maximum time to wait. */
export interface MailChanges<S> extends ChangeSource<S> {
  wait(session: S, signal: AbortSignal, maxMs?: number): Promise<'time' | undefined>
}

type SourceChanges = Awaited<ReturnType<ChangeSource<unknown>['since']>>

/** `m` is the cursor of the mail, `p` that of the other parts. */
const Cursors = z.strictObject({ m: z.string().optional(), p: z.string().optional() })
type Cursors = z.output<typeof Cursors>

/** An account that had only mail has a cursor of mail alone: the other parts are notified from now on. */
function readCursor(text: string | undefined): Cursors {
  if (text === undefined) return {}
  const both = Cursors.safeParse(JSON.parse(text))
  return both.success ? both.data : { m: text, p: '{}' }
}

export function mailAndParts<S extends WatchingSession>(
  mail: MailChanges<S>,
  // biome-ignore lint/suspicious/noExplicitAny: each part knows its own state alone
  parts: readonly WatchedPart<S, any>[],
): ChangeSource<S> {
  const others: PartsSource<S> = watchedParts(parts)
  /** When the other parts of each session are due; milliseconds of `performance.now`. */
  const dueAt = new WeakMap<S, number>()
  const restFor = (session: S, seconds: number): void => void dueAt.set(session, performance.now() + 1000 * seconds)
  const leftOf = (session: S): number => Math.max((dueAt.get(session) ?? 0) - performance.now(), 0)

  async function pollOthers(
    session: S,
    cursor: string | undefined,
    options: SinceOptions,
  ): Promise<SourceChanges | undefined> {
    if (leftOf(session) > 0) return undefined
    try {
      const found = await others.since(session, cursor, options)
      if (!found.more) restFor(session, others.restOf(session))
      return found
    } catch (error) {
      if (!(error instanceof ApiError) || error.code === 'grant_invalid') throw error
      session.io.log.info({ error, grant_id: session.grant.id }, 'calendars and contacts could not be looked at')
      restFor(session, session.io.pollSeconds)
      return undefined
    }
  }

  return {
    async since(session, text, options) {
      const { m, p } = readCursor(text)
      let mailFound: SourceChanges | undefined
      let failure: unknown
      try {
        mailFound = await mail.since(session, m, options)
      } catch (error) {
        // At the start of the watch, both start.
        if (m === undefined || session.io.signal.aborted) throw error
        failure = error
      }
      const found = await pollOthers(session, p, options)
      // Changes that were found are notified first; a lasting failure comes again at the next poll.
      if (failure !== undefined && !found?.changes.length) throw failure
      const more = failure !== undefined || mailFound?.more || found?.more
      return {
        changes: [...(mailFound?.changes ?? []), ...(found?.changes ?? [])],
        cursor: JSON.stringify({ m: mailFound?.cursor ?? m, p: found?.cursor ?? p } satisfies Cursors),
        ...(mailFound?.people ? { people: mailFound.people } : {}),
        ...(mailFound?.places ? { places: mailFound.places } : {}),
        ...(mailFound?.isRead ? { isRead: true } : {}),
        ...(more ? { more: true } : {}),
        ...(found?.refused ? { refused: found.refused } : {}),
      }
    },
    wait: (session, signal) => mail.wait(session, signal, leftOf(session)),
  }
}
