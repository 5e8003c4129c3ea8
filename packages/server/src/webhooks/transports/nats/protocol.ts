/**
 * The part of the NATS client protocol that a publisher needs (docs.nats.io, "Client Protocol"). The server talks in
 * lines; only messages carry bytes of a declared length. What the server may send is bounded, because a client named
 * the server.
 */
import { fieldOf } from '@waypost/platform/json/values'

/** What the server says. Cluster hints in `INFO` are not read: they name hosts that nobody has checked. */
export type ServerLine =
  | { readonly kind: 'info'; readonly text: string }
  | { readonly kind: 'ping' }
  | { readonly kind: 'pong' }
  | { readonly kind: 'ok' }
  | { readonly kind: 'error'; readonly text: string }
  | { readonly kind: 'message'; readonly subject: string; readonly headers: string; readonly payload: Buffer }

const maxLine = 65_536
/** Acknowledgments are far smaller. */
const maxMessage = 65_536
const none = Buffer.alloc(0)

/** Splits what arrives into lines and messages. Throws if the server does not speak the protocol. */
export class NatsReader {
  #rest: Buffer = none

  /** Bytes that are not a complete line yet. */
  get pending(): number {
    return this.#rest.length
  }

  *read(chunk: Buffer): Generator<ServerLine> {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    for (;;) {
      const end = bytes.indexOf('\r\n')
      if (end < 0 || end > maxLine) {
        if (bytes.length > maxLine) throw new Error('a line is too long')
        break
      }
      const line = bytes.toString('utf8', 0, end)
      const sizes = sizesOf(line)
      if (sizes === undefined) {
        bytes = bytes.subarray(end + 2)
        yield lineOf(line)
        continue
      }
      const total = end + 2 + sizes.total + 2
      if (bytes.length < total) break
      const body = bytes.subarray(end + 2, total - 2)
      bytes = bytes.subarray(total)
      const headers = body.toString('utf8', 0, sizes.headers)
      yield { kind: 'message', subject: sizes.subject, headers, payload: body.subarray(sizes.headers) }
    }
    this.#rest = bytes
  }
}

function lineOf(line: string): ServerLine {
  const [word = ''] = line.split(/[ \t]/, 1)
  const rest = line.slice(word.length).trim()
  switch (word.toUpperCase()) {
    case 'INFO':
      return { kind: 'info', text: rest }
    case 'PING':
      return { kind: 'ping' }
    case 'PONG':
      return { kind: 'pong' }
    case '+OK':
      return { kind: 'ok' }
    case '-ERR':
      return { kind: 'error', text: rest.replaceAll(/^'|'$/g, '') }
    default:
      throw new Error('the line is not part of the protocol')
  }
}

/** `MSG subject sid [reply] bytes` and `HMSG subject sid [reply] bytes-of-headers bytes`. */
function sizesOf(line: string): { subject: string; headers: number; total: number } | undefined {
  const [word = '', subject = '', ...words] = line.split(/[ \t]+/)
  const isPlain = word.toUpperCase() === 'MSG'
  if (!isPlain && word.toUpperCase() !== 'HMSG') return undefined
  const total = Number(words.at(-1))
  const headers = isPlain ? 0 : Number(words.at(-2))
  const isValid = Number.isInteger(total) && Number.isInteger(headers) && headers >= 0 && total >= headers
  if (!isValid || total > maxMessage) throw new Error('a message is too long')
  return { subject, headers, total }
}

/** The status of a message without a body, such as 503 if nobody listens on the subject. */
export const statusOf = (headers: string): number | undefined => {
  const found = /^NATS\/1\.0 (\d{3})/.exec(headers)?.[1]
  return found === undefined ? undefined : Number(found)
}

/** What the server must know before it accepts anything. */
export interface ServerInfo {
  readonly tlsRequired: boolean
  readonly tlsOffered: boolean
  readonly headers: boolean
  readonly jetstream: boolean
  /** Of the headers and the payload of a message together. */
  readonly maxPayload: number
  /** What a client with a key signs. */
  readonly nonce: string | undefined
}

export function parseInfo(text: string): ServerInfo {
  const info: unknown = JSON.parse(text)
  if (typeof info !== 'object' || info === null) throw new Error('INFO is not an object')
  const of = (name: string): unknown => fieldOf(info, name)
  const [maxPayload, nonce] = [of('max_payload'), of('nonce')]
  return {
    tlsRequired: of('tls_required') === true,
    tlsOffered: of('tls_required') === true || of('tls_available') === true,
    headers: of('headers') === true,
    jetstream: of('jetstream') === true,
    maxPayload: typeof maxPayload === 'number' && maxPayload > 0 ? maxPayload : 1_048_576,
    nonce: typeof nonce === 'string' ? nonce : undefined,
  }
}

export interface Publication {
  readonly subject: string
  readonly reply: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload: Buffer
}

function headerText(headers: Publication['headers']): string {
  let text = 'NATS/1.0\r\n'
  for (const [name, value] of Object.entries(headers)) text += `${name}: ${value}\r\n`
  return `${text}\r\n`
}

/** How many bytes headers take of what the server takes for a message. */
export const bytesOfHeaders = (headers: Publication['headers']): number => Buffer.byteLength(headerText(headers))

/** The bytes of a publication: its command with the headers, its payload, and the end of the line. */
export function encodePublication({ subject, reply, headers, payload }: Publication): Buffer[] {
  const text = headerText(headers)
  const length = Buffer.byteLength(text)
  return [Buffer.from(`HPUB ${subject} ${reply} ${length} ${length + payload.length}\r\n${text}`), payload, lineEnd]
}

const lineEnd = Buffer.from('\r\n')
