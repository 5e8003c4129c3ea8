/**
 * Only the mail server decides whether the grant of a mailbox is valid. A DAV server may have its own password. If it
 * refuses the login, only that operation fails.
 */
import { ApiError } from '@waypost/platform/api-error'
import type { WatchedPart } from '../shared/watched-parts.ts'
import type { MailAndDavSession } from './dav-session.ts'

const asRefusal = (error: unknown): unknown =>
  error instanceof ApiError && error.code === 'grant_invalid'
    ? new ApiError(
        'provider_refused',
        'the calendar and contacts server no longer accepts the user name and password: authenticate the grant again',
        { cause: error },
      )
    : error

// biome-ignore lint/suspicious/noExplicitAny: functions of every shape pass through unchanged
type AnyFunction = (...args: any[]) => Promise<unknown>

const guarded =
  (operation: AnyFunction): AnyFunction =>
  (...args) =>
    operation(...args).catch((error: unknown) => {
      throw asRefusal(error)
    })

/** The same operations, but a refused login does not invalidate the grant. */
export const withOwnLogin = <Ops extends object>(operations: Ops): Ops =>
  Object.fromEntries(
    Object.entries<AnyFunction>(operations as Record<string, AnyFunction>).map(([name, operation]) => [
      name,
      guarded(operation),
    ]),
  ) as Ops

export const partWithOwnLogin = <State>(
  part: WatchedPart<MailAndDavSession, State>,
): WatchedPart<MailAndDavSession, State> => ({
  ...part,
  since: (session, state, options) =>
    part.since(session, state, options).catch((error: unknown) => {
      throw asRefusal(error)
    }),
})
