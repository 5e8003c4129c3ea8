/**
 * The two kinds of signatures of a delivery, over the exact bytes that are sent (also compressed ones).
 *
 * - The service's own: `x-service-signature`, or the operator's name for it, is the lower-case hex HMAC-SHA256
 * of the
 *   body. The key is the text of the secret, including its prefix. `x-nylas-signature` has the same value, for receivers
 *   that only know that name.
 * - Standard Webhooks: `webhook-id`, `webhook-timestamp`, and `webhook-signature` with `v1,` and the base64
 * HMAC-SHA256 of
 *   `id.timestamp.body`. The key is the decoded base64 after `whsec_`. A secret without the prefix, such as the fixed one
 *   of test events, is the key itself.
 *
 * After a rotation both secrets sign. `webhook-signature` contains both signatures, the new one first. The first kind
 * uses the new secret, and a header of the same name with `-previous` uses the old one.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { newKey } from '@waypost/platform/ids'

const prefix = 'whsec_'

export const newWebhookSecret = (): string => prefix + newKey()

export interface Signed {
  /** The id of the notification, the same at every attempt. */
  id: string
  /** The time of this attempt, in seconds. */
  timestamp: number
  /** The bytes that are sent. */
  body: Buffer
}

/** Returns the signature headers of a delivery, all in lower case. */
export type Signer = (signed: Signed) => Record<string, string>

export interface Secrets {
  current: string
  /** The previous secret, while it still signs. */
  previous?: string | undefined
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

/** Creates the signer of a destination with prepared keys. `header` names the first kind. */
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
