/** What all hosted pages share: who they are for, how they look, and what they say when nothing can go on. */

import type { SignInSession } from '../../../grants/sign-in.ts'
import type { SignInTools } from '../../../grants/sign-in-request.ts'
import type { Owner } from '../../../grants/verify-credentials.ts'
import { ApiError } from '../../../lib/api-error.ts'
import type { ServiceHost } from '../../../providers/form.ts'
import { type ApplicationRow, getApplication } from '../../../store/applications.ts'
import type { LoginSessionRow } from '../../../store/login-sessions.ts'
import type { PageAnswer, PageVisit } from '../page.ts'
import type { SignInCookie } from './cookie.ts'
import { type Look, pageWith, plainLook } from './page.ts'
import { problemView } from './views.ts'

export interface HostedContext extends SignInTools {
  cookie: SignInCookie
  /** The address of a session's own page, from the root of the host. */
  pathOf(sessionId: string): string
  findExchanges(domain: string, signal: AbortSignal): Promise<string[]>
  findService(name: string, signal: AbortSignal): Promise<ServiceHost | undefined>
  /** Counts a sign-in that is begun; throws when an address begins too many. */
  countBegun(address: string): void
  /** Counts an attempt with credentials; throws when an address, or an account, has had too many. */
  countTry(address: string, email: string): void
  /** Logs what went wrong. */
  note(error: ApiError, facts: Record<string, string | undefined>): void
}

export const ownerOf = (row: ApplicationRow): Owner => ({
  id: row.id,
  workspaceId: row.default_workspace_id,
  grantLimit: row.grant_limit,
})

export const lookOf = (row: ApplicationRow): Look => ({
  branding: JSON.parse(row.branding),
  hosted: JSON.parse(row.hosted_authentication),
})

/** A session with its application; undefined where that one is gone or blocked. */
export async function withApplication(
  { database }: SignInTools,
  row: LoginSessionRow,
): Promise<{ session: SignInSession; look: Look } | undefined> {
  const application = await getApplication(database, row.application_id)
  if (!application || application.blocked === 1) return undefined
  return { session: { row, owner: ownerOf(application), request: JSON.parse(row.request) }, look: lookOf(application) }
}

/** An error that leads nowhere: a page for browsers, JSON for everybody else. */
export function showError(hosted: HostedContext, visit: PageVisit, error: ApiError): PageAnswer {
  if (!/\btext\/html\b/i.test(visit.header('accept') ?? '')) throw error
  hosted.note(error, {})
  const message = error.status >= 500 ? 'Something went wrong on our side.' : sentence(error.message)
  return pageWith(plainLook, problemView(error.status, message))
}

/** The error of a sign-in that is not there for this browser. */
export const noSession = (): ApiError => new ApiError('login_id_invalid')

/** A message as users read it. */
export const sentence = (text: string): string => {
  const begun = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}
