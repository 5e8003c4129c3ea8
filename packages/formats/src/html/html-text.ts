/**
 * Reads the HTML of mail as a sequence of tags and texts, and creates the snippet of a body. It uses the tokenizer of
 * htmlparser2 with our own stack. The cost per tag of htmlparser2's parser grows with the depth, which the sender
 * controls.
 */
import { type QuoteType, Tokenizer } from 'htmlparser2'

/** The attributes of an element by their names in small letters. */
export type Attributes = { readonly [name: string]: string | undefined } & Partial<
  Record<
    | (
        | 'alt'
        | 'background'
        | 'bgcolor'
        | 'class'
        | 'cite'
        | 'color'
        | 'dir'
        | 'hidden'
        | 'href'
        | 'id'
        | 'link'
        | 'media'
      )
    | ('name' | 'open' | 'rel' | 'size' | 'src' | 'start' | 'style' | 'text' | 'type'),
    string
  >
>

/** Every `open` has a `close`, except for elements without content. */
export interface HtmlHandler {
  open(name: string, attributes: Attributes): void
  close(name: string): void
  /** Entities are decoded. One text may arrive in several pieces. */
  text(value: string): void
  /** Checked from time to time; true stops reading. */
  isDone?(): boolean
}

/** Small at first, because a reader that needs only the beginning is soon done. */
const FIRST_CHUNK = 256
const NO_ATTRIBUTES: Attributes = Object.freeze(Object.create(null))
/** Longer names belong to nobody. */
const MAX_NAME_LENGTH = 50

const words = (text: string): Set<string> => new Set(text.split(' '))

/** Elements without content, which are never closed. */
export const EMPTY: ReadonlySet<string> = words(
  'area base basefont br col command embed frame hr img input keygen link meta param source track wbr',
)
const IN_HEAD = words('base basefont bgsound link meta noscript script style template title')
/** Elements whose content is never displayed as text. */
export const HIDDEN: ReadonlySet<string> = words('head script style title template noframes iframe object svg math')
/** Elements that begin on a new line. */
export const BLOCKS: ReadonlySet<string> = words(
  'address article aside blockquote body center dd details dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main menu nav ol p pre section summary table tbody tfoot thead tr ul',
)
const P_ENDS = words(
  'address article aside blockquote center details dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr main menu nav ol p pre section table ul',
)
const CELLS = words('td th')
/** Elements that end when the key begins directly inside them. */
const ENDED_BY: Readonly<Record<string, ReadonlySet<string>>> = {
  li: words('li'),
  dd: words('dd dt'),
  dt: words('dd dt'),
  td: CELLS,
  th: CELLS,
  tr: words('td th tr'),
  tbody: words('td th tr thead tbody'),
  tfoot: words('td th tr thead tbody'),
  option: words('option'),
  a: words('a'),
  body: words('head'),
}

/** Reads HTML, regardless of errors and depth. */
export function readHtml(html: string, handler: HtmlHandler): void {
  const reader = new Reader(html, handler)
  const tokenizer = new Tokenizer({ decodeEntities: true }, reader)
  for (let at = 0, size = FIRST_CHUNK; at < html.length; at += size, size *= 2) {
    tokenizer.write(html.slice(at, at + size))
    if (handler.isDone?.()) return
  }
  tokenizer.end()
}

class Reader {
  readonly #html: string
  readonly #handler: HtmlHandler
  readonly #stack: string[] = []
  /** The number of open elements by name. */
  readonly #open = new Map<string, number>()
  #tag = ''
  /** Without a prototype, so that an attribute may have any name. */
  #attributes: Record<string, string> | undefined
  #attribute = ''
  #value = ''

  constructor(html: string, handler: HtmlHandler) {
    this.#html = html
    this.#handler = handler
  }

  ontext(start: number, end: number): void {
    this.#text(this.#html.slice(start, end))
  }

  ontextentity(codepoint: number): void {
    this.#text(String.fromCodePoint(codepoint))
  }

  onopentagname(start: number, end: number): void {
    this.#tag = this.#html.slice(start, end).toLowerCase()
    this.#attributes = undefined
  }

  onattribname(start: number, end: number): void {
    this.#attribute = end - start > MAX_NAME_LENGTH ? '' : this.#html.slice(start, end).toLowerCase()
    this.#value = ''
  }

  onattribdata(start: number, end: number): void {
    if (this.#attribute !== '') this.#value += this.#html.slice(start, end)
  }

  onattribentity(codepoint: number): void {
    if (this.#attribute !== '') this.#value += String.fromCodePoint(codepoint)
  }

  onattribend(_quote: QuoteType, _end: number): void {
    if (this.#attribute === '') return
    this.#attributes ??= Object.create(null) as Record<string, string>
    this.#attributes[this.#attribute] ??= this.#value
  }

  onopentagend(): void {
    const name = this.#tag
    const ended = name === 'p' || P_ENDS.has(name) ? 'p' : undefined
    for (let top = this.#stack.at(-1); top !== undefined; top = this.#stack.at(-1)) {
      const ends = top === ended || ENDED_BY[name]?.has(top) || (top === 'head' && !IN_HEAD.has(name))
      if (!ends) break
      this.#pop()
    }
    this.#handler.open(name, this.#attributes ?? NO_ATTRIBUTES)
    if (EMPTY.has(name)) return
    this.#stack.push(name)
    this.#open.set(name, (this.#open.get(name) ?? 0) + 1)
  }

  onselfclosingtag(): void {
    this.onopentagend()
  }

  onclosetag(start: number, end: number): void {
    const name = this.#html.slice(start, end).toLowerCase()
    if (name === 'br') this.#handler.open('br', NO_ATTRIBUTES)
    if ((this.#open.get(name) ?? 0) === 0) return
    while (this.#pop() !== name);
  }

  onend(): void {
    while (this.#stack.length > 0) this.#pop()
  }

  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}

  #text(value: string): void {
    // A head contains no text, so a head that was not closed ends here.
    if (this.#stack.at(-1) === 'head' && value.trim() !== '') this.#pop()
    this.#handler.text(value)
  }

  #pop(): string | undefined {
    const name = this.#stack.pop()
    if (name === undefined) return undefined
    this.#open.set(name, (this.#open.get(name) ?? 1) - 1)
    this.#handler.close(name)
    return name
  }
}

const SNIPPET = 100
/** The length in which a snippet is searched. A body without text up to there is an image or hostile. */
const SNIPPET_SOURCE = 1024 * 1024

/** The beginning of a body as one line of text. */
export function snippetOf(body: string, isHtml: boolean): string {
  const line = new Line(SNIPPET)
  if (!isHtml) {
    line.add(body)
    return line.toString()
  }
  let hidden = 0
  readHtml(body.length > SNIPPET_SOURCE ? body.slice(0, SNIPPET_SOURCE) : body, {
    open(name) {
      if (HIDDEN.has(name)) hidden++
      else if (name === 'br' || name === 'td' || name === 'th' || BLOCKS.has(name)) line.blank()
    },
    close(name) {
      if (HIDDEN.has(name)) hidden--
      else if (BLOCKS.has(name)) line.blank()
    },
    text(value) {
      if (hidden === 0) line.add(value)
    },
    isDone: () => line.isFull,
  })
  return line.toString()
}

/** Text on one line with a maximum length; runs of blanks become one. */
class Line {
  readonly #limit: number
  #text = ''
  #blank = false
  /** Written only between two characters. */
  #joiner = ''

  constructor(limit: number) {
    this.#limit = limit
  }

  get isFull(): boolean {
    return this.#text.length >= this.#limit
  }

  blank(): void {
    this.#blank = this.#text !== ''
  }

  add(value: string): void {
    for (let i = 0; i < value.length && !this.isFull; ) {
      const code = value.charCodeAt(i)
      if (isSpace(code)) this.blank()
      else if (!isInvisible(code)) {
        const end = endOfWord(value, i, i + this.#limit - this.#text.length)
        this.#text += `${this.#blank ? ' ' : this.#joiner}${value.slice(i, end)}`
        this.#blank = false
        this.#joiner = ''
        i = end
        continue
      } else if (isJoiner(code) && this.#text !== '') this.#joiner = value[i] ?? ''
      i++
    }
  }

  toString(): string {
    let end = Math.min(this.#text.length, this.#limit)
    const isCut = (code: number): boolean => code === 0x20 || (code >= 0xd800 && code < 0xdc00)
    while (end > 0 && isCut(this.#text.charCodeAt(end - 1))) end--
    return this.#text.slice(0, end).toWellFormed()
  }
}

/** The end of the visible text from a position on, at most at the limit. */
function endOfWord(text: string, from: number, limit: number): number {
  let end = from + 1
  for (; end < limit && end < text.length; end++) {
    const code = text.charCodeAt(end)
    const isAscii = code > 0x20 && code < 0x7f
    if (!isAscii && (isSpace(code) || isInvisible(code))) break
  }
  return end
}

const isSpace = (code: number): boolean =>
  code <= 0x20 || (code >= 0x7f && code <= 0xa0) || (code >= 0x2000 && code <= 0x200a) || SPACES.has(code)

const SPACES = new Set([0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x2800, 0x3000])

/** Invisible characters that newsletters use to fill the preview line of clients. */
const isInvisible = (code: number): boolean =>
  (code >= 0x200b && code <= 0x200f) ||
  (code >= 0x202a && code <= 0x202e) ||
  (code >= 0x2060 && code <= 0x2069) ||
  code === 0xad ||
  code === 0x34f ||
  code === 0x61c ||
  code === 0x180e ||
  code === 0xfeff

/** Joiners affect the letters and emoji around them. */
const isJoiner = (code: number): boolean => code === 0x200c || code === 0x200d
