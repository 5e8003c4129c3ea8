/** What the pages show. They work without script: every step is a link or a form. */
import type { CredentialForm, FormField, FormShape } from '../../../providers/form.ts'
import { type Html, html } from './html.ts'
import type { Look, PageContent } from './page.ts'

/** What is wrong with what was sent: in one sentence, and by field. */
export interface Problem {
  summary: string
  fields: Record<string, string>
}

/** What every page of a sign-in has. */
export interface Frame {
  look: Look
  /** The address of the sign-in's own page. */
  path: string
  /** What shows that a form is ours. */
  csrf: string
}

const alert = (problem: Problem | undefined): Html | undefined =>
  problem && html`<div class="alert" role="alert"><p>${problem.summary}</p></div>`

const titleOf = (title: string, problem: Problem | undefined): string => (problem ? `Error: ${title}` : title)

const hidden = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}">`

const cancelLink = ({ look, path }: Frame): Html =>
  html`<a href="${path}?cancel=1">Cancel and go back to ${look.branding.name}</a>`

interface Choice {
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

/** Where is your account? Buttons, a field for the address, or both, in the order that was asked for. */
export function choiceView(frame: Frame, { choices, prompt, email, problem }: ChoiceView): PageContent {
  const { hosted, branding } = frame.look
  const steps = prompt.split(',')
  // Whose address says nothing must be able to choose.
  if (problem && !steps.includes('select_provider')) steps.push('select_provider')
  const parts: Record<string, () => Html> = {
    select_provider: () => html`${choices.length > 0 && buttons(frame, choices)}`,
    detect: () => addressForm(frame, { action: 'detect', email, problem, first: steps[0] === 'detect' }),
  }
  const shown = steps.flatMap((step, index) => {
    const part = parts[step]
    return part ? [...(index > 0 ? [html`<p class="or">or</p>`] : []), part()] : []
  })
  const title = hosted.title ?? `Connect your account to ${branding.name}`
  const subtitle = hosted.subtitle ?? (steps[0] === 'detect' ? 'Begin with your address.' : 'Where is your account?')
  return {
    status: problem ? 422 : 200,
    title: titleOf(title, problem),
    body: html`<h1>${title}</h1><p class="quiet">${subtitle}</p>${alert(problem)}${shown}
<p class="links small">${cancelLink(frame)}</p>`,
  }
}

function buttons({ path }: Frame, choices: readonly Choice[]): Html {
  const offered = new Set(choices.map(({ kind }) => kind))
  const vendors = choices.flatMap(({ kind, form }) =>
    // What has a button of its own is not offered a second time, as something less.
    (form?.vendors ?? [])
      .filter(({ provider }) => provider === undefined || !offered.has(provider))
      .map((vendor) => ({ kind, ...vendor })),
  )
  const link = (query: Record<string, string>, label: string): Html =>
    html`<li><a class="button" href="${path}?${String(new URLSearchParams(query))}">${label}</a></li>`
  return html`<ul>${choices.map(({ kind, title, form }) =>
    link({ provider: kind }, form ? form.title : `Continue with ${title}`),
  )}</ul>${
    vendors.length > 0 &&
    html`<details><summary>View all providers</summary><ul>${vendors.map(({ kind, id, title }) =>
      link({ provider: kind, vendor: id }, title),
    )}</ul></details>`
  }`
}

interface AddressForm {
  action: 'detect' | 'address'
  email: string | null
  problem?: Problem | undefined
  vendor?: string | undefined
  /** It is what the page begins with. */
  first: boolean
}

function addressForm({ path, csrf }: Frame, { action, email, problem, vendor, first }: AddressForm): Html {
  const field: FormField = { name: 'email', label: 'E-mail address', kind: 'text', autocomplete: 'username' }
  return html`<form method="post" action="${path}">${hidden('csrf', csrf)}${hidden('action', action)}${
    vendor !== undefined && hidden('vendor', vendor)
  }${fieldOf({ ...field, value: email ?? undefined, required: true }, { type: 'email', wrong: problem?.fields.email, first })}<button>Continue</button></form>`
}

export interface AddressView {
  title: string
  email: string | null
  vendor: string | undefined
  back: boolean
  problem?: Problem | undefined
}

/** The address of an account that a form is for. */
export function addressView(frame: Frame, { title, email, vendor, back, problem }: AddressView): PageContent {
  return {
    status: problem ? 422 : 200,
    title: titleOf(title, problem),
    body: html`<h1>${title}</h1><p class="quiet">What is the address of your account?</p>${alert(problem)}${addressForm(
      frame,
      { action: 'address', email, vendor, problem, first: true },
    )}<p class="links small">${back && html`<a href="${frame.path}?choose=1">Choose another provider</a>`}${cancelLink(frame)}</p>`,
  }
}

interface FieldState {
  type: string
  wrong?: string | undefined
  first?: boolean
}

function fieldOf(field: FormField, { type, wrong, first }: FieldState): Html {
  const id = `field-${field.name}`
  const described = [field.hint && `${id}-hint`, wrong && `${id}-wrong`].filter(Boolean).join(' ')
  return html`<div class="field"><label for="${id}">${field.label}</label><input id="${id}" name="${field.name}" type="${type}" value="${
    field.value ?? ''
  }"${type === 'number' && html` min="1" max="65535" inputmode="numeric"`}${
    type === 'text' && html` autocapitalize="none" spellcheck="false"`
  }${html` autocomplete="${field.autocomplete ?? 'off'}"`}${field.required && html` required`}${
    wrong !== undefined && html` aria-invalid="true"`
  }${described !== '' && html` aria-describedby="${described}"`}${first && html` autofocus`}>${
    field.hint && html`<p class="small quiet" id="${id}-hint">${field.hint}</p>`
  }${wrong !== undefined && html`<p class="small wrong" id="${id}-wrong">${wrong}</p>`}</div>`
}

const inputTypes = { text: 'text', password: 'password', port: 'number' } as const

export interface CredentialsView {
  kind: string
  vendor: string | undefined
  email: string
  /** The address may not be changed. */
  fixed: boolean
  back: boolean
  shape: FormShape
  /** What the user wrote before; passwords are not among it. */
  written: Record<string, string>
  problem?: Problem | undefined
  status?: number
}

/** The password of an account, and what else its provider needs. */
export function credentialsView(frame: Frame, view: CredentialsView): PageContent {
  const { kind, vendor, email, shape, written, problem } = view
  const wrong = problem?.fields ?? {}
  const all = shape.sections.flatMap(({ fields }) => fields)
  const first = (all.find(({ name }) => wrong[name] !== undefined) ?? all[0])?.name
  const sectionOf = ({ title, note, fields }: FormShape['sections'][number], folded: boolean): Html =>
    html`<fieldset>${title !== undefined && html`<legend>${title}</legend>`}${note !== undefined && html`<p class="small quiet">${note}</p>`}${fields.map(
      (field) =>
        fieldOf(
          // A browser cannot point at a field that is folded away; the server asks for it all the same.
          { ...field, value: written[field.name] ?? field.value, required: field.required && !folded },
          { type: inputTypes[field.kind], wrong: wrong[field.name], first: field.name === first },
        ),
    )}</fieldset>`
  const open = shape.sections.filter(({ folded }) => !folded)
  const folded = shape.sections.filter((section) => section.folded)
  const unfold = folded.some(({ fields }) => fields.some(({ name }) => wrong[name] !== undefined))
  const { advice } = shape
  const change = html`<a href="${frame.path}?${String(new URLSearchParams({ provider: kind, change: '1', ...(vendor ? { vendor } : {}) }))}">Use another address</a>`
  return {
    status: view.status ?? (problem ? 422 : 200),
    title: titleOf('Sign in to your account', problem),
    body: html`<h1>Sign in to your account</h1>${alert(problem)}${
      advice &&
      html`<div class="advice"><p>${advice.text}</p>${
        advice.link &&
        html`<p><a href="${advice.link.url}" target="_blank" rel="noopener noreferrer">${advice.link.label}</a></p>`
      }</div>`
    }<form method="post" action="${frame.path}">${hidden('csrf', frame.csrf)}${hidden('action', 'sign-in')}${hidden('provider', kind)}${
      vendor !== undefined && hidden('vendor', vendor)
    }<div class="field"><label for="field-email">E-mail address</label><input id="field-email" name="email" type="email" value="${email}" readonly autocomplete="username">${
      !view.fixed && html`<p class="small">${change}</p>`
    }</div>${open.map((section) => sectionOf(section, false))}${
      folded.length > 0 &&
      html`<details${unfold && html` open`}><summary>More settings</summary>${folded.map((section) => sectionOf(section, !unfold))}</details>`
    }<button>Sign in</button></form><p class="small quiet">Your password is used to reach your account for ${frame.look.branding.name}, and is kept encrypted.</p>
<p class="links small">${view.back && html`<a href="${frame.path}?choose=1">Choose another provider</a>`}${cancelLink(frame)}</p>`,
  }
}

/** On the way elsewhere: a form must not lead away from us by itself, so that the browser goes on from here. */
export const leavingView = (title: string, next: string): PageContent => ({
  title,
  next,
  body: html`<h1>${title}</h1><p>If nothing happens, <a href="${next}">continue here</a>.</p>`,
})

/** What went wrong, where there is nobody to send the user back to. */
export const problemView = (status: number, message: string): PageContent => ({
  status,
  title: 'The sign-in cannot go on',
  body: html`<h1>The sign-in cannot go on</h1><div class="alert" role="alert"><p>${message}</p></div><p class="quiet">Go back to the application and begin again.</p>`,
})
