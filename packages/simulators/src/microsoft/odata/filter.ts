// The grammar of `$filter` (OData 4.01 part 2, section 5.1.1), as far as Graph supports it for mail, events and
// contacts.
import { badRequest } from '../errors.ts'

export type Literal = string | number | boolean | null

export type FilterNode =
  | { readonly kind: 'and' | 'or'; readonly left: FilterNode; readonly right: FilterNode }
  | { readonly kind: 'not'; readonly inner: FilterNode }
  | { readonly kind: 'compare'; readonly operator: CompareOperator; readonly left: Operand; readonly right: Operand }
  | { readonly kind: 'in'; readonly left: Operand; readonly values: readonly Literal[] }
  | { readonly kind: 'call'; readonly name: TextFunction; readonly left: Operand; readonly right: Operand }
  | {
      readonly kind: 'lambda'
      readonly name: 'any' | 'all'
      readonly path: string
      readonly variable: string
      readonly inner: FilterNode | undefined
    }
  | { readonly kind: 'truth'; readonly operand: Operand }

export type CompareOperator = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le'
export type TextFunction = 'startswith' | 'endswith' | 'contains'

export type Operand =
  | { readonly kind: 'literal'; readonly value: Literal }
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'lower'; readonly operand: Operand }

const TOKEN =
  /\s*(?:('(?:[^']|'')*')|(\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?)|(-?\d+(?:\.\d+)?)(?![\w-])|([A-Za-z_][\w.]*(?:\/[A-Za-z_][\w.]*)*)|([(),:/]))/y
const compare = ['eq', 'ne', 'gt', 'ge', 'lt', 'le']
const functions = ['startswith', 'endswith', 'contains']

interface Token {
  readonly kind: 'string' | 'date' | 'number' | 'word' | 'mark'
  readonly text: string
}

export function parseFilter(text: string): FilterNode {
  return new Parser(text).parse()
}

class Parser {
  readonly #text: string
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(text: string) {
    this.#text = text
    this.#tokens = tokenize(text)
  }

  parse(): FilterNode {
    const node = this.#either()
    if (this.#at < this.#tokens.length) throw wrong(this.#text)
    return node
  }

  #next(): Token {
    const token = this.#tokens[this.#at++]
    if (token === undefined) throw wrong(this.#text)
    return token
  }

  #isWord(word: string): boolean {
    return this.#tokens[this.#at]?.kind === 'word' && this.#tokens[this.#at]?.text.toLowerCase() === word
  }

  #expectMark(mark: string): void {
    const token = this.#next()
    if (token.kind !== 'mark' || token.text !== mark) throw wrong(this.#text)
  }

  #either(): FilterNode {
    let left = this.#both()
    while (this.#isWord('or')) {
      this.#at++
      left = { kind: 'or', left, right: this.#both() }
    }
    return left
  }

  #both(): FilterNode {
    let left = this.#unary()
    while (this.#isWord('and')) {
      this.#at++
      left = { kind: 'and', left, right: this.#unary() }
    }
    return left
  }

  #unary(): FilterNode {
    if (this.#isWord('not')) {
      this.#at++
      return { kind: 'not', inner: this.#unary() }
    }
    if (this.#tokens[this.#at]?.text === '(' && this.#tokens[this.#at]?.kind === 'mark') {
      this.#at++
      const inner = this.#either()
      this.#expectMark(')')
      return inner
    }
    return this.#condition()
  }

  #condition(): FilterNode {
    const token = this.#tokens[this.#at]
    const name = token?.kind === 'word' ? token.text : ''
    const opens = this.#tokens[this.#at + 1]?.text === '('
    if (opens && functions.includes(name.toLowerCase())) return this.#textCall(name.toLowerCase() as TextFunction)
    const lambda = /^(.+)\/(any|all)$/.exec(name)
    if (opens && lambda !== null) return this.#lambdaOf(lambda[1] ?? '', lambda[2] as 'any' | 'all')
    const left = this.#operand()
    const operator = this.#tokens[this.#at]?.kind === 'word' ? this.#tokens[this.#at]?.text.toLowerCase() : undefined
    if (operator === 'in') return this.#membership(left)
    if (operator === undefined || !compare.includes(operator)) return { kind: 'truth', operand: left }
    this.#at++
    return { kind: 'compare', operator: operator as CompareOperator, left, right: this.#operand() }
  }

  #textCall(name: TextFunction): FilterNode {
    this.#at += 2
    const left = this.#operand()
    this.#expectMark(',')
    const right = this.#operand()
    this.#expectMark(')')
    const node: FilterNode = { kind: 'call', name, left, right }
    // `contains(subject,'x') eq true`, as older clients write it.
    if (!this.#isWord('eq') || this.#tokens[this.#at + 1]?.text.toLowerCase() !== 'true') return node
    this.#at += 2
    return node
  }

  #lambdaOf(path: string, name: 'any' | 'all'): FilterNode {
    this.#at += 2
    if (this.#tokens[this.#at]?.text === ')') {
      this.#at++
      return { kind: 'lambda', name, path, variable: '', inner: undefined }
    }
    const variable = this.#next().text
    this.#expectMark(':')
    const inner = this.#either()
    this.#expectMark(')')
    return { kind: 'lambda', name, path, variable, inner }
  }

  #membership(left: Operand): FilterNode {
    this.#at++
    this.#expectMark('(')
    const values: Literal[] = []
    for (;;) {
      const value = this.#operand()
      if (value.kind !== 'literal') throw wrong(this.#text)
      values.push(value.value)
      const mark = this.#next().text
      if (mark === ')') return { kind: 'in', left, values }
      if (mark !== ',') throw wrong(this.#text)
    }
  }

  #operand(): Operand {
    const token = this.#next()
    switch (token.kind) {
      case 'string':
        return { kind: 'literal', value: token.text.slice(1, -1).replaceAll("''", "'") }
      case 'date':
        return { kind: 'literal', value: token.text }
      case 'number':
        return { kind: 'literal', value: Number(token.text) }
      case 'word':
        return this.#wordOperand(token.text)
      default:
        throw wrong(this.#text)
    }
  }

  #wordOperand(word: string): Operand {
    if (word === 'true' || word === 'false') return { kind: 'literal', value: word === 'true' }
    if (word === 'null') return { kind: 'literal', value: null }
    if ((word === 'tolower' || word === 'toupper') && this.#tokens[this.#at]?.text === '(') {
      this.#at++
      const inner = this.#operand()
      this.#expectMark(')')
      return { kind: 'lower', operand: inner }
    }
    return { kind: 'path', path: word }
  }
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  let end = 0
  while (text.slice(end).trim() !== '') {
    TOKEN.lastIndex = end
    const match = TOKEN.exec(text)
    if (match === null) throw wrong(text)
    end = TOKEN.lastIndex
    const kinds = ['string', 'date', 'number', 'word', 'mark'] as const
    const index = match.slice(1).findIndex((group) => group !== undefined)
    tokens.push({ kind: kinds[index] ?? 'mark', text: match[index + 1] ?? '' })
  }
  return tokens
}

function wrong(text: string): Error {
  return badRequest(`Invalid filter clause: There is a syntax error in '${text}'.`)
}
