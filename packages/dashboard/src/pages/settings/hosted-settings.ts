/** The settings of the hosted page in its form. */
import type { Application } from '@waypost/sdk'

export type Hosted = Application['hosted_authentication']

export const alignments = ['left', 'center', 'right'] as const

const texts = [
  'title',
  'subtitle',
  'color_primary',
  'color_secondary',
  'background_color',
  'background_image_url',
  'terms_of_service_url',
  'privacy_policy_url',
] as const

/** Reads the form values; empty fields are not set. */
export function hostedIn(text: (name: string) => string | undefined): Hosted {
  const given = Object.fromEntries(texts.flatMap((name) => (text(name) ? [[name, text(name)]] : [])))
  const spacing = text('spacing')
  return {
    ...given,
    alignment: alignments.find((each) => each === text('alignment')),
    spacing: spacing === undefined ? undefined : Number(spacing),
  }
}

/** Reads the current form values before they are submitted. */
export function hostedInForm(form: HTMLFormElement): Hosted {
  const data = new FormData(form)
  return hostedIn((name) => String(data.get(name) ?? '').trim() || undefined)
}
