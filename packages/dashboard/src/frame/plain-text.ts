/** Plain text as a document shows it: its lines, and what begins like an address on the web as a link. */

/** What a browser would show as markup, and not as the text that it is. */
const markup =
  /<(?:!doctype html|html|head|body|div|p|br|table|tr|td|span|a|img|font|style|meta|b|i|u|em|strong|ul|ol|li|h[1-6]|blockquote|center|pre|hr|title|code|small|section|article)(?:\s+[a-z][\w:-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s<>"']+))?)*\s*\/?>/i

/** Whether the body of a message is HTML: the API does not say. */
export const isHtml = (body: string): boolean => markup.test(body)

export interface TextPiece {
  text: string
  /** Where it leads. */
  href?: string
}

const address = /\bhttps?:\/\/[^\s<>"'`{}|\\^]+/gi
/** What follows an address in a sentence and is none of it. */
const behind = /[.,;:!?)\]]+$/

/** A text in pieces: those that are addresses, and what stands between. */
export function piecesOf(text: string): TextPiece[] {
  const pieces: TextPiece[] = []
  let end = 0
  for (const found of text.matchAll(address)) {
    const href = found[0].replace(behind, '')
    if (found.index > end) pieces.push({ text: text.slice(end, found.index) })
    pieces.push({ text: href, href })
    end = found.index + href.length
  }
  if (end < text.length) pieces.push({ text: text.slice(end) })
  return pieces
}
