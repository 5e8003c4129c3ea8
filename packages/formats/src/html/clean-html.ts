/**
 * Converts an HTML body to lines of text or Markdown, in one pass over its tags. No tree is built, and the cost of a
 * tag does not depend on its depth.
 */
import { InlineText, type Wrap } from './clean-inline.ts'
import { type CleanOptions, LEFT_OUT, type Line, MAX_LINES } from './clean-lines.ts'
import { drawsRule, markOf } from './clean-marks.ts'
import { Page } from './clean-table.ts'
import { type Attributes, BLOCKS, EMPTY, HIDDEN, type HtmlHandler, readHtml } from './html-text.ts'
import { shownTarget, targetOf } from './targets.ts'

/** What a reader sees: decides about elements and texts in the order of the document. */
export interface HtmlView {
  /** An element begins. True if nothing inside it is visible. Elements without content are not closed. */
  open(name: string, attributes: Attributes): boolean
  close(): void
  /** Whether text at this position is visible. */
  shows(text: string): boolean
  /** Whether quoted elements stay. */
  readonly keepsQuotes: boolean
}

/** The lines, with quoted ones marked. Elements whose markup identifies them as quoted are omitted. */
export function htmlLines(html: string, options: CleanOptions, view?: HtmlView): Line[] {
  const writer = new Writer(options, view)
  readHtml(html, writer)
  return writer.end()
}

/** The action to take when an element ends. */
type Ending =
  | 'nothing'
  | 'hidden'
  | 'introduction'
  | 'inline'
  | 'list'
  | 'quotation'
  | 'pre'
  | 'table'
  | 'cell'
  | 'heading'

const PARAGRAPHS = new Set(['p', 'ul', 'ol', 'blockquote', 'pre', 'table', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'dl'])
const INLINE: Readonly<Record<string, string>> = { b: '**', strong: '**', i: '*', em: '*', code: '`', tt: '`' }
const kindOf = (name: string): string => (Object.hasOwn(INLINE, name) ? INLINE[name] : undefined) ?? name
const LINKS = /^(?:https?|mailto|tel|ftp):/i
const IMAGES = /^(?:https?|cid):/i
const FENCE = '```'
const MAX_INDENT = 10
const MAX_URL = 2_000

class Writer implements HtmlHandler {
  readonly #options: CleanOptions
  readonly #view: HtmlView | undefined
  readonly #inline = new InlineText()
  readonly #endings: Ending[] = []
  readonly #page = new Page()
  /** The number of items in each open list; NaN for lists without numbers. */
  readonly #lists: number[] = []
  readonly #openMarks = new Set<string>()
  #count = 0
  #hidden = 0
  #inIntroduction = 0
  #quotations = 0
  #pre = 0
  #heading = 0
  #bullet = ''
  #gap = false
  #underRule = false
  #ended = false
  /** What relative links begin with. */
  #base: string | undefined

  constructor(options: CleanOptions, view?: HtmlView) {
    this.#options = options
    this.#view = view
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'base' && this.#view) this.#base ??= attributes.href?.trim()
    // Elements without content are never closed.
    if (!EMPTY.has(name)) this.#endings.push(this.#ended ? 'nothing' : this.#begin(name, attributes))
    else if (!this.#ended) {
      const isInvisible = this.#view?.open(name, attributes) ?? false
      if (this.#hidden === 0 && !isInvisible) this.#empty(name, attributes)
    }
  }

  close(name: string): void {
    const ending = this.#endings.pop()
    if (!this.#ended) this.#view?.close()
    if (ending === undefined || this.#ended) return
    if (ending === 'hidden') this.#hidden--
    else if (ending === 'introduction') {
      this.#hidden--
      this.#inIntroduction--
    }
    if (this.#hidden > 0) return
    if (BLOCKS.has(name)) this.#endLine()
    this.#finish(name, ending)
    if (this.#standsAlone(name)) this.#gap = true
  }

  text(value: string): void {
    if (this.#ended) return
    // Gmail has dashes above a forwarded message, in the place where it names the author of a quoted one.
    if (this.#inIntroduction > 0 && value.trimStart().startsWith('-----')) this.#end()
    const isShown = this.#view?.shows(value) ?? true
    if (this.#hidden > 0 || !isShown) return
    if (this.#pre === 0) {
      this.#inline.add(value)
      return
    }
    for (const [index, each] of value.split('\n').entries()) {
      if (index > 0) this.#push(this.#inline.take())
      this.#inline.raw(each)
    }
  }

  isDone(): boolean {
    return this.#ended || this.#count >= MAX_LINES
  }

  end(): Line[] {
    this.#endLine()
    return this.#page.end()
  }

  #begin(name: string, attributes: Attributes): Ending {
    const isInvisible = this.#view?.open(name, attributes) ?? false
    if (HIDDEN.has(name) || isInvisible) return this.#hide('hidden')
    if (this.#hidden > 0) return this.#hide('hidden')
    const mark = this.#view?.keepsQuotes ? undefined : markOf(name, attributes)
    if (mark === 'rest') {
      this.#end()
      return 'nothing'
    }
    if (mark !== undefined) {
      this.#endLine()
      this.#push('', LEFT_OUT)
      if (mark === 'introduction') this.#inIntroduction++
      return this.#hide(mark === 'introduction' ? 'introduction' : 'hidden')
    }
    if (BLOCKS.has(name)) this.#endLine()
    if (this.#standsAlone(name)) this.#gap = true
    if (name === 'div' && drawsRule(attributes)) this.#underRule = true
    this.#showTarget(name, attributes)
    return this.#beginShown(name, attributes)
  }

  /** Whether blank lines surround the element; not for a list inside a list. */
  #standsAlone(name: string): boolean {
    return PARAGRAPHS.has(name) && !((name === 'ul' || name === 'ol') && this.#lists.length > 0)
  }

  #hide(ending: 'hidden' | 'introduction'): Ending {
    this.#hidden++
    return ending
  }

  #beginShown(name: string, attributes: Attributes): Ending {
    switch (name) {
      case 'ul':
      case 'ol':
        this.#lists.push(name === 'ol' ? (Number.parseInt(attributes.start ?? '1', 10) || 1) - 1 : Number.NaN)
        return 'list'
      case 'li':
        this.#bullet = this.#nextBullet()
        return 'nothing'
      case 'blockquote':
        this.#quotations++
        return 'quotation'
      case 'pre':
        if (this.#options.html_as_markdown) this.#push(FENCE)
        this.#pre++
        return 'pre'
      case 'table':
        return this.#beginTable()
      case 'tr':
        this.#page.beginRow()
        return 'nothing'
      case 'td':
      case 'th':
        return this.#beginCell()
      default:
        return this.#beginMark(name, attributes)
    }
  }

  #beginMark(name: string, attributes: Attributes): Ending {
    const level = /^h([1-6])$/.exec(name)?.[1]
    if (level !== undefined) {
      this.#heading = Number(level)
      return 'heading'
    }
    const wrap = this.#wrapOf(name, attributes)
    // A mark inside another of its kind has no effect.
    if (wrap === undefined || this.#openMarks.has(kindOf(name))) return 'nothing'
    this.#openMarks.add(kindOf(name))
    this.#inline.open(wrap)
    return 'inline'
  }

  #wrapOf(name: string, { href }: Attributes): Wrap | undefined {
    const { html_as_markdown: markdown, ignore_links } = this.#options
    if (name === 'a') {
      const url = this.#linkOf(href?.trim() ?? '')
      if (ignore_links || !LINKS.test(url)) return undefined
      if (markdown) return (text) => `[${text}](${inMarkdown(url)})`
      return (text) => (text === url || `mailto:${text}` === url ? text : `${text} (${url})`)
    }
    const mark = Object.hasOwn(INLINE, name) && markdown && this.#pre === 0 ? INLINE[name] : undefined
    return mark === undefined ? undefined : (text) => `${mark}${text}${mark}`
  }

  /** The target of a link: for readers who must know where it leads, the whole one. */
  #linkOf(href: string): string {
    if (!this.#view) return href.slice(0, MAX_URL)
    const whole = this.#base !== undefined && !LINKS.test(href) ? URL.parse(href, this.#base)?.href : undefined
    return shownTarget(whole ?? href)
  }

  /** Targets of forms, areas and the like, for these readers. */
  #showTarget(name: string, attributes: Attributes): void {
    if (!this.#view || this.#hidden > 0 || this.#ended) return
    const isInHead = name === 'link' || name === 'base' || name === 'meta'
    const target = isInHead ? undefined : targetOf(name, attributes)
    if (target !== undefined) this.#inline.add(`${target} `)
  }

  #finish(name: string, ending: Ending): void {
    if (ending === 'inline') {
      this.#inline.close()
      this.#openMarks.delete(kindOf(name))
    } else if (ending === 'list') this.#lists.pop()
    else if (ending === 'quotation') this.#quotations--
    else if (ending === 'pre') this.#endPre()
    else if (ending === 'heading') this.#heading = 0
    else if (ending === 'table') this.#page.endTable()
    else if (ending === 'cell') this.#endCell()
    else if (name === 'td' || name === 'th') this.#inline.blank()
    else if (name === 'li') this.#bullet = ''
  }

  #empty(name: string, attributes: Attributes): void {
    this.#showTarget(name, attributes)
    const { src, alt } = attributes
    if (name === 'br') this.#push(this.#inline.take())
    else if (name === 'hr') {
      this.#endLine()
      this.#gap = true
      if (markOf(name, attributes) === 'rest') this.#ended = true
      else if (this.#options.html_as_markdown) this.#push('---')
    } else if (name === 'img' && !this.#options.ignore_images) {
      const url = src?.trim().slice(0, MAX_URL) ?? ''
      if (IMAGES.test(url)) this.#inline.raw(this.#image(url, alt ?? ''))
    }
  }

  #image(url: string, alt: string): string {
    const { images_as_markdown, html_as_markdown } = this.#options
    if (!images_as_markdown && !html_as_markdown) return url
    return `![${alt.replaceAll(/[\s[\]]+/g, ' ').trim()}](${inMarkdown(url)})`
  }

  #endPre(): void {
    this.#pre--
    if (this.#options.html_as_markdown) this.#push(FENCE)
  }

  #nextBullet(): string {
    const number = this.#lists.at(-1) ?? Number.NaN
    if (this.#lists.length > 0) this.#lists[this.#lists.length - 1] = number + 1
    const indent = '  '.repeat(Math.min(Math.max(this.#lists.length - 1, 0), MAX_INDENT))
    return `${indent}${Number.isNaN(number) ? '-' : `${number + 1}.`} `
  }

  #endLine(): void {
    if (!this.#inline.isEmpty) this.#push(this.#inline.take())
  }

  #push(text: string, as?: Line): void {
    this.#count++
    if (as === undefined && text.trim() !== '' && this.#gap) this.#page.push({ text: '', quoted: this.#quoted })
    if (text.trim() !== '') this.#gap = false
    this.#page.push(as ?? this.#written(text))
    if (text.trim() !== '') this.#underRule = false
  }

  get #quoted(): Line['quoted'] {
    return this.#quotations > 0 ? 'perhaps' : 'no'
  }

  #written(text: string): Line {
    const quote = '> '.repeat(Math.min(this.#quotations, MAX_INDENT))
    const heading = this.#options.html_as_markdown && this.#heading > 0 ? `${'#'.repeat(this.#heading)} ` : ''
    const written = text.trim() === '' ? '' : `${quote}${this.#bullet}${heading}${text}`
    if (written !== '') this.#bullet = this.#bullet === '' ? '' : ' '.repeat(this.#bullet.length)
    return { text: written, quoted: this.#quoted, ...(this.#underRule ? { underRule: true } : {}) }
  }

  #beginTable(): Ending {
    return this.#page.beginTable(this.#options) ? 'table' : 'nothing'
  }

  #beginCell(): Ending {
    if (!this.#page.isInTable) return 'nothing'
    this.#endLine()
    this.#page.beginCell()
    this.#gap = false
    return 'cell'
  }

  #endCell(): void {
    this.#endLine()
    this.#page.endCell()
  }

  /** Nothing after this belongs to the newest text. */
  #end(): void {
    this.#endLine()
    this.#ended = true
  }
}

const inMarkdown = (url: string): string =>
  url.replaceAll(/[\s()<>]/g, (found) => encodeURIComponent(found).replace('(', '%28').replace(')', '%29'))
