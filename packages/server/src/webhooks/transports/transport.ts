/**
 * What a transport is: how notifications reach a destination. The webhook is one of them; the others (channels) publish
 * to a broker. Queue, leases, order, retries, log and states are the same for all of them and live elsewhere
 * (`webhooks/delivery`). A transport only sends one message and says what came of it.
 */
import { ApiError } from '@waypost/platform/api-error'
import type { Clock } from '@waypost/platform/clock'
import { type Egress, EgressError } from '@waypost/platform/egress/egress'
import type { Log } from '@waypost/platform/log'

/** One notification on its way. */
export interface OutgoingMessage {
  /** The id of the notification, the same at every attempt: brokers and receivers recognize duplicates by it. */
  readonly id: string
  readonly type: string
  /** The ordering key. A channel never has two messages of one grant under way at the same time. */
  readonly grantId: string
  readonly attempt: number
  /** The bytes of the JSON text, or its gzip if `compressed`. The transport must not change them. */
  readonly body: Buffer
  readonly compressed: boolean
  /** The time of this attempt in milliseconds. */
  readonly at: number
}

/**
 * The outcome of a message, in the words of HTTP. The status decides what happens next on a channel
 * (`delivery/channel-outcome.ts`):
 *
 * - 2xx: accepted for good. With publisher confirms: confirmed.
 * - 401, 403 (refused credentials), 404 (no such topic), 408, 429 (throttled), 502, 503, 504, 507: the broker or the
 *   channel is at fault. The channel stops as a whole and tries again soon. Nothing is given up.
 * - 410: the broker takes nothing of this type, because each type has its own subject or routing key. Only this grant
 *   waits, for a short time. Then the message is given up and can be replayed.
 * - 500 and other 5xx: the broker failed at this message. It is retried, and later messages of its grant wait.
 * - any other status (400, 413 and so on): the broker refuses this message. It is given up at once and can be replayed.
 *
 * A broker that cannot be reached, hangs or disconnects before it confirmed is an `EgressError`. It counts like 503.
 */
export interface Answer {
  readonly status: number
  /** What the broker said, at most 4 KB, without credentials. It is stored, encrypted, in the log of attempts. */
  readonly answer: Buffer
  /** Like the Retry-After header, for 429 and 503. */
  readonly retryAfter: string | null
}

/** An open way to one destination. Disposing it closes its connections and rejects running sends with `aborted`. */
export interface Transport extends Disposable {
  /**
   * Sends a message. It settles within 10 seconds (`limits.webhookAnswerMs`), connecting included. Calls run
   * concurrently, and a transport may put several into one request. It connects at the first call, and again at the next
   * call after a connection was lost. A failure rejects with an `EgressError` and changes nothing for later calls.
   */
  send(message: OutgoingMessage): Promise<Answer>
}

/** What transports may use. */
export interface TransportTools {
  readonly egress: Egress
  readonly clock: Clock
  readonly log: Log
  /** The application of the destination. */
  readonly applicationId: string
  /** The name of the operator's signature header of webhooks. */
  readonly signatureHeader: string
  /** Addresses of the operator that replace those of a cloud, such as those of an emulator. */
  readonly endpoints: TransportEndpoints
}

export interface TransportEndpoints {
  readonly pubsub?: string | undefined
  readonly sns?: string | undefined
  readonly sts?: string | undefined
}

/** One way of sending: how to open it, and how to find out whether a destination takes messages. */
export interface TransportKind<Settings, Credentials> {
  /** Prepares a transport. It connects to nothing yet and throws nothing: what is wrong shows at the first `send`. */
  open(settings: Settings, credentials: Credentials, tools: TransportTools): Transport
  /** The same for a changed destination, with the connections of the former transport. Undefined if it cannot keep them. */
  reopen?(former: Transport, settings: Settings, credentials: Credentials, tools: TransportTools): Transport | undefined
  /**
   * Verifies that the destination takes messages, without sending one to subscribers. Rejects with a `TransportRefusal`
   * that says what the broker answered, or with an `EgressError` if there was no answer. It ends within 10 seconds.
   */
  verify(settings: Settings, credentials: Credentials, tools: VerifyingTools): Promise<void>
}

export interface VerifyingTools extends TransportTools {
  signal: AbortSignal
  /** The triggers of the channel, which may each have a subject of their own. */
  types?: readonly string[]
}

/** The broker refused a destination when it was verified. */
export class TransportRefusal extends Error {
  override readonly name = 'TransportRefusal'
  /** The field of the request that is at fault, such as `topic` or `credentials`. */
  readonly field: string

  /** The message says what the broker answered and what to do. It contains no credentials. */
  constructor(field: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.field = field
  }
}

/**
 * Receives the details of a failure if the caller must not see them: with private addresses allowed, callers who are
 * not the operator must not learn which internal hosts respond.
 */
export type Aside = ((details: Record<string, unknown>) => void) | undefined

/** The error for a receiver or broker that did not respond as required, of the field which names it. */
export function unverified(
  { field, peer }: { field: string; peer: 'receiver' | 'broker' },
  reported: string,
  { aside, cause }: { aside: Aside; cause?: Error | undefined },
): ApiError {
  // A refusal depends only on the text of the address, or has a message that reveals nothing internal.
  const isShown = aside === undefined || (cause instanceof EgressError && cause.reason.startsWith('refused_'))
  if (isShown) return new ApiError('webhook_unanswered', `unable.verify.${field} : ${reported}`, { cause })
  aside({ reported })
  const hidden = `the ${peer} did not respond as required; see the log of the service for details`
  return new ApiError('webhook_unanswered', `unable.verify.${field} : ${hidden}`)
}
