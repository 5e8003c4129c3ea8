/**
 * `/oauth/authorize`: a client sends a person here, who decides what it may do. The owner of an account decides for the
 * accounts that this browser has signed in to. An administrator with a dashboard session and the right to customer data
 * decides for grants of the application. Nothing is stored before the person allows it.
 */
import type { ApiError } from '@waypost/platform/api-error'
import { decodeUtf8 } from '@waypost/platform/json/guard'
import {
  type AuthorizationRequest,
  addressWith,
  NoApplication,
  type ReturnAddress,
  readAuthorizationRequest,
  readReturnAddress,
} from '../../../agents/oauth/authorization-request.ts'
import { type Consent, makeAgentCode } from '../../../agents/oauth/consent.ts'
import { OAuthError } from '../../../agents/oauth/oauth-error.ts'
import type { AdminAuthentication } from '../../../applications/admin-authentication.ts'
import { keepAudit } from '../../../applications/audit.ts'
import { asApiError } from '../../http/answer.ts'
import { prefixOf } from '../../http/base-path.ts'
import type { LivePage, PageAnswer, PageVisit } from '../../pipeline/page.ts'
import { isCsrf } from '../hosted/cookie.ts'
import { appearanceOf } from '../hosted/hosted-context.ts'
import type { Language } from '../hosted/languages.ts'
import { languages as allLanguages } from '../hosted/languages.ts'
import { pageWith, plainAppearance, redirectTo } from '../hosted/page.ts'
import { readerOf } from '../hosted/reader.ts'
import { leavingView } from '../hosted/stop-view.ts'
import { chosenRights, type Decider, findDecider, formName, formOf } from './consent-form.ts'
import { type ConsentQuestion, consentView, entryView, stoppedView } from './consent-view.ts'
import type { OAuthOptions } from './oauth-pages.ts'
import type { OwnerSignIn } from './owner-sign-in.ts'

export interface ConsentOptions extends OAuthOptions {
  admin: AdminAuthentication
  signIn: OwnerSignIn
  languages?: readonly Language[] | undefined
}

/** Requests per minute and address: each may fetch a metadata document. */
const maxVisits = 60
const formBytes = 65_536
const path = '/oauth/authorize'

/** A request that was read completely. */
export interface ConsentVisit {
  options: ConsentOptions
  visit: PageVisit
  request: AuthorizationRequest
  /** What the browser sent: the query, or the fields of the form. */
  sent: URLSearchParams
}

const readerAt = ({ languages = allLanguages }: ConsentOptions, visit: PageVisit, sent: URLSearchParams) =>
  readerOf(languages, { ...visit, query: sent })

export const linkOf = (
  { options, request }: Pick<ConsentVisit, 'options' | 'request'>,
  to: string,
  more: Record<string, string> = {},
): string => {
  const query = new URLSearchParams(request.parameters)
  for (const [name, value] of Object.entries(more)) query.set(name, value)
  return `${prefixOf(options.baseUrl)}${to}?${query}`
}

/** Reads the request, and answers what cannot go on. */
async function withRequest(
  options: ConsentOptions,
  visit: PageVisit,
  sent: URLSearchParams,
  answer: (at: ConsentVisit) => Promise<PageAnswer>,
): Promise<PageAnswer> {
  let back: ReturnAddress | undefined
  try {
    if (options.limits) {
      options.limiter.takeFailure(`agent consent ${visit.address}`, maxVisits, options.clock.now())()
    }
    back = await readReturnAddress(options, sent, visit.signal)
    const request = await readAuthorizationRequest(options, back, sent)
    return await answer({ options, visit, request, sent })
  } catch (error) {
    if (!(error instanceof OAuthError)) return stopped(options, visit, sent, asApiError(error))
    if (!back || error instanceof NoApplication) return stopped(options, visit, sent, error)
    const answered = { error: error.error, error_description: error.message }
    const location = addressWith(back, options.baseUrl, answered)
    return visit.method === 'POST' ? leave(options, visit, sent, back, location) : redirectTo(location, visit.requestId)
  }
}

function stopped(
  options: ConsentOptions,
  visit: PageVisit,
  sent: URLSearchParams,
  error: OAuthError | ApiError,
): PageAnswer {
  const reader = readerAt(options, visit, sent)
  if (error.status >= 500) {
    options.log.error({ request_id: visit.requestId, error: error.cause ?? error }, 'consent to an agent failed')
  }
  const text = reader.t(error instanceof NoApplication ? 'consent.no_application' : 'consent.stop_advice')
  // A 401 would make some browsers ask for a password.
  const status = error.status === 401 ? 400 : error.status
  return pageWith(plainAppearance, reader, stoppedView(reader, { status, text, technical: error.message }))
}

/** Leaves for the client. A page does it, because the policy of forms allows no redirect to other hosts. */
function leave(
  options: ConsentOptions,
  visit: PageVisit,
  sent: URLSearchParams,
  { client }: ReturnAddress,
  location: string,
): PageAnswer {
  const reader = readerAt(options, visit, sent)
  return pageWith(
    plainAppearance,
    reader,
    leavingView(reader, reader.t('leaving.back', { application: client.name }), location),
  )
}

function pageAt(at: ConsentVisit, content: Parameters<typeof pageWith>[2]): PageAnswer {
  const { options, visit, request, sent } = at
  const languages = {
    all: options.languages ?? allLanguages,
    pathIn: (tag: string): string => linkOf(at, path, { ...whoDecides(sent), ui_locales: tag }),
  }
  return pageWith(appearanceOf(request.application), readerAt(options, visit, sent), content, { languages })
}

const whoDecides = (sent: URLSearchParams): Record<string, string> =>
  sent.get('as') === 'administrator' ? { as: 'administrator' } : {}

const requestOf = ({ options, visit, sent, request }: ConsentVisit): ConsentQuestion => ({
  reader: readerAt(options, visit, sent),
  client: request.client,
  redirectUri: request.redirectUri,
  application: appearanceOf(request.application).branding.name,
})

/** Shows the page that the person needs next. */
async function show(at: ConsentVisit): Promise<PageAnswer> {
  const decider = await findDecider(at)
  if (decider.kind === 'refused') return refuseDecider(at, decider)
  if (decider.kind === 'nobody') {
    const cancel = addressWith(at.request, at.options.baseUrl, denied)
    const links = {
      signIn: linkOf(at, '/oauth/sign-in'),
      administrator: linkOf(at, path, { as: 'administrator' }),
      cancel,
    }
    return pageAt(at, entryView(requestOf(at), links))
  }
  return pageAt(at, consentView(requestOf(at), await formOf(at, decider)))
}

function refuseDecider(at: ConsentVisit, { reason }: Extract<Decider, { kind: 'refused' }>): PageAnswer {
  const { reader } = requestOf(at)
  const dashboard = { href: `${prefixOf(at.options.baseUrl)}/dashboard`, label: reader.t('consent.dashboard') }
  const shown =
    reason === 'signed out'
      ? { status: 403, text: reader.t('consent.administrator_sign_in'), link: dashboard }
      : { status: 403, text: reader.t('consent.need_rights') }
  return pageAt(at, stoppedView(reader, shown))
}

const denied = { error: 'access_denied', error_description: 'the person did not allow the access' }

/** The person's decision. */
async function decide(at: ConsentVisit): Promise<PageAnswer> {
  const { options, visit, request, sent } = at
  const decider = await findDecider(at)
  const isOurs = isOwnForm(at) && 'secret' in decider && isCsrf(sent.get('csrf'), decider.secret, formName(request))
  if (!isOurs) {
    const { reader } = requestOf(at)
    const link = { href: linkOf(at, path, whoDecides(sent)), label: reader.t('owner.reload') }
    return pageAt(at, stoppedView(reader, { status: 403, text: reader.t('owner.stale'), link }))
  }
  const decision = sent.get('decision')
  if (decision === 'deny') {
    return leave(options, visit, sent, request, addressWith(request, options.baseUrl, denied))
  }
  if (decision !== 'allow') return pageAt(at, consentView(requestOf(at), await formOf(at, decider)))
  const chosen = await chosenRights(at, decider)
  if ('problem' in chosen) {
    const problem = requestOf(at).reader.t(chosen.problem)
    return pageAt(at, consentView(requestOf(at), { ...(await formOf(at, decider)), problem }))
  }
  const code = await keep(at, decider, chosen)
  return leave(options, visit, sent, request, addressWith(request, options.baseUrl, { code }))
}

async function keep({ options, visit, request }: ConsentVisit, decider: Decider, consent: Consent): Promise<string> {
  const { database, clock, log } = options
  const now = clock.now()
  const code = await database.transaction(async (tx) => {
    if (decider.kind === 'administrator') {
      await keepAudit(tx, {
        actor: 'session',
        address: visit.address,
        action: 'agents.connect',
        applicationId: request.application.id,
        target: request.client.id.slice(0, 200),
        status: 200,
        now,
        person: decider.acting.person,
      })
    }
    return makeAgentCode(tx, request, consent, now)
  })
  const facts = { application_id: request.application.id, client_id: request.client.id, request_id: visit.requestId }
  log.info({ ...facts, by: decider.kind }, 'a person allowed an agent')
  return code
}

/** Whether a form was sent by our own page. Old browsers send neither header; the CSRF token is checked anyway. */
function isOwnForm({ options, visit }: ConsentVisit): boolean {
  const site = visit.header('sec-fetch-site')
  const origin = visit.header('origin')
  const host = visit.header('host')
  const isOwn = origin === null || origin === new URL(options.baseUrl).origin || URL.parse(origin)?.host === host
  return (site === null || site === 'same-origin') && isOwn
}

export function consentPages(options: ConsentOptions): LivePage[] {
  return [
    { path, answer: (visit) => withRequest(options, visit, visit.query, show) },
    {
      method: 'POST',
      path,
      bodyBytes: formBytes,
      answer: (visit) => withRequest(options, visit, new URLSearchParams(decodeUtf8(visit.body) ?? ''), decide),
    },
    {
      path: '/oauth/sign-in',
      answer: (visit) =>
        withRequest(options, visit, visit.query, async ({ request }) =>
          options.signIn.beginOwnerSignIn(visit, {
            applicationId: request.application.id,
            returnTo: `${path}?${request.parameters}`,
          }),
        ),
    },
  ]
}
