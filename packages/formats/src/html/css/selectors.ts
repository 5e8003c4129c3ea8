/**
 * Selectors (https://www.w3.org/TR/selectors-4/), compared with one element at a time. What we cannot compare is `maybe`.
 */
import { HashType, TokenType } from '@csstools/css-tokenizer'
import type { Budget } from './budget.ts'
import { type Answer, type Element, pseudoClass, type Test } from './selector-tests.ts'
import { delimOf, functionOf, identOf, inside, isComma, isSpace, split, type Tokens } from './tokens.ts'

interface Compound {
  /** Rules are found by these: no element without them matches. */
  readonly tag: string | undefined
  readonly id: string | undefined
  readonly classes: readonly string[]
  readonly tests: readonly Test[]
}

export interface Selector {
  /** From right to left. */
  readonly compounds: readonly Compound[]
  /** What stands between a compound and the next one on its left. */
  readonly combinators: readonly string[]
  readonly specificity: number
  /** The part of the element that is meant, such as `before`. */
  readonly pseudo: string | undefined
}

const ID = 1_000_000
const CLASS = 1_000
const MAX_NESTING = 5

/** Selectors of a list. One that cannot be read makes browsers ignore all of them. */
export function readSelectors(tokens: Tokens, budget: Budget, depth = 0): Selector[] {
  const selectors = split(tokens, isComma).map((each) => new SelectorReader(each, { budget, depth }).read())
  const good = selectors.filter((each) => each !== undefined)
  return good.length === selectors.length ? good : []
}

interface Building {
  tag: string | undefined
  id: string | undefined
  classes: string[]
  tests: Test[]
}

const newCompound = (): Building => ({ tag: undefined, id: undefined, classes: [], tests: [] })
const unknown: Test = () => 'maybe'

class SelectorReader {
  readonly #tokens: Tokens
  readonly #budget: Budget
  readonly #depth: number
  readonly #compounds: Building[] = [newCompound()]
  readonly #combinators: string[] = []
  #specificity = 0
  #pseudo: string | undefined
  #at = 0

  constructor(tokens: Tokens, { budget, depth }: { budget: Budget; depth: number }) {
    this.#tokens = tokens
    this.#budget = budget
    this.#depth = depth
  }

  read(): Selector | undefined {
    if (this.#tokens.length === 0) return undefined
    // `> a` and `+ a` are relative to the rule around.
    if (/^[>+~]$/.test(delimOf(this.#tokens[0]) ?? '')) this.#compounds[0]?.tests.push(scope)
    while (this.#at < this.#tokens.length) {
      if (!this.#part()) return undefined
    }
    return {
      compounds: this.#compounds.toReversed(),
      combinators: this.#combinators.toReversed(),
      specificity: this.#specificity,
      pseudo: this.#pseudo,
    }
  }

  #part(): boolean {
    const compound = this.#compounds.at(-1)
    const token = this.#tokens[this.#at]
    if (!token || !compound) return false
    if (isSpace(token) || /^[>+~]$/.test(delimOf(token) ?? '')) return this.#combine()
    this.#at++
    switch (token[0]) {
      case TokenType.Ident:
        compound.tag = token[4].value.toLowerCase()
        this.#specificity++
        return true
      case TokenType.Hash:
        if (token[4].type !== HashType.ID) return false
        if (compound.id === undefined) compound.id = token[4].value
        else compound.tests.push(({ attributes }) => (attributes.id === token[4].value ? 'yes' : 'no'))
        this.#specificity += ID
        return true
      case TokenType.OpenSquare: {
        const { content, end } = inside(this.#tokens, this.#at - 1)
        this.#at = end
        this.#specificity += CLASS
        compound.tests.push(attributeTest(content))
        return true
      }
      case TokenType.Colon:
        return this.#afterColon(compound)
      default:
        return this.#delim(compound, delimOf(token))
    }
  }

  #delim(compound: Building, delim: string | undefined): boolean {
    if (delim === '*' || delim === '|') return true
    if (delim === '&') {
      compound.tests.push(scope)
      return true
    }
    const token = this.#tokens[this.#at]
    if (delim !== '.' || token?.[0] !== TokenType.Ident) return false
    this.#at++
    this.#specificity += CLASS
    compound.classes.push(token[4].value)
    return true
  }

  #combine(): boolean {
    let combinator = ' '
    for (; this.#at < this.#tokens.length; this.#at++) {
      const token = this.#tokens[this.#at]
      const delim = delimOf(token)
      if (delim !== undefined && /^[>+~]$/.test(delim)) {
        if (combinator !== ' ') return false
        combinator = delim
      } else if (!isSpace(token)) break
    }
    this.#combinators.push(combinator)
    this.#compounds.push(newCompound())
    return this.#at < this.#tokens.length
  }

  #afterColon(compound: Building): boolean {
    const isElement = this.#tokens[this.#at]?.[0] === TokenType.Colon
    if (isElement) this.#at++
    const token = this.#tokens[this.#at]
    const name = identOf(token) ?? functionOf(token)
    if (!token || name === undefined) return false
    if (isElement || /^(?:before|after|first-line|first-letter)$/.test(name)) {
      this.#pseudo = name
      this.#specificity++
      this.#at = token[0] === TokenType.Function ? inside(this.#tokens, this.#at).end : this.#at + 1
      return true
    }
    if (token[0] === TokenType.Ident) {
      this.#at++
      this.#specificity += CLASS
      compound.tests.push(pseudoClass(name))
      return true
    }
    const { content, end } = inside(this.#tokens, this.#at)
    this.#at = end
    compound.tests.push(this.#functional(name, content))
    return true
  }

  #functional(name: string, content: Tokens): Test {
    if (!/^(?:is|where|not|matches|-webkit-any|-moz-any)$/.test(name) || this.#depth >= MAX_NESTING) {
      this.#specificity += CLASS
      return unknown
    }
    const inner = readSelectors(content, this.#budget, this.#depth + 1)
    if (name !== 'where') this.#specificity += Math.max(0, ...inner.map(({ specificity }) => specificity))
    const budget = this.#budget
    const any: Test = (element) => anyOf(inner.map((each) => matches(each, element, budget)))
    return name === 'not' ? (element) => opposite(any(element)) : any
  }
}

const anyOf = (answers: readonly Answer[]): Answer =>
  answers.includes('yes') ? 'yes' : answers.includes('maybe') ? 'maybe' : 'no'
const opposite = (answer: Answer): Answer => (answer === 'yes' ? 'no' : answer === 'no' ? 'yes' : 'maybe')

/** Stands for the rule around; replaced in `nestedIn`. Outside of a rule it is the root. */
const scope: Test = ({ name }) => (name === 'html' ? 'yes' : 'no')

/** The selectors of a rule inside another rule. */
export function nestedIn(own: readonly Selector[], outer: readonly Selector[], budget: Budget): Selector[] {
  if (!budget.takeStep(own.length * outer.length)) return []
  const weight = Math.max(0, ...outer.map(({ specificity }) => specificity))
  return own.flatMap((selector) => {
    const specificity = selector.specificity + weight
    const isMarked = selector.compounds.some(({ tests }) => tests.includes(scope))
    if (!isMarked) {
      return outer.map((around) => ({
        ...selector,
        specificity,
        compounds: [...selector.compounds, ...around.compounds],
        combinators: [...selector.combinators, ' ', ...around.combinators],
      }))
    }
    const first = outer.length === 1 ? outer[0] : undefined
    return [{ ...selector, specificity, compounds: selector.compounds.map((each) => withOuter(each, first)) }]
  })
}

/** `&` as a part of a compound: exact for a simple rule around, otherwise `maybe`. */
function withOuter(compound: Compound, outer: Selector | undefined): Compound {
  if (!compound.tests.includes(scope)) return compound
  const tests = compound.tests.filter((each) => each !== scope)
  const [around] = outer?.compounds ?? []
  if (!around || outer?.compounds.length !== 1) return { ...compound, tests: [...tests, unknown] }
  return {
    tag: compound.tag ?? around.tag,
    id: compound.id ?? around.id,
    classes: [...compound.classes, ...around.classes],
    tests: [...tests, ...around.tests],
  }
}

function attributeTest(content: Tokens): Test {
  const tokens = content.filter((token) => !isSpace(token))
  const name = identOf(tokens[0])
  if (name === undefined) return unknown
  const ownValue = ({ attributes }: Element): string | undefined => attributes[name]
  if (tokens.length === 1) return (element) => (ownValue(element) === undefined ? 'no' : 'yes')
  const equals = tokens.findIndex((token) => delimOf(token) === '=')
  const operator = equals === 2 ? delimOf(tokens[1]) : equals === 1 ? '' : undefined
  const token = tokens[equals + 1]
  const wanted = token?.[0] === TokenType.String || token?.[0] === TokenType.Ident ? token[4].value : undefined
  if (operator === undefined || wanted === undefined) return unknown
  // Values of many attributes of HTML are compared without regard to case.
  const want = wanted.toLowerCase()
  return (element) => (compare(ownValue(element)?.toLowerCase(), operator, want) ? 'yes' : 'no')
}

function compare(value: string | undefined, operator: string, want: string): boolean {
  if (value === undefined) return false
  if (operator === '') return value === want
  if (operator === '~') return value.split(/\s+/).includes(want)
  if (operator === '|') return value === want || value.startsWith(`${want}-`)
  if (want === '') return false
  if (operator === '^') return value.startsWith(want)
  return operator === '$' ? value.endsWith(want) : value.includes(want)
}

function compoundMatches({ tag, id, classes, tests }: Compound, element: Element): Answer {
  if (tag !== undefined && tag !== element.name) return 'no'
  if (id !== undefined && element.attributes.id?.toLowerCase() !== id.toLowerCase()) return 'no'
  let answer: Answer = 'yes'
  for (const name of classes) {
    if (element.classes.includes(name)) continue
    // Old documents compare without regard to case.
    if (!element.classes.some((each) => each.toLowerCase() === name.toLowerCase())) return 'no'
    answer = 'maybe'
  }
  for (const test of tests) {
    const own = test(element)
    if (own === 'no') return 'no'
    if (own === 'maybe') answer = 'maybe'
  }
  return answer
}

export function matches(selector: Selector, element: Element, budget: Budget, at = 0): Answer {
  const compound = selector.compounds[at]
  if (!compound) return 'yes'
  if (!budget.takeStep()) return 'maybe'
  const own = compoundMatches(compound, element)
  if (own === 'no' || at === selector.compounds.length - 1) return own
  const combinator = selector.combinators[at]
  const isUp = combinator === ' ' || combinator === '>'
  let found: Answer = 'no'
  for (let next = isUp ? element.parent : element.previous; next; next = isUp ? next.parent : next.previous) {
    const answer = matches(selector, next, budget, at + 1)
    if (answer === 'yes') return own
    if (answer === 'maybe') found = 'maybe'
    if (combinator === '>' || combinator === '+' || budget.isExceeded) break
  }
  return found
}
