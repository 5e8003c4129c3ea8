/**
 * The signatures of a delivery, two kinds side by side, over the exact bytes that are sent (compressed ones too).
 *
 * - The founding document's: `x-service-signature`, or what the operator named it, is the lower-case hex HMAC-SHA256 of the
 *   body; the key is the secret's text as it stands, prefix included. `x-nylas-signature` says the same to listeners
 *   that know that name only.
 * - Standard Webhooks: `webhook-id`, `webhook-timestamp`, and `webhook-signature` with `v1,` and the base64 HMAC-SHA256 of
 *   `id.timestamp.body`; the key is what the base64 after `whsec_` stands for. A text without the prefix, as the fixed
 *   secret of test events, is the key itself.
 *
 * After a rotation both secrets sign: `webhook-signature` carries both, the new one first; the first kind carries the new
 * one, and the old one stands beside it in a header of the same name with `-previous`.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { newKey } from '../../lib/ids.ts'

const prefix = 'whsec_'

export const newWebhookSecret = (): string => prefix + newKey()

export interface Signed {
  /** The id of the notification, the same at every attempt. */
  id: string
  /** When this attempt is made, in seconds. */
  timestamp: number
  /** The bytes that are sent. */
  body: Buffer
}

/** Gives the signature headers of a delivery, all in lower case. */
export type Signer = (signed: Signed) => Record<string, string>

export interface Secrets {
  current: string
  /** The secret before the last rotation, as long as it signs too. */
  previous?: string
}

interface Keys {
  text: KeyObject
  standard: KeyObject
}

function keysOf(secret: string): Keys {
  const text = Buffer.from(secret, 'utf8')
  const standard = secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), 'base64') : text
  return { text: createSecretKey(text), standard: createSecretKey(standard) }
}

const bodySignature = ({ text }: Keys, { body }: Signed): string =>
  createHmac('sha256', text).update(body).digest('hex')

const standardSignature = ({ standard }: Keys, { id, timestamp, body }: Signed): string =>
  `v1,${createHmac('sha256', standard).update(`${id}.${timestamp}.`).update(body).digest('base64')}`

/** Makes the signer of a destination, once for its secrets: it keeps the keys ready. `header` names the first kind. */
export function createSigner({ current, previous }: Secrets, header: string): Signer {
  const name = header.toLowerCase()
  const keys = keysOf(current)
  const old = previous === undefined ? undefined : keysOf(previous)
  return (signed) => {
    const signature = bodySignature(keys, signed)
    const standard = standardSignature(keys, signed)
    const headers: Record<string, string> = {
      [name]: signature,
      'x-nylas-signature': signature,
      'webhook-id': signed.id,
      'webhook-timestamp': String(signed.timestamp),
      'webhook-signature': old ? `${standard} ${standardSignature(old, signed)}` : standard,
    }
    if (old) headers[`${name}-previous`] = bodySignature(old, signed)
    return headers
  }
}
