/** Finds the links of an HTML body and replaces them in place. All other text stays unchanged. Pure. */
import { QuoteType, Tokenizer } from 'htmlparser2'

/** Position of a link's address in the HTML. */
interface Span {
  start: number
  end: number
  isQuoted: boolean
}

interface Place extends Span {
  href: string
}

/** A tracked link and its target. */
export interface TrackedLink extends Span {
  url: string
}

export interface FoundLinks {
  /** At most `max` links. */
  links: TrackedLink[]
  /** The number of all links, including those beyond `max`. */
  count: number
}

const MAX_URL_LENGTH = 16_384
const SCHEMES = /^(?:https?:\/\/|mailto:|tel:)/i

/**
 * The target of a link, or undefined if the link is not tracked. `ours` is the prefix of addresses that are tracked
 * already.
 */
export function targetOf(href: string, ours: string): string | undefined {
  // Browsers remove these characters anywhere in a URL (WHATWG URL §4.4).
  const url = href.replaceAll(/[\t\n\r]/g, '').trim()
  if (url.length > MAX_URL_LENGTH || !SCHEMES.test(url) || !URL.canParse(url) || url.startsWith(ours)) return undefined
  const { username, password } = new URL(url)
  return username === '' && password === '' ? url : undefined
}

/** The target as a Location header: ASCII, one line, an allowed scheme. */
export function locationOf(target: string): string | undefined {
  if (!SCHEMES.test(target) || !URL.canParse(target)) return undefined
  return new URL(target).href.replaceAll(/[^!-~]/g, encodeURIComponent)
}

/** Finds the links to track, at most `max`. `ours` is the prefix of addresses that are tracked already. */
export function findLinks({ html, ours, max }: { html: string; ours: string; max: number }): FoundLinks {
  const links: TrackedLink[] = []
  let count = 0
  for (const { href, ...span } of linksOf(html)) {
    const url = targetOf(href, ours)
    if (url === undefined || ++count > max) continue
    links.push({ ...span, url })
  }
  return { links, count }
}

/** Replaces the addresses of links; all other text stays unchanged. */
export function replaceLinks(html: string, links: readonly TrackedLink[], addressOf: (at: number) => string): string {
  let result = ''
  let from = 0
  for (const [at, { start, end, isQuoted }] of links.entries()) {
    const written = addressOf(at).replaceAll('&', '&amp;').replaceAll('"', '&quot;')
    result += html.slice(from, start) + (isQuoted ? written : `"${written}"`)
    from = end
  }
  return result + html.slice(from)
}

function linksOf(html: string): Place[] {
  const finder = new Finder(html)
  const tokenizer = new Tokenizer({ decodeEntities: true }, finder)
  tokenizer.write(html)
  tokenizer.end()
  return finder.places
}

/** The characters between the name of an attribute and its value. */
const BEFORE_VALUE = /[\s/]*=\s*["']?/y

class Finder {
  readonly places: Place[] = []
  readonly #html: string
  #isLink = false
  #isHref = false
  #nameEnd = 0
  #value = ''
  #place: Place | undefined

  constructor(html: string) {
    this.#html = html
  }

  onopentagname(start: number, end: number): void {
    this.#isLink = end - start === 1 && this.#html.charAt(start).toLowerCase() === 'a'
    this.#place = undefined
  }

  onattribname(start: number, end: number): void {
    // If an attribute occurs twice, the first one counts.
    this.#isHref = this.#isLink && !this.#place && this.#html.slice(start, end).toLowerCase() === 'href'
    this.#nameEnd = end
    this.#value = ''
  }

  onattribdata(start: number, end: number): void {
    if (this.#isHref) this.#value += this.#html.slice(start, end)
  }

  onattribentity(codepoint: number): void {
    if (this.#isHref) this.#value += String.fromCodePoint(codepoint)
  }

  onattribend(quote: QuoteType, end: number): void {
    if (!this.#isHref || quote === QuoteType.NoValue) return
    BEFORE_VALUE.lastIndex = this.#nameEnd
    BEFORE_VALUE.exec(this.#html)
    const isQuoted = quote !== QuoteType.Unquoted
    this.#place = { start: BEFORE_VALUE.lastIndex, end: isQuoted ? end - 1 : end, isQuoted, href: this.#value }
  }

  onopentagend(): void {
    if (this.#place) this.places.push(this.#place)
    this.#place = undefined
  }

  onselfclosingtag(): void {
    this.onopentagend()
  }

  ontext(): void {}
  ontextentity(): void {}
  onclosetag(): void {}
  onend(): void {}
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
}
