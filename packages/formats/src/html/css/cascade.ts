/** The declarations of one element, in the order in which they apply (https://www.w3.org/TR/css-cascade-4/). */
import type { Budget } from './budget.ts'
import type { Certainty } from './media.ts'
import type { Element } from './selector-tests.ts'
import { matches, type Selector } from './selectors.ts'
import { type Declaration, type Rule, readDeclarations } from './sheet.ts'

interface Entry {
  readonly selector: Selector
  readonly declarations: readonly Declaration[]
  readonly certainty: Certainty
  readonly order: number
}

interface Matched {
  readonly declaration: Declaration
  readonly isInline: boolean
  readonly specificity: number
  readonly order: number
}

export interface OwnDeclarations {
  /** Those that apply, in the order of their weight. */
  readonly sure: readonly Declaration[]
  /** The same with those that may apply; undefined if there are none. */
  readonly possible: readonly Declaration[] | undefined
  /** Declarations of the parts before and after the content. */
  readonly generated: readonly Declaration[]
}

const inOrder = (one: Matched, other: Matched): number =>
  Number(one.declaration.important) - Number(other.declaration.important) ||
  Number(one.isInline) - Number(other.isInline) ||
  one.specificity - other.specificity ||
  one.order - other.order

const sorted = (found: Matched[]): Declaration[] => found.sort(inOrder).map(({ declaration }) => declaration)

export class Cascade {
  readonly #budget: Budget
  /** Rules by the id, class or name that their last part needs. */
  readonly #entries = new Map<string, Entry[]>()
  readonly #inline = new Map<string, readonly Declaration[]>()

  constructor(rules: readonly Rule[], budget: Budget) {
    this.#budget = budget
    let order = 0
    for (const { selectors, declarations, certainty } of rules) {
      order++
      for (const selector of selectors) {
        const [last] = selector.compounds
        if (!last) continue
        const [name] = last.classes
        const key =
          last.id !== undefined
            ? `#${last.id.toLowerCase()}`
            : name !== undefined
              ? `.${name.toLowerCase()}`
              : (last.tag ?? '*')
        const entries = this.#entries.get(key)
        const entry = { selector, declarations, certainty, order }
        if (entries) entries.push(entry)
        else this.#entries.set(key, [entry])
      }
    }
  }

  of(element: Element): OwnDeclarations {
    const inline = this.#inlineOf(element.attributes.style)
    // Beyond the budget, rules count as unknown: the view reports it.
    if (this.#entries.size === 0 || this.#budget.isExceeded)
      return { sure: onlyInline(inline), possible: undefined, generated: [] }
    const own = (declaration: Declaration): Matched => ({ declaration, isInline: true, specificity: 0, order: 0 })
    const sure = inline.map(own)
    const doubtful: Matched[] = []
    const generated: Declaration[] = []
    const classes = new Set(element.classes.map((name) => `.${name.toLowerCase()}`))
    const keys = [`#${element.attributes.id?.toLowerCase() ?? ''}`, ...classes, element.name, '*']
    for (const key of keys) {
      for (const { selector, declarations, certainty, order } of this.#entries.get(key) ?? []) {
        const answer = matches(selector, element, this.#budget)
        if (answer === 'no' || !this.#budget.takeStep(declarations.length)) continue
        const { pseudo, specificity } = selector
        if (pseudo === 'before' || pseudo === 'after') {
          generated.push(...declarations)
          continue
        }
        if (pseudo !== undefined && !TEXT.test(pseudo)) continue
        const list = answer === 'yes' && certainty === 'yes' && pseudo === undefined ? sure : doubtful
        for (const declaration of declarations) list.push({ declaration, isInline: false, specificity, order })
      }
    }
    const possible = doubtful.length > 0 ? sorted([...sure, ...doubtful]) : undefined
    return { sure: sorted(sure), possible, generated }
  }

  #inlineOf(style: string | undefined): readonly Declaration[] {
    if (style === undefined) return []
    const known = this.#inline.get(style)
    if (known) return known
    const all = readDeclarations(style, this.#budget)
    const read = this.#budget.isExceeded ? [] : all
    this.#inline.set(style, read)
    return read
  }
}

/** Parts that have text of the element itself. */
const TEXT = /^(?:first-line|first-letter)$/

const onlyInline = (inline: readonly Declaration[]): readonly Declaration[] =>
  inline.some(({ important }) => important)
    ? inline.toSorted((one, other) => Number(one.important) - Number(other.important))
    : inline
