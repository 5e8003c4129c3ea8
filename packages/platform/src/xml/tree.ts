/** Builds the tree of elements from the tokens of an XML document, within limits. */
import type { QuoteType } from 'htmlparser2'
import { withoutEntities } from './text.ts'

export interface XmlElement {
  /** '' if there is none. */
  readonly namespace: string
  /** Without prefix. */
  readonly name: string
  /** By name as written, including the prefix, without namespace declarations. */
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  /** The text directly inside, without that of child elements. Line ends are unchanged. */
  readonly text: string
}

/** Each limit bounds the work of parsing, not only the size. */
export interface XmlLimits {
  /** Default 64 M. */
  readonly characters?: number
  /** Default 64. */
  readonly depth?: number
  /** Default one million. */
  readonly elements?: number
  /** Attributes and namespace declarations of the whole document. Default one million. */
  readonly attributes?: number
  /** Attributes and namespace declarations of one element. Default 256. */
  readonly attributesOfElement?: number
  /** References such as `&lt;` in the whole document. Default one million. */
  readonly references?: number
}

/** Limits for one child of the root. A larger child is skipped. */
export interface XmlChildLimits extends XmlLimits {
  readonly elementsOfChild: number
  readonly charactersOfChild: number
}

/** The document is not valid XML or exceeds a limit. The message quotes nothing of the source. */
export class XmlError extends Error {
  override readonly name: string = 'XmlError'
}

/** The document exceeds a limit. */
export class XmlTooLarge extends XmlError {
  override readonly name = 'XmlTooLarge'
  readonly reason = 'limit'
}

/** The namespaces that an element declares, by prefix ('' for names without one), and the enclosing scope. */
interface Scope {
  readonly declared: Readonly<Record<string, string>>
  readonly outer: Scope | undefined
}

interface OpenElement {
  readonly tag: string
  readonly scope: Scope
  readonly element: {
    namespace: string
    name: string
    attributes: Record<string, string>
    children: XmlElement[]
    text: string
  }
}

const noAttributes: Record<string, string> = Object.freeze({})
/** Without a prototype, because the prefixes are untrusted. */
const known: Scope = {
  declared: Object.assign(Object.create(null), { '': '', xml: 'http://www.w3.org/XML/1998/namespace' }),
  outer: undefined,
}

/** No limits except those of the whole document. */
const anyChild = { elementsOfChild: Number.POSITIVE_INFINITY, charactersOfChild: Number.POSITIVE_INFINITY }

export class TreeReader {
  readonly #source: string
  readonly #limits: Required<XmlChildLimits>
  readonly #take: ((child: XmlElement) => void) | undefined
  readonly #open: OpenElement[] = []
  #elements = 0
  #allAttributes = 0
  #root: XmlElement | undefined
  #tag = ''
  #attributes: Record<string, string> = noAttributes
  #attributeCount = 0
  #attribute = ''
  #value = ''
  /** Size of the current child of the root. */
  #child = { elements: 0, characters: 0, isPassedOver: false }
  passedOver = 0

  constructor(source: string, limits: XmlLimits | XmlChildLimits, take?: (child: XmlElement) => void) {
    this.#source = source
    this.#limits = { ...defaults, ...anyChild, ...limits }
    this.#take = take
  }

  root(): XmlElement {
    if (this.#root === undefined || this.#open.length > 0) throw new XmlError('the document ends too early')
    return this.#root
  }

  onopentagname(start: number, end: number): void {
    this.#tag = this.#source.slice(start, end)
    this.#attributes = noAttributes
    this.#attributeCount = 0
  }

  onattribname(start: number, end: number): void {
    this.#attributeCount += 1
    this.#allAttributes += 1
    if (this.#attributeCount > this.#limits.attributesOfElement) {
      throw new XmlTooLarge('an element has too many attributes')
    }
    if (this.#allAttributes > this.#limits.attributes) throw new XmlTooLarge('the document has too many attributes')
    this.#attribute = this.#source.slice(start, end)
    this.#value = ''
  }

  onattribdata(start: number, end: number): void {
    this.#value += this.#source.slice(start, end)
  }

  onattribentity(): void {}

  onattribend(_quote: QuoteType, _end: number): void {
    // Without a prototype, because the names are untrusted.
    if (this.#attributes === noAttributes) this.#attributes = Object.create(null)
    this.#attributes[this.#attribute] = withoutEntities(this.#value)
  }

  onopentagend(): void {
    const depth = this.#open.length
    const parent = this.#open[depth - 1]
    if (depth >= this.#limits.depth) throw new XmlTooLarge('the document is too deep')
    if (this.#elements >= this.#limits.elements) throw new XmlTooLarge('the document has too many elements')
    if (parent === undefined && this.#root !== undefined) throw new XmlError('the document has two roots')
    this.#elements += 1
    const opened = openElement(this.#tag, this.#attributes, parent?.scope ?? known)
    if (parent === undefined) this.#root = opened.element
    else if (depth === 1 && this.#take) this.#child = { elements: 0, characters: 0, isPassedOver: false }
    else if (!this.#isTooLarge(1, 0)) parent.element.children.push(opened.element)
    this.#open.push(opened)
  }

  /** Adds to the size of the current child of the root. Returns whether it exceeds its limits. */
  #isTooLarge(elements: number, characters: number): boolean {
    const child = this.#child
    child.elements += elements
    child.characters += characters
    const { elementsOfChild, charactersOfChild } = this.#limits
    if (child.elements > elementsOfChild || child.characters > charactersOfChild) child.isPassedOver = true
    return child.isPassedOver
  }

  onselfclosingtag(): void {
    this.onopentagend()
    this.#close()
  }

  onclosetag(start: number, end: number): void {
    const tag = this.#source.slice(start, end).trimEnd()
    if (this.#open.at(-1)?.tag !== tag) throw new XmlError('an element is closed that was not open')
    this.#close()
  }

  #close(): void {
    const closed = this.#open.pop()
    if (closed === undefined || this.#open.length !== 1 || !this.#take) return
    if (this.#child.isPassedOver) this.passedOver += 1
    else this.#take(closed.element)
  }

  ontext(start: number, end: number): void {
    const top = this.#open.at(-1)
    if (top === undefined || this.#isTooLarge(0, end - start)) return
    top.element.text += withoutEntities(this.#source.slice(start, end))
  }

  oncdata(start: number, end: number, endOffset: number): void {
    const top = this.#open.at(-1)
    if (top === undefined || this.#isTooLarge(0, end - start)) return
    top.element.text += this.#source.slice(start, end - endOffset)
  }

  // References are decoded with the surrounding text: the tokenizer would check every character for them.
  ontextentity(): void {}

  ondeclaration(): void {
    throw new XmlError('a document type is not allowed')
  }

  oncomment(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}
}

const defaults = {
  characters: 64 * 1024 * 1024,
  depth: 64,
  elements: 1_000_000,
  attributes: 1_000_000,
  attributesOfElement: 256,
  references: 1_000_000,
} satisfies XmlLimits

function openElement(tag: string, written: Record<string, string>, outer: Scope): OpenElement {
  const { scope, attributes } = declaredIn(written, outer)
  const colon = tag.indexOf(':')
  const namespace = namespaceOf(colon < 0 ? '' : tag.slice(0, colon), scope)
  if (namespace === undefined) throw new XmlError('an element has a prefix that is not declared')
  return {
    tag,
    scope,
    element: { namespace, name: colon < 0 ? tag : tag.slice(colon + 1), attributes, children: [], text: '' },
  }
}

/** Searches outwards, at most as many steps as the document is deep. */
function namespaceOf(prefix: string, scope: Scope): string | undefined {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) {
    const found = at.declared[prefix]
    if (found !== undefined) return found
  }
  return undefined
}

/** Separates namespace declarations from the other attributes. */
function declaredIn(
  written: Record<string, string>,
  outer: Scope,
): { scope: Scope; attributes: Record<string, string> } {
  if (written === noAttributes) return { scope: outer, attributes: noAttributes }
  let declared: Record<string, string> | undefined
  let attributes = noAttributes
  for (const name in written) {
    const value = written[name] ?? ''
    if (name === 'xmlns' || name.startsWith('xmlns:')) {
      declared ??= Object.create(null) as Record<string, string>
      declared[name.slice(6)] = value
    } else {
      if (attributes === noAttributes) attributes = Object.create(null)
      attributes[name] = value
    }
  }
  return { scope: declared ? { declared, outer } : outer, attributes }
}
