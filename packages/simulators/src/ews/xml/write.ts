// Writes the XML of responses. Tags use the prefixes of `namespaces.ts`, which the envelope declares.

export interface Xml {
  readonly tag: string
  readonly attributes: Attributes
  readonly content: string | readonly Xml[]
}

/** Attributes without a value are omitted. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>
type Content = string | number | boolean | readonly (Xml | undefined)[]

/**
 * `element('t:Subject', 'Hi')`, `element('t:FolderId', { Id, ChangeKey })`, `element('t:Folders', [a, b])`, or with
 * both: `element('t:Body', { BodyType: 'HTML' }, text)`. Undefined children are omitted.
 */
export function element(tag: string, ...rest: [] | [Content | Attributes] | [Attributes, Content]): Xml {
  const [first, second] = rest
  const attributes = isAttributes(first) ? first : {}
  const content = isAttributes(first) ? (second ?? []) : (first ?? [])
  return { tag, attributes, content: Array.isArray(content) ? content.filter(isXml) : String(content) }
}

/** An element, or undefined if there is no value. */
export function optional(tag: string, value: string | number | boolean | undefined): Xml | undefined {
  return value === undefined ? undefined : element(tag, value)
}

function isAttributes(value: Content | Attributes | undefined): value is Attributes {
  return typeof value === 'object' && !Array.isArray(value)
}

function isXml(value: unknown): value is Xml {
  return value !== undefined
}

export function writeXml({ tag, attributes, content }: Xml): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('')
  const inside = typeof content === 'string' ? escapeXml(content) : content.map(writeXml).join('')
  return inside === '' ? `<${tag}${written}/>` : `<${tag}${written}>${inside}</${tag}>`
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#xD;',
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const forbidden = /[\x00-\x08\x0b\x0c\x0e-\x1f]/g
const forbiddenReferences = /&#x(?:[0-8BCEF]|1[0-9A-F]);/g

/** Characters that XML forbids are written as references, as Exchange does. */
const referenceTo = (character: string): string => `&#x${character.charCodeAt(0).toString(16).toUpperCase()};`

/** Removes references to characters that XML forbids. */
export const withoutForbidden = (xml: string): string => xml.replace(forbiddenReferences, '')

export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\ufffe\uffff]/g, '')
    .replace(/[&<>"\r]/g, (character) => escapes[character] ?? '')
    .replace(forbidden, referenceTo)
}
