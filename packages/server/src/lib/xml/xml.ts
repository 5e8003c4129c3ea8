/**
 * XML that strangers wrote, read as a tree of elements with their namespaces. Strict where leniency would hide something:
 * an answer that broke off in the middle is none. A document type is refused, so that there are no entities but the five
 * of XML and the numeric ones. Size, depth, elements, attributes, namespaces and references are limited, and the time that
 * reading takes grows with the length of the document alone. Built on the tokenizer of htmlparser2.
 */
import { Tokenizer } from 'htmlparser2'
import { decoded, withoutControls } from './text.ts'
import { TreeReader, type XmlChildLimits, type XmlElement, XmlError, type XmlLimits, XmlTooLarge } from './tree.ts'

export { type XmlChildLimits, type XmlElement, XmlError, type XmlLimits, XmlTooLarge } from './tree.ts'

/** The root element. Bytes are read as their byte order mark or XML declaration says, else as UTF-8. Throws an XmlError. */
export function parseXml(source: string | Uint8Array, limits: XmlLimits = {}): XmlElement {
  const text = textOf(source, limits)
  const reader = new TreeReader(text, limits)
  readAll(text, reader)
  return reader.root()
}

/**
 * The children of the root, each as soon as it is whole, so that a document is never in memory as a tree. Answers the root
 * without its children, and how many were passed over because they exceed the limits of a child.
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
  if (written === undefined) throw new XmlError('the encoding of the document is not known')
  const text = withoutControls(written)
  if (text.length > characters) throw new XmlTooLarge('the document is too long')
  // The shortest has four characters.
  if (text.length / 4 > references) checkReferences(text, references)
  return text
}

function checkReferences(text: string, most: number): void {
  let left = most
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) {
    if (left-- <= 0) throw new XmlTooLarge('the document has too many references')
  }
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
