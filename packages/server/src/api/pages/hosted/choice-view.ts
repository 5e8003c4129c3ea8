/** The choice of the provider: buttons, an address field, or both. */
import type { CredentialForm } from '@waypost/providers/form'
import { alertOf, cancelLink, exitLinks, type Frame, fieldOf, hidden, titleOf } from './frame.ts'
import { type Html, html } from './html.ts'
import { brandOf, markOf } from './marks.ts'
import type { PageContent } from './page.ts'
import type { Problem } from './problems.ts'

export interface Choice {
  kind: string
  title: string
  form: CredentialForm | undefined
}

export interface ChoiceView {
  choices: readonly Choice[]
  prompt: string
  email: string | null
  problem?: Problem | undefined
}

/** The first page, in the requested order. */
export function choiceView(frame: Frame, { choices, prompt, email, problem }: ChoiceView): PageContent {
  const { hosted, branding } = frame.appearance
  const { t } = frame
  const steps = prompt.split(',')
  // If the address does not identify a provider, the user must be able to choose one.
  if (problem && !steps.includes('select_provider')) steps.push('select_provider')
  const parts: Record<string, () => Html> = {
    select_provider: () => html`${choices.length > 0 && buttons(frame, choices)}`,
    detect: () => addressForm(frame, { action: 'detect', email, problem, first: steps[0] === 'detect' }),
  }
  const shown = steps.flatMap((step, index) => {
    const part = parts[step]
    return part ? [...(index > 0 ? [html`<p class="or">${t('choice.or')}</p>`] : []), part()] : []
  })
  const application = branding.name
  const title = frame.proves ? t('proof.title', { application }) : (hosted.title ?? t('choice.title', { application }))
  const subtitle =
    (!frame.proves && hosted.subtitle) || (steps[0] === 'detect' ? t('choice.address_first') : t('choice.where'))
  return {
    status: problem ? 422 : 200,
    title: titleOf(frame, title, problem),
    body: html`<h1>${title}</h1><p class="quiet">${subtitle}</p>${alertOf(frame, problem)}${shown}
<p class="links small">${cancelLink(frame)}</p>`,
  }
}

/** Label of a provider's button. */
const labelOf = ({ t }: Frame, { title, form }: Choice): string =>
  form?.anyAddress ? t('choice.other_mail') : t('choice.continue_with', { provider: form?.title ?? title })

/** A link to a step, styled as a button with the provider's mark. */
export function linkTo({ path }: Frame, query: Record<string, string>, label: string): Html {
  const name = query.vendor ?? query.provider ?? ''
  const classes = ['button', brandOf(name)].filter(Boolean).join(' ')
  return html`<a class="${classes}" href="${path}?${String(new URLSearchParams(query))}">${markOf(name)}<span>${label}</span></a>`
}

function buttons(frame: Frame, choices: readonly Choice[]): Html {
  const offered = new Set(choices.map(({ kind }) => kind))
  const vendors = choices.flatMap(({ kind, form }) =>
    // Vendors that have their own provider button are not offered a second time.
    (form?.vendors ?? [])
      .filter(({ provider }) => provider === undefined || !offered.has(provider))
      .map((vendor) => ({ kind, ...vendor })),
  )
  return html`<ul>${choices.map(
    (choice) => html`<li>${linkTo(frame, { provider: choice.kind }, labelOf(frame, choice))}</li>`,
  )}</ul>${
    vendors.length > 0 &&
    html`<details><summary>${frame.t('choice.all')}</summary><ul class="vendors">${vendors.map(
      ({ kind, id, title }) => html`<li>${linkTo(frame, { provider: kind, vendor: id }, title)}</li>`,
    )}</ul></details>`
  }`
}

interface AddressForm {
  action: 'detect' | 'address'
  email: string | null
  problem?: Problem | undefined
  vendor?: string | undefined
  /** Whether it is the first part of the page. */
  first: boolean
}

function addressForm({ path, csrf, t }: Frame, { action, email, problem, vendor, first }: AddressForm): Html {
  const field = { name: 'email', label: t('address.label'), kind: 'text', autocomplete: 'username' } as const
  return html`<form method="post" action="${path}">${hidden('csrf', csrf)}${hidden('action', action)}${
    vendor !== undefined && hidden('vendor', vendor)
  }${fieldOf({ ...field, value: email ?? undefined, required: true }, { type: 'email', wrong: problem?.fields.email, first })}<button>${t('continue')}</button></form>`
}

export interface AddressView {
  /** The provider or vendor of the account; undefined if it can be any. */
  provider: string | undefined
  email: string | null
  vendor: string | undefined
  back: boolean
  problem?: Problem | undefined
}

function addressTitle({ t, appearance, proves }: Frame, provider: string | undefined): string {
  if (proves) return t('proof.title', { application: appearance.branding.name })
  return provider === undefined ? t('address.title_mail') : t('address.title', { provider })
}

/** Asks for the address of the account. */
export function addressView(frame: Frame, { provider, email, vendor, back, problem }: AddressView): PageContent {
  const { t } = frame
  const title = addressTitle(frame, provider)
  return {
    status: problem ? 422 : 200,
    title: titleOf(frame, title, problem),
    body: html`<h1>${title}</h1><p class="quiet">${t('address.question')}</p>${alertOf(frame, problem)}${addressForm(
      frame,
      { action: 'address', email, vendor, problem, first: true },
    )}${exitLinks(frame, back)}`,
  }
}
