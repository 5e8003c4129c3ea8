/**
 * The lines of vCards (RFC 2426, RFC 6350 and version 2.1) beyond the grammar shared with iCalendar. This covers
 * quoted-printable values, which have their own line breaks, types without `TYPE=`, and the form of new lines in each
 * version. Pure; the input is untrusted.
 */
import { ContentLine, type Item, type LineParameter, parameterValues } from '../icalendar/content-lines.ts'
import { fold } from '../icalendar/icalendar.ts'
import { decodeText } from '../mime/charset.ts'
import { decodeBytes } from '../mime/encoding.ts'

export type Version = '2.1' | '3.0' | '4.0'

/** A property to write. Its value is already escaped. Only in version 2.1 may it contain line breaks. */
export interface NewProperty {
  group?: string | undefined
  name: string
  parameters?: readonly LineParameter[]
  value: string
}

const SOFT_BREAK = /=[ \t]*(?<!\r)\r*\n/g
const FOLD = /(?<!\r)\r*\n[ \t]/g
const LINE_END = /(?<!\r)\r*\n?$/

/** The encoding of a value. Version 2.1 may name it without `ENCODING=`. */
function encodingOf(line: ContentLine): 'quoted-printable' | 'base64' | undefined {
  for (const { name, text } of line.parameters) {
    if (name !== 'ENCODING' && name !== 'TYPE') continue
    if (/^"?quoted-printable"?$/i.test(text)) return 'quoted-printable'
    if (/^"?(?:b|base64)"?$/i.test(text)) return 'base64'
  }
  return undefined
}

const isEncodingWord = (type: string): boolean => /^(?:quoted-printable|base64|8bit|7bit)$/i.test(type)

/** The decoded but still escaped value of a line. Base64 stays encoded, without blanks. */
export function writtenValue(line: ContentLine): string {
  const encoding = encodingOf(line)
  if (encoding === 'base64') return line.value.replace(/\s+/g, '')
  if (encoding !== 'quoted-printable') return line.value
  const written = line.raw.replace(SOFT_BREAK, '').replace(FOLD, '').replace(LINE_END, '')
  const { value } = new ContentLine(written, line.name, line.group)
  const bytes = decodeBytes(Buffer.from(value, 'utf8'), 'quoted-printable')
  return decodeText(bytes, line.parameter('CHARSET') ?? 'utf-8').replace(/\r\n?/g, '\n')
}

/** The values of all TYPE parameters. */
export function typesOf(line: ContentLine): string[] {
  const types: string[] = []
  for (const { name, text } of line.parameters) {
    if (name !== 'TYPE') continue
    for (const value of parameterValues(text)) {
      for (const type of value.split(','))
        if (type.trim() !== '' && !isEncodingWord(type.trim())) types.push(type.trim())
    }
  }
  return types
}

/** The parameters of a line, except the given names and those about its encoding. */
export const parametersWithout = (line: ContentLine, ...names: readonly string[]): LineParameter[] =>
  line.parameters.filter(
    ({ name, text }) =>
      !names.includes(name) && name !== 'ENCODING' && name !== 'CHARSET' && !(name === 'TYPE' && isEncodingWord(text)),
  )

/** Whether the next line would be read as a continuation of this one. */
export const isOpenEnded = (line: ContentLine): boolean =>
  encodingOf(line) === 'quoted-printable' && hasSoftBreak(line.raw)

/** Whether quoted-printable continues in the next line. Only a few blanks may precede the end of a line. */
const hasSoftBreak = (raw: string): boolean => /=[ \t]*\r*\n$/.test(raw.slice(-100))

/** The items of a card, with lines joined that version 2.1 breaks without a leading blank. */
export function joinBroken(items: readonly Item[]): Item[] {
  const joined: Item[] = []
  for (let at = 0; at < items.length; at += 1) {
    const item = items[at]
    if (!(item instanceof ContentLine)) {
      if (item) joined.push(item)
      continue
    }
    const rest = restOf(item, items, at + 1)
    joined.push(rest.length === 0 ? item : new ContentLine(`${item.raw}${rest.join('')}`, item.name, item.group))
    at += rest.length
  }
  return joined
}

/** The continuation lines of a line. Each is visited once, instead of searching the joined text again. */
function restOf(first: ContentLine, items: readonly Item[], from: number): string[] {
  const encoding = encodingOf(first)
  if (encoding === undefined) return []
  const rest: string[] = []
  let last = first.raw
  for (let at = from; at < items.length; at += 1) {
    const next = items[at]
    if (!(next instanceof ContentLine)) break
    const goesOn =
      encoding === 'quoted-printable' ? hasSoftBreak(last) : next.name === '' && /^[A-Za-z0-9+/=]+\s*$/.test(next.raw)
    if (!goesOn) break
    rest.push(next.raw)
    last = next.raw
  }
  return rest
}

/** Whether version 2.1 must encode a value: it has no escapes for line breaks and accepts only ASCII. */
const needsQuoting = (value: string): boolean => /[^\x20-\x7e]/.test(value)

/** Colons are also encoded, so that a continuation line never looks like a property. */
function quotedPrintable(value: string, used: number): string {
  const units = Array.from(Buffer.from(value.replace(/\r\n?|\n/g, '\r\n'), 'utf8'), (byte) =>
    byte < 0x20 || byte > 0x7e || byte === 0x3d || byte === 0x3a
      ? `=${byte.toString(16).toUpperCase().padStart(2, '0')}`
      : String.fromCharCode(byte),
  )
  let length = used
  let text = ''
  for (const [index, unit] of units.entries()) {
    // A blank at the beginning of a line would be read as a fold.
    if (length + unit.length > 75 && unit !== ' ' && index > 0) {
      text += '=\r\n'
      length = 0
    }
    text += unit
    length += unit.length
  }
  return text
}

const parameterText = (version: Version, { name, text }: LineParameter): string => {
  if (name !== 'TYPE') return `;${name}=${text}`
  if (version === '2.1')
    return parameterValues(text)
      .map((type) => `;${type}`)
      .join('')
  return `;TYPE=${text}`
}

/** The text after a line's name and parameters. Version 2.1 folds only at blanks, so only base64 is folded there. */
function bodyOf(head: string, value: string, { version, isQuoted }: { version: Version; isQuoted: boolean }): string {
  if (isQuoted) return `${head}${quotedPrintable(value, head.length)}`
  const line = `${head}${value}`.toWellFormed()
  return version === '2.1' && !/ENCODING=BASE64:$/.test(head) ? line : fold(line)
}

/** A new line of a card. */
export function makeLine(property: NewProperty, version: Version, lineEnd: string): ContentLine {
  const { group, name, value, parameters = [] } = property
  const isQuoted = version === '2.1' && needsQuoting(value)
  const texts = parameters.map((each) => parameterText(version, each))
  if (isQuoted) texts.push(';CHARSET=UTF-8', ';ENCODING=QUOTED-PRINTABLE')
  const body = bodyOf(`${group ? `${group}.` : ''}${name}${texts.join('')}:`, value, { version, isQuoted })
  const raw = `${lineEnd === '\r\n' ? body : body.replaceAll('\r\n', lineEnd)}${lineEnd}`
  return new ContentLine(raw, name.toUpperCase(), group)
}

/** A parameter with one value, which may come from a client. */
export function parameterOf(name: string, value: string): LineParameter {
  const codes: Readonly<Record<string, string>> = { '^': '^^', '\n': '^n', '"': "^'" }
  const encoded = value.replace(/[\r\n]+/g, '\n').replace(/[\^\n"]/g, (found) => codes[found] ?? '')
  return { name, text: /^[\w./+-]+$/.test(encoded) ? encoded : `"${encoded}"` }
}
