// Gmail's search: `from:ada (invoice OR bill) -is:read "to be paid"`. https://support.google.com/mail/answer/7190
//
// Consecutive terms must all match. `OR` and braces match any term, and `-` negates one. Words match as a whole and
// ignore case.
import type { Mailbox } from './mailbox.ts'
import { type SearchContext, termMatcher } from './search-terms.ts'
import type { StoredMessage } from './stored.ts'

export interface Search {
  matches(message: StoredMessage): boolean
  /** Whether the query itself asks for trash or spam. */
  readonly showsHidden: boolean
}

type Matcher = (message: StoredMessage) => boolean

const TOKEN = /\s*(?:(-)(?=\S)|([(){}])|(\w+):"([^"]*)"|(\w+):(?=[({])|(\w+):([^\s(){}"]+)|"([^"]*)"|([^\s(){}"]+))/gy

interface Token {
  readonly kind: 'not' | 'bracket' | 'field' | 'term'
  readonly name: string
  readonly value: string
}

export function parseSearch(text: string, { mailbox, now }: { mailbox: Mailbox; now: number }): Search {
  const tokens = tokenize(text)
  const context: SearchContext = { mailbox, now }
  let at = 0
  const matches = sequence(undefined)
  return { matches, showsHidden: /(?<![-\w])(?:in|label|is):"?(?:anywhere|trash|spam)\b/i.test(text) }

  /** Terms up to a closing bracket or the end. `field` applies to each of them, as in `subject:(a b)`. */
  function sequence(field: string | undefined): Matcher {
    const all: Matcher[][] = []
    let joins = false
    while (at < tokens.length && !isBracket(tokens[at], ')')) {
      const token = tokens[at]
      if (token?.kind === 'term' && token.name === '' && token.value === 'OR') {
        joins = all.length > 0
        at++
        continue
      }
      if (token?.kind === 'term' && token.name === '' && token.value === 'AND') {
        at++
        continue
      }
      const next = term(field)
      if (joins) all.at(-1)?.push(next)
      else all.push([next])
      joins = false
    }
    return (message) => all.every((any) => any.some((matcher) => matcher(message)))
  }

  function term(field: string | undefined): Matcher {
    const token = tokens[at++]
    if (token === undefined) return () => true
    if (token.kind === 'not') {
      const inner = term(field)
      return (message) => !inner(message)
    }
    if (token.kind === 'field') return term(token.name)
    if (isBracket(token, '(')) {
      const inner = sequence(field)
      at++
      return inner
    }
    if (isBracket(token, '{')) {
      const any: Matcher[] = []
      while (at < tokens.length && !isBracket(tokens[at], '}')) any.push(term(field))
      at++
      return (message) => any.some((matcher) => matcher(message))
    }
    return termMatcher(token.name || (field ?? ''), token.value, context)
  }
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  for (const match of text.matchAll(TOKEN)) {
    const [, not, bracket, quotedName, quoted, field, name, value, phrase, word] = match
    if (not !== undefined) tokens.push({ kind: 'not', name: '', value: '' })
    else if (bracket !== undefined) tokens.push({ kind: 'bracket', name: '', value: bracket })
    else if (quotedName !== undefined)
      tokens.push({ kind: 'term', name: quotedName.toLowerCase(), value: quoted ?? '' })
    else if (field !== undefined) tokens.push({ kind: 'field', name: field.toLowerCase(), value: '' })
    else if (name !== undefined) tokens.push({ kind: 'term', name: name.toLowerCase(), value: value ?? '' })
    else tokens.push({ kind: 'term', name: '', value: phrase ?? word ?? '' })
  }
  return tokens
}

function isBracket(token: Token | undefined, value: string): boolean {
  return token?.kind === 'bracket' && token.value === value
}
