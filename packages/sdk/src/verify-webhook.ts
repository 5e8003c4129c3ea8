/**
 * Verifies that a delivery was sent by Waypost.
 *
 * A delivery has two kinds of signatures over the exact bytes of its body. The Standard Webhooks signatures decide:
 * they also sign the time, so that an old delivery cannot be replayed. The hex signature of the body contains no
 * time; an attacker who saw one delivery could strip the other headers and replay it forever, so it is accepted alone
 * only with `requireTimestamp: false`. During a rotation there are several signatures; one valid signature is enough.
 *
 * Uses only features of every runtime (Web Crypto, DecompressionStream): Node 20 or newer, Deno, Bun, workers.
 */
import { isObject, isText, parseJson } from './json.ts'
import type { VerifiedNotification } from './verified-notification.ts'
import { WebhookVerificationError } from './webhook-verification-error.ts'

/** `Headers`, a `Map`, Node's `request.headers`, or a plain record; names in any case. */
export type WebhookHeaders =
  | Iterable<readonly [string, string]>
  | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyWebhookOptions {
  /** Maximum difference between `webhook-timestamp` and now in seconds, past or future; default 300. */
  tolerance?: number | undefined
  /** Name of the hex signature header, if the operator renamed it; default `x-service-signature`. */
  header?: string | undefined
  /**
   * Whether deliveries without Standard Webhooks headers, and so without a signed time, are refused; default true.
   * Waypost always sends these headers. With `false`, an old delivery can be replayed: remember the `id` of
   * notifications.
   */
  requireTimestamp?: boolean | undefined
  /** Current time in milliseconds since 1970; default: the time of the machine. */
  now?: number | undefined
}

export type WebhookBody = string | Uint8Array | ArrayBuffer

type Bytes = Uint8Array<ArrayBuffer>

/** Maximum size of a decompressed body; the service sends at most 1 MB. */
const maxInflated = 8_388_608
const alias = 'x-nylas-signature'
const prefix = 'whsec_'

/**
 * Returns the notification of a delivery if Waypost sent it; otherwise throws a `WebhookVerificationError`.
 *
 * `body` is the raw request body, unparsed and, if it is gzip, still compressed; or a promise of it. `secrets` is the
 * `webhook_secret` of the destination; during a rotation it can be the old and the new one.
 */
export async function verifyWebhook(
  body: WebhookBody | Promise<WebhookBody>,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  options: VerifyWebhookOptions = {},
): Promise<VerifiedNotification> {
  const bytes = bytesOf(await body)
  const read = readerOf(headers)
  const keys = (typeof secrets === 'string' ? [secrets] : secrets).map(keysOf)
  if (keys.length === 0) throw new TypeError('there is no secret to verify with')
  const standard = standardOf(read)
  if (standard) {
    await needSignature(bytes, standard, keys)
    checkTime(standard.timestamp, options)
  } else {
    // Anything except `false` leaves the check on.
    if (options.requireTimestamp !== false) throw missing('webhook-id, webhook-timestamp and webhook-signature')
    await needSignature(bytes, plainOf(read, options.header ?? 'x-service-signature'), keys)
  }
  return parse(await decode(bytes, read('content-encoding')))
}

/**
 * The response to `GET <webhook_url>?challenge=…`, which is sent before a destination is created or activated: return
 * exactly this text with status 200. Accepts a full URL or, like Node's `request.url`, the part after the host.
 * Undefined if there is no challenge, or if it is unsafe to return because a browser could render it as a page.
 */
export function challengeOf(url: string | URL): string | undefined {
  const query = /\?([^#]*)/.exec(String(url))?.[1]
  const challenge = new URLSearchParams(query).get('challenge') ?? ''
  return /^[\w.~-]{1,256}$/.test(challenge) ? challenge : undefined
}

const utf8 = new TextEncoder()
const bytesOf = (body: WebhookBody): Bytes => (typeof body === 'string' ? utf8.encode(body) : new Uint8Array(body))

/** All values of a header, whatever the case of its name. */
type Reader = (name: string) => string[]

function readerOf(headers: WebhookHeaders): Reader {
  const values = new Map<string, string[]>()
  const entries: Iterable<readonly [string, string | readonly string[] | undefined]> =
    Symbol.iterator in headers ? (headers as Iterable<readonly [string, string]>) : Object.entries(headers)
  for (const [name, value] of entries) {
    if (value === undefined) continue
    const known = values.get(name.toLowerCase()) ?? []
    values.set(name.toLowerCase(), known.concat(value))
  }
  return (name) => values.get(name.toLowerCase()) ?? []
}

const missing = (names: string): WebhookVerificationError =>
  new WebhookVerificationError('missing_header', `the request lacks ${names}`)

/** The value of a header that must have a single value. */
function one(read: Reader, name: string): string | undefined {
  const [value, ...others] = new Set(read(name))
  if (others.length === 0) return value
  throw new WebhookVerificationError('malformed_header', `${name} came several times, with different values`)
}

interface Keys {
  text: Bytes
  standard: Bytes
}

/** The two keys of a secret. An invalid secret is an error of the receiver, not of the request. */
function keysOf(secret: string): Keys {
  const text = utf8.encode(secret)
  const standard = secret.startsWith(prefix) ? base64(secret.slice(prefix.length)) : text
  if (!standard || standard.length === 0) {
    throw new TypeError('a secret is empty or cut off: give the whole webhook_secret, with its whsec_')
  }
  return { text, standard }
}

/** Signatures as bytes, one of which must match `message` with one of the keys. */
interface Signatures {
  given: Bytes[]
  kind: keyof Keys
  /** The signed text before the body. */
  before: string
}

function standardOf(read: Reader): (Signatures & { timestamp: number }) | undefined {
  const id = one(read, 'webhook-id')
  const time = one(read, 'webhook-timestamp')
  const signatures = read('webhook-signature')
  if (id === undefined && time === undefined && signatures.length === 0) return undefined
  if (id === undefined) throw missing('webhook-id')
  if (time === undefined) throw missing('webhook-timestamp')
  if (signatures.length === 0) throw missing('webhook-signature')
  if (!/^\d{1,15}$/.test(time)) {
    throw new WebhookVerificationError('malformed_header', 'webhook-timestamp is not a number of seconds')
  }
  // Several signatures are separated by spaces; a proxy may have joined headers with commas.
  const given = signatures
    .join(' ')
    .split(/\s+/)
    .filter((text) => text.startsWith('v1,'))
    .map((text) => base64(text.slice(3).replace(/,$/, '')))
  return {
    given: given.filter((each) => each !== undefined),
    kind: 'standard',
    before: `${id}.${time}.`,
    timestamp: Number(time),
  }
}

function plainOf(read: Reader, header: string): Signatures {
  const values = [header, `${header}-previous`, alias].flatMap(read)
  if (values.length === 0) throw missing(header)
  const given = values.flatMap((value) => value.split(/[\s,]+/)).map((text) => hex(text.replace(/^sha256=/i, '')))
  return { given: given.filter((each) => each !== undefined), kind: 'text', before: '' }
}

const hex = (text: string): Bytes | undefined =>
  /^[0-9a-f]{64}$/i.test(text)
    ? Uint8Array.from({ length: 32 }, (_, at) => Number.parseInt(text.slice(2 * at, 2 * at + 2), 16))
    : undefined

function base64(text: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** Each key signs once, however many signatures were sent, so that a request cannot cause extra work. */
async function needSignature(
  body: Bytes,
  { given, kind, before }: Signatures,
  secrets: readonly Keys[],
): Promise<void> {
  const message = before === '' ? body : joined(utf8.encode(before), body)
  let found = false
  for (const keys of secrets) {
    const key = await crypto.subtle.importKey('raw', keys[kind], { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
    const expected = new Uint8Array(await crypto.subtle.sign('HMAC', key, message))
    for (const each of given) found = isSame(each, expected) || found
  }
  if (found) return
  throw new WebhookVerificationError(
    'bad_signature',
    'no signature fits: another secret, or the body is not exactly the bytes that came (parsed, decompressed, re-encoded)',
  )
}

function joined(first: Bytes, second: Bytes): Bytes {
  const all = new Uint8Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}

/** Compares in constant time. */
function isSame(given: Bytes, expected: Bytes): boolean {
  if (given.length !== expected.length) return false
  let difference = 0
  for (const [at, byte] of expected.entries()) difference |= byte ^ (given[at] ?? 0)
  return difference === 0
}

function checkTime(timestamp: number, { tolerance = 300, now = Date.now() }: VerifyWebhookOptions): void {
  const age = now / 1000 - timestamp
  // Written so that a tolerance that is not a number rejects everything.
  if (Math.abs(age) <= tolerance) return
  const seconds = Math.round(Math.abs(age))
  throw age > 0
    ? new WebhookVerificationError('too_old', `webhook-timestamp is ${seconds} seconds ago`)
    : new WebhookVerificationError('too_new', `webhook-timestamp is ${seconds} seconds ahead: check the clocks`)
}

/** The text of a verified body. */
async function decode(body: Bytes, encodings: readonly string[]): Promise<string> {
  const encoding = encodings.join(',').trim().toLowerCase()
  if (encoding !== '' && encoding !== 'identity' && encoding !== 'gzip') {
    throw new WebhookVerificationError('unreadable_encoding', 'content-encoding is neither gzip nor absent')
  }
  const inflated = encoding === 'gzip' ? await inflate(body) : body
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(inflated)
  } catch {
    throw new WebhookVerificationError('not_json', 'the body is not UTF-8')
  }
}

async function inflate(body: Bytes): Promise<Bytes> {
  if (typeof DecompressionStream === 'undefined') {
    throw new TypeError('this runtime has no DecompressionStream: make the destination without compressed_delivery')
  }
  const pieces: Bytes[] = []
  let length = 0
  try {
    // Read manually, because not every browser supports `for await` on streams.
    const reader = new Blob([body]).stream().pipeThrough(new DecompressionStream('gzip')).getReader()
    for (let read = await reader.read(); !read.done && length <= maxInflated; read = await reader.read()) {
      length += read.value.length
      pieces.push(read.value)
    }
    if (length > maxInflated) await reader.cancel()
  } catch {
    throw new WebhookVerificationError('unreadable_encoding', 'the body is not gzip, though content-encoding says so')
  }
  if (length > maxInflated) {
    throw new WebhookVerificationError('too_large', `the body has more than ${maxInflated} bytes when inflated`)
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer())
}

/** Only the envelope is checked: objects follow the contract or a newer one, and unknown fields are kept. */
function isNotification(json: unknown): boolean {
  if (!isObject(json) || !isObject(json.data)) return false
  const { specversion, type, source, id, time, data } = json
  const named = isText(type) && type !== '' && isText(id) && id !== '' && isText(source)
  return specversion === '1.0' && named && typeof time === 'number' && (data.object === null || isObject(data.object))
}

function parse(text: string): VerifiedNotification {
  const json = parseJson(text)
  if (json === undefined) throw new WebhookVerificationError('not_json', 'the body is not JSON')
  // The signature vouches that the content matches its type.
  if (isNotification(json)) return json as VerifiedNotification
  throw new WebhookVerificationError('not_a_notification', 'the body is JSON, but not a notification')
}
