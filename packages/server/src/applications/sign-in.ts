/**
 * The last step of every sign-in: replaces the browser's previous session with a new one, audits it, and sets the
 * cookies.
 */
import type { Session, SignInWay } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { Clock } from '@waypost/platform/clock'
import type { Database, Queries } from '@waypost/store/engine/database'
import { deleteAdminSession } from '@waypost/store/tables/applications/admin-sessions'
import type { PersonRow } from '@waypost/store/tables/applications/people'
import type { AdminAuthentication } from './admin-authentication.ts'
import { beginSession, sessionOf } from './admin-sessions.ts'
import { keepAudit } from './audit.ts'
import type { Visitor } from './own-page.ts'

export interface SignInOptions {
  database: Database
  clock: Clock
  adminAuthentication: AdminAuthentication
}

export interface SignedIn {
  session: Session
  /** `Set-Cookie` headers. */
  cookies: string[]
}

/** Starts the session of an authenticated person. `find` returns the person, in the transaction of the session. */
export async function signIn(
  { database, clock, adminAuthentication }: SignInOptions,
  {
    visitor,
    way,
    action,
    find,
  }: { visitor: Visitor; way: SignInWay; action: string; find(tx: Queries): Promise<PersonRow | null> },
): Promise<SignedIn> {
  const now = clock.now()
  const { address } = visitor
  const former = await adminAuthentication.findSession(visitor)
  return database.transaction(async (tx) => {
    const person = await find(tx)
    if (former) await deleteAdminSession(tx, former.id)
    const begun = await beginSession(tx, { person, way, address, userAgent: visitor.header('user-agent'), now })
    if (!begun) throw new ApiError('administrator_required', 'the account was changed in the meantime: sign in again')
    const facts = { actor: 'session', address, action, status: 200 } as const
    await keepAudit(tx, { ...facts, applicationId: null, target: begun.row.id, person, now })
    return {
      session: sessionOf(begun.row, await adminAuthentication.standingOf(person, way, tx)),
      cookies: [adminAuthentication.cookieOf(begun.token), adminAuthentication.deviceCookie(person?.email)],
    }
  })
}
