/**
 * Style sheets and style attributes as rules and declarations, in one pass over the tokens and without recursion
 * (https://www.w3.org/TR/css-syntax-3/#parsing and https://www.w3.org/TR/css-nesting-1/).
 */
import { TokenType } from '@csstools/css-tokenizer'
import type { Budget } from './budget.ts'
import { appliesTo, type Certainty } from './media.ts'
import { nestedIn, readSelectors, type Selector } from './selectors.ts'
import { delimOf, identOf, isClosing, isOpening, isSpace, type Tokens, tokensOf, trimmed } from './tokens.ts'

export interface Declaration {
  readonly name: string
  readonly value: Tokens
  readonly important: boolean
}

export interface Rule {
  readonly selectors: readonly Selector[]
  readonly declarations: readonly Declaration[]
  /** `maybe` for rules of which we cannot tell whether they apply. */
  readonly certainty: Certainty
}

export interface Sheet {
  readonly rules: readonly Rule[]
  /** Addresses of further style sheets. */
  readonly imports: readonly string[]
}

interface Block {
  readonly kind: 'rules' | 'style' | 'skip'
  readonly certainty: Certainty
  /** The selectors of the style rule around; undefined outside of one. */
  readonly selectors: readonly Selector[] | undefined
  readonly declarations: Declaration[]
}

const MAX_DEPTH = 20
/** Rules inside these apply under conditions that we do not examine. */
const CONDITIONAL = new Set(['supports', 'container', 'scope', 'document', '-moz-document'])

class SheetReader {
  readonly #tokens: Tokens
  readonly #blocks: Block[]
  readonly #budget: Budget
  readonly rules: Rule[] = []
  readonly imports: string[] = []
  #at = 0

  constructor(tokens: Tokens, first: Block, budget: Budget) {
    this.#tokens = tokens
    this.#blocks = [first]
    this.#budget = budget
  }

  read(): void {
    while (this.#at < this.#tokens.length) {
      const token = this.#tokens[this.#at]
      if (!token) break
      if (token[0] === TokenType.CloseCurly) this.#close()
      else if (isSpace(token) || [TokenType.Semicolon, TokenType.CDC, TokenType.CDO].includes(token[0])) this.#at++
      else this.#item()
    }
    while (this.#blocks.length > 1) this.#close()
  }

  get #block(): Block {
    const block = this.#blocks.at(-1)
    if (!block) throw new Error('the outermost block is never closed')
    return block
  }

  #close(): void {
    this.#at++
    if (this.#blocks.length === 1) return
    const block = this.#blocks.pop()
    if (!block?.selectors || block.declarations.length === 0) return
    this.rules.push({ selectors: block.selectors, declarations: block.declarations, certainty: block.certainty })
  }

  /** A declaration, or everything before the block of a rule. */
  #item(): void {
    const first = this.#tokens[this.#at]
    const isCustom = identOf(first)?.startsWith('--') ?? false
    const from = this.#at
    const inStyle = this.#block.kind === 'style' || first?.[0] === TokenType.AtKeyword
    let depth = 0
    for (; this.#at < this.#tokens.length; this.#at++) {
      const token = this.#tokens[this.#at]
      if (!token) break
      const [type] = token
      if (depth === 0) {
        if (type === TokenType.OpenCurly && !isCustom) {
          const prelude = this.#tokens.slice(from, this.#at++)
          this.#blocks.push(this.#open(prelude))
          return
        }
        if (type === TokenType.CloseCurly || (type === TokenType.Semicolon && inStyle)) break
      }
      if (isOpening(token)) depth++
      else if (isClosing(token) && depth > 0) depth--
    }
    this.#statement(this.#tokens.slice(from, this.#at))
  }

  #statement(tokens: Tokens): void {
    const [first] = tokens
    if (first?.[0] !== TokenType.AtKeyword) {
      const declaration = this.#block.kind === 'style' ? declarationOf(tokens) : undefined
      if (declaration) this.#block.declarations.push(declaration)
    } else if (first[4].value.toLowerCase() === 'import') {
      const source = trimmed(tokens.slice(1))[0]
      const address = source?.[0] === TokenType.URL || source?.[0] === TokenType.String ? source[4].value : undefined
      const inFunction = tokens.find(([type]) => type === TokenType.String)
      this.imports.push(address ?? (inFunction?.[0] === TokenType.String ? inFunction[4].value : ''))
    }
  }

  #open(prelude: Tokens): Block {
    const { kind, certainty, selectors } = this.#block
    const skipped: Block = { kind: 'skip', certainty, selectors: undefined, declarations: [] }
    if (kind === 'skip' || this.#blocks.length > MAX_DEPTH) {
      if (kind !== 'skip') this.imports.push('')
      return skipped
    }
    const [first] = prelude
    if (first?.[0] !== TokenType.AtKeyword) {
      const own = readSelectors(trimmed(prelude), this.#budget)
      const all = selectors === undefined ? own : nestedIn(own, selectors, this.#budget)
      return { kind: 'style', certainty, selectors: all, declarations: [] }
    }
    const name = first[4].value.toLowerCase()
    const inner: Certainty | 'no' =
      name === 'media' ? appliesTo(prelude.slice(1)) : name === 'layer' ? 'yes' : CONDITIONAL.has(name) ? 'maybe' : 'no'
    if (inner === 'no') return skipped
    const within = inner === 'maybe' ? 'maybe' : certainty
    return { kind: selectors ? 'style' : 'rules', certainty: within, selectors, declarations: [] }
  }
}

function declarationOf(tokens: Tokens): Declaration | undefined {
  const name = identOf(tokens[0])
  let at = 1
  while (isSpace(tokens[at])) at++
  if (name === undefined || tokens[at]?.[0] !== TokenType.Colon) return undefined
  let value: Tokens = trimmed(tokens.slice(at + 1))
  const last = value.length - 1
  let mark = last - 1
  while (isSpace(value[mark])) mark--
  const important = identOf(value[last]) === 'important' && delimOf(value[mark]) === '!'
  if (important) value = trimmed(value.slice(0, mark))
  return value.length === 0 ? undefined : { name, value, important }
}

export function readSheet(css: string, budget: Budget): Sheet {
  const first: Block = { kind: 'rules', certainty: 'yes', selectors: undefined, declarations: [] }
  const reader = new SheetReader(tokensOf(css, budget), first, budget)
  reader.read()
  return { rules: reader.rules, imports: reader.imports }
}

/** The declarations of a style attribute. */
export function readDeclarations(css: string, budget: Budget): readonly Declaration[] {
  const first: Block = { kind: 'style', certainty: 'yes', selectors: undefined, declarations: [] }
  new SheetReader(tokensOf(css, budget), first, budget).read()
  return first.declarations
}

/** Whether a style sheet for these media applies. */
export const appliesForMedia = (media: string, budget: Budget): Certainty | 'no' => appliesTo(tokensOf(media, budget))
