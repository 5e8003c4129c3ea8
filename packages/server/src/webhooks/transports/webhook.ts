/** The webhook as a transport: a signed POST request to a URL. */
import { seconds } from '@waypost/platform/clock'
import type { Destination, Egress } from '@waypost/platform/egress/egress'
import { userAgent } from './cloud-answer.ts'
import { createSigner, type Secrets, type Signer } from './sign.ts'
import type { Answer, OutgoingMessage, Transport, TransportKind } from './transport.ts'

export interface WebhookSettings {
  url: string
}

/** The headers of an attempt. They depend only on the arguments, so they can be reconstructed later. */
export function webhookHeaders(
  signer: Signer,
  { id, at, body, compressed }: Pick<OutgoingMessage, 'id' | 'at' | 'body' | 'compressed'>,
): Record<string, string> {
  const headers = signer({ id, timestamp: seconds(at), body })
  headers['content-type'] = 'application/json'
  headers['user-agent'] = userAgent
  if (compressed) headers['content-encoding'] = 'gzip'
  return headers
}

class WebhookTransport implements Transport {
  readonly url: string
  readonly destination: Destination
  readonly #signer: Signer

  constructor(url: string, destination: Destination, signer: Signer) {
    this.url = url
    this.destination = destination
    this.#signer = signer
  }

  send(message: OutgoingMessage): Promise<Answer> {
    return this.destination.post(webhookHeaders(this.#signer, message), message.body)
  }

  [Symbol.dispose](): void {
    this.destination[Symbol.dispose]()
  }
}

/** A URL that is no longer allowed fails like one that does not respond. */
function destinationAt(egress: Egress, url: string): Destination {
  try {
    return egress.destination(url)
  } catch (error) {
    return { post: () => Promise.reject(error), [Symbol.dispose]: () => undefined }
  }
}

/** Receivers are verified with a challenge (`delivery/challenge.ts`), so there is no `verify` here. */
export const webhook: Omit<TransportKind<WebhookSettings, Secrets>, 'verify'> = {
  open: ({ url }, secrets, { egress, signatureHeader }) =>
    new WebhookTransport(url, destinationAt(egress, url), createSigner(secrets, signatureHeader)),
  // New secrets, the same connections.
  reopen: (former, { url }, secrets, { signatureHeader }) =>
    former instanceof WebhookTransport && former.url === url
      ? new WebhookTransport(url, former.destination, createSigner(secrets, signatureHeader))
      : undefined,
}
