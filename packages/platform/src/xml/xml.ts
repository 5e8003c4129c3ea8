/**
 * Parses untrusted XML into a tree of elements with namespaces. The parser is strict where leniency would hide a
 * problem: a truncated document is an error. Document types are refused, so the only entities are the five of XML and
 * numeric references. Size, depth, elements, attributes, namespaces and references are limited, and the cost is
 * linear in the length of the document. Built on the tokenizer of htmlparser2.
 */
import { Tokenizer } from 'htmlparser2'
import { decoded, withoutControls } from './text.ts'
import { TreeReader, type XmlChildLimits, type XmlElement, XmlError, type XmlLimits, XmlTooLarge } from './tree.ts'

export { type XmlChildLimits, type XmlElement, XmlError, type XmlLimits, XmlTooLarge } from './tree.ts'

/**
 * Returns the root element. Bytes are decoded according to their byte order mark or XML declaration, otherwise as
 * UTF-8. Throws an XmlError.
 */
export function parseXml(source: string | Uint8Array, limits: XmlLimits = {}): XmlElement {
  const text = textOf(source, limits)
  const reader = new TreeReader(text, limits)
  readAll(text, reader)
  return reader.root()
}

/**
 * Passes on each child of the root as soon as it is complete, so that the whole tree is never in memory. Returns the
 * root without its children, and the number of children skipped because they exceed a limit.
 */
export function parseXmlChildren(
  source: string | Uint8Array,
  limits: XmlChildLimits,
  take: (child: XmlElement) => void,
): { root: XmlElement; passedOver: number } {
  const text = textOf(source, limits)
  const reader = new TreeReader(text, limits, take)
  readAll(text, reader)
  return { root: reader.root(), passedOver: reader.passedOver }
}

function readAll(text: string, reader: TreeReader): void {
  const tokenizer = new Tokenizer({ xmlMode: true, decodeEntities: false }, reader)
  tokenizer.write(text)
  tokenizer.end()
}

function textOf(source: string | Uint8Array, { characters = 64 * 1024 * 1024, references = 1_000_000 }: XmlLimits) {
  const written = typeof source === 'string' ? source : decoded(source)
  if (written === undefined) throw new XmlError('the encoding of the document is not supported')
  const text = withoutControls(written)
  if (text.length > characters) throw new XmlTooLarge('the document is too long')
  // The shortest reference has four characters.
  if (text.length / 4 > references) checkReferences(text, references)
  return text
}

function checkReferences(text: string, max: number): void {
  let left = max
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) {
    if (left-- <= 0) throw new XmlTooLarge('the document has too many references')
  }
}

/** Escapes text for an attribute or element. */
export const escapeXml = (text: string): string =>
  withoutControls(text).replace(/[&<>"'\r]/g, (character) => escapes[character] ?? '')

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // XML parsers would normalize it to a line feed.
  '\r': '&#13;',
}

export const isElement = (element: XmlElement, namespace: string, name: string): boolean =>
  element.name === name && element.namespace === namespace

/** The first child with this name. */
export const childOf = (element: XmlElement, namespace: string, name: string): XmlElement | undefined =>
  element.children.find((child) => isElement(child, namespace, name))

/** All children with this name. */
export const childrenOf = (element: XmlElement, namespace: string, name: string): XmlElement[] =>
  element.children.filter((child) => isElement(child, namespace, name))
