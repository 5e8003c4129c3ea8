/**
 * The bytes of a composed message, written in one go. Nodemailer's own way leads every part through streams and turns of
 * the event loop, which costs more than all else of a short message; this makes the same bytes of the same tree. Messages
 * of the usual shape need no tree either.
 */
import MailComposer from 'nodemailer/lib/mail-composer'
import type MimeNode from 'nodemailer/lib/mime-node'
import { encodedAs } from './encoding.ts'
import { type UsualFile, type UsualMessage, usualMessage } from './usual.ts'

export interface Written {
  bytes: Buffer
  /** Which part of the message a file is, where that is known. */
  partOf(file: UsualFile): { part?: string }
}

export async function writeMessage(message: UsualMessage): Promise<Written> {
  const bytes = usualMessage(message)
  // The first part is the text.
  if (bytes) return { bytes, partOf: (file) => ({ part: String(message.files.indexOf(file) + 2) }) }
  const tree = treeOf(message)
  return { bytes: await bytesOf(tree), partOf: ({ content }) => partIn(tree, content) }
}

/** Nodemailer's tree of a message. */
export function treeOf({ files, boundary, references, ...message }: UsualMessage): MimeNode {
  const { from, to, cc, bcc, replyTo } = message
  const tree = new MailComposer({
    ...message,
    ...{ from: [...from], to: [...to], cc: [...cc], bcc: [...bcc], replyTo: [...replyTo] },
    attachments: [...files],
    ...(references.length > 0 ? { references: [...references] } : {}),
    baseBoundary: boundary,
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile()
  tree.keepBcc = true
  return tree
}

/** Which part of a message has a content (RFC 3501 §6.4.5): the members of a multipart are counted, and what is none is part 1. */
function partIn(node: MimeNode, content: unknown, above: readonly number[] = []): { part?: string } {
  if (node.childNodes.length === 0)
    return node.content === content ? { part: (above.length > 0 ? above : [1]).join('.') } : {}
  for (const [index, child] of node.childNodes.entries()) {
    const found = partIn(child, content, [...above, index + 1])
    if (found.part !== undefined) return found
  }
  return {}
}

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

const encoded = (node: MimeNode, content: string | Buffer): string | Buffer =>
  encodedAs(node.getTransferEncoding(), content)
