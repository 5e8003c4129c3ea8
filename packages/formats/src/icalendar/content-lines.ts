/**
 * Parses the content lines of iCalendar and vCard (RFC 5545 §3.1, RFC 6350 §3.2) into a lossless tree. Every line
 * stores its original characters, and unchanged lines are written back with them. Invalid lines are preserved as
 * lines without a name, because other programs may understand them.
 *
 * The parser handles untrusted text. It visits each character only a few times, and limits the size, lines, depth,
 * parameters and values. Values and parameters are parsed on first access. A VTIMEZONE is not even split into lines
 * before that: most objects contain one and hardly any reader needs it.
 */

import { ApiError } from '@waypost/platform/api-error'

/** Thrown for a text beyond the limits. A list skips it; a read by id fails with this error. */
export class ContentTooLarge extends ApiError {
  readonly reason = 'limit'

  constructor(what: string) {
    super('provider_refused', `what the server stores is larger than can be read: ${what}`, {
      providerError: { reason: 'too_large', message: what },
    })
    this.name = 'ContentTooLarge'
  }
}

export interface LineParameter {
  /** In capitals. */
  readonly name: string
  /** The text after `=`, with its quotes and RFC 6868 codes. */
  readonly text: string
}

/** The maximum that servers accept. Most of such a text is an attachment or a picture. */
const MAX_CHARACTERS = 10_000_000
/** A series with hundreds of overrides and guests has about ten thousand lines. */
const MAX_LINES = 50_000
/** Limit for texts that are changed, in the main thread. Texts that are only read are parsed in a worker thread. */
const MAX_CHANGEABLE_LINES = 10_000
const MAX_DEPTH = 16
/** Limit of the part before the value. Some clients put an HTML description into a parameter. */
const MAX_HEAD = 256 * 1024
/** No real property has more. */
const MAX_PARAMETERS = 1_000
/** Limit of a value that is read as text. */
const MAX_TEXT = 1024 * 1024
/** The length of the beginning in which the name of a folded line is searched. */
const NAME_CHARACTERS = 1_000
const FOLD = /(?<!\r)\r*\n[ \t]/g

/** One content line, with its folds and its end. */
export class ContentLine {
  /** As it was read, or as it will be written. */
  readonly raw: string
  /** In capitals; empty if the line is not a property. */
  readonly name: string
  /** The group of a vCard property, which precedes the dot. */
  readonly group: string | undefined
  #parsed: { parameters: readonly LineParameter[]; value: string } | undefined

  constructor(raw: string, name: string, group?: string) {
    this.raw = raw
    this.name = name
    this.group = group
  }

  /** The text after the colon, unfolded but still escaped. */
  get value(): string {
    return this.#parts().value
  }

  get parameters(): readonly LineParameter[] {
    return this.#parts().parameters
  }

  /** The first value of a parameter, without quotes and codes, or undefined if there is none. */
  parameter(name: string): string | undefined {
    const found = this.parameters.find((one) => one.name === name)
    return found && parameterValues(found.text)[0]
  }

  #parts(): { parameters: readonly LineParameter[]; value: string } {
    this.#parsed ??= partsOf(unfold(this.raw))
    return this.#parsed
  }
}

export type Item = ContentLine | ComponentNode

/** A component: the items between BEGIN and END. */
export class ComponentNode {
  /** In capitals. */
  readonly name: string
  readonly begin: string
  /** Empty if the text ends before the component. */
  readonly end: string
  #items: readonly Item[] | undefined
  #firstLines: Map<string, ContentLine> | undefined
  readonly #text: string

  constructor(name: string, { begin, end, inner }: { begin: string; end: string; inner: readonly Item[] | string }) {
    this.name = name
    this.begin = begin
    this.end = end
    this.#items = typeof inner === 'string' ? undefined : inner
    this.#text = typeof inner === 'string' ? inner : ''
  }

  get items(): readonly Item[] {
    this.#items ??= parseItems(this.#text)
    return this.#items
  }

  /** The same component with other items. */
  with(items: readonly Item[]): ComponentNode {
    return new ComponentNode(this.name, { begin: this.begin, end: this.end, inner: items })
  }

  get lines(): ContentLine[] {
    return this.items.filter((item) => item instanceof ContentLine)
  }

  get components(): ComponentNode[] {
    return this.items.filter((item) => item instanceof ComponentNode)
  }

  /** The first line of a name. */
  line(name: string): ContentLine | undefined {
    this.#firstLines ??= firstLines(this.items)
    return this.#firstLines.get(name)
  }

  /** The original text, except for changed items. */
  get text(): string {
    return `${this.begin}${this.#items === undefined ? this.#text : writeItems(this.#items)}${this.end}`
  }
}

function firstLines(items: readonly Item[]): Map<string, ContentLine> {
  const found = new Map<string, ContentLine>()
  for (const item of items) if (item instanceof ContentLine && !found.has(item.name)) found.set(item.name, item)
  return found
}

/** Parses a text into a tree. Lines outside of components stay in order between the components. */
export function parseItems(text: string): Item[] {
  if (text.length > MAX_CHARACTERS) throw new ContentTooLarge(`a text of more than ${MAX_CHARACTERS} characters`)
  const root: Item[] = []
  const open: OpenComponent[] = []
  const closingLine = closingLines(text)
  let items = root
  let count = 0
  for (let at = 0; at < text.length; ) {
    const end = lineEnd(text, at)
    const line = lineAt(text, at, end)
    at = end
    count += 1
    if (count > MAX_LINES) throw new ContentTooLarge(`a text of more than ${MAX_LINES} lines`)
    if (line.name === 'BEGIN') {
      const name = line.value.trim().toUpperCase()
      const closing = name === 'VTIMEZONE' ? closingLine(at) : undefined
      if (closing) {
        const inner = text.slice(at, closing.at)
        items.push(new ComponentNode(name, { begin: line.raw, end: text.slice(closing.at, closing.end), inner }))
        at = closing.end
        continue
      }
      if (open.length >= MAX_DEPTH)
        throw new ContentTooLarge(`a text of more than ${MAX_DEPTH} components in each other`)
      open.push({ name, begin: line.raw, items: [] })
    } else if (line.name === 'END' && isOpen(open, line)) {
      close(open, { root, name: line.value.trim().toUpperCase(), end: line.raw })
    } else items.push(line)
    items = open.at(-1)?.items ?? root
  }
  while (open.length > 0) close(open, { root, name: open.at(-1)?.name ?? '', end: '' })
  return root
}

/** Throws if a text has more lines than the main thread may parse. Folds do not count. */
export function checkChangeable(text: string): void {
  let lines = 0
  for (let at = 0; at < text.length && lines <= MAX_CHANGEABLE_LINES; at = lineEnd(text, at)) lines += 1
  if (lines > MAX_CHANGEABLE_LINES)
    throw new ContentTooLarge(`more than ${MAX_CHANGEABLE_LINES} lines cannot be changed`)
}

/** The components of a text. Lines outside of them are skipped. */
export const parseComponents = (text: string): ComponentNode[] =>
  parseItems(text).filter((item) => item instanceof ComponentNode)

/** The text of items. Items that were read and not changed have their original text. */
export const writeItems = (items: readonly Item[]): string =>
  items.map((item) => (item instanceof ContentLine ? item.raw : item.text)).join('')

interface OpenComponent {
  readonly name: string
  readonly begin: string
  readonly items: Item[]
}

const isOpen = (open: readonly OpenComponent[], line: ContentLine): boolean => {
  const name = line.value.trim().toUpperCase()
  return open.some((one) => one.name === name)
}

/** Ends the innermost component of the name, and with it the inner components without an END of their own. */
function close(open: OpenComponent[], { root, name, end }: { root: Item[]; name: string; end: string }): void {
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const isIt = one.name === name
    const into = open.at(-1)?.items ?? root
    into.push(new ComponentNode(one.name, { begin: one.begin, end: isIt ? end : '', inner: one.items }))
    if (isIt) return
  }
}

/** The offset after the line that begins at `from`, including its folded continuation lines. */
function lineEnd(text: string, from: number): number {
  for (let at = from; ; ) {
    const end = text.indexOf('\n', at)
    if (end === -1) return text.length
    const next = text.charCodeAt(end + 1)
    if (next !== SPACE && next !== TAB) return end + 1
    at = end + 1
  }
}

const TAB = 9
const NEWLINE = 10
const CARRIAGE_RETURN = 13
const SPACE = 32
const DOT = 46
const COLON = 58
const SEMICOLON = 59
const BYTE_ORDER_MARK = 0xfeff

function lineAt(text: string, from: number, to: number): ContentLine {
  const begin = text.charCodeAt(from) === BYTE_ORDER_MARK ? from + 1 : from
  let dot = -1
  for (let at = begin; at < to; at++) {
    const code = text.charCodeAt(at)
    if (code === COLON || code === SEMICOLON) {
      const raw = text.slice(from, to)
      const name = text.slice(dot + 1 || begin, at).toUpperCase()
      if (dot !== -1) return new ContentLine(raw, name, text.slice(begin, dot))
      return new ContentLine(raw, isName(name) ? name : name.trim())
    }
    if (code === DOT && dot === -1) dot = at
    // The name itself is folded, or there is none.
    if (code === NEWLINE) return foldedName(text.slice(from, to))
  }
  return new ContentLine(text.slice(from, to), '')
}

const isName = (name: string): boolean => name.charCodeAt(0) > SPACE && name.charCodeAt(name.length - 1) > SPACE

function foldedName(raw: string): ContentLine {
  const found = /^\ufeff?\s*(?:([\w-]+)\.)?([\w-]+)\s*[;:]/.exec(unfold(raw.slice(0, NAME_CHARACTERS)))
  return new ContentLine(raw, found?.[2]?.toUpperCase() ?? '', found?.[1])
}

/** Finds the next END:VTIMEZONE after an offset. Offsets ascend, so that all searches together scan the text once. */
function closingLines(text: string): (from: number) => { at: number; end: number } | undefined {
  let next: { at: number; end: number } | undefined = { at: 0, end: 0 }
  return (from) => {
    while (next !== undefined && next.at < from) {
      const before = text.indexOf('\nEND:VTIMEZONE', next.end > from ? next.end - 1 : from - 1)
      next = before === -1 ? undefined : { at: before + 1, end: lineEnd(text, before + 1) }
    }
    return next && /^END:VTIMEZONE\s*$/.test(text.slice(next.at, next.end)) ? next : undefined
  }
}

/** A line without its folds and line ending. */
export function unfold(raw: string): string {
  let end = raw.charCodeAt(raw.length - 1) === NEWLINE ? raw.length - 1 : raw.length
  const folds = raw.indexOf('\n')
  while (end > 0 && raw.charCodeAt(end - 1) === CARRIAGE_RETURN) end -= 1
  const line = end === raw.length ? raw : raw.slice(0, end)
  return folds === -1 || folds >= end ? line : line.replace(FOLD, '')
}

/** Splits `NAME;PARAMETER="value":value`. A quoted value may contain separators. */
function partsOf(line: string): { parameters: LineParameter[]; value: string } {
  const colon = line.indexOf(':')
  const semicolon = line.indexOf(';')
  if (colon !== -1 && (semicolon === -1 || semicolon > colon)) return { parameters: [], value: line.slice(colon + 1) }
  // An unclosed quote would swallow the value, so the line is then parsed without quotes.
  return quotedParts(line, true) ?? quotedParts(line, false) ?? { parameters: [], value: '' }
}

function quotedParts(line: string, heedsQuotes: boolean): { parameters: LineParameter[]; value: string } | undefined {
  const parameters: LineParameter[] = []
  let isQuoted = false
  let begin = -1
  // The scan is limited: the colon may be missing or far away, and a quote may never be closed.
  const end = Math.min(line.length, MAX_HEAD)
  for (let at = 0; at < end; at++) {
    const mark = line[at]
    if (mark === '"' && heedsQuotes) isQuoted = !isQuoted
    if (isQuoted || (mark !== ';' && mark !== ':')) continue
    if (begin !== -1) parameters.push(parameterOf(line.slice(begin, at)))
    if (parameters.length > MAX_PARAMETERS) return undefined
    begin = at + 1
    if (mark === ':') return { parameters, value: line.slice(begin) }
  }
  return undefined
}

function parameterOf(text: string): LineParameter {
  const cut = text.indexOf('=')
  // vCard 2.1 writes types without `TYPE=`.
  if (cut === -1) return { name: 'TYPE', text: text.trim() }
  return { name: text.slice(0, cut).trim().toUpperCase(), text: text.slice(cut + 1) }
}

const CODES: Readonly<Record<string, string>> = { '^^': '^', '^n': '\n', '^N': '\n', "^'": '"' }

/** The values of a parameter, separated by commas outside quotes, with RFC 6868 codes decoded. */
export function parameterValues(text: string): string[] {
  if (!text.includes('"') && !text.includes(',')) return [decoded(text)]
  return Array.from(text.matchAll(/(?:"[^"]*"?|[^",])+/g), ([one]) => decoded(one.replaceAll('"', '')))
}

const decoded = (text: string): string =>
  (text.includes('^') ? text.replace(/\^[\^nN']/g, (code) => CODES[code] ?? code) : text).trim()

/** Unescapes a text value (RFC 5545 §3.3.11). */
export function unescapeText(value: string): string {
  checkText(value)
  let at = value.indexOf('\\')
  if (at === -1) return value
  const parts: string[] = []
  let from = 0
  for (; at !== -1 && at + 1 < value.length; at = value.indexOf('\\', from)) {
    const letter = value.charAt(at + 1)
    parts.push(value.slice(from, at), letter === 'n' || letter === 'N' ? '\n' : letter)
    from = at + 2
  }
  parts.push(value.slice(from))
  return parts.join('')
}

/** Throws if a value exceeds the limit of a text. */
export function checkText(value: string): void {
  if (value.length > MAX_TEXT) throw new ContentTooLarge(`a value of more than ${MAX_TEXT} characters`)
}
