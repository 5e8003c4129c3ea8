/** Steps of a sign-in on our own page: provider, address, credentials. */
import { type ProviderKind, providerKinds } from '@waypost/contract'
import { detectByDomain, detectByExchanges } from '@waypost/providers/detection'
import type { CredentialForm, FormShape, FormFacts as ShapeFacts } from '@waypost/providers/form'
import type { Providers } from '@waypost/providers/registry'
import { chooseInSession, endLoginSession } from '@waypost/store/tables/grants/login-sessions'
import { fixedAddress, goToProvider, type SignInSession } from '../../../grants/sign-in.ts'
import { canLeadTo, signsInAtProvider } from '../../../grants/sign-in-request.ts'
import type { PageAnswer, PageVisit } from '../../pipeline/page.ts'
import { addressView, type Choice, choiceView } from './choice-view.ts'
import { credentialsView, type Instead, insteadView } from './credentials-view.ts'
import type { Frame } from './frame.ts'
import { type HostedContext, noSession } from './hosted-context.ts'
import { backWithFailure, denied } from './outcome.ts'
import { type PageAppearance, type PageContent, pageWith, redirectTo } from './page.ts'
import type { Problem } from './problems.ts'
import type { Reader } from './reader.ts'
import { leavingView } from './stop-view.ts'

/** A visit to a session's own page. */
export interface Step {
  session: SignInSession
  appearance: PageAppearance
  reader: Reader
  csrf: string
  visit: PageVisit
}

export const isAddress = (text: string): boolean => text.length <= 320 && /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(text)
const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

export const frameOf = (hosted: HostedContext, { session, appearance, reader, csrf }: Step): Frame => ({
  ...reader,
  appearance,
  csrf,
  path: hosted.pathOf(session.row.id),
  proves: session.request.proves,
})

/** Query parameters that select the content of a sign-in page. */
const placeNames = ['provider', 'vendor', 'choose', 'change', 'password'] as const

/** A sign-in page; another language shows the same step. */
export function pageOf(hosted: HostedContext, step: Step, content: PageContent): PageAnswer {
  const { session, visit, appearance, reader } = step
  const { provider } = session.row
  const query = visit.method === 'GET' ? visit.query : new URLSearchParams(provider === null ? {} : { provider })
  const pathIn = (tag: string): string => {
    const place = new URLSearchParams([...query].filter(([name]) => placeNames.some((known) => known === name)))
    place.set('ui_locales', tag)
    return `${hosted.pathOf(session.row.id)}?${place}`
  }
  return pageWith(appearance, reader, content, { languages: { all: hosted.languages, pathIn } })
}

/** The offered provider of an address. A form that accepts any address is the last resort. */
export async function detectedKind(
  { providers, findMailExchangers }: HostedContext,
  { request }: SignInSession,
  email: string,
  { signal }: PageVisit,
): Promise<string | undefined> {
  if (!isAddress(email)) return undefined
  const domain = domainOf(email)
  const found = detectByDomain(domain) ?? detectByExchanges(await findMailExchangers(domain, signal))
  if (found && request.kinds.includes(found.provider)) return found.provider
  return found && request.kinds.find((kind) => providers[kind]?.form?.anyAddress)
}

/** The choices of the user. */
export const choicesOf = (providers: Providers, kinds: readonly string[]): Choice[] =>
  kinds.map((kind) => ({ kind, title: providerKinds[kind as ProviderKind].title, form: providers[kind]?.form }))

/** The page where users choose their provider. */
export function showChoice(hosted: HostedContext, step: Step, problem?: Problem): PageAnswer {
  const { request, row } = step.session
  const choices = choicesOf(hosted.providers, request.kinds)
  const view = { choices, prompt: request.prompt, email: row.email, problem }
  return pageOf(hosted, step, choiceView(frameOf(hosted, step), view))
}

/** Continues with a provider: on its own page, or with our form. */
export async function goOn(hosted: HostedContext, step: Step, kind: string): Promise<PageAnswer> {
  const { session, visit } = step
  const provider = hosted.providers[kind]
  if (await signsInAtProvider(hosted, session.owner, kind)) {
    return redirectTo(await goToProvider(hosted, session, kind, visit.signal), visit.requestId)
  }
  if (!provider?.form) throw new Error(`${kind} has no user sign-in`)
  const fixed = await fixedAddress(hosted, session)
  const email = fixed ?? session.row.email
  if (session.row.provider !== kind) await chooseInSession(hosted.database, session.row, { provider: kind, email })
  const vendor = vendorOf(provider.form, visit.query.get('vendor'))
  const wantsOther = visit.query.get('change') !== null && fixed === undefined
  if (email === null || !isAddress(email) || wantsOther) {
    return showAddress(hosted, step, { form: provider.form, email, vendor })
  }
  return showForm(hosted, step, { kind, form: provider.form, email, vendor, fixed: fixed !== undefined })
}

/** The form of a sign-in. A proof asks only for what the grant does not contain. */
export function shapeOf(form: CredentialForm, facts: ShapeFacts, { proves }: SignInSession['request']): FormShape {
  const shape = form.shapeFor(facts)
  if (!proves) return shape
  const fields = shape.sections.flatMap((section) => section.fields)
  return { ...shape, sections: [{ fields: fields.filter(({ name }) => form.proof.fields.includes(name)) }] }
}

export const vendorOf = ({ vendors }: CredentialForm, id: string | null): string | undefined =>
  vendors.find((vendor) => vendor.id === id)?.id

interface AddressFacts {
  form: CredentialForm
  email: string | null
  vendor: string | undefined
  problem?: Problem
}

function showAddress(hosted: HostedContext, step: Step, { form, email, vendor, problem }: AddressFacts): PageAnswer {
  const named = form.vendors.find(({ id }) => id === vendor)
  const provider = named?.title ?? form.title
  const back = step.session.request.kinds.length > 1
  return pageOf(hosted, step, addressView(frameOf(hosted, step), { provider, email, vendor, back, problem }))
}

export interface FormFacts {
  kind: string
  form: CredentialForm
  email: string
  vendor: string | undefined
  fixed: boolean
  written?: Record<string, string>
  problem?: (shape: FormShape) => Problem
  status?: number
}

export async function showForm(hosted: HostedContext, step: Step, facts: FormFacts): Promise<PageAnswer> {
  const { session, visit } = step
  const { kind, form, email, vendor, fixed, written = {}, problem, status } = facts
  const known = await lookUp(hosted, form, email, visit)
  const shape = shapeOf(form, { ...known, vendor, sends: session.request.sends }, session.request)
  const back = session.request.kinds.length > 1
  const instead = await insteadOf(hosted, step, shape)
  const view = {
    kind,
    vendor,
    email,
    fixed,
    back,
    shape,
    written,
    // If the user says that the mailbox is elsewhere, this is accepted.
    instead: instead?.passwords === 'app' ? instead : undefined,
    cloud: await cloudOf(hosted, step, shape),
    problem: problem?.(shape),
    ...(status ? { status } : {}),
  }
  const insists = problem !== undefined || (instead?.passwords === 'perhaps' && visit.query.has('password'))
  const frame = frameOf(hosted, step)
  const content =
    instead && instead.passwords !== 'app' && !insists
      ? insteadView(frame, { ...view, instead })
      : credentialsView(frame, view)
  return pageOf(hosted, step, content)
}

/** Display name of a provider with its own page; undefined if the application cannot redirect there. */
async function titleToLead(
  hosted: HostedContext,
  { session: { owner, request } }: Step,
  provider: ProviderKind,
): Promise<string | undefined> {
  return (await canLeadTo(hosted, owner, request, provider)) ? providerKinds[provider].title : undefined
}

/** The provider's own page as an alternative to a password, and whether it can be used. */
const insteadOf = async (hosted: HostedContext, step: Step, { instead }: FormShape): Promise<Instead | undefined> =>
  instead && { ...instead, offered: await titleToLead(hosted, step, instead.provider) }

/** The cloud provider for organizations whose accounts are not on their own server. */
async function cloudOf(
  hosted: HostedContext,
  step: Step,
  { advice }: FormShape,
): Promise<{ provider: string; title: string } | undefined> {
  if (advice?.kind !== 'own_exchange') return undefined
  const title = await titleToLead(hosted, step, advice.cloud)
  return title === undefined ? undefined : { provider: advice.cloud, title }
}

/** Looks up the domain of an address; well-known domains need no lookup. */
async function lookUp(
  { findMailExchangers, findService }: HostedContext,
  form: CredentialForm,
  email: string,
  { signal }: PageVisit,
) {
  const domain = domainOf(email)
  if (detectByDomain(domain)) return { email, exchanges: [], services: {} }
  const names = form.services ?? []
  const [exchanges, ...found] = await Promise.all([
    findMailExchangers(domain, signal),
    ...names.map((name) => findService(`${name}.${domain}`, signal)),
  ])
  return { email, exchanges, services: Object.fromEntries(names.map((name, index) => [name, found[index]])) }
}

/** Ends a sign-in that the user cancels. */
export async function cancel({ database, clock }: HostedContext, { session, visit }: Step): Promise<PageAnswer> {
  await endLoginSession(database, session.row, clock.now())
  const location = backWithFailure(session.request, denied('the end user cancelled the sign-in'))
  return redirectTo(location, visit.requestId)
}

const noAddress = ({ t }: Reader): Problem => ({
  summary: t('address.wrong'),
  fields: { email: t('address.example') },
})

/** Finds the provider of the address that the user entered. */
export async function detect(hosted: HostedContext, step: Step, sent: URLSearchParams): Promise<PageAnswer> {
  const { session, visit, reader } = step
  const email = (sent.get('email') ?? '').trim()
  if (!isAddress(email)) return showChoice(hosted, step, noAddress(reader))
  const kind = await detectedKind(hosted, session, email, visit)
  await chooseInSession(hosted.database, session.row, { provider: kind ?? null, email })
  const found: Step = { ...step, session: { ...session, row: { ...session.row, email, provider: kind ?? null } } }
  if (!kind) return showChoice(hosted, found, { summary: reader.t('address.unknown'), fields: {} })
  if (!(await signsInAtProvider(hosted, session.owner, kind))) return goOn(hosted, found, kind)
  const own = `${hosted.pathOf(session.row.id)}?${new URLSearchParams({ provider: kind })}`
  const title = reader.t('leaving.to', { provider: providerKinds[kind as ProviderKind].title })
  return pageOf(hosted, found, leavingView(reader, title, own))
}

/** Handles the address for a form. */
export async function giveAddress(hosted: HostedContext, step: Step, sent: URLSearchParams): Promise<PageAnswer> {
  const { session, reader, visit } = step
  const kind = session.row.provider
  const form = kind === null ? undefined : hosted.providers[kind]?.form
  if (kind === null || !form) throw noSession()
  const email = (sent.get('email') ?? '').trim()
  const vendor = vendorOf(form, sent.get('vendor'))
  if (!isAddress(email)) {
    return showAddress(hosted, step, { form, email: email.slice(0, 320), vendor, problem: noAddress(reader) })
  }
  await chooseInSession(hosted.database, session.row, { provider: kind, email })
  const query = new URLSearchParams({ provider: kind, ...(vendor ? { vendor } : {}) })
  return { ...redirectTo(`${hosted.pathOf(session.row.id)}?${query}`, visit.requestId), status: 303 }
}
