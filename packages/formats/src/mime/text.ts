/** The text of a body: decodes its transfer encoding, its charset, and the soft line breaks of format=flowed. */
import { asBuffer, decodeText } from './charset.ts'
import { decodeBytes, looksLikeBase64 } from './encoding.ts'
import { MAX_TEXT_BYTES } from './limit.ts'
import type { PartNode } from './structure.ts'

/** Maximum number of encoded bytes per byte of content. */
const MAX_EXPANSION = 3
const META_CHARSET = /<meta[^>]{0,200}charset\s{0,5}=\s{0,5}["']?([\w.:-]{2,40})/i

/** The text of a part from its encoded bytes, truncated if it is too long. */
export function textOf(part: PartNode, bytes: Uint8Array): string {
  const raw = asBuffer(bytes).subarray(0, MAX_TEXT_BYTES * MAX_EXPANSION)
  const encoding = part.encoding === 'base64' && !looksLikeBase64(raw) ? '8bit' : part.encoding
  const content = decodeBytes(raw, encoding).subarray(0, MAX_TEXT_BYTES)
  const charset = part.parameters.charset ?? (part.type === 'text/html' ? metaCharset(content) : undefined)
  const decoded = decodeText(content, charset)
  const text = decoded.includes('\r') ? decoded.replaceAll('\r\n', '\n') : decoded
  const isFlowed = part.type === 'text/plain' && part.parameters.format?.toLowerCase() === 'flowed'
  return isFlowed ? unflow(text, part.parameters.delsp?.toLowerCase() === 'yes') : text
}

const metaCharset = (content: Buffer): string | undefined => META_CHARSET.exec(content.toString('latin1', 0, 2048))?.[1]

/** RFC 3676: a line that ends with a space continues in the next line of the same quote depth. */
function unflow(text: string, deletesBlank: boolean): string {
  const paragraphs: string[] = []
  let pieces: string[] = []
  let depth = 0
  let open = false
  const close = (): void => {
    if (pieces.length > 0) paragraphs.push(pieces.join(''))
    pieces = []
    open = false
  }
  for (const line of text.split('\n')) {
    const quotes = quoteDepth(line)
    const content = line.startsWith(' ', quotes) ? line.slice(quotes + 1) : line.slice(quotes)
    if (!open || quotes !== depth || content === '-- ') close()
    if (!open) pieces.push(quotes === 0 ? '' : `${'>'.repeat(quotes)} `)
    open = content.endsWith(' ') && content !== '-- '
    depth = quotes
    pieces.push(open && deletesBlank ? content.slice(0, -1) : content)
    if (!open) close()
  }
  close()
  return paragraphs.join('\n')
}

function quoteDepth(line: string): number {
  let depth = 0
  while (line.charCodeAt(depth) === 0x3e) depth++
  return depth
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Plain text as a piece of HTML, for bodies that have both. */
export const textAsHtml = (text: string): string =>
  `<div style="white-space: pre-wrap">${text.replaceAll(/[&<>"]/g, (found) => ENTITIES[found] ?? '')}</div>`
