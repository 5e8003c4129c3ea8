/** The pages of the hosted sign-in, from the first visit to the return. */

import { ApiError } from '@waypost/platform/api-error'
import { isUuid } from '@waypost/platform/ids'
import { decodeUtf8 } from '@waypost/platform/json/guard'
import { changeSessionRequest, endLoginSession, openLoginSession } from '@waypost/store/tables/grants/login-sessions'
import { hashKey } from '../../../applications/api-keys.ts'
import { consentGiven } from '../../../grants/admin-consent.ts'
import { comeBack, type SignInSession, sessionOfState } from '../../../grants/sign-in.ts'
import { canLeadTo, type SignInTools } from '../../../grants/sign-in-request.ts'
import type { RateLimiter } from '../../../telemetry/rate-limit.ts'
import { asApiError } from '../../http/answer.ts'
import type { LivePage, PageAnswer, PageVisit } from '../../pipeline/page.ts'
import { begin, leadBrowser } from './begin.ts'
import { createCookie, csrfOf, isCsrf } from './cookie.ts'
import { giveCredentials } from './credentials.ts'
import {
  errorPage,
  type HostedContext,
  knownOf,
  noSession,
  noteIn,
  showError,
  visitorOf,
  wantsHtml,
  withApplication,
} from './hosted-context.ts'
import { languages as allLanguages, type Language } from './languages.ts'
import { matchLanguage, parseUiLocales } from './negotiation.ts'
import { backWithCode, backWithConsent, backWithFailure, failureOf, failureOfProvider } from './outcome.ts'
import { redirectTo } from './page.ts'
import { readerOf } from './reader.ts'
import { cancel, detect, giveAddress, goOn, type Step, showChoice } from './steps.ts'

export interface HostedOptions extends SignInTools {
  limiter: RateLimiter
  /** Whether started sign-ins are rate-limited; attempts with credentials always are. */
  limits: boolean
  findMailExchangers(domain: string, signal: AbortSignal): Promise<string[]>
  findService: HostedContext['findService']
  /** Default: all languages. */
  languages?: readonly Language[] | undefined
}

/** Limits per minute. */
const max = { begun: 120, triesByAddress: 30, triesByAccount: 10 }
const formBytes = 16_384
const loginPath = '/v3/connect/login'

export function createHostedPages(options: HostedOptions): LivePage[] {
  const { limiter, clock, log, baseUrl } = options
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, '')
  const count = (id: string, limit: number): void => limiter.takeFailure(id, limit, clock.now())()
  const hosted: HostedContext = {
    ...options,
    languages: options.languages ?? allLanguages,
    cookie: createCookie(baseUrl),
    pathOf: (id) => `${prefix}${loginPath}/${id}`,
    countBegun: (address) => options.limits && count(`begun ${address}`, max.begun),
    countTry: (address, email) => {
      count(`sign-in from ${address}`, max.triesByAddress)
      // Shares its count with the attempts of applications: see `guesses.ts`.
      limiter.takeAttempt([[`to ${email}`, max.triesByAccount]], clock.now())
    },
    note: (error, facts) =>
      error.status >= 500
        ? log.error({ ...facts, error: error.cause ?? error }, 'hosted sign-in failed')
        : log.info({ ...facts, refused: error.code }, 'hosted sign-in refused'),
  }
  return [
    { path: '/v3/connect/auth', answer: (visit) => begin(hosted, visit) },
    {
      path: '/v3/connect/custom',
      leading: true,
      answer: async (visit) => leadBrowser(`${prefix}/v3/connect/auth`, visit),
    },
    { path: '/v3/connect/callback', answer: (visit) => answerCallback(hosted, visit) },
    { path: `${loginPath}/:name`, answer: (visit) => answerLogin(hosted, visit, appearance) },
    {
      method: 'POST',
      path: `${loginPath}/:name`,
      bodyBytes: formBytes,
      answer: (visit) => answerLogin(hosted, visit, post),
    },
  ]
}

const hostedPath = /^\/v3\/connect\/(?:auth|callback|login)(?:\/|$)/

/**
 * The error page for a browser whose request matched no sign-in page or failed before it: not found, wrong method, or
 * an internal error. Undefined if the request is not for the sign-in or does not accept HTML.
 */
export async function hostedErrorPage(
  options: Pick<HostedOptions, 'languages' | keyof SignInTools>,
  path: string,
  visit: PageVisit,
  error: ApiError,
): Promise<PageAnswer | undefined> {
  if (!hostedPath.test(path) || !wantsHtml(visit.header('accept'))) return undefined
  const known = await knownOf(options, path.split('/')[4] ?? '').catch(() => ({}))
  return errorPage(options.languages ?? allLanguages, visit, error, known)
}

/** The session of a page, only for the browser that started it. */
async function stepOf(hosted: HostedContext, visit: PageVisit): Promise<{ step: Step; cookie: string }> {
  const cookie = hosted.cookie.read(visit.header('cookie'))
  if (cookie === undefined || !isUuid(visit.name)) throw noSession()
  const at = { id: visit.name, cookieHash: hashKey(cookie), now: hosted.clock.now() }
  const row = await openLoginSession(hosted.database, at)
  const found = row && (await withApplication(hosted, row))
  if (!row || !found) throw noSession()
  const session = await rememberLanguage(hosted, found.session, visit)
  const reader = readerOf(hosted.languages, visit, session.request.uiLocales)
  return { step: { ...found, session, reader, csrf: csrfOf(cookie, row.id), visit }, cookie }
}

/** Stores the language that a user chose on the page. */
async function rememberLanguage(
  { database, languages }: HostedContext,
  session: SignInSession,
  { query, method }: PageVisit,
): Promise<SignInSession> {
  const chosen = method === 'GET' ? matchLanguage(languages, parseUiLocales(query.get('ui_locales') ?? '')) : undefined
  if (!chosen || session.request.uiLocales?.[0] === chosen.tag) return session
  const request = { ...session.request, uiLocales: [chosen.tag] }
  await changeSessionRequest(database, session.row, JSON.stringify(request))
  return { ...session, request }
}

type Work = (hosted: HostedContext, step: Step, cookie: string) => Promise<PageAnswer>

async function answerLogin(hosted: HostedContext, visit: PageVisit, work: Work): Promise<PageAnswer> {
  let found: Awaited<ReturnType<typeof stepOf>> | undefined
  try {
    found = await stepOf(hosted, visit)
    return await work(hosted, found.step, found.cookie)
  } catch (thrown) {
    const error = asApiError(thrown)
    if (!found || error.code === 'login_id_invalid') {
      return showError(hosted, visit, error, await knownOf(hosted, visit.name).catch(() => ({})))
    }
    const { session } = found.step
    noteIn(hosted, session, visit, error)
    return redirectTo(backWithFailure(session.request, failureOf(error)), visit.requestId)
  }
}

const appearance: Work = async (hosted, step) => {
  const { session, visit } = step
  if (visit.query.get('cancel') !== null) return cancel(hosted, step)
  const requested = visit.query.get('provider')
  if (requested !== null && session.request.kinds.includes(requested)) return goOn(hosted, step, requested)
  // The alternative if the account accepts no password.
  if (requested !== null && (await canLeadTo(hosted, session.owner, session.request, requested)))
    return goOn(hosted, step, requested)
  const [only, second] = session.request.kinds
  if (second === undefined && only !== undefined) return goOn(hosted, step, only)
  return showChoice(hosted, step)
}

const post: Work = async (hosted, step, cookie) => {
  const { session, visit } = step
  const site = visit.header('sec-fetch-site')
  const sent = new URLSearchParams(decodeUtf8(visit.body) ?? '')
  if ((site !== null && site !== 'same-origin') || !isCsrf(sent.get('csrf'), cookie, session.row.id)) throw noSession()
  const actions = { detect, address: giveAddress, 'sign-in': giveCredentials }
  const action = sent.get('action') ?? ''
  if (!Object.hasOwn(actions, action)) throw noSession()
  return actions[action as keyof typeof actions](hosted, step, sent)
}

/** `GET /v3/connect/callback`: the redirect target of providers. */
async function answerCallback(hosted: HostedContext, visit: PageVisit): Promise<PageAnswer> {
  const { database, clock } = hosted
  let found: Awaited<ReturnType<typeof withApplication>>
  try {
    const [state, second] = visit.query.getAll('state')
    const cookie = hosted.cookie.read(visit.header('cookie'))
    if (!state || second !== undefined || state.length > 512 || cookie === undefined) throw noSession()
    const row = await sessionOfState(hosted, state, cookie)
    found = row && (await withApplication(hosted, row))
    if (!found) throw noSession()
  } catch (error) {
    return showError(hosted, visit, asApiError(error))
  }
  const { session } = found
  try {
    const refusal = visit.query.get('error')
    if (refusal !== null) {
      await endLoginSession(database, session.row, clock.now())
      const description = visit.query.get('error_description')
      const { oauth } = hosted.providers[session.row.provider ?? ''] ?? {}
      const failure = failureOfProvider(refusal, description, oauth?.explain?.({ error: refusal, description }))
      return redirectTo(backWithFailure(session.request, failure), visit.requestId)
    }
    if (session.request.adminConsent) {
      const tenant = await consentGiven(hosted, session, visit.query)
      return redirectTo(backWithConsent(session.request, tenant), visit.requestId)
    }
    const code = visit.query.get('code')
    if (!code) throw new ApiError('authentication_failed', 'the provider sent neither a code nor an error')
    const answer = { code, issuer: visit.query.get('iss') ?? undefined }
    const own = await comeBack(hosted, session, answer, { visitor: visitorOf(visit), signal: visit.signal })
    return redirectTo(backWithCode(session.request, own), visit.requestId)
  } catch (thrown) {
    const error = asApiError(thrown)
    noteIn(hosted, session, visit, error)
    await endLoginSession(database, session.row, clock.now())
    return redirectTo(backWithFailure(session.request, failureOf(error)), visit.requestId)
  }
}
