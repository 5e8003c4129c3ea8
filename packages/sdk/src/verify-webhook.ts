/**
 * Tells deliveries of Waypost from what others send.
 *
 * A delivery carries two kinds of signature over the exact bytes of its body. Those of Standard Webhooks decide: they sign
 * the time too, so that an old delivery cannot be sent again. The hex signature of the body has no time in it; whoever
 * saw one delivery could strip the other headers and send it for ever, so it counts alone only where the receiver says
 * `requireTimestamp: false`. During a rotation there are several signatures; one that fits one of the secrets is enough.
 *
 * Only what every runtime has is used (Web Crypto, DecompressionStream): Node 20 or newer, Deno, Bun, workers.
 */
import { isObject, isText, parseJson } from './json.ts'
import type { VerifiedNotification } from './verified-notification.ts'
import { WebhookVerificationError } from './webhook-verification-error.ts'

/** `Headers`, a `Map`, Node's `request.headers`, or a plain record; names in any case. */
export type WebhookHeaders =
  | Iterable<readonly [string, string]>
  | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyWebhookOptions {
  /** Seconds that `webhook-timestamp` may be away from now, in the past or the future: 300 unless told. */
  tolerance?: number | undefined
  /** The header of the hex signature, where the operator renamed it: `x-service-signature` unless told. */
  header?: string | undefined
  /**
   * Whether deliveries without the headers of Standard Webhooks, and so without a signed time, are refused: yes unless
   * told. Waypost always sends them. With `false` an old delivery can be sent again: remember the `id` of notifications.
   */
  requireTimestamp?: boolean | undefined
  /** Milliseconds since 1970: the time of the machine unless told. */
  now?: number | undefined
}

export type WebhookBody = string | Uint8Array | ArrayBuffer

type Bytes = Uint8Array<ArrayBuffer>

/** What an inflated body may have; the service sends 1 MB at most. */
const maxInflated = 8_388_608
const alias = 'x-nylas-signature'
const prefix = 'whsec_'

/**
 * The notification in a delivery, once it is sure that Waypost sent it: throws a `WebhookVerificationError` otherwise.
 *
 * `body` is what came over the wire, unparsed and, where it is gzip, still compressed; or the promise of it. `secrets` is
 * the `webhook_secret` of the destination; during a rotation it may be the old and the new one.
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
    // Whatever is not the word itself leaves it on.
    if (options.requireTimestamp !== false) throw missing('webhook-id, webhook-timestamp and webhook-signature')
    await needSignature(bytes, plainOf(read, options.header ?? 'x-service-signature'), keys)
  }
  return parse(await decode(bytes, read('content-encoding')))
}

/**
 * What to answer to the `GET <webhook_url>?challenge=…` that comes before a destination is made or activated: exactly
 * this text, with status 200. Takes a whole address or, as Node's `request.url`, what follows the host. Undefined when
 * there is no challenge, or one that should not be sent back because a browser could take it for a page.
 */
export function challengeOf(url: string | URL): string | undefined {
  const query = /\?([^#]*)/.exec(String(url))?.[1]
  const challenge = new URLSearchParams(query).get('challenge') ?? ''
  return /^[\w.~-]{1,256}$/.test(challenge) ? challenge : undefined
}

const utf8 = new TextEncoder()
const bytesOf = (body: WebhookBody): Bytes => (typeof body === 'string' ? utf8.encode(body) : new Uint8Array(body))

/** All values of a header, under whatever spelling of its name. */
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

/** The value of a header that says one thing. */
function one(read: Reader, name: string): string | undefined {
  const [value, ...others] = new Set(read(name))
  if (others.length === 0) return value
  throw new WebhookVerificationError('malformed_header', `${name} came several times, with different values`)
}

interface Keys {
  text: Bytes
  standard: Bytes
}

/** The two keys that a secret stands for. What is no secret is a mistake of the receiver, not of the request. */
function keysOf(secret: string): Keys {
  const text = utf8.encode(secret)
  const standard = secret.startsWith(prefix) ? base64(secret.slice(prefix.length)) : text
  if (!standard || standard.length === 0) {
    throw new TypeError('a secret is empty or cut off: give the whole webhook_secret, with its whsec_')
  }
  return { text, standard }
}

/** Signatures as bytes, of which one must be that of `message` with one of the keys. */
interface Signatures {
  given: Bytes[]
  kind: keyof Keys
  /** What is signed before the body. */
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
  // Several stand behind one another with blanks; a proxy may have joined several headers with commas.
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

/** Each key signs once, however many signatures were sent: a request cannot make work by sending thousands. */
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

/** Compares in a time that does not tell where the first difference is. */
function isSame(given: Bytes, expected: Bytes): boolean {
  if (given.length !== expected.length) return false
  let difference = 0
  for (const [at, byte] of expected.entries()) difference |= byte ^ (given[at] ?? 0)
  return difference === 0
}

function checkTime(timestamp: number, { tolerance = 300, now = Date.now() }: VerifyWebhookOptions): void {
  const age = now / 1000 - timestamp
  // Written so that a tolerance that is no number lets nothing through.
  if (Math.abs(age) <= tolerance) return
  const seconds = Math.round(Math.abs(age))
  throw age > 0
    ? new WebhookVerificationError('too_old', `webhook-timestamp is ${seconds} seconds ago`)
    : new WebhookVerificationError('too_new', `webhook-timestamp is ${seconds} seconds ahead: check the clocks`)
}

/** The text of a body that was verified. */
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
    // Read by hand: not every browser lets `for await` read a stream.
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

/** The envelope only: objects are as the contract says, or newer, and fields that are not known here stay. */
function isNotification(json: unknown): boolean {
  if (!isObject(json) || !isObject(json.data)) return false
  const { specversion, type, source, id, time, data } = json
  const named = isText(type) && type !== '' && isText(id) && id !== '' && isText(source)
  return specversion === '1.0' && named && typeof time === 'number' && (data.object === null || isObject(data.object))
}

function parse(text: string): VerifiedNotification {
  const json = parseJson(text)
  if (json === undefined) throw new WebhookVerificationError('not_json', 'the body is not JSON')
  // What its type carries is the sender's word, which the signature is for.
  if (isNotification(json)) return json as VerifiedNotification
  throw new WebhookVerificationError('not_a_notification', 'the body is JSON, but not a notification')
}
