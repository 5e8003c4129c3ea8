/** Splits plain text into lines and turns web addresses into links. */

/** Text that a browser would interpret as markup. */
const markup =
  /<(?:!doctype html|html|head|body|div|p|br|table|tr|td|span|a|img|font|style|meta|b|i|u|em|strong|ul|ol|li|h[1-6]|blockquote|center|pre|hr|title|code|small|section|article)(?:\s+[a-z][\w:-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s<>"']+))?)*\s*\/?>/i

/** Whether a message body is HTML. The API does not say, so the body is inspected. */
export const isHtml = (body: string): boolean => markup.test(body)

export interface TextPiece {
  text: string
  /** Target of the link. */
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
