/**
 * Several calls as one HTTP request: `multipart/mixed` with an HTTP request in each part, answered with an HTTP response
 * in each (https://developers.google.com/workspace/gmail/api/guides/batch).
 */
import { newToken } from '@waypost/platform/ids'

export interface Part {
  method: string
  /** From the root of the host, with its query. */
  target: string
  body?: unknown
}

export interface PartAnswer {
  status: number
  headers: ReadonlyMap<string, string>
  body: Uint8Array
}

const crlf = '\r\n'

/** The body of a batch. */
export function writeBatch(parts: readonly Part[]): { contentType: string; body: string } {
  const boundary = `batch_${newToken()}`
  const written = parts.map(({ method, target, body }, place) => {
    const json = body === undefined ? '' : JSON.stringify(body)
    const head = [
      `--${boundary}`,
      'Content-Type: application/http',
      'Content-Transfer-Encoding: binary',
      `Content-ID: <${place}>`,
      '',
      `${method} ${target} HTTP/1.1`,
    ]
    const inner =
      body === undefined
        ? []
        : ['Content-Type: application/json; charset=utf-8', `Content-Length: ${Buffer.byteLength(json)}`]
    return [...head, ...inner, '', json, ''].join(crlf)
  })
  return { contentType: `multipart/mixed; boundary=${boundary}`, body: `${written.join('')}--${boundary}--${crlf}` }
}

/** The answers of a batch in the order of their calls; undefined for a call without an answer. */
export function readBatch(contentType: string, body: Buffer, count: number): (PartAnswer | undefined)[] {
  const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType)
  const answers = Array.from<PartAnswer | undefined>({ length: count }).fill(undefined)
  const mark = boundary?.[1] ?? boundary?.[2]
  if (!mark) return answers
  for (const [order, part] of partsOf(body, `--${mark}`, count).entries()) {
    const outer = readHead(part)
    const inner = readHead(outer.rest)
    const status = Number(/^HTTP\/\d(?:\.\d)? (\d{3})/.exec(inner.first)?.[1])
    const named = /response-(\d+)/.exec(outer.headers.get('content-id') ?? '')?.[1]
    const place = named === undefined ? order : Number(named)
    if (!Number.isInteger(status) || place >= count) continue
    answers[place] = { status, headers: inner.headers, body: inner.rest }
  }
  return answers
}

/** The bytes between the delimiters, without the surrounding line ends; at most as many parts as calls. */
function partsOf(body: Buffer, delimiter: string, max: number): Buffer[] {
  const parts: Buffer[] = []
  let start = body.indexOf(delimiter)
  while (start !== -1 && parts.length < max) {
    const from = start + delimiter.length
    const end = body.indexOf(`\n${delimiter}`, from)
    if (end === -1) return parts
    parts.push(body.subarray(from, body[end - 1] === 0x0d ? end - 1 : end))
    start = end + 1
  }
  return parts
}

/** A part has about a dozen headers. */
const maxHead = 64 * 1024

/** Splits a part at its empty line: the first line, the headers, and the rest. */
function readHead(bytes: Buffer): { first: string; headers: Map<string, string>; rest: Buffer } {
  const headers = new Map<string, string>()
  let first = ''
  let at = 0
  for (;;) {
    const end = bytes.indexOf(0x0a, at)
    const line = bytes.toString('latin1', at, end === -1 ? bytes.length : end).replace(/\r$/, '')
    const begun = first !== '' || headers.size > 0
    at = end === -1 ? bytes.length : end + 1
    const isOver = end === -1 || (line === '' && begun) || at > maxHead
    if (isOver) return { first, headers, rest: bytes.subarray(at) }
    const colon = line.indexOf(':')
    if (/^HTTP\//.test(line)) first = line
    else if (colon > 0) headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim())
  }
}
