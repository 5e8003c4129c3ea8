/**
 * The pages of account owners: `/account` and `/account/approvals/<id>`. Everything needs the session that the hosted
 * sign-in makes. A link alone shows and decides nothing, because an agent may be able to read the mail with the link.
 */
import { ApiError, invalidField } from '@waypost/platform/api-error'
import type { Clock } from '@waypost/platform/clock'
import { isUuid } from '@waypost/platform/ids'
import { decodeUtf8 } from '@waypost/platform/json/guard'
import type { Log } from '@waypost/platform/log'
import type { Database } from '@waypost/store/engine/database'
import { listAgents } from '@waypost/store/tables/agents/agents'
import { getApplication } from '@waypost/store/tables/applications/applications'
import { getGrant } from '@waypost/store/tables/grants/grants'
import { agentOf, leaveAccounts } from '../../../agents/agents.ts'
import type { ApprovalRecord } from '../../../agents/approvals/approval-record.ts'
import type { Approvals } from '../../../agents/approvals/node-approvals.ts'
import type { Decision } from '../../../agents/approvals/states.ts'
import { asApiError } from '../../http/answer.ts'
import { prefixOf } from '../../http/base-path.ts'
import type { LivePage, PageAnswer, PageVisit } from '../../pipeline/page.ts'
import { isCsrf } from '../hosted/cookie.ts'
import { appearanceOf, errorPage, wantsHtml } from '../hosted/hosted-context.ts'
import { html } from '../hosted/html.ts'
import type { Language } from '../hosted/languages.ts'
import { languages as allLanguages } from '../hosted/languages.ts'
import { redirectTo } from '../hosted/page.ts'
import { readerOf } from '../hosted/reader.ts'
import { type AccountVisit, accountPage, commonQuery, emailOf, type OwnerVisit } from './account-frame.ts'
import { accountView } from './account-view.ts'
import { approvalView, missingApproval } from './approval-view.ts'
import type { OwnerSignIn } from './owner-sign-in.ts'

export interface AccountPagesOptions {
  baseUrl: string
  database: Database
  clock: Clock
  log: Log
  approvals: Pick<Approvals, 'list' | 'find' | 'get' | 'decide'>
  signIn: OwnerSignIn
  languages?: readonly Language[] | undefined
}

const formBytes = 16_384
const monthSeconds = 30 * 86_400
const maxShown = 100

type Work = (options: AccountPagesOptions, at: OwnerVisit) => Promise<PageAnswer>

export function accountPages(options: AccountPagesOptions): LivePage[] {
  const get = (path: string, work: Work): LivePage => ({ path, answer: (visit) => answer(options, visit, work) })
  const post = (path: string, work: Work): LivePage => ({
    method: 'POST',
    path,
    bodyBytes: formBytes,
    answer: (visit) => answer(options, visit, work),
  })
  return [
    // Version 2 of the API had an endpoint of this name. Its clients are told so.
    { path: '/account', leading: true, answer: (visit) => answerBrowser(options, visit) },
    { path: '/account/sign-in', answer: (visit) => beginAgain(options, visit) },
    post('/account/sign-out', signOut),
    get('/account/approvals/:name', showApproval),
    post('/account/approvals/:name', decideApproval),
    post('/account/agents/:name/disconnect', disconnectAgent),
  ]
}

const answerBrowser = async (options: AccountPagesOptions, visit: PageVisit): Promise<PageAnswer | undefined> =>
  wantsHtml(visit.header('accept')) ? answer(options, visit, showAccount) : undefined

/** The application that a link names. */
async function visitOf(options: AccountPagesOptions, visit: PageVisit): Promise<AccountVisit> {
  const { database, clock, baseUrl, languages = allLanguages } = options
  const [id = '', second] = visit.query.getAll('client_id')
  const application =
    id === '' || id.length > 64 || second !== undefined ? undefined : await getApplication(database, id)
  if (!application) throw invalidField('client_id', 'must be the id of an application')
  if (application.blocked === 1)
    throw new ApiError('resource_blocked', 'the application is blocked by the administrator')
  const common = commonQuery(visit, application.id)
  return {
    visit,
    application,
    languages,
    clock,
    appearance: appearanceOf(application),
    reader: readerOf(languages, visit),
    link: (path, more = {}) => `${prefixOf(baseUrl)}${path}?${new URLSearchParams({ ...common, ...more })}`,
  }
}

/** Answers a visit of an owner. Others are led to the sign-in, and what they sent is not looked at. */
async function answer(options: AccountPagesOptions, visit: PageVisit, work: Work): Promise<PageAnswer> {
  const { languages = allLanguages, log } = options
  try {
    const at = await visitOf(options, visit)
    const owner = await options.signIn.ownerOf(visit, at.application.id)
    if (!owner) return lead(options, at, visit.name)
    const found = await Promise.all(owner.grantIds.map((id) => getGrant(options.database, at.application.id, id)))
    return await work(options, { ...at, owner, accounts: found.filter((record) => record !== undefined) })
  } catch (thrown) {
    const error = asApiError(thrown)
    if (error.status >= 500)
      log.error({ request_id: visit.requestId, error: error.cause ?? error }, 'account page failed')
    return errorPage(languages, visit, error, {})
  }
}

/** Leads to the sign-in, with the account of the approval if there is one. */
async function lead(options: AccountPagesOptions, at: AccountVisit, approvalId: string): Promise<PageAnswer> {
  const { database, signIn } = options
  const applicationId = at.application.id
  const record = await findRecord(options, applicationId, approvalId)
  const grant = record?.grantId ? (await getGrant(database, applicationId, record.grantId))?.grant : undefined
  const path = record ? `/account/approvals/${record.id}` : '/account'
  const returnTo = `${path}?${new URLSearchParams(commonQuery(at.visit, applicationId))}`
  return signIn.beginOwnerSignIn(at.visit, {
    applicationId,
    returnTo,
    account: grant && { provider: grant.provider, email: grant.email },
  })
}

/** `GET /account/sign-in`: for another account. */
async function beginAgain(options: AccountPagesOptions, visit: PageVisit): Promise<PageAnswer> {
  try {
    return await lead(options, await visitOf(options, visit), visit.query.get('approval') ?? '')
  } catch (thrown) {
    return errorPage(options.languages ?? allLanguages, visit, asApiError(thrown), {})
  }
}

async function findRecord(
  { approvals }: AccountPagesOptions,
  applicationId: string,
  id: string,
): Promise<ApprovalRecord | undefined> {
  if (!isUuid(id)) return undefined
  try {
    return await approvals.find({ applicationId, id: id.toLowerCase() })
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined
    throw error
  }
}

/** The approval of the path, if it is about an account of the owner. */
async function ownRecord(options: AccountPagesOptions, at: OwnerVisit): Promise<ApprovalRecord | undefined> {
  const record = await findRecord(options, at.application.id, at.visit.name)
  return record?.grantId != null && at.owner.grantIds.includes(record.grantId) ? record : undefined
}

const showAccount: Work = async (options, at) => {
  const { approvals, database, clock } = options
  const applicationId = at.application.id
  const { grantIds } = at.owner
  const now = clock.now()
  const [pending, all, agents] = await Promise.all([
    approvals.list({ applicationId, grantIds, status: 'pending' }, { limit: maxShown }),
    approvals.list({ applicationId, grantIds }, { limit: maxShown }),
    Promise.all(
      grantIds.map((grantId) =>
        listAgents(database, { applicationId, grantId }, { after: undefined, limit: maxShown }),
      ),
    ),
  ])
  const known = new Map(agents.flat().map((record) => [record.id, agentOf(record, now)]))
  const since = now / 1_000 - monthSeconds
  const content = accountView(at, {
    agents: [...known.values()].filter(({ status }) => status === 'active'),
    pending: pending.rows,
    past: all.rows.filter(({ status, created_at }) => status !== 'pending' && created_at >= since),
    isDisconnected: at.visit.query.get('done') === 'disconnected',
  })
  return accountPage(at, '/account', content)
}

const showApproval: Work = async (options, at) => {
  const record = await ownRecord(options, at)
  const path = `/account/approvals/${encodeURIComponent(at.visit.name)}`
  if (!record) return accountPage(at, path, missingApproval(at, at.visit.name))
  const approval = await options.approvals.get({ applicationId: at.application.id, id: record.id })
  const isOver = record.status === 'pending' && record.expiresAt <= options.clock.now()
  return accountPage(at, path, approvalView(at, { approval, isOver, canDraft: record.document.canDraft }))
}

/** The fields of a form of this session; undefined if the form is not ours. */
function sentBy({ visit, owner }: OwnerVisit, form: string): URLSearchParams | undefined {
  const site = visit.header('sec-fetch-site')
  const sent = new URLSearchParams(decodeUtf8(visit.body) ?? '')
  const isOwn = site === null || site === 'same-origin'
  return isOwn && isCsrf(sent.get('csrf'), owner.secret, form) ? sent : undefined
}

/** The page for a form that is not ours, or no longer. */
function stale(at: OwnerVisit, path: string): PageAnswer {
  const { t } = at.reader
  const title = t('owner.stale_title')
  const body = html`<h1>${title}</h1><div class="alert" role="alert"><p>${t('owner.stale')}</p></div><p><a class="button" href="${at.link(path)}">${t('owner.reload')}</a></p>`
  return accountPage(at, path, { status: 403, title, body })
}

/** A page follows every form, so that a reload does not send it again. */
const seeOther = (at: OwnerVisit, location: string, cookie?: string): PageAnswer => ({
  ...redirectTo(location, at.visit.requestId, cookie),
  status: 303,
})

const decisions: readonly Decision[] = ['approve', 'reject', 'draft']

const decideApproval: Work = async (options, at) => {
  const record = await ownRecord(options, at)
  const path = `/account/approvals/${encodeURIComponent(at.visit.name)}`
  if (!record) return accountPage(at, path, missingApproval(at, at.visit.name))
  const sent = sentBy(at, `approval ${record.id}`)
  const decision = decisions.find((each) => each === sent?.get('decision'))
  if (!sent || !decision) return stale(at, path)
  const reason = (sent.get('reason') ?? '').trim().slice(0, 500).toWellFormed()
  const by = `${emailOf(at, record.grantId)} (account owner)`
  try {
    await options.approvals.decide({
      applicationId: at.application.id,
      id: record.id,
      decision,
      by,
      ...(decision === 'reject' && reason !== '' ? { reason } : {}),
    })
  } catch (thrown) {
    // Somebody else was faster, or its time is over: the page shows what became of it.
    const error = asApiError(thrown)
    if (error.code !== 'conflict') throw error
  }
  return seeOther(at, at.link(path))
}

const disconnectAgent: Work = async ({ database, clock, log }, at) => {
  const id = at.visit.name
  if (!isUuid(id) || !sentBy(at, `agent ${id}`)) return stale(at, '/account')
  const { applicationId, grantIds } = at.owner
  await database.transaction((tx) => leaveAccounts(tx, { applicationId, id }, grantIds, clock.now()))
  log.info(
    { application_id: applicationId, agent_id: id, request_id: at.visit.requestId },
    'an owner disconnected an agent',
  )
  return seeOther(at, at.link('/account', { done: 'disconnected' }))
}

const signOut: Work = async ({ signIn }, at) => {
  if (!sentBy(at, 'sign-out')) return stale(at, '/account')
  const { t } = at.reader
  const title = t('owner.signed_out')
  const body = html`<h1>${title}</h1><p><a href="${at.link('/account')}">${t('account.all')}</a></p>`
  return accountPage(at, '/account', { title, body, cookie: signIn.endSession(at.application.id) })
}
