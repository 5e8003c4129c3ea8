/** One delivery attempt: sends the prepared bytes by the transport of the destination, and returns the outcome. */
import type { Clock } from '@waypost/platform/clock'
import { EgressError } from '@waypost/platform/egress/egress'
import type { DueDelivery } from '@waypost/store/tables/notifications/deliveries'
import type { LeasedDestination } from '@waypost/store/tables/notifications/delivery-leases'
import type { Answer, Transport } from '../transports/transport.ts'
import { bodyOf, type NotificationCache, type ReadyNotification } from './body.ts'

/** A delivery with its notification. */
export interface Item {
  readonly id: number
  readonly due_at: number
  readonly bytes: number
  /** The grant, at destinations that keep its order. */
  readonly lane: string
  readonly delivery: DueDelivery
  readonly reported: ReadyNotification
}

/** Deliveries with their notifications; and those whose notification was deleted. */
export async function itemsOf(
  notifications: NotificationCache,
  applicationId: string,
  rows: readonly DueDelivery[],
): Promise<{ items: Item[]; gone: number[] }> {
  const ready = await notifications.read(
    applicationId,
    rows.map(({ id }) => id),
  )
  const items: Item[] = []
  const gone: number[] = []
  for (const delivery of rows) {
    const { id, due_at, bytes } = delivery
    const reported = ready.get(id)
    if (reported) items.push({ id, due_at, bytes, lane: reported.grantId, delivery, reported })
    else gone.push(id)
  }
  return { items, gone }
}

/** A destination, ready for use. */
export interface Target {
  row: LeasedDestination
  transport: Transport
  /** When the previous secret stops signing after a rotation. */
  signsTwiceUntil: number
  compressed: boolean
  emails: readonly string[]
}

/** The outcome of an attempt. */
export interface Ended {
  at: number
  latencyMs: number
  /** The response status. Null if there was no response. */
  status: number | null
  /** Why there was no response. */
  error: string | null
  answer: string | null
  retryAfter: string | null
}

/** Any 2xx status means delivered. */
export const isDelivered = ({ status }: Pick<Ended, 'status'>): boolean =>
  status !== null && status >= 200 && status < 300

/**
 * Makes the attempt. Undefined if it was not made or was aborted locally, so that it says nothing about the
 * destination.
 */
export async function attempt(item: Item, target: Target, { clock }: { clock: Clock }): Promise<Ended | undefined> {
  const at = clock.now()
  const before = performance.now()
  const ended: Ended = { at, latencyMs: 0, status: null, error: null, answer: null, retryAfter: null }
  try {
    const { status, answer, retryAfter } = await send(item, target, at)
    Object.assign(ended, { status, retryAfter, answer: answer.length === 0 ? null : textOf(answer) })
  } catch (error) {
    if (error instanceof EgressError && isOurs(error)) return undefined
    ended.error =
      error instanceof EgressError ? `${error.reason}: ${error.message}` : 'the attempt failed in the service'
  }
  ended.latencyMs = performance.now() - before
  return ended
}

function send({ reported, delivery }: Item, { transport, compressed }: Target, at: number): Promise<Answer> {
  const attempt = delivery.attempts + 1
  const { id, type, grantId } = reported
  return transport.send({ id, type, grantId, attempt, body: bodyOf(reported, attempt, { compressed }), compressed, at })
}

/** The destination was closed locally, or no connection was free. This says nothing about the receiver. */
const isOurs = ({ reason }: EgressError): boolean => reason === 'aborted' || reason === 'overloaded'

/** The response as text that every store accepts. */
const textOf = (bytes: Buffer): string => bytes.toString('utf8').replaceAll('\0', '\uFFFD')
