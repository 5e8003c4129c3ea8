/**
 * Decides which parts of a message are its body and which are attachments, from its tree alone, so that a parsed
 * message and one described by a server give the same result.
 *
 * A multipart/alternative shows the last part with HTML, otherwise the last with text. A multipart/related shows its
 * root. Every other multipart shows all text that is not a file, in order. An alternative that is not shown is not an
 * attachment, except a calendar or a file. A message/rfc822 is one attachment, whatever it contains. Empty text
 * without a name is neither shown nor an attachment.
 */
import type { PartNode } from './structure.ts'

/** A tree whose parts all have one type. */
type Tree<P> = PartNode & { children?: P[] }

export interface Selection<P> {
  /** The parts of the body, in order. */
  readonly body: P[]
  readonly isHtml: boolean
  readonly attachments: P[]
}

/** The role of a part: shown, a hidden alternative, or next to the root of a multipart/related. */
type Role = 'shown' | 'other form' | 'beside'

interface Content {
  html: boolean
  text: boolean
}

/** Representations of the same text for other clients. */
const FORMS = new Set([
  'text/plain',
  'text/html',
  'text/enriched',
  'text/richtext',
  'text/x-amp-html',
  'text/watch-html',
])

/** Splits a message into body and attachments. */
export function select<P extends Tree<P>>(root: P): Selection<P> {
  const contents = contentsOf(root)
  const body: P[] = []
  const attachments: P[] = []
  const waiting: { node: P; role: Role; first: boolean }[] = [{ node: root, role: 'shown', first: true }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, role, first } = next
    if (!isMultipart(node)) {
      if (role === 'shown' && isText(node, first, node === root)) body.push(node)
      else if (isAttachment(node, role)) attachments.push(node)
      continue
    }
    const children = node.children ?? []
    const leading = leadingOf(node)
    const shown = role === 'shown' ? shownOf(node, contents) : undefined
    for (let i = children.length - 1; i >= 0; i--) {
      const child = children[i]
      if (child !== undefined)
        waiting.push({ node: child, role: roleOf(node, { role, index: i, shown }), first: i === leading })
    }
  }
  const isHtml = body.some(({ type }) => type === 'text/html')
  return { body, isHtml, attachments }
}

/** The numbers of the body parts. */
export const bodyParts = (structure: PartNode): string[] => select<PartNode>(structure).body.map(({ part }) => part)

/** Whether there is an attachment other than inline images. */
export const hasAttachment = (structure: PartNode): boolean =>
  select<PartNode>(structure).attachments.some(
    ({ type, contentId, disposition }) =>
      !(type.startsWith('image/') && contentId !== undefined && disposition !== 'attachment'),
  )

const isMultipart = (node: PartNode): boolean => node.type.startsWith('multipart/') && node.children !== undefined

const isFile = ({ disposition, filename }: PartNode): boolean => disposition === 'attachment' || filename !== null

/** Whether a hidden part is an attachment. Alternatives of the text and empty text without a name are not. */
function isAttachment(node: PartNode, role: Role): boolean {
  if (isFile(node) || !FORMS.has(node.type)) return true
  return role !== 'other form' && node.size > EMPTY_LINE
}

/** The size of a part that contains only a line break. */
const EMPTY_LINE = 2

/**
 * The main child of a multipart: the one named by `start` of a multipart/related (RFC 2387 §3.2), otherwise the
 * first.
 */
function leadingOf({ type, parameters, children = [] }: PartNode): number {
  const start = type === 'multipart/related' ? bareId(parameters.start) : ''
  return Math.max(0, start === '' ? 0 : children.findIndex(({ contentId }) => bareId(contentId) === start))
}

/** A Content-ID without brackets, which many programs omit in `start`. */
const bareId = (id = ''): string => id.trim().replace(/^<|>$/g, '')

/** Whether a part is text to show. A name makes it a file, except where the text of a message belongs. */
function isText(node: PartNode, first: boolean, isRoot: boolean): boolean {
  if (node.disposition === 'attachment' || (node.filename !== null && !first)) return false
  if (node.type === 'text/plain' || node.type === 'text/html') return true
  return isRoot && node.type.startsWith('text/') && node.type !== 'text/calendar' && node.filename === null
}

/** The visible child of a multipart that shows one. Undefined for those that show all. */
function shownOf(node: PartNode, contents: ReadonlyMap<PartNode, Content>): number | undefined {
  const children = node.children ?? []
  const lastWith = (kind: keyof Content): number => children.findLastIndex((child) => contents.get(child)?.[kind])
  if (node.type === 'multipart/alternative') {
    const html = lastWith('html')
    return html === -1 ? Math.max(0, lastWith('text')) : html
  }
  if (node.type !== 'multipart/related') return undefined
  const isReadable = (child: PartNode | undefined): boolean => child !== undefined && contents.get(child)?.text === true
  const leading = leadingOf(node)
  return isReadable(children[leading]) ? leading : Math.max(0, children.findIndex(isReadable))
}

function roleOf(
  node: PartNode,
  { role, index, shown }: { role: Role; index: number; shown: number | undefined },
): Role {
  if (role !== 'shown') return role
  if (shown === undefined || shown === index) return 'shown'
  return node.type === 'multipart/alternative' ? 'other form' : 'beside'
}

/** For every part, whether it has HTML or text to show, children before parents. */
function contentsOf(root: PartNode): Map<PartNode, Content> {
  const nodes: { node: PartNode; first: boolean }[] = [{ node: root, first: true }]
  for (let i = 0; i < nodes.length; i++) {
    const { node } = nodes[i] ?? {}
    if (node === undefined || !isMultipart(node)) continue
    const leading = leadingOf(node)
    for (const [index, child] of (node.children ?? []).entries()) nodes.push({ node: child, first: index === leading })
  }
  const contents = new Map<PartNode, Content>()
  for (const { node, first } of nodes.reverse()) {
    if (isMultipart(node)) {
      const inner = (node.children ?? []).map((child) => contents.get(child))
      contents.set(node, { html: inner.some((each) => each?.html), text: inner.some((each) => each?.text) })
    } else {
      const shows = isText(node, first, node === root) && node.size > 0
      contents.set(node, { html: shows && node.type === 'text/html', text: shows })
    }
  }
  return contents
}
