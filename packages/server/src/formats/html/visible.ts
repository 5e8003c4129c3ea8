// Decides what of an HTML body a reader sees. Senders hide text from people that programs read: elements without display
// or size, and letters in the color of their background.
import type { HtmlView } from './clean-html.ts'
import type { Attributes } from './html-text.ts'

interface Paint {
  readonly color: string | undefined
  readonly background: string | undefined
}

/** The colors of an ordinary mail program. */
const paper: Paint = { color: '000000', background: 'ffffff' }

export class VisibleView implements HtmlView {
  readonly keepsQuotes: boolean
  readonly #hiddenNames: ReadonlySet<string>
  readonly #elements: { paint: Paint; isInvisible: boolean }[] = []
  #hasHidden = false

  constructor(html: string, keepsQuotes: boolean) {
    this.keepsQuotes = keepsQuotes
    this.#hiddenNames = hiddenNames(html)
  }

  /** Whether text was found that people cannot see. */
  get hasHidden(): boolean {
    return this.#hasHidden
  }

  open(attributes: Attributes): boolean {
    const outer = this.#elements.at(-1)
    const isInvisible = (outer?.isInvisible ?? false) || this.#isHidden(attributes)
    this.#elements.push({ paint: paintOf(attributes, outer?.paint ?? paper), isInvisible })
    return isInvisible
  }

  close(): void {
    if (this.#elements.pop()?.isInvisible) this.#hasHidden = true
  }

  shows(text: string): boolean {
    const { color, background } = this.#elements.at(-1)?.paint ?? paper
    if (color === undefined || background === undefined || !areAlike(color, background)) return true
    if (text.trim() !== '') this.#hasHidden = true
    return false
  }

  #isHidden({ style, hidden, class: names, id }: Attributes): boolean {
    if (hidden !== undefined || (style !== undefined && hides(style))) return true
    if (this.#hiddenNames.size === 0) return false
    const has = (mark: string, name: string): boolean => this.#hiddenNames.has(mark + name)
    return (names?.split(/\s+/).some((name) => has('.', name)) ?? false) || (id !== undefined && has('#', id))
  }
}

const zero = String.raw`0*\.?0*(?:px|pt|em|rem|%|in|cm|mm|vh|vw)?\s*(?:!important\s*)?(?:;|$)`
const hiding = new RegExp(
  [
    String.raw`(?:^|;|\s)display\s*:\s*none`,
    String.raw`(?:^|;|\s)visibility\s*:\s*(?:hidden|collapse)`,
    String.raw`(?:^|;|\s)opacity\s*:\s*0*(?:\.0\d*)?%?\s*(?:!important\s*)?(?:;|$)`,
    String.raw`(?:^|;|\s)font-size\s*:\s*(?:${zero}|[01](?:\.\d+)?px)`,
    String.raw`(?:^|;|\s)(?:max-height|max-width)\s*:\s*${zero}`,
    String.raw`(?:^|;|\s)text-indent\s*:\s*-\s*\d{3,}`,
    String.raw`(?:^|;|\s)(?:left|top|margin-left|margin-top)\s*:\s*-\s*\d{4,}`,
    String.raw`(?:^|;|\s)mso-hide\s*:\s*all`,
    String.raw`(?:^|;|\s)(?:-webkit-text-fill-)?color\s*:\s*transparent`,
    String.raw`(?:^|;|\s)clip\s*:\s*rect\(\s*0[^)]*0[a-z]*\s*\)`,
    String.raw`(?:^|;|\s)transform\s*:\s*scale\(\s*0`,
  ].join('|'),
  'i',
)
const clipped = new RegExp(String.raw`(?:^|;|\s)(?:height|width)\s*:\s*${zero}`, 'i')

/** Whether declarations make an element invisible. */
function hides(style: string): boolean {
  const text = style.slice(0, 2_000).replace(/\/\*.*?\*\//gs, '')
  return hiding.test(text) || (clipped.test(text) && /overflow\s*:\s*hidden/i.test(text))
}

/** Classes and ids that the style sheets of a body hide. Rules for some screens only do not count. */
function hiddenNames(html: string): Set<string> {
  const names = new Set<string>()
  if (!/<style/i.test(html)) return names
  for (const [, sheet = ''] of html.slice(0, 500_000).matchAll(/<style[^>]*>([^<]{0,50000})/gi)) {
    const always = sheet
      .replace(/\/\*.{0,5000}?\*\//gs, '')
      .replace(/@[^{;]{0,300}\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, '')
    for (const [, selectors = '', style = ''] of always.matchAll(/([^{}]{1,1000})\{([^{}]{0,2000})\}/g)) {
      if (!hides(style)) continue
      for (const selector of selectors.split(',')) {
        const [, name] = /^\s*[a-z]*([.#][\w-]+)\s*$/i.exec(selector) ?? []
        if (name !== undefined) names.add(name)
      }
    }
  }
  return names
}

function paintOf({ style, color, bgcolor }: Attributes, before: Paint): Paint {
  if (style === undefined && color === undefined && bgcolor === undefined) return before
  const text = style?.slice(0, 2_000) ?? ''
  const [, ownColor = color] = /(?:^|;|\s)color\s*:\s*([^;]{1,60})/i.exec(text) ?? []
  const [, ownBackground = bgcolor] = /(?:^|;|\s)background(?:-color)?\s*:\s*([^;]{1,200})/i.exec(text) ?? []
  return {
    color: ownColor === undefined ? before.color : colorOf(ownColor),
    background:
      ownBackground === undefined
        ? before.background
        : (colorOf(ownBackground) ?? otherBackground(ownBackground, before)),
  }
}

/** A background without a color of its own shows the one below; an image may show anything. */
const otherBackground = (text: string, { background }: Paint): string | undefined =>
  /^\s*(?:none|transparent|inherit|initial)\b/i.test(text) ? background : undefined

const names: Readonly<Record<string, string>> = { white: 'ffffff', black: '000000', snow: 'fffafa', ivory: 'fffff0' }

/** A color as six hexadecimal digits; undefined if it is none that we read. */
function colorOf(text: string): string | undefined {
  const value = text
    .replace(/!important/i, '')
    .trim()
    .toLowerCase()
  const [, hex] = /^#?([0-9a-f]{6}|[0-9a-f]{3})\b/.exec(value) ?? []
  if (hex !== undefined) return hex.length === 6 ? hex : Array.from(hex, (digit) => digit + digit).join('')
  const parts = /^rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})/.exec(value)?.slice(1)
  if (parts) return parts.map((part) => Math.min(Number(part), 255).toString(16).padStart(2, '0')).join('')
  return names[/^[a-z]+/.exec(value)?.[0] ?? '']
}

/** Whether nobody can tell two colors apart. */
function areAlike(one: string, other: string): boolean {
  for (let at = 0; at < 6; at += 2) {
    const difference = Number.parseInt(one.slice(at, at + 2), 16) - Number.parseInt(other.slice(at, at + 2), 16)
    if (Math.abs(difference) > 20) return false
  }
  return true
}
