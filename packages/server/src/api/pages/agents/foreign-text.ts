/**
 * Text that the service did not write: names, subjects and messages of agents. It is shown as it is, but characters
 * that a reader cannot see, or that reverse the order of what a reader sees, are replaced by their code.
 */
import { type Html, html } from '../hosted/html.ts'

/**
 * Control characters except line breaks and tabs, direction controls (UAX #9), invisible spaces, soft hyphens, tags
 * and variation selectors beyond the usual ones, and code points for private use. Joiners stay: scripts and emoji need
 * them.
 */
const unseen =
  /[\p{Cc}--[\t\n]]|[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF0-\uFFFB]|[\u{E0000}-\u{E0FFF}]|\p{Co}/gv

/** Previews of approvals have the codes already. */
const shownAsCode = new RegExp(`${unseen.source}|\\[U\\+[0-9A-F]{4,6}\\]`, 'gv')

const codeOf = (character: string): string =>
  character.startsWith('[U+')
    ? character.slice(1, -1)
    : `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

const plain = (text: string): string => text.toWellFormed().replace(/\r\n?/g, '\n')

/** Whether a text has characters that are shown as codes. */
export const hasUnseen = (text: string): boolean => plain(text).search(shownAsCode) !== -1

/** A text with visible codes. */
export function shownText(text: string): Html {
  const parts: Html[] = []
  const whole = plain(text)
  let from = 0
  for (const { 0: character, index } of whole.matchAll(shownAsCode)) {
    parts.push(html`${whole.slice(from, index)}<span class="code">${codeOf(character)}</span>`)
    from = index + character.length
  }
  return html`${parts}${whole.slice(from)}`
}

const maxLineLength = 200

/** A name or a subject for headings and sentences: one short line, without characters that readers cannot see. */
export function shownLine(text: string, maxLength = maxLineLength): string {
  const line = plain(text).replace(unseen, '').replace(/\s+/g, ' ').trim()
  return line.length <= maxLength ? line : `${line.slice(0, maxLength).toWellFormed()}…`
}
