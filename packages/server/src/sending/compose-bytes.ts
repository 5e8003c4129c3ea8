/**
 * The bytes of a composed message, written in one go. Nodemailer's own way leads every part through streams and turns of
 * the event loop, which costs more than all else of a short message; this makes the same bytes of the same tree.
 */
import { encode as encodeBase64, wrap as wrapBase64 } from 'nodemailer/lib/base64'
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
  if (encoding === 'base64') return wrapBase64(encodeBase64(content), lineLength)
  if (encoding === 'quoted-printable') return wrapQuotedPrintable(encodeQuotedPrintable(content), lineLength)
  return content
}
