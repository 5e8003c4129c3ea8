/**
 * Requests that a service account signs, as the published clients do: RSA-SHA256 (PKCS #1 v1.5) over the canonical JSON of
 * method, nonce, path, payload and timestamp. The payload is the exact text of the body. The query is not signed. Pure.
 */
import { createPublicKey, verify } from 'node:crypto'
import { ApiError } from '@waypost/platform/api-error'

export const signatureHeaders = ['x-nylas-kid', 'x-nylas-nonce', 'x-nylas-timestamp', 'x-nylas-signature'] as const

/** How far the timestamp may be from the clock of the service. */
export const signatureWindowMs = 300_000

/** The headers of a signed request. */
export interface RequestSignature {
  kid: string
  nonce: string
  /** In seconds. */
  timestamp: number
  signature: Uint8Array
}

type Header = (name: string) => string | null

/** Whether a request presents a signature, complete or not. */
export const hasSignature = (header: Header): boolean => signatureHeaders.some((name) => header(name) !== null)

const forms: Record<(typeof signatureHeaders)[number], { form: RegExp; words: string }> = {
  'x-nylas-kid': { form: /^[\w-]{1,64}$/, words: 'must be the private_key_id of the credential file' },
  'x-nylas-nonce': {
    form: /^[\w.~+/=-]{8,128}$/,
    words: 'must have 8 to 128 letters, digits or characters of ._~+/=-',
  },
  'x-nylas-timestamp': { form: /^[1-9]\d{0,11}$/, words: 'must be the Unix time in seconds' },
  // A key of 4096 bits signs with 684 characters.
  'x-nylas-signature': { form: /^[A-Za-z0-9+/]{340,700}={0,2}$/, words: 'must be the base64 of an RSA signature' },
}

/** The signature of a request. Throws if a header is missing, is sent twice, or has another form. */
export function readSignature(header: Header, now: number): RequestSignature {
  const [kid, nonce, time, signature] = signatureHeaders.map((name) => {
    const value = header(name)
    const { form, words } = forms[name]
    if (value === null) throw refused(name, 'is required: a signed request has four headers')
    if (!form.test(value)) throw refused(name, words)
    return value
  }) as [string, string, string, string]
  const timestamp = Number(time)
  const skew = Math.round(timestamp - now / 1000)
  if (Math.abs(skew) * 1000 > signatureWindowMs) {
    const max = signatureWindowMs / 1000
    const words = `is ${Math.abs(skew)} s ${skew < 0 ? 'behind' : 'ahead of'} the clock of this service, at most ${max} s are allowed: sign each request when it is sent, and check the clock`
    throw refused('x-nylas-timestamp', words)
  }
  return { kid, nonce, timestamp, signature: Buffer.from(signature, 'base64') }
}

const refused = (header: string, words: string): ApiError =>
  new ApiError('administrator_required', `${header}: ${words}`, { validationErrors: { [header]: words } })

/** The parts of a request that its signature covers. */
export interface SignedParts {
  method: string
  /** Without the query. */
  path: string
  /** The exact text of the body; undefined without one. */
  payload: string | undefined
}

/** The text that a client signs. The keys are in the order of the alphabet. */
export const textToSign = (
  { method, path, payload }: SignedParts,
  { nonce, timestamp }: Pick<RequestSignature, 'nonce' | 'timestamp'>,
): string => JSON.stringify({ method: method.toLowerCase(), nonce, path, payload, timestamp })

/** Whether the signature was made with the private key of a public one, for exactly this request. */
export function isSignedBy(publicKey: string, parts: SignedParts, signed: RequestSignature): boolean {
  // OpenSSL compares with the public key only, so there is no secret that its duration could reveal.
  return verify('sha256', Buffer.from(textToSign(parts, signed)), createPublicKey(publicKey), signed.signature)
}
