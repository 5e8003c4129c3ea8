/**
 * The bytes of a composed message, written in one go. Nodemailer's own way leads every part through streams and turns of
 * the event loop, which costs more than all else of a short message; this makes the same bytes of the same tree.
 */
import type MimeNode from 'nodemailer/lib/mime-node'
import { encode as encodeQuotedPrintable, wrap as wrapQuotedPrintable } from 'nodemailer/lib/qp'

const lineLength = 76

/** Writes a tree of parts whose line ends are CRLF. */
export async function bytesOf(root: MimeNode): Promise<Buffer> {
  if (!isAtHand(root)) return root.build()
  const bytes = Buffer.concat(piecesOf(root).map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)))
  return bytes.at(-1) === 0x0a ? bytes : Buffer.concat([bytes, Buffer.from('\r\n')])
}

/** Whether no content is still to be read: that of long files comes piece by piece. */
const isAtHand = ({ content, childNodes }: MimeNode): boolean =>
  (!content || typeof content === 'string' || Buffer.isBuffer(content)) && childNodes.every(isAtHand)

function piecesOf(node: MimeNode): (string | Buffer)[] {
  // The first: they say how the content is encoded, and what stands between parts.
  const headers = `${node.buildHeaders()}\r\n\r\n`
  const { content, boundary, multipart, childNodes } = node
  const own = typeof content === 'string' || Buffer.isBuffer(content) ? encoded(node, content) : ''
  if (!multipart) return [headers, own]
  const parts = childNodes.flatMap((child, index) => [
    `${index === 0 ? '' : '\r\n'}--${boundary}\r\n`,
    ...piecesOf(child),
  ])
  return [headers, own, ...parts, `\r\n--${boundary}--\r\n`]
}

function encoded(node: MimeNode, content: string | Buffer): string | Buffer {
  const encoding = node.getTransferEncoding()
  if (encoding === 'base64') return inBase64(typeof content === 'string' ? Buffer.from(content) : content)
  if (encoding === 'quoted-printable') return wrapQuotedPrintable(encodeQuotedPrintable(content), lineLength)
  return content
}

/** Lines of base64, between them CRLF: copied, because cutting a long text into lines costs three times as much. */
function inBase64(content: Buffer): Buffer {
  const plain = Buffer.from(content.toString('base64'), 'latin1')
  const breaks = Math.max(0, Math.ceil(plain.length / lineLength) - 1)
  const lines = Buffer.alloc(plain.length + 2 * breaks, '\r\n')
  for (let from = 0, to = 0; from < plain.length; from += lineLength, to += lineLength + 2)
    plain.copy(lines, to, from, from + lineLength)
  return lines
}
