/** The body of a request: JSON, a form of JSON and files, or a whole MIME message. */
import { limits, type Route } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { sha256Of } from '@waypost/platform/crypto/digest'
import type { JsonValue } from '@waypost/platform/json/guard'
import { canonicalJson } from '@waypost/platform/json/values'
import { type RequestFile, shownPart } from '../../sending/requests/outgoing.ts'
import type { HttpRequest } from './http.ts'
import { type JsonReading, readJsonBytes } from './json-body.ts'
import { type FormPart, isMultipart, readMultipart } from './multipart.ts'
import { readBody, readJson } from './request.ts'

export interface Payload {
  json: JsonValue
  files: readonly RequestFile[]
  /** A whole message instead of JSON and files. */
  mime?: Uint8Array
}

export const noPayload: Payload = { json: {}, files: [] }

/** The maximum length of the body. */
function maxBytesOf(route: Route, contentType: string | null): number {
  if (!route.parts) return limits.bodyBytes
  return isMultipart(contentType) ? limits.multipartBytes : limits.messageBodyBytes
}

/** Bodies up to this length are never refused for lack of memory. */
const smallBytes = 65_536

/**
 * Bounds the memory of a body that may be large. It must have room for its declared length, or the maximum, when it begins.
 * After that only what has arrived counts, so that a body that is slow or never comes keeps nobody else out.
 */
export function reserveMemory(
  uploads: UploadMemory,
  { route, request, owner }: { route: Route; request: HttpRequest; owner: string },
): ReservedMemory | undefined {
  if (!route.parts) return undefined
  const max = maxBytesOf(route, request.header('content-type'))
  const declared = Number(request.header('content-length') ?? max)
  // A body above the maximum is refused before it is read.
  if (declared > max || declared <= smallBytes) return undefined
  const reserved = uploads.take(declared, owner)
  reserved.need(0)
  return reserved
}

interface Reading extends Pick<JsonReading, 'pool'> {
  /** The query field `type`. */
  type: unknown
  /** The memory reserved for the body. */
  reserved: ReservedMemory | undefined
  /** The bytes of the body, if they were read already. */
  bytes: Uint8Array | undefined
}

/** Reads the body of a request. */
export async function readPayload(
  route: Route,
  request: HttpRequest,
  { type, reserved, pool, bytes: read }: Reading,
): Promise<Payload> {
  const contentType = request.header('content-type')
  const wantsMime = route.mime === true && type === 'mime'
  const form = route.parts && isMultipart(contentType)
  if (route.parts && !form) {
    if (contentType !== null && !/^\s*application\/json\b/i.test(contentType)) {
      throw new ApiError('invalid_request', 'request must be of content-type multipart/form-data or application/json')
    }
    if (wantsMime) throw invalidField('type', 'with mime the body is multipart/form-data with one part, named mime')
  }
  const bytes = read ?? (await readBody(request, maxBytesOf(route, contentType), (size) => reserved?.need(size)))
  reserved?.need(bytes.byteLength)
  const reading = { pool, signal: request.signal }
  if (!form || !route.parts) return { json: await readJson(route, bytes, { ...reading, contentType }), files: [] }
  const parts = readMultipart(bytes, contentType ?? '')
  return wantsMime ? mimeOf(parts) : messageOf(parts, route.parts, reading)
}

function mimeOf(parts: readonly FormPart[]): Payload {
  const [part, second] = parts.filter(({ name }) => name === 'mime')
  if (!part) throw missing('mime', 'the complete message must be in a part of that name', parts)
  if (second) throw invalidField('mime', 'must be given once')
  const other = parts.find(({ name }) => name !== 'mime')
  if (other)
    throw invalidField(shownPart(other.name), 'cannot be combined with mime: a raw message has no options or files')
  if (part.content.byteLength === 0) throw invalidField('mime', 'must not be empty')
  return { json: {}, files: [], mime: part.content }
}

/** The part with the JSON is identified by its name, because clients differ in its file name and type. */
async function messageOf(parts: readonly FormPart[], names: readonly string[], reading: JsonReading): Promise<Payload> {
  const [part, second] = parts.filter(({ name }) => names.includes(name))
  if (!part) throw missing(names[0] ?? '', 'the JSON must be in a part of that name', parts)
  if (second) throw invalidField(second.name, 'must be given once')
  const parsed = await readJsonBytes(part.content, reading)
  if (parsed === undefined) throw new ApiError('invalid_json', `${part.name}: the part is not valid UTF-8`)
  if (!parsed.ok) throw new ApiError('invalid_json', `${part.name}: ${parsed.problem}`)
  const json = parsed.value
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new ApiError('invalid_json', `${part.name}: the part must be one JSON object`)
  }
  return { json, files: parts.filter((other) => other !== part).flatMap(fileOf) }
}

function fileOf({ name, filename, contentType, content }: FormPart): RequestFile[] {
  if (filename === undefined) {
    throw invalidField(
      shownPart(name),
      'has no filename, so it is no file; options stand in the JSON of the part message',
    )
  }
  // A browser sends this for a file field without a chosen file.
  if (filename === '' && content.byteLength === 0) return []
  return [{ name, filename: filename || name, contentType, content }]
}

function missing(name: string, meaning: string, parts: readonly FormPart[]): ApiError {
  const received = parts.slice(0, 10).map((part) => shownPart(part.name))
  return invalidField(name, `the part is missing: ${meaning}; received ${received.join(', ') || 'no parts'}`)
}

/** A text that is equal for equal payloads, whatever boundary the client chose. */
export async function textOf({ json, files, mime }: Payload): Promise<string> {
  const text = canonicalJson(json)
  if (files.length === 0 && !mime) return text
  const marks: object[] = []
  for (const { content, ...file } of files) marks.push({ ...file, sha256: await sha256Of([content]) })
  return `${text}\n${canonicalJson(marks)}\n${mime ? await sha256Of([mime]) : ''}`
}

/** Reserved memory, until it is disposed. */
export interface ReservedMemory extends Disposable {
  /** Corrects the reservation to what is held now. Throws when no memory is left for more. */
  need(bytes: number): void
}

export interface UploadMemory {
  /** Throws when no memory is left. One owner gets half of it at most. */
  take(bytes: number, owner?: string): ReservedMemory
}

/** Bounds the memory for large bodies, which are held in memory as a whole. */
export function createUploadMemory(max: number): UploadMemory {
  const ofOwners = new Map<string, number>()
  let taken = 0
  const check = (more: number, owner: string | undefined): void => {
    if (taken + more > max) throw tooMany('too many large requests at once')
    if (owner !== undefined && (ofOwners.get(owner) ?? 0) + more > max / 2) {
      throw tooMany('too many large requests of this application at once')
    }
  }
  const add = (bytes: number, owner: string | undefined): void => {
    taken += bytes
    if (owner === undefined) return
    const held = (ofOwners.get(owner) ?? 0) + bytes
    if (held > 0) ofOwners.set(owner, held)
    else ofOwners.delete(owner)
  }
  return {
    take(bytes, owner) {
      check(bytes, owner)
      let own = bytes
      add(bytes, owner)
      const need = (now: number): void => {
        if (now > own) check(now - own, owner)
        add(now - own, owner)
        own = now
      }
      return { need, [Symbol.dispose]: () => need(0) }
    },
  }
}

const tooMany = (problem: string): ApiError =>
  new ApiError('service_unavailable', `${problem}: try again`, { retryAfter: 2 })
