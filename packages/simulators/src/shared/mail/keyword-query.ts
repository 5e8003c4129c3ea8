// Search queries of Exchange, as far as they apply to messages: the keyword query language (KQL) of Graph's
// `$search`, and the advanced query syntax (AQS) of the web services. The two differ little.
// https://learn.microsoft.com/graph/search-query-parameter and the KQL and AQS syntax references
import type { AttachmentContent, MessageContent, Recipient } from './content.ts'
import { type Bounds, datesOf } from './dates-in-words.ts'
import { htmlToText } from './html.ts'

export interface SearchedMessage {
  readonly content: Omit<MessageContent, 'attachments'>
  readonly attachments: readonly Pick<AttachmentContent, 'name' | 'isInline'>[]
  readonly isRead: boolean
  readonly isFlagged: boolean
  readonly categories: readonly string[]
  /** Milliseconds. */
  readonly receivedAt: number
  readonly size: number
  /** Such as `email`. */
  readonly kind: string
}

export type Matcher = (message: SearchedMessage) => boolean

export interface QueryOptions {
  /** Whether an unquoted word matches words that begin with it, as in AQS; default false. */
  readonly byBeginnings?: boolean
  /** Milliseconds; the reference time for `today`. */
  readonly now: number
}

/** The text is not a valid query. */
export class QuerySyntaxError extends Error {}

interface Token {
  readonly kind: 'word' | 'mark'
  readonly property: string
  readonly operator: string
  readonly value: string
  readonly isQuoted: boolean
}

const TOKEN = /\s*(?:([()])|(?:(\w+)\s*(:|>=|<=|<>|=|>|<)\s*)?(?:"([^"]*)"|([^\s()"]+)))/y

/** Throws a `QuerySyntaxError` if the text is not a valid query. */
export function parseKeywordQuery(text: string, options: QueryOptions): Matcher {
  return new Parser(text, options).parse()
}

class Parser {
  readonly #text: string
  readonly #options: QueryOptions
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(text: string, options: QueryOptions) {
    this.#text = text
    this.#options = options
    this.#tokens = tokenize(text)
  }

  parse(): Matcher {
    const matcher = this.#either()
    if (this.#at < this.#tokens.length) throw wrong(this.#text)
    return matcher
  }

  #isWord(value: string): boolean {
    const token = this.#tokens[this.#at]
    return token?.kind === 'word' && token.property === '' && token.value === value
  }

  #isMark(value: string): boolean {
    return this.#tokens[this.#at]?.kind === 'mark' && this.#tokens[this.#at]?.value === value
  }

  #either(): Matcher {
    let left = this.#both()
    while (this.#isWord('OR')) {
      this.#at++
      const [first, second] = [left, this.#both()]
      left = (message) => first(message) || second(message)
    }
    return left
  }

  /** Adjacent terms are combined with AND; repeated terms of one property are combined with OR. */
  #both(): Matcher {
    const groups: { property: string; any: Matcher[] }[] = []
    while (this.#at < this.#tokens.length && !this.#isWord('OR') && !this.#isMark(')')) {
      const isJoined = this.#isWord('AND')
      if (isJoined) this.#at++
      const property = this.#tokens[this.#at]?.property ?? ''
      const matcher = this.#unary()
      const same = isJoined || property === '' ? undefined : groups.find((group) => group.property === property)
      if (same === undefined) groups.push({ property, any: [matcher] })
      else same.any.push(matcher)
    }
    return (message) => groups.every(({ any }) => any.some((matcher) => matcher(message)))
  }

  #unary(): Matcher {
    if (this.#isWord('NOT')) {
      this.#at++
      const inner = this.#unary()
      return (message) => !inner(message)
    }
    if (this.#isMark('(')) {
      this.#at++
      const inner = this.#either()
      if (!this.#isMark(')')) throw wrong(this.#text)
      this.#at++
      return inner
    }
    const token = this.#tokens[this.#at++]
    if (token === undefined || token.kind === 'mark') throw wrong(this.#text)
    if (token.property === '' && token.value.startsWith('-') && token.value.length > 1) {
      const inner = this.#term({ ...token, value: token.value.slice(1) })
      return (message) => !inner(message)
    }
    return this.#term(token)
  }

  #term(token: Token): Matcher {
    const { byBeginnings = false, now } = this.#options
    const isBeginning = token.value.endsWith('*') || (byBeginnings && !token.isQuoted)
    return termOf(token, { isBeginning, now })
  }
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  for (let end = 0; text.slice(end).trim() !== ''; ) {
    TOKEN.lastIndex = end
    const match = TOKEN.exec(text)
    if (match === null) throw wrong(text)
    end = TOKEN.lastIndex
    const [, mark, property = '', operator = ':', quoted, bare] = match
    if (mark !== undefined) tokens.push({ kind: 'mark', property: '', operator: '', value: mark, isQuoted: false })
    else {
      const value = quoted ?? bare ?? ''
      tokens.push({ kind: 'word', property: property.toLowerCase(), operator, value, isQuoted: quoted !== undefined })
    }
  }
  return tokens
}

interface Reading {
  /** Whether the last word is a prefix. */
  readonly isBeginning: boolean
  readonly now: number
}

function termOf({ property, operator, value }: Token, { isBeginning, now }: Reading): Matcher {
  const hasWords = (text: string, wanted: string) => standsIn(text, wanted, isBeginning)
  const namesPerson = (people: readonly Recipient[]) =>
    people.some(
      (person) => hasWords(textOf(person), value) || person.address.toLowerCase().startsWith(value.toLowerCase()),
    )
  switch (property) {
    case '':
      return ({ content, attachments }) => {
        const people = [content.from, ...content.to, ...content.cc].flatMap((each) => each ?? [])
        const files = attachments.map(({ name }) => name)
        return hasWords([content.subject, bodyText(content), ...people.map(textOf), ...files].join(' | '), value)
      }
    case 'from':
      return ({ content }) => namesPerson(content.from === undefined ? [] : [content.from])
    case 'to':
    case 'cc':
    case 'bcc':
      return ({ content }) => namesPerson(content[property])
    case 'recipients':
      return ({ content: { to, cc, bcc } }) => namesPerson([...to, ...cc, ...bcc])
    case 'participants':
      return ({ content: { from, to, cc, bcc } }) => namesPerson([...(from ? [from] : []), ...to, ...cc, ...bcc])
    case 'subject':
      return ({ content }) => hasWords(content.subject, value)
    case 'body':
      return ({ content }) => hasWords(bodyText(content), value)
    case 'attachment':
    case 'attachmentnames':
      return ({ attachments }) => attachments.some(({ name }) => hasWords(name, value))
    case 'importance':
      return ({ content }) =>
        content.importance === value.toLowerCase() || (content.importance === 'normal' && value === 'medium')
    case 'hasattachment':
    case 'hasattachments':
      return ({ attachments }) => attachments.some(({ isInline }) => !isInline) === isTrue(value)
    case 'isread':
      return ({ isRead }) => isRead === isTrue(value)
    case 'isflagged':
      return ({ isFlagged }) => isFlagged === isTrue(value)
    case 'category':
      return ({ categories }) => categories.some((each) => each.toLowerCase() === value.toLowerCase())
    case 'kind':
      return ({ kind }) => kind === value.toLowerCase()
    case 'size':
      return ({ size }) => compares(size, operator, numbersOf(value))
    case 'received':
      return ({ receivedAt }) => compares(receivedAt, operator, datesOf(value, now))
    case 'sent':
      return ({ content, receivedAt }) => compares(content.sentAt ?? receivedAt, operator, datesOf(value, now))
    default:
      return ({ content }) => hasWords(`${content.subject} ${bodyText(content)}`, `${property} ${value}`)
  }
}

/** `1000`, or `1000..2000` with both ends included. */
function numbersOf(value: string): Bounds {
  const [first = '', last = first] = value.split('..')
  return { from: Number(first), to: Number(last) + 1 }
}

function compares(value: number, operator: string, { from, to }: Bounds): boolean {
  switch (operator) {
    case '>':
      return value >= to
    case '>=':
      return value >= from
    case '<':
      return value < from
    case '<=':
      return value < to
    case '<>':
      return value < from || value >= to
    default:
      return value >= from && value < to
  }
}

function isTrue(value: string): boolean {
  return ['true', 'yes', '1'].includes(value.toLowerCase())
}

function bodyText({ body }: SearchedMessage['content']): string {
  return body.contentType === 'html' ? htmlToText(body.content) : body.content
}

function textOf({ name, address }: Recipient): string {
  return `${name} ${address}`
}

/** Whether the words occur consecutively; the last one may be a prefix. */
function standsIn(text: string, wanted: string, isBeginning: boolean): boolean {
  const words = wordsOf(wanted)
  const found = wordsOf(text)
  if (words.length === 0) return false
  return found.some((_word, at) =>
    words.every((word, index) => {
      const there = found[at + index] ?? ''
      return index === words.length - 1 && isBeginning ? there.startsWith(word) : there === word
    }),
  )
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
}

function wrong(text: string): QuerySyntaxError {
  return new QuerySyntaxError(`Syntax error: the query '${text}' is not valid.`)
}
