/**
 * The values of vCards in written form: escapes, lists and structures (RFC 2426 §4, RFC 6350 §3.4). Pure. Programs
 * escape too much (`https\://`) or too little (`C:\notes`), so invalid escapes stay as they are.
 */

import { checkText } from '../icalendar/content-lines.ts'

/** The text of a value. */
export const unescapeText = (value: string): string => {
  checkText(value)
  return value.includes('\\')
    ? value.replace(/\\([nN,;:\\])/g, (_, character: string) =>
        character === 'n' || character === 'N' ? '\n' : character,
      )
    : value
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: no card holds them, and servers refuse cards that do
const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g

/** A text as one value, or as one part of a structure. Version 2.1 has no escapes for line breaks and commas. */
export const escapeText = (text: string, version: string): string => {
  const clean = text.replace(/\r\n?/g, '\n').replace(CONTROLS, '')
  return version === '2.1' ? clean.replace(/[\\;]/g, '\\$&') : clean.replace(/[\\,;]/g, '\\$&').replaceAll('\n', '\\n')
}

/** The still escaped parts of a value between unescaped separators. */
export function splitValue(value: string, mark: ';' | ','): string[] {
  checkText(value)
  const parts: string[] = []
  let begin = 0
  for (let at = 0; at < value.length; at += 1) {
    if (value[at] === '\\') at += 1
    else if (value[at] === mark) {
      parts.push(value.slice(begin, at))
      begin = at + 1
    }
  }
  parts.push(value.slice(begin))
  return parts
}

/** The nonempty texts of a list. */
export const textsOf = (value: string): string[] =>
  splitValue(value, ',')
    .map((part) => unescapeText(part).trim())
    .filter((text) => text !== '')

/** The parts of a structure as texts. A part that is itself a list, which version 2.1 does not have, is joined. */
export const partsOf = (value: string, { joint, version }: { joint: string; version: string }): string[] =>
  splitValue(value, ';').map((part) => (version === '2.1' ? unescapeText(part).trim() : textsOf(part).join(joint)))

/** A structure with some parts replaced; the rest stays as it is written. */
export function withParts(value: string, parts: Readonly<Record<number, string>>, version: string): string {
  const written = splitValue(value, ';')
  for (const [index, text] of Object.entries(parts)) {
    while (written.length <= Number(index)) written.push('')
    written[Number(index)] = escapeText(text, version)
  }
  return written.join(';')
}
