/** Shared parts of the sign-in views. They work without scripts: every step is a link or a form. */
import type { FormField } from '@waypost/providers/form'
import { type Html, html } from './html.ts'
import type { PageAppearance } from './page.ts'
import type { Problem } from './problems.ts'
import type { Reader } from './reader.ts'

/** Data of every sign-in page. */
export interface Frame extends Reader {
  appearance: PageAppearance
  /** Path of the sign-in's own page. */
  path: string
  /** CSRF token of the forms. */
  csrf: string
  /** The sign-in only proves who owns a connected account. */
  proves?: boolean | undefined
}

/** The problem and what to do; technical details are collapsed. */
export const alertOf = (reader: Reader, problem: Problem | undefined): Html | undefined =>
  problem &&
  html`<div class="alert" role="alert"><p><strong>${problem.summary}</strong></p>${
    problem.advice !== undefined && html`<p>${problem.advice}</p>`
  }${problem.technical !== undefined && detailsOf(reader, problem.technical, requestIdOf(reader))}</div>`

/** The API error, for people who help the user. */
export const detailsOf = ({ t }: Reader, technical: string, more?: Html): Html =>
  html`<details class="small"><summary>${t('technical')}</summary><p lang="en" dir="ltr">${technical}</p>${more}</details>`

export const requestIdOf = ({ t, requestId }: Reader): Html =>
  html`<p class="small request">${t('request_id')} <code dir="ltr">${requestId}</code></p>`

export const titleOf = ({ t }: Reader, title: string, problem: Problem | undefined): string =>
  problem ? t('error_title', { title }) : title

export const hidden = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}">`

export const cancelLink = ({ appearance, path, t }: Frame): Html =>
  html`<a href="${path}?cancel=1">${t('cancel', { application: appearance.branding.name })}</a>`

/** Links back to the choice of providers, if there is one, and out of the sign-in. */
export const exitLinks = (frame: Frame, back: boolean): Html =>
  html`<p class="links small">${back && html`<a href="${frame.path}?choose=1">${frame.t('choose_another')}</a>`}${cancelLink(frame)}</p>`

/** A field with its texts. */
export interface ShownField extends Omit<FormField, 'label' | 'hint'> {
  label: string
  hint?: string | undefined
}

interface FieldState {
  type: string
  wrong?: string | undefined
  first?: boolean
}

export function fieldOf(field: ShownField, { type, wrong, first }: FieldState): Html {
  const id = `field-${field.name}`
  const described = [field.hint && `${id}-hint`, wrong && `${id}-wrong`].filter(Boolean).join(' ')
  return html`<div class="field"><label for="${id}">${field.label}</label><input id="${id}" name="${field.name}" type="${type}" dir="ltr" value="${
    field.value ?? ''
  }"${type === 'number' && html` min="1" max="65535" inputmode="numeric"`}${
    type === 'text' && html` autocapitalize="none" spellcheck="false"`
  }${html` autocomplete="${field.autocomplete ?? 'off'}"`}${field.required && html` required`}${
    wrong !== undefined && html` aria-invalid="true"`
  }${described !== '' && html` aria-describedby="${described}"`}${first && html` autofocus`}>${
    field.hint && html`<p class="small quiet" id="${id}-hint">${field.hint}</p>`
  }${wrong !== undefined && html`<p class="small wrong" id="${id}-wrong">${wrong}</p>`}</div>`
}
