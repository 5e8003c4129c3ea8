/**
 * XML that strangers wrote, read as a tree of elements with their namespaces. Strict where leniency would hide something:
 * an answer that broke off in the middle is none. A document type is refused, so that there are no entities but the five
 * of XML and the numeric ones; size, depth and number of elements are limited. Built on the tokenizer of htmlparser2.
 */
import { type QuoteType, Tokenizer } from 'htmlparser2'

export interface XmlElement {
  /** '' where it has none. */
  readonly namespace: string
  /** Without prefix. */
  readonly name: string
  /** By their names as written, prefix included; namespace declarations left out. */
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  /** The text right inside, without that of children. Line ends are as written. */
  readonly text: string
}

export interface XmlLimits {
  /** Default 64 M. */
  readonly characters?: number
  /** Default 64. */
  readonly depth?: number
  /** Default one million. */
  readonly elements?: number
}

/** What is no XML, or more of it than may be read. The message quotes nothing of the source. */
export class XmlError extends Error {
  override readonly name = 'XmlError'
}

/** The root element. Bytes are read as their byte order mark or XML declaration says, else as UTF-8. Throws an XmlError. */
export function parseXml(source: string | Uint8Array, limits: XmlLimits = {}): XmlElement {
  const { text, reader, tokenizer } = openReader(source, limits)
  tokenizer.write(text)
  tokenizer.end()
  return reader.root()
}

/** The same for what may be long: others are let in between slices. */
export async function parseLongXml(source: string | Uint8Array, limits: XmlLimits = {}): Promise<XmlElement> {
  const { text, reader, tokenizer } = openReader(source, limits)
  for (let from = 0; from < text.length; ) {
    // Cut before a tag, so that no text and no entity is cut.
    const tag = from + sliceLength < text.length ? text.indexOf('<', from + sliceLength) : -1
    const to = tag === -1 ? text.length : tag
    tokenizer.write(text.slice(from, to))
    from = to
    if (from < text.length) await immediate()
  }
  tokenizer.end()
  return reader.root()
}

/** Some milliseconds of work. */
const sliceLength = 512 * 1024
const immediate = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function openReader(source: string | Uint8Array, limits: XmlLimits) {
  const text = withoutControls(typeof source === 'string' ? source : decoded(source))
  if (text.length > (limits.characters ?? 64 * 1024 * 1024)) throw new XmlError('the document is too long')
  const reader = new TreeReader(text, limits)
  return { text, reader, tokenizer: new Tokenizer({ xmlMode: true, decodeEntities: false }, reader) }
}

/** The text of an attribute or element, as it may stand in a document. */
export const escapeXml = (text: string): string =>
  withoutControls(text).replace(/[&<>"'\r]/g, (character) => escapes[character] ?? '')

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // A reader of XML would make a line feed of it.
  '\r': '&#13;',
}

export const isElement = (element: XmlElement, namespace: string, name: string): boolean =>
  element.name === name && element.namespace === namespace

/** The first child of a name. */
export const childOf = (element: XmlElement, namespace: string, name: string): XmlElement | undefined =>
  element.children.find((child) => isElement(child, namespace, name))

/** All children of a name. */
export const childrenOf = (element: XmlElement, namespace: string, name: string): XmlElement[] =>
  element.children.filter((child) => isElement(child, namespace, name))

const isControl = (code: number): boolean => code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d

// Servers store what they were given, and write characters into XML that may not stand there.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const controls = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/
const allControls = new RegExp(controls, 'g')
const withoutControls = (text: string): string => (controls.test(text) ? text.replace(allControls, '') : text)

const numeric = /&(?:amp|#(\d{1,7})|#x([\da-fA-F]{1,6}));/g

/** The five entities of XML and the numeric ones; any other stays as it is written. */
function withoutEntities(text: string): string {
  if (!text.includes('&')) return text
  // One after the other where they are many, as the line ends of calendars and the tags of HTML are: that is faster than one
  // expression for all. What an ampersand or a number stands for is not read again, so these come last, and at once.
  let plain = text.replaceAll('&#13;', '\r')
  for (const [written, character] of frequent) {
    if (!plain.includes('&')) return plain
    plain = plain.replaceAll(written, character)
  }
  if (!plain.includes('&')) return plain
  return plain.replace(numeric, (_, decimal?: string, hexadecimal?: string) => {
    if (decimal) return characterOf(Number(decimal))
    return hexadecimal ? characterOf(Number.parseInt(hexadecimal, 16)) : '&'
  })
}

const frequent = [
  ['&#xD;', '\r'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&apos;', "'"],
] as const

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder(encodingOf(bytes)).decode(bytes)
  } catch {
    throw new XmlError('the encoding of the document is not known')
  }
}

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 200)).toString('latin1')
  return /^(?:\xef\xbb\xbf)?<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/.exec(head)?.[1] ?? 'utf-8'
}

/** Which namespace each prefix stands for; '' is that of names without one. */
type Namespaces = Readonly<Record<string, string>>

interface OpenElement {
  readonly tag: string
  readonly namespaces: Namespaces
  readonly element: {
    namespace: string
    name: string
    attributes: Record<string, string>
    children: XmlElement[]
    text: string
  }
}

const noAttributes: Record<string, string> = Object.freeze({})
/** Without the prototype of objects: the prefixes are a stranger's. */
const known: Namespaces = Object.assign(Object.create(null), { '': '', xml: 'http://www.w3.org/XML/1998/namespace' })

class TreeReader {
  readonly #source: string
  readonly #depth: number
  #left: number
  readonly #open: OpenElement[] = []
  #root: XmlElement | undefined
  #tag = ''
  #attributes: Record<string, string> = noAttributes
  #attribute = ''
  #value = ''

  constructor(source: string, { depth = 64, elements = 1_000_000 }: XmlLimits) {
    this.#source = source
    this.#depth = depth
    this.#left = elements
  }

  root(): XmlElement {
    if (this.#root === undefined || this.#open.length > 0) throw new XmlError('the document ends too early')
    return this.#root
  }

  onopentagname(start: number, end: number): void {
    this.#tag = this.#source.slice(start, end)
    this.#attributes = noAttributes
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.#source.slice(start, end)
    this.#value = ''
  }

  onattribdata(start: number, end: number): void {
    this.#value += this.#source.slice(start, end)
  }

  onattribentity(): void {}

  onattribend(_quote: QuoteType, _end: number): void {
    // Without the prototype of objects: the names are a stranger's.
    if (this.#attributes === noAttributes) this.#attributes = Object.create(null)
    this.#attributes[this.#attribute] = withoutEntities(this.#value)
  }

  onopentagend(): void {
    const parent = this.#open.at(-1)
    if (this.#open.length >= this.#depth) throw new XmlError('the document is too deep')
    if (this.#left-- <= 0) throw new XmlError('the document has too many elements')
    if (parent === undefined && this.#root !== undefined) throw new XmlError('the document has two roots')
    const opened = openElement(this.#tag, this.#attributes, parent?.namespaces ?? known)
    if (parent === undefined) this.#root = opened.element
    else parent.element.children.push(opened.element)
    this.#open.push(opened)
  }

  onselfclosingtag(): void {
    this.onopentagend()
    this.#open.pop()
  }

  onclosetag(start: number, end: number): void {
    const tag = this.#source.slice(start, end).trimEnd()
    if (this.#open.pop()?.tag !== tag) throw new XmlError('an element is closed that is not open')
  }

  ontext(start: number, end: number): void {
    const top = this.#open.at(-1)
    if (top !== undefined) top.element.text += withoutEntities(this.#source.slice(start, end))
  }

  oncdata(start: number, end: number, endOffset: number): void {
    const top = this.#open.at(-1)
    if (top !== undefined) top.element.text += this.#source.slice(start, end - endOffset)
  }

  // Entities are read with the text that they stand in: the tokenizer looks at every character where it looks for them.
  ontextentity(): void {}

  ondeclaration(): void {
    throw new XmlError('a document type is not taken')
  }

  oncomment(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}
}

const characterOf = (code: number): string => {
  if (isControl(code)) return ''
  return code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? '\ufffd' : String.fromCodePoint(code)
}

function openElement(tag: string, written: Record<string, string>, outer: Namespaces): OpenElement {
  const { namespaces, attributes } = declaredIn(written, outer)
  const colon = tag.indexOf(':')
  const prefix = colon < 0 ? '' : tag.slice(0, colon)
  const namespace = namespaces[prefix]
  if (namespace === undefined) throw new XmlError('an element has a prefix that is not declared')
  return {
    tag,
    namespaces,
    element: { namespace, name: colon < 0 ? tag : tag.slice(colon + 1), attributes, children: [], text: '' },
  }
}

/** Tells the declarations of namespaces from the other attributes. */
function declaredIn(
  written: Record<string, string>,
  outer: Namespaces,
): { namespaces: Namespaces; attributes: Record<string, string> } {
  if (written === noAttributes) return { namespaces: outer, attributes: noAttributes }
  let namespaces: Record<string, string> | undefined
  let attributes = noAttributes
  for (const name in written) {
    const value = written[name] ?? ''
    if (name === 'xmlns' || name.startsWith('xmlns:')) {
      namespaces ??= Object.assign(Object.create(null), outer)
      if (namespaces) namespaces[name.slice(6)] = value
    } else {
      if (attributes === noAttributes) attributes = Object.create(null)
      attributes[name] = value
    }
  }
  return { namespaces: namespaces ?? outer, attributes }
}
