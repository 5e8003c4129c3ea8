/** `GET /v3/connect/auth`: the start of a hosted sign-in. */
import { ConnectAuthQuery, limits } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { type ApplicationRow, getApplication } from '@waypost/store/tables/applications/applications'
import { findRedirectUri } from '@waypost/store/tables/applications/redirect-uris'
import { looksLikeKey, noApplication } from '../../../applications/api-keys.ts'
import { proofReturnPath } from '../../../grants/account-proof.ts'
import { goToAdministrator } from '../../../grants/admin-consent.ts'
import { beginSignIn, goToProvider, type SignInSession } from '../../../grants/sign-in.ts'
import { readRequest, type SignInRequest, signsInAtProvider } from '../../../grants/sign-in-request.ts'
import type { Owner } from '../../../grants/verify-credentials.ts'
import { asApiError } from '../../http/answer.ts'
import { parseFields, type RawQuery, rawOf } from '../../http/request.ts'
import type { PageAnswer, PageVisit } from '../../pipeline/page.ts'
import { newCookie } from './cookie.ts'
import { appearanceOf, type HostedContext, ownerOf, showError, wantsHtml } from './hosted-context.ts'
import { backWithFailure, failureOf } from './outcome.ts'
import { redirectTo } from './page.ts'
import { detectedKind } from './steps.ts'

/** A parameter that must occur exactly once. */
function single(raw: RawQuery, name: string, maxLength: number): string {
  const value = raw[name]
  if (typeof value === 'string' && value !== '' && value.length <= maxLength) return value
  throw invalidField(
    name,
    value === undefined || value === '' ? 'is required' : 'must be given once and must not be too long',
  )
}

async function applicationOf({ database }: HostedContext, raw: RawQuery): Promise<ApplicationRow> {
  const id = single(raw, 'client_id', 512)
  const row = id.length > 64 || looksLikeKey(id) ? undefined : await getApplication(database, id)
  if (!row) throw invalidField('client_id', noApplication(id))
  return row
}

/** The redirect URI, which must match a registered one exactly. */
async function redirectUriOf(hosted: HostedContext, row: ApplicationRow, raw: RawQuery): Promise<string> {
  const { database } = hosted
  const redirectUri = single(raw, 'redirect_uri', 2048)
  // The dashboard creates grants for every application; only the administrator can use its code.
  const isDashboard = redirectUri === `${hosted.baseUrl}/dashboard/connected`
  if (!isDashboard && !isProofReturn(hosted, redirectUri) && !(await findRedirectUri(database, row.id, redirectUri))) {
    throw new ApiError(
      'callback_uri_not_allowed',
      'redirect_uri: it is not registered for the application: register exactly this URI with POST /v3/applications/redirect-uris',
    )
  }
  if (row.blocked === 1) throw new ApiError('resource_blocked', 'the application is blocked by the administrator')
  return redirectUri
}

/** The pages of account owners accept only a code that proves who owns an account. */
const isProofReturn = ({ baseUrl }: HostedContext, redirectUri: string): boolean =>
  redirectUri === `${baseUrl}${proofReturnPath}`

/** The request of an application, or that of the pages of account owners, which only proves who owns an account. */
async function requestOf(hosted: HostedContext, owner: Owner, raw: RawQuery): Promise<SignInRequest> {
  const request = await readRequest(hosted, owner, parseFields(ConnectAuthQuery, raw, 'query'))
  if (!isProofReturn(hosted, request.redirectUri)) return request
  if (request.challenge === null) throw invalidField('code_challenge', 'is required')
  if (request.adminConsent) throw invalidField('response_type', 'must be code')
  return { ...request, proves: true, scope: null, credentialId: null, sends: false, offline: false }
}

/** Starts a sign-in. The browser is not redirected until the redirect URI is verified. */
export async function begin(hosted: HostedContext, visit: PageVisit): Promise<PageAnswer> {
  let row: ApplicationRow | undefined
  let redirectUri: string
  let raw: RawQuery
  try {
    raw = rawOf(visit.query)
    row = await applicationOf(hosted, raw)
    redirectUri = await redirectUriOf(hosted, row, raw)
  } catch (error) {
    return showError(hosted, visit, asApiError(error), { appearance: row && appearanceOf(row) })
  }
  const state = typeof raw.state === 'string' && raw.state.length <= limits.stateLength ? raw.state : null
  try {
    hosted.countBegun(visit.address)
    const owner = ownerOf(row)
    const request = await requestOf(hosted, owner, raw)
    const cookie = hosted.cookie.read(visit.header('cookie')) ?? newCookie()
    const session = await beginSignIn(hosted, owner, request, cookie)
    return redirectTo(await firstStep(hosted, session, visit), visit.requestId, hosted.cookie.write(cookie))
  } catch (error) {
    const failed = asApiError(error)
    hosted.note(failed, { application_id: row.id, request_id: visit.requestId })
    return redirectTo(backWithFailure({ redirectUri, state }, failureOf(failed)), visit.requestId)
  }
}

/**
 * `GET /v3/connect/custom` redirects browsers to the hosted form with the same query. Applications, which send a
 * credential or do not accept HTML, get the requirements of each provider instead.
 */
export function leadBrowser(to: string, visit: PageVisit): PageAnswer | undefined {
  const isBrowser = wantsHtml(visit.header('accept')) && visit.header('authorization') === null
  if (!isBrowser) return undefined
  const query = new URLSearchParams(visit.query)
  if (!query.has('response_type')) query.set('response_type', 'code')
  return redirectTo(`${to}?${query}`, visit.requestId)
}

/** Redirects to the provider if there is only one choice, otherwise to our own page. */
async function firstStep(hosted: HostedContext, session: SignInSession, visit: PageVisit): Promise<string> {
  const { row, request } = session
  const detects = request.prompt.startsWith('detect') && request.loginHint !== null
  const kind = row.provider ?? (detects ? await detectedKind(hosted, session, request.loginHint ?? '', visit) : null)
  if (kind && request.adminConsent) return goToAdministrator(hosted, session, kind, visit.signal)
  if (kind && (await signsInAtProvider(hosted, session.owner, kind)))
    return goToProvider(hosted, session, kind, visit.signal)
  const own = hosted.pathOf(row.id)
  return kind ? `${own}?${new URLSearchParams({ provider: kind })}` : own
}
