/** Content-Transfer-Encoding of texts and files. */
import { encode as encodeQuotedPrintable, wrap as wrapQuotedPrintable } from 'nodemailer/lib/qp'

const lineLength = 76

export function encodedAs(encoding: string | false, content: string | Buffer): string | Buffer {
  if (encoding === 'base64') return inBase64(typeof content === 'string' ? Buffer.from(content) : content)
  if (encoding === 'quoted-printable') return wrapQuotedPrintable(encodeQuotedPrintable(content), lineLength)
  return content
}

/**
 * Base64 in lines with CRLF between them. Copying lines into one buffer is three times faster than splitting a long
 * string.
 */
function inBase64(content: Buffer): Buffer {
  const plain = Buffer.from(content.toString('base64'), 'latin1')
  const breaks = Math.max(0, Math.ceil(plain.length / lineLength) - 1)
  const lines = Buffer.alloc(plain.length + 2 * breaks, '\r\n')
  for (let from = 0, to = 0; from < plain.length; from += lineLength, to += lineLength + 2)
    plain.copy(lines, to, from, from + lineLength)
  return lines
}
