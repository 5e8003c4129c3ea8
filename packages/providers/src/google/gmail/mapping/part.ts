/** Converts a message from Gmail's parts to the tree and the bytes that the MIME functions expect. */
import { isUtf8 } from 'node:buffer'
import { readParameters } from '@waypost/formats/mime/headers'
import { MAX_DEPTH, MAX_PARTS } from '@waypost/formats/mime/limit'
import { bodyParts, type PartNode } from '@waypost/formats/mime/mime'
import type { GmailHeader, GmailPart } from '../gmail-api.ts'

/** More text parts than this are ignored. */
const maxParts = 50
/** Longer headers of parts are truncated. */
const headerChars = 8_192

/** The first header of a name; the name is in lower case. */
export const headerOf = (headers: readonly GmailHeader[] | undefined, name: string): string | undefined =>
  headers?.find((header) => header.name.toLowerCase() === name)?.value

/**
 * The first parts of a message, limited in number and depth as for all messages. The sender decides how many there
 * are.
 */
export function withinLimits(root: GmailPart): { root: GmailPart; isShortened: boolean } {
  let left = MAX_PARTS - 1
  let isShortened = false
  const copy = (part: GmailPart, depth: number): GmailPart => {
    const { parts = [] } = part
    const retained: GmailPart[] = []
    for (const each of depth < MAX_DEPTH ? parts : []) {
      if (left === 0) break
      left--
      retained.push(copy(each, depth + 1))
    }
    isShortened ||= retained.length < parts.length
    return parts.length === 0 ? part : { ...part, parts: retained }
  }
  const shortened = copy(root, 0)
  return { root: shortened, isShortened }
}

/** The tree of a message. Parts have Gmail's numbers. */
export function structureOf(part: GmailPart): PartNode {
  const { headers, mimeType = 'text/plain', body = {}, parts } = part
  const type = mimeType.toLowerCase()
  const contentType = headerOf(headers, 'content-type')?.slice(0, headerChars) ?? type
  const disposition = headerOf(headers, 'content-disposition')?.slice(0, headerChars)
  const contentId = headerOf(headers, 'content-id')?.trim()
  const kind = disposition === undefined ? '' : readParameters(disposition).value
  const children = parts?.map(structureOf)
  return {
    part: part.partId ?? '',
    type,
    contentType,
    parameters: readParameters(contentType).parameters,
    ...(kind === '' ? {} : { disposition: kind }),
    filename: part.filename || null,
    ...(contentId ? { contentId } : {}),
    encoding: 'binary',
    size: body.size ?? 0,
    ...(children && children.length > 0 ? { children } : {}),
  }
}

/** All parts of a message by number. */
export function partsById(root: GmailPart): Map<string, GmailPart> {
  const found = new Map<string, GmailPart>()
  const waiting: GmailPart[] = [root]
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    found.set(part.partId ?? '', part)
    waiting.push(...(part.parts ?? []))
  }
  return found
}

/** The parts that make up the body. */
export const textParts = (structure: PartNode): string[] => bodyParts(structure).slice(0, maxParts)

/** Charsets that encode everything in ASCII bytes. */
const sevenBit = /^(?:iso-2022-|hz-gb|utf-7)/i

/**
 * Gmail usually converts text to UTF-8 and leaves the charset in the header, but not always. Bytes that are valid
 * UTF-8 are read as UTF-8.
 */
export function withRealCharset(structure: PartNode, texts: readonly { part: string; bytes: Uint8Array }[]): PartNode {
  const bytes = texts.find(({ part }) => part === structure.part && !structure.children)?.bytes
  const { charset = '' } = structure.parameters
  const isDeclared = bytes !== undefined && (!isUtf8(bytes) || bytes.includes(0) || isEscaped(bytes, charset))
  return {
    ...structure,
    ...(bytes === undefined || isDeclared ? {} : { parameters: { ...structure.parameters, charset: 'utf-8' } }),
    ...(structure.children ? { children: structure.children.map((child) => withRealCharset(child, texts)) } : {}),
  }
}

const isEscaped = (bytes: Uint8Array, charset: string): boolean =>
  sevenBit.test(charset) && (charset.toLowerCase() === 'utf-7' || bytes.includes(0x1b) || bytes.includes(0x7e))

/** The headers of a message as a header block. */
export const headerBlock = (headers: readonly GmailHeader[] = []): Buffer =>
  Buffer.from(
    headers.map(({ name, value }) => `${name}: ${value.replaceAll(/(?<!\s)\s*[\r\n]\s*/g, ' ')}\r\n`).join(''),
  )

export const bytesOf = (data: string): Buffer => Buffer.from(data, 'base64url')
