/** How texts and files travel in a message. */
import { encode as encodeQuotedPrintable, wrap as wrapQuotedPrintable } from 'nodemailer/lib/qp'

const lineLength = 76

/** A content as a transfer encoding writes it. */
export function encodedAs(encoding: string | false, content: string | Buffer): string | Buffer {
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
