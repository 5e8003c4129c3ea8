/**
 * Decides what of an HTML body a reader sees, from the styles of its elements. Senders hide text from people that
 * programs read. What cannot be decided counts as visible, and is reported.
 */
import type { HtmlView } from './clean-html.ts'
import { Budget, WORK_OF_BODY, type Work } from './css/budget.ts'
import { Cascade } from './css/cascade.ts'
import { type Box, boxOf, judge, PAGE } from './css/computed.ts'
import type { Element } from './css/selector-tests.ts'
import type { Declaration } from './css/sheet.ts'
import { type Attributes, EMPTY } from './html-text.ts'
import { stylesOf } from './style-sheets.ts'

interface Open {
  readonly element: Element
  readonly box: Box
  readonly verdict: { readonly reading: 'shown' | 'doubtful' | 'hidden'; readonly reasons: readonly string[] }
  /** Text in it is none of the message: scripts, titles. */
  readonly isApart: boolean
  lastChild: Element | undefined
}

const APART = new Set(['script', 'style', 'title', 'head'])
/** Elements whose text only some programs show, or in another way. */
const DIFFERENT: Readonly<Record<string, string>> = {
  template: 'a template',
  iframe: 'a frame',
  noframes: 'a frame',
  noembed: 'a frame',
  object: 'an object',
  svg: 'a drawing',
  math: 'a formula',
  noscript: 'a part for programs without scripts',
  marquee: 'moving text',
  datalist: 'a list of a form',
  select: 'a list of a form',
  canvas: 'a drawing',
  video: 'a video',
  audio: 'a sound',
  progress: 'a bar',
  meter: 'a bar',
  rp: 'a part for old programs',
  applet: 'an object',
}
/** The number of classes of an element that are compared. */
const MAX_CLASSES = 100
/** A box costs as much as some comparisons. */
const STEPS_OF_BOX = 5
const MAX_REASONS = 12
const MAX_ADDED = 10_000
/** Something that a person would see: letters, digits and signs, but not the blanks that fill a preview line. */
const SEEN = /[^\s\p{Cc}\p{Cf}\p{Zs}\p{Default_Ignorable_Code_Point}\u2800]/u
/** Characters that let the text around them read in the other direction. */
const OVERRIDES = /[\u202d\u202e]/
/** Those that announce text from right to left. They are ordinary where there is such text. */
const TO_THE_LEFT = /[\u202b\u2067]/
const FROM_THE_RIGHT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

export const hasOverrides = (text: string): boolean =>
  OVERRIDES.test(text) || (TO_THE_LEFT.test(text) && !FROM_THE_RIGHT.test(text))

export class VisibleView implements HtmlView {
  readonly keepsQuotes: boolean
  readonly #budget: Budget
  readonly #cascade: Cascade
  readonly #open: Open[] = []
  #impliedHtml: Open | undefined
  #impliedBody: Open | undefined
  readonly #reasons = new Set<string>()
  readonly #doubts = new Set<string>()
  readonly #added: string[] = []
  #addedLength = 0

  constructor(html: string, keepsQuotes: boolean, work: Work = WORK_OF_BODY) {
    this.keepsQuotes = keepsQuotes
    this.#budget = new Budget(work)
    const { rules, hasMore } = stylesOf(html, this.#budget)
    this.#cascade = new Cascade(rules, this.#budget)
    if (hasMore) this.#doubt('a style sheet that the message loads')
  }

  /** Whether text was found that people cannot see. */
  get hasHidden(): boolean {
    return this.#reasons.size > 0
  }

  /** What hides text. */
  get hidden(): readonly string[] {
    return [...this.#reasons]
  }

  /** What may hide text or show it differently. */
  get doubts(): readonly string[] {
    return this.#budget.isExceeded ? [...this.#doubts, 'styles that are too long to examine'] : [...this.#doubts]
  }

  /** Addresses in styles. */
  get addresses(): ReadonlySet<string> {
    return this.#budget.addresses
  }

  /** Texts that style sheets add. */
  get added(): readonly string[] {
    return this.#added
  }

  open(name: string, attributes: Attributes): boolean {
    const outer = this.#outerOf(name)
    const element = this.#elementOf(name, attributes, outer)
    // The summary of a folded part is not folded.
    const around = name === 'summary' && outer?.element.name === 'details' ? this.#open.at(-2) : outer
    const before = around?.box ?? PAGE
    const box = this.#boxOf(element, before)
    if (box.covers && box !== before) this.#doubt('a part that may cover text')
    const isApart = (outer?.isApart ?? false) || APART.has(name)
    if (!EMPTY.has(name))
      this.#open.push({
        element,
        box,
        verdict: box === before && around ? around.verdict : judge(box),
        isApart,
        lastChild: undefined,
      })
    return box.hidden !== undefined
  }

  close(): void {
    this.#open.pop()
  }

  shows(text: string): boolean {
    const last = this.#open.at(-1) ?? this.#body
    if (hasOverrides(text)) this.#doubt('characters that reverse text')
    const { reading, reasons } = last.verdict
    if (last.isApart || reading === 'shown' || !SEEN.test(text)) return reading !== 'hidden'
    for (const reason of reasons) {
      if (reading === 'doubtful') this.#doubt(reason)
      else if (this.#reasons.size < MAX_REASONS) this.#reasons.add(reason)
    }
    return reading !== 'hidden'
  }

  #doubt(reason: string): void {
    if (this.#doubts.size < MAX_REASONS) this.#doubts.add(reason)
  }

  /** The element around the next one. Every document has a body, also if no tag says so. */
  #outerOf(name: string): Open | undefined {
    const last = this.#open.at(-1)
    if (name === 'html') return last
    const isOutside = last === undefined || last.element.name === 'html'
    if (!isOutside) return last
    return name === 'body' || name === 'head' ? this.#html : this.#body
  }

  get #html(): Open {
    const [first] = this.#open
    if (first?.element.name === 'html') return first
    this.#impliedHtml ??= this.#imply('html')
    return this.#impliedHtml
  }

  get #body(): Open {
    this.#impliedBody ??= this.#imply('body', this.#html)
    return this.#impliedBody
  }

  #imply(name: string, outer?: Open): Open {
    const element: Element = { name, attributes: {}, classes: [], parent: outer?.element, previous: undefined }
    const box = this.#boxOf(element, outer?.box ?? PAGE)
    return { element, box, verdict: judge(box), isApart: false, lastChild: undefined }
  }

  #elementOf(name: string, attributes: Attributes, outer: Open | undefined): Element {
    const names = attributes.class?.trim().split(/\s+/) ?? []
    if (names.length > MAX_CLASSES) this.#doubt('an element with too many classes')
    const element: Element = {
      name,
      attributes,
      classes: names.slice(0, MAX_CLASSES),
      parent: outer?.element,
      previous: outer?.lastChild,
    }
    if (outer) outer.lastChild = element
    return element
  }

  #boxOf(element: Element, outer: Box): Box {
    const { sure, possible, generated } = this.#cascade.of(element)
    if (this.#budget.isExceeded) return unknownIn(outer)
    // Most elements have no style of their own.
    if (sure.length === 0 && !possible && generated.length === 0 && !hasOwnStyle(element)) return outer
    if (!this.#budget.takeStep(STEPS_OF_BOX)) return unknownIn(outer)
    const own = withName(boxOf(element, sure, outer), element)
    if (generated.length > 0 && own.hidden === undefined) this.#add(generated)
    if (!possible) return own
    // What may apply may show as well as hide: only what is hidden in both cases is hidden.
    const other = withName(boxOf(element, possible, outer), element)
    const differs = judge(own).reading !== judge(other).reading
    const base = own.hidden !== undefined ? other : own
    return differs ? { ...base, doubts: [...base.doubts, 'a style that may apply'] } : base
  }

  #add(declarations: readonly Declaration[]): void {
    for (const { name, value } of declarations) {
      if (name !== 'content') continue
      const text = value.map((token) => (token[0] === 'string-token' ? token[4].value : '')).join('')
      if (value.some(([type]) => type === 'function-token')) this.#doubt('text that a style adds')
      if (!/[\p{L}\p{N}]/u.test(text) || this.#addedLength > MAX_ADDED || this.#added.includes(text)) continue
      this.#addedLength += text.length
      this.#added.push(text.slice(0, MAX_ADDED))
      this.#doubt('text that a style adds')
    }
  }
}

/** Elements and attributes that have a style without any rule. */
const STYLED = new Set([
  'a',
  'bdo',
  'body',
  'button',
  'details',
  'dialog',
  'font',
  'input',
  'mark',
  'rt',
  'small',
  'sub',
  'sup',
  'textarea',
])
const STYLING = ['hidden', 'popover', 'dir', 'bgcolor', 'background']

const hasOwnStyle = ({ name, attributes }: Element): boolean =>
  STYLED.has(name) || Object.hasOwn(DIFFERENT, name) || STYLING.some((each) => attributes[each] !== undefined)

/** Beyond the budget, text is visible unless the element around it is not displayed. */
const unknownIn = (outer: Box): Box => (outer.hidden === undefined ? PAGE : outer)

/** Elements that programs show differently make their text doubtful. */
function withName(box: Box, { name, attributes }: Element): Box {
  if (name === 'details' && attributes.open === undefined) {
    return { ...box, doubts: [...box.doubts, 'text that is folded until a person opens it'] }
  }
  const what = Object.hasOwn(DIFFERENT, name) ? DIFFERENT[name] : undefined
  if (what === undefined || attributes.hidden !== undefined) return box
  return { ...box, doubts: [...box.doubts, `text in ${what}`] }
}
