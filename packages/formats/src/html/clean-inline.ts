/**
 * Builds one line of text piece by piece, with links and emphasis around parts of it. Each open mark collects its own
 * text, so that closing it costs the length of that text and not of the line.
 */

/** Wraps a text, which is trimmed and not empty. */
export type Wrap = (text: string) => string

interface Frame {
  text: string
  readonly wrap: Wrap
}

const plain: Wrap = (text) => text
const BLANKS = /[\s\u00a0]+/g
/** Invisible characters that newsletters use as filler. */
const FILLERS = /\u00ad|\u034f|\u200b|\ufeff/g

export class InlineText {
  readonly #frames: Frame[] = [{ text: '', wrap: plain }]
  #isEmpty = true
  #blank = false

  get isEmpty(): boolean {
    return this.#isEmpty
  }

  /** Adds text. Runs of blanks become one blank; leading blanks are removed. */
  add(value: string): void {
    const text = value.replaceAll(BLANKS, ' ').replaceAll(FILLERS, '')
    const trimmed = text.trim()
    if (text.startsWith(' ')) this.blank()
    if (trimmed === '') return
    this.raw(trimmed)
    if (text.endsWith(' ')) this.blank()
  }

  blank(): void {
    this.#blank = !this.#isEmpty
  }

  /** Adds text unchanged. */
  raw(value: string): void {
    const top = this.#frames.at(-1)
    if (top === undefined || value === '') return
    top.text += this.#blank ? ` ${value}` : value
    this.#blank = false
    this.#isEmpty = false
  }

  open(wrap: Wrap): void {
    this.#frames.push({ text: '', wrap })
  }

  close(): void {
    const frame = this.#frames.length > 1 ? this.#frames.pop() : undefined
    const below = this.#frames.at(-1)
    if (frame !== undefined && below !== undefined) below.text += wrapped(frame)
  }

  /** Returns the line. Open marks continue in the next one. */
  take(): string {
    const wraps = this.#frames.slice(1).map(({ wrap }) => wrap)
    for (let i = 0; i < wraps.length; i++) this.close()
    const base = this.#frames[0]
    const text = base?.text ?? ''
    if (base !== undefined) base.text = ''
    for (const wrap of wraps) this.open(wrap)
    this.#isEmpty = true
    this.#blank = false
    return text
  }
}

/** Blanks stay outside of the marks: `** a**` is not emphasis. */
function wrapped({ text, wrap }: Frame): string {
  const content = text.trim()
  if (content === '') return text
  const before = text.startsWith(' ') ? ' ' : ''
  const after = text.endsWith(' ') ? ' ' : ''
  return `${before}${wrap(content)}${after}`
}
