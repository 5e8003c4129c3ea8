/** The additional fields of a page as an ordered list. The API has a map with the order in each field. Pure. */
import type { AdditionalField } from '@waypost/sdk'

export const questionTypes = [
  ['text', 'Short text'],
  ['multi_line_text', 'Long text'],
  ['email', 'Email address'],
  ['phone_number', 'Phone number'],
  ['dropdown', 'Drop-down list'],
  ['radio_button', 'Choice of one'],
  ['multi_select', 'Choice of several'],
  ['checkbox', 'Check box'],
  ['date', 'Date'],
  ['metadata', 'Hidden value'],
] as const

export type QuestionType = AdditionalField['type']

export interface Question extends AdditionalField {
  key: string
}

export const hasOptions = (type: QuestionType): boolean =>
  type === 'dropdown' || type === 'radio_button' || type === 'multi_select'

/** The fields in their order; those without one come last. */
export const questionsOf = (fields: Readonly<Record<string, AdditionalField>> | null | undefined): Question[] =>
  Object.entries(fields ?? {})
    .map(([key, field]) => ({ key, ...field }))
    .sort((a, b) => (a.order ?? Infinity) - (b.order ?? Infinity) || 0)

export function fieldsOf(questions: readonly Question[]): Record<string, AdditionalField> {
  return Object.fromEntries(
    questions.map(({ key, options, ...rest }, index) => [
      key,
      { ...rest, order: index + 1, ...(hasOptions(rest.type) ? { options: options ?? [] } : {}) },
    ]),
  )
}

/** A key for a new field that no other field has. */
export function freeKey(questions: readonly Question[]): string {
  for (let number = questions.length + 1; ; number += 1) {
    const key = `field_${number}`
    if (!questions.some((each) => each.key === key)) return key
  }
}

export const newQuestion = (questions: readonly Question[]): Question => ({
  key: freeKey(questions),
  label: '',
  type: 'text',
  required: false,
})

/** Moves a field up (-1) or down (1). */
export function moved(questions: readonly Question[], from: number, by: -1 | 1): Question[] {
  const next = [...questions]
  const [taken] = next.splice(from, 1)
  if (taken) next.splice(from + by, 0, taken)
  return next
}
