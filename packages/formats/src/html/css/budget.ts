/**
 * The work that one text may cause. Its writer decides how many rules, elements and tokens there are, and rules times
 * elements is what costs.
 */

export interface Work {
  /** Tokens of all style sheets and style attributes together. */
  readonly tokens: number
  /** Comparisons of a selector with an element, declarations that apply to one, and styles that are computed. */
  readonly steps: number
}

/** More than the largest newsletters need: these have up to 20,000 tokens. */
export const WORK_OF_BODY: Work = { tokens: 60_000, steps: 150_000 }

/** The same for the description of an event: lists have many of them, and they are read without a thread. */
export const WORK_OF_DESCRIPTION: Work = { tokens: 2_000, steps: 4_000 }

const MAX_ADDRESSES = 200

export class Budget {
  #tokens: number
  #steps: number
  readonly #addresses = new Set<string>()
  #isExceeded = false

  constructor({ tokens, steps }: Work) {
    this.#tokens = tokens
    this.#steps = steps
  }

  /** Whether something was not examined. */
  get isExceeded(): boolean {
    return this.#isExceeded
  }

  /** Addresses in styles, from which a mail program may load something. */
  get addresses(): ReadonlySet<string> {
    return this.#addresses
  }

  meets(address: string): void {
    if (this.#addresses.size < MAX_ADDRESSES) this.#addresses.add(address)
  }

  takeToken(): boolean {
    if (this.#tokens-- > 0) return true
    this.#isExceeded = true
    return false
  }

  takeStep(steps = 1): boolean {
    this.#steps -= steps
    if (this.#steps >= 0) return true
    this.#isExceeded = true
    return false
  }
}

// What examining the style of an element finds.

/** Text that people see badly, or in another order. The preview shows these words to its reader. */
export interface Findings {
  /** Nothing inside the element is visible. */
  hides(what: string): void
  /** What is inside may be invisible, or may look different. */
  doubts(what: string): void
}

export class CssFindings implements Findings {
  hidden: string | undefined
  readonly doubtful: string[] = []

  hides(what: string): void {
    this.hidden ??= what
  }

  doubts(what: string): void {
    if (this.doubtful.length < 5) this.doubtful.push(what)
  }
}
