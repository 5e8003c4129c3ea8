/** The plain-text alternative of an HTML body. One pass over the tags; no content is left out. */
import { type Attributes, BLOCKS, HIDDEN, readHtml } from '@waypost/formats/html/html-text'

const PARAGRAPHS = new Set('p ul ol blockquote pre table h1 h2 h3 h4 h5 h6 dl'.split(' '))
const MAX_QUOTES = 20
const MAX_INDENT = 10
const LINKS = /^(?:https?|mailto|tel|ftp):/i

/** Converts HTML to plain text: one line per block, `>` for quotations, the address after each link. */
export function textOfHtml(html: string): string {
  const writer = new Writer()
  readHtml(html, writer)
  return writer.end()
}

class Writer {
  readonly #lines: string[] = []
  /** The current line, in pieces: a line may be as long as the body. */
  #pieces: string[] = []
  #endsInBlank = true
  #hidden = 0
  #pre = 0
  #quotes = 0
  readonly #lists: number[] = []
  #links = 0
  /** The outermost open link: its address, and where its text begins. */
  #link: { url: string; from: number } | undefined
  #gap = false
  /** Quotation depth of the last line, and whether it is empty. */
  #depth = 0
  #isBlank = false

  open(name: string, attributes: Attributes): void {
    if (HIDDEN.has(name)) this.#hidden++
    if (this.#hidden > 0) return
    if (BLOCKS.has(name)) this.#break()
    if (PARAGRAPHS.has(name)) this.#gap = true
    if (name === 'a') this.#beginLink(attributes.href?.trim() ?? '')
    else if (name === 'br') this.#push()
    else if (name === 'hr') this.#rule()
    else if (name === 'img') this.#add(attributes.alt ?? '')
    else if (name === 'td' || name === 'th') this.#add(' ')
    else this.#begin(name, attributes)
  }

  #begin(name: string, { start }: Attributes): void {
    if (name === 'pre') this.#pre++
    else if (name === 'blockquote') this.#quotes++
    else if (name === 'ul') this.#lists.push(Number.NaN)
    else if (name === 'ol') this.#lists.push((Number.parseInt(start ?? '1', 10) || 1) - 1)
    else if (name === 'li') this.#write(this.#bullet())
  }

  close(name: string): void {
    if (HIDDEN.has(name)) {
      this.#hidden--
      return
    }
    if (this.#hidden > 0) return
    if (name === 'a') this.#endLink()
    if (BLOCKS.has(name)) this.#break()
    if (PARAGRAPHS.has(name)) this.#gap = true
    if (name === 'pre') this.#pre--
    else if (name === 'blockquote') this.#quotes--
    else if (name === 'ul' || name === 'ol') this.#lists.pop()
  }

  text(value: string): void {
    if (this.#hidden > 0) return
    if (this.#pre === 0) {
      this.#add(value)
      return
    }
    for (const [index, each] of value.split('\n').entries()) {
      if (index > 0) this.#push()
      this.#write(each)
    }
  }

  end(): string {
    this.#break()
    return this.#lines.join('\n').trim()
  }

  #bullet(): string {
    const number = (this.#lists.pop() ?? Number.NaN) + 1
    this.#lists.push(number)
    const indent = '  '.repeat(Math.min(this.#lists.length - 1, MAX_INDENT))
    return `${indent}${Number.isNaN(number) ? '-' : `${number}.`} `
  }

  #rule(): void {
    this.#write('---')
    this.#break()
  }

  #beginLink(url: string): void {
    if (this.#links++ === 0 && LINKS.test(url)) this.#link = { url, from: this.#pieces.length }
  }

  #endLink(): void {
    if (--this.#links > 0 || !this.#link) return
    const { url, from } = this.#link
    const text = this.#pieces.slice(from).join('').trim()
    this.#link = undefined
    if (text === url || `mailto:${text}` === url || `tel:${text}` === url) return
    this.#write(text === '' ? `<${url}>` : ` <${url}>`)
  }

  #add(value: string): void {
    const text = value.replaceAll(/[ \t\r\n\f]+/g, ' ')
    this.#write(this.#endsInBlank ? text.trimStart() : text)
  }

  #write(text: string): void {
    if (text === '') return
    this.#pieces.push(text)
    this.#endsInBlank = text.endsWith(' ')
  }

  /** Ends the line unless it is empty. */
  #break(): void {
    if (this.#pieces.some((piece) => piece.trim() !== '')) this.#push()
    else this.#clear()
  }

  #push(): void {
    const line = this.#pieces.join('')
    const depth = Math.min(this.#quotes, MAX_QUOTES)
    if (this.#gap && this.#lines.length > 0 && !this.#isBlank) {
      this.#lines.push('> '.repeat(Math.min(depth, this.#depth)).trimEnd())
    }
    this.#gap = false
    this.#depth = depth
    this.#isBlank = line.trim() === ''
    this.#lines.push(`${'> '.repeat(depth)}${line}`.trimEnd())
    this.#clear()
  }

  #clear(): void {
    this.#pieces = []
    this.#endsInBlank = true
    // If the text of a link spans several lines, only its last line counts.
    if (this.#link) this.#link.from = 0
  }
}
