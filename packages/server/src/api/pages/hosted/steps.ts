/** The steps of a sign-in at our own page: choosing, giving an address, giving credentials. */
import { type ProviderKind, providerKinds } from '@waypost/contract'
import { emailKey } from '../../../grants/locator.ts'
import { fixedAddress, goToProvider, type SignInSession, trySignIn } from '../../../grants/sign-in.ts'
import { signsInAtProvider } from '../../../grants/sign-in-request.ts'
import type { ApiError } from '../../../lib/api-error.ts'
import { detectByDomain, detectByExchanges } from '../../../providers/detection.ts'
import type { CredentialForm, FormShape } from '../../../providers/form.ts'
import { chooseInSession, endLoginSession } from '../../../store/login-sessions.ts'
import { asApiError } from '../../answer.ts'
import type { PageAnswer, PageVisit } from '../page.ts'
import { type HostedContext, noSession, sentence } from './hosted-context.ts'
import { backWithCode, backWithFailure, denied, failureOf } from './outcome.ts'
import { type Look, pageWith, redirectTo } from './page.ts'
import { addressView, choiceView, credentialsView, type Frame, leavingView, type Problem } from './views.ts'

/** A visit of a session's own page. */
export interface Step {
  session: SignInSession
  look: Look
  csrf: string
  visit: PageVisit
}

const isAddress = (text: string): boolean => text.length <= 320 && /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(text)
const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

const frameOf = (hosted: HostedContext, { session, look, csrf }: Step): Frame => ({
  look,
  csrf,
  path: hosted.pathOf(session.row.id),
})

/** Which of the kinds on offer an address belongs to; a form that takes any address is the last resort. */
export async function detectedKind(
  { providers, findExchanges }: HostedContext,
  { request }: SignInSession,
  email: string,
  { signal }: PageVisit,
): Promise<string | undefined> {
  if (!isAddress(email)) return undefined
  const domain = domainOf(email)
  const found = detectByDomain(domain) ?? detectByExchanges(await findExchanges(domain, signal))
  if (found && request.kinds.includes(found.provider)) return found.provider
  return found && request.kinds.find((kind) => providers[kind]?.form?.anyAddress)
}

/** The page where users choose their provider. */
export function showChoice(hosted: HostedContext, step: Step, problem?: Problem): PageAnswer {
  const { request, row } = step.session
  const choices = request.kinds.map((kind) => ({
    kind,
    title: providerKinds[kind as ProviderKind].title,
    form: hosted.providers[kind]?.form,
  }))
  const view = { choices, prompt: request.prompt, email: row.email, problem }
  return pageWith(step.look, choiceView(frameOf(hosted, step), view))
}

/** Goes on with a kind: to the provider's own page, or to our form. */
export async function goOn(hosted: HostedContext, step: Step, kind: string): Promise<PageAnswer> {
  const { session, visit } = step
  const provider = hosted.providers[kind]
  if (await signsInAtProvider(hosted, session.owner, kind)) {
    return redirectTo(await goToProvider(hosted, session, kind, visit.signal))
  }
  if (!provider?.form) throw new Error(`nobody signs in to ${kind}`)
  const fixed = await fixedAddress(hosted, session)
  const email = fixed ?? session.row.email
  if (session.row.provider !== kind) await chooseInSession(hosted.database, session.row.id, { provider: kind, email })
  const vendor = vendorOf(provider.form, visit.query.get('vendor'))
  const wantsOther = visit.query.get('change') !== null && fixed === undefined
  if (email === null || !isAddress(email) || wantsOther) {
    return showAddress(hosted, step, { form: provider.form, email, vendor })
  }
  return showForm(hosted, step, { kind, form: provider.form, email, vendor, fixed: fixed !== undefined })
}

const vendorOf = ({ vendors }: CredentialForm, id: string | null): string | undefined =>
  vendors.find((vendor) => vendor.id === id)?.id

interface AddressFacts {
  form: CredentialForm
  email: string | null
  vendor: string | undefined
  problem?: Problem
}

function showAddress(hosted: HostedContext, step: Step, { form, email, vendor, problem }: AddressFacts): PageAnswer {
  const named = form.vendors.find(({ id }) => id === vendor)
  const name = named?.title ?? (form.anyAddress ? 'mail' : form.title)
  const title = `Connect your ${name} account`
  const back = step.session.request.kinds.length > 1
  return pageWith(step.look, addressView(frameOf(hosted, step), { title, email, vendor, back, problem }))
}

interface FormFacts {
  kind: string
  form: CredentialForm
  email: string
  vendor: string | undefined
  fixed: boolean
  written?: Record<string, string>
  problem?: (shape: FormShape) => Problem
  status?: number
}

async function showForm(hosted: HostedContext, step: Step, facts: FormFacts): Promise<PageAnswer> {
  const { session, visit, look } = step
  const { kind, form, email, vendor, fixed, written = {}, problem, status } = facts
  const shape = form.shapeFor({
    ...(await lookUp(hosted, form, email, visit)),
    vendor,
    sends: session.request.sends,
  })
  const back = session.request.kinds.length > 1
  const view = {
    kind,
    vendor,
    email,
    fixed,
    back,
    shape,
    written,
    problem: problem?.(shape),
    ...(status ? { status } : {}),
  }
  return pageWith(look, credentialsView(frameOf(hosted, step), view))
}

/** What the domain of an address says of itself; nothing need be asked of one that everybody knows. */
async function lookUp(
  { findExchanges, findService }: HostedContext,
  form: CredentialForm,
  email: string,
  { signal }: PageVisit,
) {
  const domain = domainOf(email)
  if (detectByDomain(domain)) return { email, exchanges: [], services: {} }
  const names = form.services ?? []
  const [exchanges, ...found] = await Promise.all([
    findExchanges(domain, signal),
    ...names.map((name) => findService(`${name}.${domain}`, signal)),
  ])
  return { email, exchanges, services: Object.fromEntries(names.map((name, index) => [name, found[index]])) }
}

/** Ends a sign-in that the user does not want. */
export async function cancel({ database, clock }: HostedContext, { session }: Step): Promise<PageAnswer> {
  await endLoginSession(database, session.row.id, clock.now())
  return redirectTo(backWithFailure(session.request, denied('the end user cancelled the sign-in')))
}

const oops = (summary: string, fields: Record<string, string> = {}): Problem => ({ summary, fields })

/** The address that a user gave, to find out where the account is. */
export async function detect(hosted: HostedContext, step: Step, sent: URLSearchParams): Promise<PageAnswer> {
  const { session, visit, look } = step
  const email = (sent.get('email') ?? '').trim()
  if (!isAddress(email)) {
    const wrong = 'Enter an address such as name@example.org.'
    return showChoice(hosted, step, oops('This is no e-mail address.', { email: wrong }))
  }
  const kind = await detectedKind(hosted, session, email, visit)
  await chooseInSession(hosted.database, session.row.id, { provider: kind ?? null, email })
  const found: Step = { ...step, session: { ...session, row: { ...session.row, email, provider: kind ?? null } } }
  if (!kind) return showChoice(hosted, found, oops('We could not tell where this account is. Choose it below.'))
  if (!(await signsInAtProvider(hosted, session.owner, kind))) return goOn(hosted, found, kind)
  const own = `${hosted.pathOf(session.row.id)}?${new URLSearchParams({ provider: kind })}`
  return pageWith(look, leavingView(`Going on to ${providerKinds[kind as ProviderKind].title}`, own))
}

/** The address of the account that a form is for. */
export async function giveAddress(hosted: HostedContext, step: Step, sent: URLSearchParams): Promise<PageAnswer> {
  const { session } = step
  const kind = session.row.provider
  const form = kind === null ? undefined : hosted.providers[kind]?.form
  if (kind === null || !form) throw noSession()
  const email = (sent.get('email') ?? '').trim()
  const vendor = vendorOf(form, sent.get('vendor'))
  if (!isAddress(email)) {
    const problem = oops('This is no e-mail address.', { email: 'Enter an address such as name@example.org.' })
    return showAddress(hosted, step, { form, email: email.slice(0, 320), vendor, problem })
  }
  await chooseInSession(hosted.database, session.row.id, { provider: kind, email })
  const query = new URLSearchParams({ provider: kind, ...(vendor ? { vendor } : {}) })
  return { ...redirectTo(`${hosted.pathOf(session.row.id)}?${query}`), status: 303 }
}

/** The credentials of an account: tried at the provider, before anybody is sent back. */
export async function giveCredentials(hosted: HostedContext, step: Step, sent: URLSearchParams): Promise<PageAnswer> {
  const { session, visit, look } = step
  const kind = session.row.provider
  const form = kind === null ? undefined : hosted.providers[kind]?.form
  if (kind === null || !form) throw noSession()
  const fixed = await fixedAddress(hosted, session)
  const email = fixed ?? (sent.get('email') ?? '').trim()
  if (!isAddress(email)) return giveAddress(hosted, step, sent)
  const fields = Object.fromEntries([...sent].filter(([, value]) => value.length <= 1024))
  const vendor = vendorOf(form, sent.get('vendor'))
  const { shapeNames, passwords } = namesOf(form, {
    email,
    vendor,
    exchanges: [],
    services: {},
    sends: session.request.sends,
  })
  const written = pick(fields, shapeNames)
  try {
    hosted.countTry(visit.address, emailKey(email))
    const visitor = { ip: visit.address, userAgent: visit.header('user-agent')?.slice(0, 512).toWellFormed() ?? null }
    const code = await trySignIn(
      hosted,
      session,
      { kind, email, fields: written },
      { visitor, signal: AbortSignal.any([visit.signal, AbortSignal.timeout(tryMs)]) },
    )
    return pageWith(look, leavingView(`Going back to ${look.branding.name}`, backWithCode(session.request, code)))
  } catch (thrown) {
    const error = asApiError(thrown)
    hosted.note(error, { application_id: session.owner.id, login_id: session.row.id })
    if (ends.has(error.code)) return endWith(hosted, step, error)
    const kept = pick(
      written,
      shapeNames.filter((name) => !passwords.includes(name)),
    )
    const facts = { kind, form, email, vendor, fixed: fixed !== undefined, written: kept }
    return showForm(hosted, step, { ...facts, problem: problemOf(error), status: error.status === 429 ? 429 : 422 })
  }
}

const tryMs = 60_000

/** Errors that no other input mends. */
const ends: ReadonlySet<ApiError['code']> = new Set([
  'login_id_invalid',
  'conflict',
  'connector_required',
  'grant_limit_reached',
  'reauth_email_invalid',
  'not_supported_by_provider',
])

async function endWith({ database, clock }: HostedContext, step: Step, error: ApiError): Promise<PageAnswer> {
  const { session, look } = step
  await endLoginSession(database, session.row.id, clock.now())
  const failure =
    error.code === 'login_id_invalid' ? denied('too many attempts: the sign-in was ended') : failureOf(error)
  return pageWith(look, leavingView(`Going back to ${look.branding.name}`, backWithFailure(session.request, failure)))
}

const pick = (fields: Record<string, string>, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])))

function namesOf(form: CredentialForm, facts: Parameters<CredentialForm['shapeFor']>[0]) {
  const fields = form.shapeFor(facts).sections.flatMap((section) => section.fields)
  return {
    shapeNames: fields.map(({ name }) => name),
    passwords: fields.filter(({ kind }) => kind === 'password').map(({ name }) => name),
  }
}

/** An error by the fields of the form; what is about none of them stands above. */
const problemOf =
  (error: ApiError) =>
  (shape: FormShape): Problem => {
    const labels = new Map(
      shape.sections.flatMap(({ fields }) => fields.map(({ name, label }) => [name, label] as const)),
    )
    const { validationErrors, fields: facts } = error.details
    const byField = validationErrors ?? (facts?.field ? { [facts.field]: error.message } : {})
    const problems: Record<string, string> = {}
    for (const [field, message] of Object.entries(byField)) {
      const name = field.replace(/^settings\./, '')
      if (labels.has(name)) problems[name] = sentence(message.replace(`${field}: `, ''))
    }
    const [first] = Object.entries(problems)
    const isWrong = facts?.reason === undefined || facts.reason === 'credentials_failed'
    if (error.code === 'authentication_failed' && isWrong) {
      return oops('The account could not be signed in to: the user name or the password is wrong.', problems)
    }
    if (first) return oops(`${labels.get(first[0])}: ${first[1]}`, problems)
    if (error.code === 'internal_error') return oops('Something went wrong on our side. Try again in a moment.')
    return oops(sentence(error.message.replace(/^settings\.\w+: /, '')))
  }
