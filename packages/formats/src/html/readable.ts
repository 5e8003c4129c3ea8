/**
 * The text of HTML for a person who must know everything that a recipient could see. Unlike cleaning, it omits nothing:
 * hidden elements, quotations, parts for some mail programs and targets of links are written out.
 */
import { type Attributes, BLOCKS, type HtmlHandler, readHtml } from './html-text.ts'
import { shownTarget, targetOf } from './targets.ts'
import { VisibleView } from './visible.ts'

export interface ReadableHtml {
  readonly text: string
  /** What hides some of the text from readers. */
  readonly hidden: readonly string[]
  /** What may hide some of it, or show it differently. */
  readonly doubts: readonly string[]
  /** Whether a drawing, form or embedded object can show more than the text has. */
  readonly embeds: boolean
  /** The hosts that a reader's mail program loads something from. */
  readonly remoteHosts: readonly string[]
}

/** Never displayed, and no text for people. */
const CODE: ReadonlySet<string> = new Set(['script', 'style'])
const MAX_HOSTS = 20

/** Outlook displays the content of these comments. */
const CONDITIONAL = [/<!--\[if[^\]<>]{0,200}\]>(?:<!-->)?/gi, /<!(?:--)?\[endif\]-->/gi]
const EMBEDDING = /<(?:svg|math|object|embed|iframe|frame|video|audio|canvas|form|input|button|link)\b/i
/** Attributes whose addresses are loaded when the message is read. */
const LOADED = ['src', 'srcset', 'background', 'poster', 'data', 'xlink:href']

/** The host of an address that mail programs load. */
function hostOf(address: string): string | undefined {
  const trimmed = address.replace(/[\t\r\n]/g, '').trim()
  return /^(?:https?:)?[/\\]{2}/i.test(trimmed) ? URL.parse(trimmed, 'https://x.invalid')?.host : undefined
}

/** Images inside of the text are no addresses. */
const imageOf = (src: string | undefined): string | undefined =>
  src?.trim().toLowerCase().startsWith('data:') ? `data of ${src.length} characters` : src

class Writer implements HtmlHandler {
  readonly #lines: string[] = []
  readonly #links: string[] = []
  #line = ''
  readonly #addresses = new Set<string>()
  #code = 0
  #pre = 0
  readonly #view: VisibleView

  constructor(view: VisibleView) {
    this.#view = view
  }

  open(name: string, attributes: Attributes): void {
    const { href, src, alt } = attributes
    this.#view.open(name, attributes)
    for (const each of LOADED) for (const address of addressesIn(each, attributes[each])) this.#addresses.add(address)
    if (name === 'link' && attributes.href !== undefined) this.#addresses.add(attributes.href)
    if (CODE.has(name)) this.#code++
    if (name === 'pre') this.#pre++
    if (name === 'br' || BLOCKS.has(name)) this.#break()
    if (name === 'td' || name === 'th') this.#space()
    if (name === 'a') this.#links.push(href ?? '')
    if (name === 'img') this.#line += `[image: ${[alt, imageOf(src)].filter(Boolean).join(' ')}]`
    const target = targetOf(name, attributes)
    if (target !== undefined) this.#line += `${[attributes.alt, target].filter(Boolean).join(' ')} `
    const shown = name === 'input' ? [attributes.value, attributes.placeholder].filter(Boolean) : []
    if (shown.length > 0) this.#line += `[field: ${shown.join(', ')}]`
  }

  close(name: string): void {
    this.#view.close()
    if (CODE.has(name)) this.#code--
    if (name === 'pre') this.#pre--
    if (name === 'a') {
      const href = this.#links.pop() ?? ''
      if (href !== '' && !this.#line.endsWith(shownTarget(href))) this.#line += ` <${shownTarget(href)}>`
    }
    if (BLOCKS.has(name)) this.#break()
  }

  text(value: string): void {
    this.#view.shows(value)
    if (this.#code > 0) return
    if (this.#pre === 0) this.#line += value.replace(/[ \t\r\n\f]+/g, ' ')
    else {
      for (const [index, line] of value.split('\n').entries()) {
        if (index > 0) this.#break()
        this.#line += line
      }
    }
  }

  end(): string {
    this.#break()
    return this.#lines.join('\n').trim()
  }

  /** The hosts that the message loads something from. */
  get hosts(): string[] {
    return [...this.#addresses, ...this.#view.addresses].map(hostOf).filter((host) => host !== undefined)
  }

  #space(): void {
    if (this.#line !== '') this.#line += ' '
  }

  #break(): void {
    const line = this.#line.replace(/ {2,}/g, ' ').trim()
    this.#line = ''
    // One empty line at most in a row.
    if (line !== '' || (this.#lines.at(-1) ?? '') !== '') this.#lines.push(line)
  }
}

/** The addresses of an attribute: `srcset` has several. */
const addressesIn = (name: string, value = ''): string[] =>
  value === ''
    ? []
    : name === 'srcset'
      ? value
          .split(',')
          .slice(0, 50)
          .map((each) => each.trim().split(/\s/, 1)[0] ?? '')
      : [value]

function written(html: string): { text: string; hosts: string[]; view: VisibleView } {
  const view = new VisibleView(html, true)
  const writer = new Writer(view)
  readHtml(html, writer)
  return { text: writer.end(), hosts: writer.hosts, view }
}

export function readableHtml(html: string): ReadableHtml {
  const whole = CONDITIONAL.reduce((text, pattern) => text.replace(pattern, ''), html)
  const shown = written(html)
  // Outlook also displays what is in comments.
  const { text, hosts } = whole === html ? shown : written(whole)
  const { view } = shown
  const added = view.added.map((each) => `\n[Added by a style: ${each}]`)
  return {
    text: text + added.join(''),
    hidden: view.hidden,
    doubts: text === shown.text ? view.doubts : [...view.doubts, 'text for some mail programs only'],
    embeds: EMBEDDING.test(whole),
    remoteHosts: [...new Set(hosts)].slice(0, MAX_HOSTS),
  }
}
