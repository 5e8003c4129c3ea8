import type { MessageStructureObject } from 'imapflow'
import type { PartNode } from '../../../formats/mime.ts'

const depthAtMost = 50

/** A server's BODYSTRUCTURE as the tree that the MIME functions take. */
export function fromStructure(node: MessageStructureObject, depth = 0): PartNode {
  const type = (node.type ?? 'application/octet-stream').toLowerCase()
  const parameters = lowerNames(node.parameters)
  const filename = node.dispositionParameters?.filename ?? parameters.name ?? null
  const encoding = (node.encoding ?? '7bit').toLowerCase()
  const size = node.size ?? 0
  const children = depth < depthAtMost ? node.childNodes?.map((child) => fromStructure(child, depth + 1)) : undefined
  return {
    part: node.part ?? (type.startsWith('multipart/') ? '' : '1'),
    type,
    contentType: [type, ...Object.entries(parameters).map(([name, value]) => `${name}=${quoted(value)}`)].join('; '),
    parameters,
    ...(node.disposition ? { disposition: node.disposition.toLowerCase() } : {}),
    filename,
    ...(node.id ? { contentId: node.id } : {}),
    encoding,
    size: encoding === 'base64' ? decodedSize(size) : size,
    ...(children && children.length > 0 ? { children } : {}),
  }
}

/** What base64 in lines of 76 digits comes to, give or take its padding. */
const decodedSize = (encoded: number): number => Math.floor(((encoded - 2 * Math.floor(encoded / 78)) * 3) / 4)

const lowerNames = (parameters: Record<string, string> | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(parameters ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]))

const quoted = (value: string): string => (/^[\w.+-]+$/.test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`)
