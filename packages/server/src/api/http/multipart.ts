/**
 * multipart/form-data (RFC 7578) as clients write it: any order, names in UTF-8, quotes escaped in either of the two ways,
 * `filename=""`, `filename*`, lines that end in LF alone. The parts are views of the body: nothing is copied.
 */
import { limits } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { decodeUtf8 } from '@waypost/platform/json/guard'
import { shownPart } from '../../sending/requests/outgoing.ts'

export interface FormPart {
  name: string
  /** Undefined if the part is not a file. */
  filename: string | undefined
  contentType: string | undefined
  content: Uint8Array
}

/** The maximum length of the headers of a part. */
const maxHeadLength = 16_384
const hyphen = 0x2d
const cr = 0x0d
const lf = 0x0a

/** Whether a content type is that of a form. */
export const isMultipart = (contentType: string | null): boolean =>
  /^\s*multipart\/form-data\b/i.test(contentType ?? '')

const broken = (problem: string): ApiError => new ApiError('invalid_request', `multipart/form-data: ${problem}`)

/** The parts of a form, in order. */
export function readMultipart(bytes: Uint8Array, contentType: string): FormPart[] {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const boundary = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;,"]+))/i.exec(contentType)
  const name = boundary?.[1] ?? boundary?.[2]
  if (name === undefined || name.length > 200) throw broken('the Content-Type must name a boundary')
  const dashes = Buffer.from(`--${name}`, 'latin1')

  const parts: FormPart[] = []
  let at = delimiterAfter(body, dashes, 0)
  if (!at) throw broken('the boundary that the Content-Type names is not in the body')
  while (!at.last) {
    const next = delimiterAfter(body, dashes, at.end)
    if (!next) throw broken(`the body ends within part ${parts.length + 1}${nameAfter(body, at.end)}`)
    if (parts.length === limits.multipartParts) throw broken(`must not have more than ${limits.multipartParts} parts`)
    parts.push(readPart(body.subarray(at.end, next.start), parts.length + 1))
    at = next
  }
  return parts
}

interface Delimiter {
  /** The end of the content before the delimiter, without its line break. */
  start: number
  /** The start of the content after the delimiter. */
  end: number
  last: boolean
}

/** The next line that is a delimiter. A line that only begins like one belongs to the part. */
function delimiterAfter(body: Buffer, dashes: Buffer, from: number): Delimiter | undefined {
  for (let found = body.indexOf(dashes, from); found !== -1; found = body.indexOf(dashes, found + 1)) {
    if (found !== 0 && body[found - 1] !== lf) continue
    let end = found + dashes.length
    const last = body[end] === hyphen && body[end + 1] === hyphen
    if (last) end += 2
    while (body[end] === 0x20 || body[end] === 0x09) end++
    if (body[end] === cr && body[end + 1] === lf) end += 2
    else if (body[end] === lf) end++
    else if (!last || end < body.length) continue
    const breaks = found === from ? 0 : body[found - 2] === cr && found - 2 >= from ? 2 : 1
    return { start: Math.max(from, found - breaks), end, last }
  }
  return undefined
}

/** The name of an incomplete part, for the error message. */
function nameAfter(body: Buffer, at: number): string {
  const name = /name="([^"\r\n]{1,60})"/i.exec(body.toString('latin1', at, at + 1000))?.[1]
  return name === undefined ? '' : ` (${name})`
}

/** Where the headers end and the content begins. */
function headEnd(part: Buffer): { head: number; content: number } | undefined {
  if (part[0] === cr && part[1] === lf) return { head: 0, content: 2 }
  const crlf = part.subarray(0, maxHeadLength).indexOf('\r\n\r\n')
  const bare = part.subarray(0, maxHeadLength).indexOf('\n\n')
  if (crlf !== -1 && (bare === -1 || crlf < bare)) return { head: crlf, content: crlf + 4 }
  return bare === -1 ? undefined : { head: bare, content: bare + 2 }
}

function readPart(part: Buffer, number: number): FormPart {
  const ends = headEnd(part)
  if (!ends) throw broken(`part ${number} has no empty line after its headers`)
  const text = decodeUtf8(part.subarray(0, ends.head))
  if (text === undefined) throw broken(`the headers of part ${number} are not UTF-8`)
  const headers = headersOf(text)
  const disposition = headers.get('content-disposition') ?? ''
  const name = parameterOf(disposition, 'name')
  if (name === undefined || name === '') throw broken(`part ${number} has no name in its Content-Disposition`)
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase()
  if (encoding !== undefined && !['binary', '8bit', '7bit'].includes(encoding)) {
    throw invalidField(
      shownPart(name),
      `is encoded as ${encoding.slice(0, 30)}; send the bytes of the part as they are`,
    )
  }
  return {
    name,
    filename: extendedParameterOf(disposition, 'filename') ?? parameterOf(disposition, 'filename'),
    contentType: headers.get('content-type') || undefined,
    content: part.subarray(ends.content),
  }
}

function headersOf(text: string): Map<string, string> {
  const headers = new Map<string, string>()
  for (const line of text.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim())
  }
  return headers
}

/** Browsers write `%22` for a quote, curl and others `\"`. A backslash before anything else is part of a name. */
const unescaped = (text: string): string =>
  text.replace(/\\(["\\])/g, '$1').replace(/%(22|0D|0A)/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))

function parameterOf(header: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|[;\\s])${name}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]*))`, 'i').exec(header)
  if (!found) return undefined
  return found[1] === undefined ? found[2] : unescaped(found[1])
}

/** `filename*=UTF-8''…` (RFC 5987), which some clients write for names that are not ASCII. */
function extendedParameterOf(header: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|[;\\s])${name}\\*\\s*=\\s*utf-8'[^']*'([^;\\s]*)`, 'i').exec(header)?.[1]
  if (found === undefined) return undefined
  try {
    return decodeURIComponent(found)
  } catch {
    return undefined
  }
}
