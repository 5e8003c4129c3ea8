/** Shared context of all hosted pages: application, look, and error pages. */

import { ApiError } from '@waypost/platform/api-error'
import { isUuid } from '@waypost/platform/ids'
import type { ServiceHost } from '@waypost/providers/form'
import { type ApplicationRow, getApplication } from '@waypost/store/tables/applications/applications'
import { getLoginSession, type LoginSessionRow } from '@waypost/store/tables/grants/login-sessions'
import type { SignInSession } from '../../../grants/sign-in.ts'
import type { SignInTools } from '../../../grants/sign-in-request.ts'
import type { Owner } from '../../../grants/verify-credentials.ts'
import type { PageAnswer, PageVisit } from '../../pipeline/page.ts'
import type { SignInCookie } from './cookie.ts'
import type { Language } from './languages.ts'
import { type PageAppearance, pageWith, plainAppearance } from './page.ts'
import { readerOf } from './reader.ts'
import { stopOf, stopView } from './stop-view.ts'

export interface HostedContext extends SignInTools {
  cookie: SignInCookie
  languages: readonly Language[]
  /** Path of a session's own page, from the root of the host. */
  pathOf(sessionId: string): string
  findMailExchangers(domain: string, signal: AbortSignal): Promise<string[]>
  findService(name: string, signal: AbortSignal): Promise<ServiceHost | undefined>
  /** Counts a started sign-in; throws if an address starts too many. */
  countBegun(address: string): void
  /** Counts an attempt with credentials; throws if an address or account had too many. */
  countTry(address: string, email: string): void
  /** Logs an error. */
  note(error: ApiError, facts: Record<string, string | undefined>): void
}

export const ownerOf = (row: ApplicationRow): Owner => ({
  id: row.id,
  workspaceId: row.default_workspace_id,
  grantLimit: row.grant_limit,
})

export const appearanceOf = (row: ApplicationRow): PageAppearance => ({
  branding: JSON.parse(row.branding),
  hosted: JSON.parse(row.hosted_authentication),
})

/** A session with its application; undefined if the application was deleted or blocked. */
export async function withApplication(
  { database }: SignInTools,
  row: LoginSessionRow,
): Promise<{ session: SignInSession; appearance: PageAppearance } | undefined> {
  const application = await getApplication(database, row.application_id)
  if (!application || application.blocked === 1) return undefined
  return {
    session: { row, owner: ownerOf(application), request: JSON.parse(row.request) },
    appearance: appearanceOf(application),
  }
}

/** The look and languages of a sign-in that cannot continue. */
export interface KnownVisit {
  appearance?: PageAppearance | undefined
  uiLocales?: readonly string[] | undefined
}

/** Finds the look of a sign-in by its id, even if it has ended, so that the error page matches the application. */
export async function knownOf({ database }: SignInTools, id: string): Promise<KnownVisit> {
  const row = isUuid(id) ? await getLoginSession(database, id) : undefined
  const application = row && (await getApplication(database, row.application_id))
  if (!row || !application) return {}
  const request: SignInSession['request'] = JSON.parse(row.request)
  return { appearance: appearanceOf(application), uiLocales: request.uiLocales }
}

/** An error without a redirect: a page for browsers, JSON for other clients. */
export function showError(
  hosted: HostedContext,
  visit: PageVisit,
  error: ApiError,
  known: KnownVisit = {},
): PageAnswer {
  if (!wantsHtml(visit.header('accept'))) throw error
  hosted.note(error, { request_id: visit.requestId })
  return errorPage(hosted.languages, visit, error, known)
}

export const wantsHtml = (accept: string | null): boolean => /\btext\/html\b/i.test(accept ?? '')

/** The error page. */
export function errorPage(
  languages: readonly Language[],
  visit: PageVisit,
  error: ApiError,
  { appearance, uiLocales }: KnownVisit,
): PageAnswer {
  const reader = readerOf(languages, visit, uiLocales)
  const stop = stopOf(error, reader.t, appearance?.branding.name)
  const answer = pageWith(appearance ?? plainAppearance, reader, stopView(reader, error.status, stop, error.message))
  const { retryAfter, headers } = error.details
  const wait: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  return { ...answer, headers: { ...answer.headers, ...wait, ...headers } }
}

/** Logs an error of a sign-in. */
export const noteIn = (hosted: HostedContext, { row, owner }: SignInSession, visit: PageVisit, error: ApiError): void =>
  hosted.note(error, { application_id: owner.id, login_id: row.id, request_id: visit.requestId })

/** Who signs in, as the grant records it. */
export const visitorOf = ({ address, header }: PageVisit): { ip: string; userAgent: string | null } => ({
  ip: address,
  userAgent: header('user-agent')?.slice(0, 512).toWellFormed() ?? null,
})

/** The error for a sign-in that does not exist for this browser. */
export const noSession = (): ApiError => new ApiError('login_id_invalid')
