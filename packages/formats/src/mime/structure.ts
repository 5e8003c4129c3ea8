/**
 * The tree of a message (RFC 2045, RFC 2046) with IMAP part numbers (RFC 3501 §6.4.5). Parts are offsets into the
 * message, and nothing is decoded. The bytes are searched as Latin-1 text, one character each, which is faster. A
 * part of a multipart ends at the next delimiter of the outermost multipart, so that an unclosed multipart does not
 * swallow what follows. Work is queued rather than recursive.
 */
import { type Header, type HeaderBlock, headerOf, headersStart, readHeaders, readParameters } from './headers.ts'
import { MAX_DEPTH, MAX_PARTS, MAX_RAW_BYTES, MimeLimit } from './limit.ts'

/** One part of a message, from its bytes or from a server's description (BODYSTRUCTURE). */
export interface PartNode {
  /** The IMAP part number. A multipart has that of its position, the outermost one ''. */
  part: string
  /** In lower case, such as `text/html`. */
  type: string
  /** The whole header, unfolded. */
  contentType: string
  /** Names in lower case, values decoded. */
  parameters: Record<string, string>
  /** In lower case. */
  disposition?: string
  /** Decoded. */
  filename: string | null
  /** With brackets, as written. */
  contentId?: string
  /** In lower case. */
  encoding: string
  /** Bytes after decoding. */
  size: number
  /** The size is estimated from the encoded bytes. */
  isEstimated?: true
  /** The children of a multipart, or the message in a message/rfc822. */
  children?: PartNode[]
}

/** A part with the position of its content. `size` is the encoded size. */
export interface LocatedPart extends PartNode {
  /** Where its headers begin. */
  from: number
  start: number
  end: number
  children?: LocatedPart[]
  /** Of a multipart: what is before its first part and after its last one (RFC 2046 §5.1.1). */
  outside?: Offsets[]
}

interface Place {
  start: number
  end: number
  /** The number of the part, or of the enclosing message/rfc822; '' for the message itself. */
  number: string
  isMessage: boolean
  defaultType: string
  depth: number
  siblings: LocatedPart[]
}

const NEWLINE = 0x0a
const RETURN = 0x0d
/** Lines that start like a delimiter but are not: those of inner multiparts with a longer boundary. */
const MAX_OTHER_DELIMITERS = 50_000
const UNENCODED = new Set(['7bit', '8bit', 'binary'])
const TYPE = /^[^\s/;,"()<>@:\\[\]?=]+\/[^\s/;,"()<>@:\\[\]?=]+$/

export interface Structure {
  readonly root: LocatedPart
  /** The headers of the message itself. */
  readonly headers: Header[]
}

/** Reads the tree. Throws a MimeLimit if the message is too large, too deep or has too many parts. */
export function readStructure(source: Buffer): Structure {
  if (source.length > MAX_RAW_BYTES) {
    throw new MimeLimit(`The message is larger than ${MAX_RAW_BYTES / 1024 / 1024} MB`)
  }
  const text = source.toString('latin1')
  const roots: LocatedPart[] = []
  let headers: Header[] = []
  const places: Place[] = [
    { start: 0, end: source.length, number: '', isMessage: true, defaultType: 'text/plain', depth: 0, siblings: roots },
  ]
  for (let i = 0; i < places.length; i++) {
    const place = places[i]
    if (place === undefined) break
    const start = place.isMessage ? headersStart(text, place) : place.start
    const block = readHeaders(text, { start, end: place.end })
    if (i === 0) headers = block.headers
    const part = readPart(block, place, start)
    place.siblings.push(part)
    const inner = placesIn(text, part, place)
    if (inner === undefined) continue
    if (place.depth >= MAX_DEPTH) throw new MimeLimit(`The message is nested more than ${MAX_DEPTH} levels deep`)
    if (places.length + inner.length > MAX_PARTS) throw tooManyParts()
    for (const each of inner) places.push(each)
  }
  const root = roots[0]
  if (root === undefined) throw new Error('A message always has a root')
  return { root, headers }
}

const tooManyParts = (): MimeLimit => new MimeLimit(`The message has more than ${MAX_PARTS} parts`)

function readPart(
  { headers, bodyStart }: HeaderBlock,
  { end, number, isMessage, defaultType }: Place,
  from: number,
): LocatedPart {
  const contentType = headerOf(headers, 'content-type') ?? ''
  const content = readParameters(contentType)
  const dispositionHeader = headerOf(headers, 'content-disposition')
  const disposition = dispositionHeader === undefined ? undefined : readParameters(dispositionHeader)
  const contentId = headerOf(headers, 'content-id')
  const filename = oneLine(disposition?.parameters.filename ?? content.parameters.name)
  const part: LocatedPart = {
    part: isMessage ? below(number, 1) : number,
    type: typeOf(content.value, defaultType, filename),
    contentType: contentType === '' ? defaultType : contentType,
    parameters: content.parameters,
    filename,
    encoding: encodingOf(headerOf(headers, 'content-transfer-encoding')),
    size: end - bodyStart,
    from,
    start: bodyStart,
    end,
  }
  if (disposition !== undefined && disposition.value !== '') part.disposition = disposition.value
  if (contentId !== undefined && contentId !== '') part.contentId = contentId
  return part
}

const below = (number: string, index: number): string => (number === '' ? String(index) : `${number}.${index}`)

/** The type of a part in lower case: `value` if it is valid. */
export function typeOf(value: string, defaultType: string, filename: string | null): string {
  if (TYPE.test(value)) return value
  if (value === '') return defaultType
  // RFC 2045 §5.2 treats an invalid type as text, but a file is not text unless the type begins with it.
  return filename === null || /^text\/?$/.test(value) ? 'text/plain' : 'application/octet-stream'
}

function encodingOf(header: string | undefined): string {
  const value = header === undefined ? '' : readParameters(header).value
  return value === '' ? '7bit' : value
}

function oneLine(filename: string | undefined): string | null {
  if (filename === undefined) return null
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a file name has none
  const clean = filename.replaceAll(/[\0-\x1f\x7f]+/g, ' ').trim()
  return clean === '' ? null : clean.toWellFormed()
}

/** The contents of a multipart or message/rfc822. A multipart gets its number and children. */
function placesIn(text: string, part: LocatedPart, { number, isMessage, depth }: Place): Place[] | undefined {
  const { start, end } = part
  if (part.type === 'message/rfc822' || part.type === 'message/global') {
    if (!UNENCODED.has(part.encoding)) return undefined
    part.children = []
    const place = { start, end, number: part.part, isMessage: true, defaultType: 'text/plain' }
    return [{ ...place, depth: depth + 1, siblings: part.children }]
  }
  if (!part.type.startsWith('multipart/')) return undefined
  const found = rangesOf(text.slice(start, end), part.parameters.boundary)
  if (found === undefined) {
    // Nothing delimits its parts, so it is shown as text.
    part.type = 'text/plain'
    return undefined
  }
  if (isMessage) part.part = number
  const siblings: LocatedPart[] = []
  part.children = siblings
  part.outside = found.outside.map(([from, to]) => [start + from, start + to])
  const defaultType = part.type === 'multipart/digest' ? 'message/rfc822' : 'text/plain'
  return found.ranges.map(([from, to], index) => ({
    start: start + from,
    end: start + to,
    number: below(part.part, index + 1),
    isMessage: false,
    defaultType,
    depth: depth + 1,
    siblings,
  }))
}

type Offsets = [start: number, end: number]

interface Divided {
  /** The parts. */
  ranges: Offsets[]
  /** What is before the first delimiter and after the last. */
  outside: Offsets[]
}

/** The positions of the parts of a multipart, or undefined without a delimiter. */
function rangesOf(body: string, declared: string | undefined): Divided | undefined {
  if (declared !== undefined && declared !== '') {
    const ranges = split(body, Buffer.from(declared.trimEnd()).toString('latin1'))
    if (ranges !== undefined) return ranges
  }
  const guessed = guessBoundary(body)
  return guessed === undefined ? undefined : split(body, guessed)
}

/** The first line if it looks like a delimiter: the boundary is missing or was changed in transit. */
function guessBoundary(body: string): string | undefined {
  const [, boundary] = /^[\r\n]{0,100}--([^\r\n]{1,200})\r?\n/.exec(body) ?? []
  const trimmed = boundary?.trimEnd()
  return trimmed === '' || trimmed === '-' ? undefined : trimmed
}

function split(body: string, boundary: string): Divided | undefined {
  const delimiter = `\n--${boundary}`
  const find = (from: number): number | undefined => {
    const found = body.indexOf(delimiter, from)
    return found === -1 ? undefined : found
  }
  const ranges: Offsets[] = []
  const outside: Offsets[] = []
  let begin: number | undefined
  let others = 0
  // The delimiter may be the first line. Then the line break before it is not in the body.
  let at = body.startsWith(delimiter.slice(1)) ? -1 : find(0)
  while (at !== undefined) {
    const rest = readDelimiter(body, at + delimiter.length)
    if (rest !== undefined) {
      if (begin === undefined) outside.push([0, at + 1])
      else ranges.push([begin, Math.max(begin, body.charCodeAt(at - 1) === RETURN ? at - 1 : at)])
      if (ranges.length > MAX_PARTS) throw tooManyParts()
      if (rest.closes) return { ranges, outside: [...outside, [rest.end, body.length]] }
      begin = rest.end
    } else if (++others > MAX_OTHER_DELIMITERS) {
      throw new MimeLimit('The message has too many lines like its delimiters')
    }
    at = find(rest === undefined ? at + 1 : rest.end - 1)
  }
  if (begin === undefined) return undefined
  ranges.push([begin, body.length])
  return { ranges, outside }
}

/** The rest of a line that starts like a delimiter. Undefined if it continues as something else. */
function readDelimiter(body: string, from: number): { closes: boolean; end: number } | undefined {
  const closes = body.startsWith('--', from)
  let at = closes ? from + 2 : from
  while (body.charCodeAt(at) === 0x20 || body.charCodeAt(at) === 0x09) at++
  if (body.charCodeAt(at) === RETURN) at++
  if (at >= body.length) return { closes, end: body.length }
  return body.charCodeAt(at) === NEWLINE ? { closes, end: at + 1 } : undefined
}
