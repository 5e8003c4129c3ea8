/**
 * The sign-in of account owners. A browser goes through the hosted sign-in of the application and returns here. The
 * cookie of the attempt binds the return to the browser that began, so a link with a foreign code signs nobody in.
 */
import { ApiError } from '@waypost/platform/api-error'
import type { Log } from '@waypost/platform/log'
import { getApplication } from '@waypost/store/tables/applications/applications'
import {
  type AccountOwner,
  applicationMark,
  attemptSeconds,
  beginAttempt,
  completeAttempt,
  type OwnerSessionTools,
  readAttempt,
  readOwner,
  sessionSeconds,
} from '../../../agents/owner-session.ts'
import { proofReturnPath } from '../../../grants/account-proof.ts'
import { asApiError } from '../../http/answer.ts'
import { prefixOf } from '../../http/base-path.ts'
import type { LivePage, PageAnswer, PageVisit } from '../../pipeline/page.ts'
import { detailsOf, requestIdOf } from '../hosted/frame.ts'
import { appearanceOf, errorPage, noSession, ownerOf as tenantOf } from '../hosted/hosted-context.ts'
import { html } from '../hosted/html.ts'
import type { Language } from '../hosted/languages.ts'
import { languages as allLanguages } from '../hosted/languages.ts'
import { pageWith, redirectTo } from '../hosted/page.ts'
import { readerOf } from '../hosted/reader.ts'

/** The part of a request that a session is read from. */
export type CookieSender = Pick<PageVisit, 'header'>

export interface OwnerSignIn {
  /** The owner at a browser; undefined if it must sign in. */
  ownerOf(visitor: CookieSender, applicationId: string): Promise<AccountOwner | undefined>
  /** Leads the browser through the hosted sign-in, and then to a path of this service, without its base path. */
  beginOwnerSignIn(visit: PageVisit, attempt: OwnerAttempt): PageAnswer
  /** The `set-cookie` header that ends a session. */
  endSession(applicationId: string): string
  pages: LivePage[]
}

export interface OwnerAttempt {
  applicationId: string
  /** Such as `/account?client_id=…` or `/oauth/…`; any other target is refused. */
  returnTo: string
  /** The account to sign in with, if only one is of use. */
  account?: { provider: string; email: string } | undefined
}

export interface OwnerSignInOptions extends OwnerSessionTools {
  baseUrl: string
  log: Log
  languages?: readonly Language[] | undefined
}

/** The value of a cookie. If there are two with this name, somebody else set one, so neither is used. */
function cookieIn({ header }: CookieSender, name: string): string | undefined {
  const pairs = (header('cookie') ?? '').split(';').map((pair) => pair.trim())
  const [pair, second] = pairs.filter((each) => each.startsWith(`${name}=`))
  return second === undefined ? pair?.slice(name.length + 1) : undefined
}

/** The cookies. With TLS, the name prefix guarantees that no other host set them. */
function cookiesAt(baseUrl: string) {
  const isSecure = baseUrl.startsWith('https://')
  const start = isSecure ? '__Host-waypost-account' : 'waypost-account'
  return {
    session: (applicationId: string): string => `${start}-${applicationMark(applicationId)}`,
    attempt: `${start}-sign-in`,
    /** Lax, because the browser comes from a provider's page or from a link in a mail. */
    write: (name: string, value: string, seconds: number): string =>
      `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${isSecure ? '; Secure' : ''}`,
  }
}

export function createOwnerSignIn(options: OwnerSignInOptions): OwnerSignIn {
  const { baseUrl } = options
  const cookies = cookiesAt(baseUrl)
  return {
    ownerOf: (visitor, applicationId) =>
      readOwner(options, applicationId, cookieIn(visitor, cookies.session(applicationId))),
    beginOwnerSignIn(visit, { applicationId, returnTo, account }) {
      const { sealed, state, challenge } = beginAttempt(options, { applicationId, returnTo })
      const locales = visit.query.get('ui_locales')
      const query = new URLSearchParams({
        client_id: applicationId,
        redirect_uri: `${baseUrl}${proofReturnPath}`,
        response_type: 'code',
        state,
        code_challenge: challenge,
        code_challenge_method: 'S256',
        ...(account ? { provider: account.provider, login_hint: account.email } : {}),
        ...(locales === null ? {} : { ui_locales: locales }),
      })
      const cookie = cookies.write(cookies.attempt, sealed, attemptSeconds)
      return redirectTo(`${prefixOf(baseUrl)}/v3/connect/auth?${query}`, visit.requestId, cookie)
    },
    endSession: (applicationId) => cookies.write(cookies.session(applicationId), '', 0),
    pages: [{ path: proofReturnPath, answer: (visit) => answerReturn(options, visit) }],
  }
}

/** `GET /account/return`: the return from the hosted sign-in. */
async function answerReturn(options: OwnerSignInOptions, visit: PageVisit): Promise<PageAnswer> {
  const { baseUrl, database, log, languages = allLanguages } = options
  const cookies = cookiesAt(baseUrl)
  const attempt = readAttempt(options, cookieIn(visit, cookies.attempt), visit.query.get('state'))
  const application = attempt && (await getApplication(database, attempt.applicationId))
  if (!attempt || !application) return errorPage(languages, visit, noSession(), {})
  const back = `${prefixOf(baseUrl)}${attempt.returnTo}`
  const spent = cookies.write(cookies.attempt, '', 0)
  try {
    const code = visit.query.get('code')
    if (code === null) throw refusalIn(visit)
    const sessionName = cookies.session(application.id)
    const session = await completeAttempt(options, tenantOf(application), attempt, {
      code,
      redirectUri: `${baseUrl}${proofReturnPath}`,
      session: cookieIn(visit, sessionName),
    })
    const written = [cookies.write(sessionName, session, sessionSeconds), spent].join('\n')
    return { ...redirectTo(back, visit.requestId, written), status: 303 }
  } catch (thrown) {
    const error = asApiError(thrown)
    log.info(
      { application_id: application.id, request_id: visit.requestId, refused: error.code },
      'owner not signed in',
    )
    const reader = readerOf(languages, visit)
    const title = reader.t('owner.failed_title')
    const text = reader.t('owner.failed', { application: appearanceOf(application).branding.name })
    return pageWith(appearanceOf(application), reader, {
      status: error.status >= 500 ? error.status : 403,
      title,
      cookie: spent,
      body: html`<h1>${title}</h1><div class="alert" role="alert"><p>${text}</p></div><p><a class="button" href="${back}">${reader.t('owner.again')}</a></p>${detailsOf(reader, error.message)}${requestIdOf(reader)}`,
    })
  }
}

/** Why the hosted sign-in sent the browser back without a code. Anybody can write it, so it is shortened. */
function refusalIn({ query }: PageVisit): ApiError {
  const words = (query.get('error_description') ?? query.get('error') ?? '').replace(/\p{C}+/gu, ' ').slice(0, 200)
  return new ApiError('authentication_failed', words || 'the sign-in gave no result')
}
