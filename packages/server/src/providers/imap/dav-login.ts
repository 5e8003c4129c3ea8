/**
 * Whether the grant of a mailbox is valid, its mail server says: a DAV server that refuses the login, for which there may be
 * a password of its own, has refused no more than what was asked of it.
 */
import { ApiError } from '../../lib/api-error.ts'
import type { WatchedPart } from '../shared/watched-parts.ts'
import type { MailAndDavSession } from './dav-session.ts'

const asRefusal = (error: unknown): unknown =>
  error instanceof ApiError && error.code === 'grant_invalid'
    ? new ApiError(
        'provider_refused',
        'the server of the calendars and contacts does not take the user name and the password any more: authenticate the grant again',
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

/** The same operations, whose refused logins do not make the grant invalid. */
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
