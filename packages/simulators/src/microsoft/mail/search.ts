// `$search` of messages: the keyword query language, as far as it goes for mail.
// https://learn.microsoft.com/graph/search-query-parameter and the KQL syntax reference
import { badRequest } from '../errors.ts'
import { htmlToText } from './html.ts'
import type { Recipient, StoredMessage } from './stored.ts'

type Matcher = (message: StoredMessage) => boolean

interface Token {
  readonly kind: 'word' | 'mark'
  readonly property: string
  readonly operator: string
  readonly value: string
}

const TOKEN = /\s*(?:([()])|(?:(\w+)\s*(:|>=|<=|<>|=|>|<)\s*)?(?:"([^"]*)"|([^\s()"]+)))/y

/** Throws where the text is not a query. */
export function parseSearch(text: string): Matcher {
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

  /** What stands side by side holds together; the same property twice means either. */
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
      const inner = termOf({ ...token, value: token.value.slice(1) })
      return (message) => !inner(message)
    }
    return termOf(token)
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
    if (mark !== undefined) tokens.push({ kind: 'mark', property: '', operator: '', value: mark })
    else tokens.push({ kind: 'word', property: property.toLowerCase(), operator, value: quoted ?? bare ?? '' })
  }
  return tokens
}

function termOf({ property, operator, value }: Token): Matcher {
  switch (property) {
    case '':
      return ({ content, attachments }) => {
        const people = [content.from, ...content.to, ...content.cc].flatMap((each) => each ?? [])
        const files = attachments.map(({ name }) => name)
        return hasWords([content.subject, bodyText(content), ...people.map(textOf), ...files].join(' | '), value)
      }
    case 'from':
      return ({ content }) => namesPerson(content.from === undefined ? [] : [content.from], value)
    case 'to':
    case 'cc':
    case 'bcc':
      return ({ content }) => namesPerson(content[property], value)
    case 'recipients':
      return ({ content: { to, cc, bcc } }) => namesPerson([...to, ...cc, ...bcc], value)
    case 'participants':
      return ({ content: { from, to, cc, bcc } }) => namesPerson([...(from ? [from] : []), ...to, ...cc, ...bcc], value)
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
      return ({ marks }) => marks.isRead === isTrue(value)
    case 'isflagged':
      return ({ marks }) => (marks.flag.flagStatus === 'flagged') === isTrue(value)
    case 'category':
      return ({ marks }) => marks.categories.some((each) => each.toLowerCase() === value.toLowerCase())
    case 'kind':
      return () => value.toLowerCase() === 'email'
    case 'size':
      return ({ raw }) => compares(raw?.length ?? 0, operator, bounds(value, Number))
    case 'received':
      return ({ receivedAt }) => compares(receivedAt, operator, bounds(value, dayOf, 86_400_000))
    case 'sent':
      return ({ content, receivedAt }) =>
        compares(content.sentAt ?? receivedAt, operator, bounds(value, dayOf, 86_400_000))
    default:
      return ({ content }) => hasWords(`${content.subject} ${bodyText(content)}`, `${property} ${value}`)
  }
}

interface Bounds {
  readonly from: number
  /** Not itself. */
  readonly to: number
}

/** `2026-01-01`, or `2026-01-01..2026-02-01` with both its ends. */
function bounds(value: string, read: (text: string) => number, unit = 1): Bounds {
  const [first = '', last = first] = value.split('..')
  const isDay = unit > 1 && /T/.test(last) === false
  return { from: read(first), to: read(last) + (isDay || unit === 1 ? unit : 1) }
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

function dayOf(text: string): number {
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text)
  if (american !== null) return Date.UTC(Number(american[3]), Number(american[1]) - 1, Number(american[2]))
  return Date.parse(/T/.test(text) ? text : `${text}T00:00:00Z`)
}

function isTrue(value: string): boolean {
  return ['true', 'yes', '1'].includes(value.toLowerCase())
}

function bodyText({ body }: StoredMessage['content']): string {
  return body.contentType === 'html' ? htmlToText(body.content) : body.content
}

function textOf({ name, address }: Recipient): string {
  return `${name} ${address}`
}

function namesPerson(people: readonly Recipient[], value: string): boolean {
  return people.some(
    (person) => hasWords(textOf(person), value) || person.address.toLowerCase().startsWith(value.toLowerCase()),
  )
}

/** Whether the words stand one after the other; each may be the beginning of one, and `*` at the end says so. */
function hasWords(text: string, wanted: string): boolean {
  const words = wordsOf(wanted)
  const found = wordsOf(text)
  if (words.length === 0) return false
  return found.some((_word, at) =>
    words.every((word, index) => {
      const there = found[at + index] ?? ''
      return index === words.length - 1 && wanted.endsWith('*') ? there.startsWith(word) : there === word
    }),
  )
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
}

function wrong(text: string): Error {
  return badRequest(`Syntax error: the query '${text}' is not valid.`)
}
