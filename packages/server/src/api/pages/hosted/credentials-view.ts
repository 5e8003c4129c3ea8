/** The form for the password and other settings of an account, or the explanation why passwords do not work. */
import type { FormInstead, FormSection, FormShape } from '@waypost/providers/form'
import { linkTo } from './choice-view.ts'
import { alertOf, exitLinks, type Frame, fieldOf, hidden, titleOf } from './frame.ts'
import { type Html, html } from './html.ts'
import { outward, type PageContent } from './page.ts'
import type { Problem } from './problems.ts'

/** The provider's own sign-in page as an alternative to a password. */
export interface Instead extends FormInstead {
  /** Display name of the provider; undefined if the application cannot redirect there. */
  offered: string | undefined
}

export interface CredentialsView {
  kind: string
  vendor: string | undefined
  email: string
  /** The address cannot be changed. */
  fixed: boolean
  back: boolean
  shape: FormShape
  instead: Instead | undefined
  /** The provider to continue with if the account is in the cloud; undefined if it is not available. */
  cloud: { provider: string; title: string } | undefined
  /** Previous input without passwords. */
  written: Record<string, string>
  problem?: Problem | undefined
  status?: number
}

const inputTypes = { text: 'text', password: 'password', port: 'number' } as const

export function credentialsView(frame: Frame, view: CredentialsView): PageContent {
  const { kind, vendor, email, shape, problem, instead } = view
  const { t, path, csrf } = frame
  const title = t('sign_in.title')
  const open = shape.sections.filter((section) => !isFolded(section))
  const more = moreSettings(frame, view)
  return {
    status: view.status ?? (problem ? 422 : 200),
    title: titleOf(frame, title, problem),
    body: html`<h1>${title}</h1>${alertOf(frame, problem)}${
      instead?.offered !== undefined && easierAdvice(frame, instead, instead.offered)
    }${adviceOf(frame, view)}<form method="post" action="${path}">${hidden('csrf', csrf)}${hidden('action', 'sign-in')}${hidden('provider', kind)}${
      vendor !== undefined && hidden('vendor', vendor)
    }<div class="field"><label for="field-email">${t('address.label')}</label><input id="field-email" name="email" type="email" dir="ltr" value="${email}" readonly autocomplete="username">${
      !view.fixed && html`<p class="small">${changeLink(frame, view)}</p>`
    }</div>${open.map((section) => sectionOf(frame, view, section, true))}${more}<button>${t('sign_in.button')}</button></form><p class="small quiet">${
      frame.proves ? t('proof.promise') : t('sign_in.promise', { application: frame.appearance.branding.name })
    }</p>
${exitLinks(frame, view.back)}`,
  }
}

const changeLink = ({ path, t }: Frame, { kind, vendor }: CredentialsView): Html =>
  html`<a href="${path}?${String(new URLSearchParams({ provider: kind, change: '1', ...(vendor ? { vendor } : {}) }))}">${t('use_another_address')}</a>`

function firstField({ shape, problem, instead }: CredentialsView): string | undefined {
  const all = shape.sections.flatMap(({ fields }) => fields)
  const wrong = all.find(({ name }) => problem?.fields[name] !== undefined)
  // The easier way is always shown first.
  if (!wrong && instead?.offered !== undefined) return undefined
  return (wrong ?? all.find(({ kind }) => kind === 'password') ?? all[0])?.name
}

/**
 * `visible`: browsers cannot focus a required field in a collapsed section, so it is only marked as required if
 * visible. The server checks it in any case.
 */
function sectionOf({ t }: Frame, view: CredentialsView, section: FormSection, visible: boolean): Html {
  const { title, note, fields } = section
  const wrong = view.problem?.fields ?? {}
  const first = firstField(view)
  return html`<fieldset>${title !== undefined && html`<legend>${t(title)}</legend>`}${
    note !== undefined && html`<p class="small quiet">${t(note)}</p>`
  }${fields.map((field) =>
    fieldOf(
      {
        ...field,
        label: t(field.label),
        hint: field.hint && t(field.hint),
        value: view.written[field.name] ?? field.value,
        required: field.required && visible,
      },
      { type: inputTypes[field.kind], wrong: wrong[field.name], first: field.name === first },
    ),
  )}</fieldset>`
}

const isFolded = ({ folded, needed }: FormSection): boolean => folded === true && needed !== true

/** Rarely needed settings; expanded if one of them is wrong. */
function moreSettings(frame: Frame, view: CredentialsView): Html | false {
  const sections = view.shape.sections.filter(isFolded)
  const wrong = view.problem?.fields ?? {}
  const open = sections.some(({ fields }) => fields.some(({ name }) => wrong[name] !== undefined))
  return (
    sections.length > 0 &&
    html`<details class="more"${open && html` open`}><summary>${frame.t('sign_in.more')}</summary>${sections.map(
      (section) => sectionOf(frame, view, section, open),
    )}</details>`
  )
}

function adviceOf(frame: Frame, { shape: { advice }, cloud }: CredentialsView): Html | undefined {
  const { t } = frame
  if (!advice) return undefined
  if (advice.kind === 'own_exchange')
    return html`<div class="advice"><p>${t('advice.own_exchange')}</p>${cloud && cloudAdvice(frame, cloud)}</div>`
  const provider = advice.vendor
  if (advice.kind === 'mail_programs') {
    return html`<div class="advice"><p>${t('advice.mail_programs', { provider })}</p><p>${outward(advice.url, t('advice.mail_programs_link', { provider }))}</p></div>`
  }
  return html`<div class="advice"><p>${t('advice.password', { provider, password: t(advice.name) })}</p>${
    advice.twoStep && html`<p>${t('advice.two_step')}</p>`
  }<p>${outward(advice.url, t('advice.password_link', { provider }))}</p></div>`
}

const cloudAdvice = (frame: Frame, { provider, title }: NonNullable<CredentialsView['cloud']>): Html =>
  html`<p>${frame.t('advice.cloud_exchange')}</p>${linkTo(frame, { provider }, frame.t('choice.continue_with', { provider: title }))}`

/** An app password would work, but the provider's own page is easier. */
const easierAdvice = (frame: Frame, { provider, vendor }: Instead, offered: string): Html =>
  html`<div class="way"><p>${frame.t('instead.easier', { provider: vendor })}</p>${linkTo(frame, { provider }, frame.t('choice.continue_with', { provider: offered }))}</div><p class="quiet">${frame.t('instead.or_password')}</p>`

/** Shown before the user types a password if passwords do not work. */
export function insteadView(frame: Frame, view: CredentialsView & { instead: Instead }): PageContent {
  const { kind, vendor, email, instead } = view
  const { t, path, appearance } = frame
  const provider = instead.vendor
  const application = appearance.branding.name
  const all = new URLSearchParams({ provider: kind, password: '1', ...(vendor ? { vendor } : {}) })
  return {
    title: t('instead.none', { provider }),
    body: html`<h1>${t('instead.none', { provider })}</h1><p class="quiet"><bdi>${email}</bdi></p>${
      instead.offered === undefined
        ? html`<p>${t('instead.ask', { application, provider })}</p>`
        : html`<p>${t('instead.there', { application, provider })}</p>${linkTo(frame, { provider: instead.provider }, t('choice.continue_with', { provider: instead.offered }))}`
    }<p class="links small">${!view.fixed && changeLink(frame, view)}${
      instead.passwords === 'perhaps' &&
      html`<a href="${path}?${String(all)}">${t('instead.not_there', { provider })}</a>`
    }</p>${exitLinks(frame, view.back)}`,
  }
}
