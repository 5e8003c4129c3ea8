/** Pseudo-classes of an element in a mail that nobody has touched. */
import type { Attributes } from '../html-text.ts'

export type Answer = 'yes' | 'no' | 'maybe'

/** An element as selectors see it. */
export interface Element {
  readonly name: string
  readonly attributes: Attributes
  readonly classes: readonly string[]
  readonly parent: Element | undefined
  /** The element before it with the same parent. */
  readonly previous: Element | undefined
}

export type Test = (element: Element) => Answer

/** States that need a person, a pointer, or a form. Nothing is in them when a message is opened. */
const NEVER = new Set([
  'hover',
  'active',
  'focus',
  'focus-within',
  'focus-visible',
  'visited',
  'target',
  'fullscreen',
  'modal',
  '-moz-focusring',
  'invalid',
  'user-invalid',
  'placeholder-shown',
  'autofill',
  '-webkit-autofill',
])

export function pseudoClass(name: string): Test {
  if (NEVER.has(name)) return () => 'no'
  if (name === 'root') return ({ parent, name: tag }) => (parent === undefined && tag === 'html' ? 'yes' : 'no')
  if (name === 'first-child') return ({ previous }) => (previous === undefined ? 'yes' : 'no')
  if (name === 'checked') return ({ attributes }) => (attributes.checked === undefined ? 'no' : 'yes')
  if (name === 'link' || name === 'any-link') {
    return ({ name: tag, attributes }) =>
      (tag === 'a' || tag === 'area') && attributes.href !== undefined ? 'yes' : 'no'
  }
  return () => 'maybe'
}
