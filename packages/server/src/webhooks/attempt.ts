/** One attempt to deliver: the envelope around the stored text, signed, posted, and what came of it. */
import { gzipSync } from 'node:zlib'
import { type Clock, seconds } from '../lib/clock.ts'
import { type Destination, EgressError } from '../lib/egress.ts'
import type { DueDelivery, StoredNotification } from '../store/deliveries.ts'
import type { LeasedDestination } from '../store/delivery-leases.ts'
import { version } from '../version.ts'
import type { WriteBody } from './body.ts'
import { opening } from './envelope.ts'
import type { Signer } from './sign.ts'

/** A delivery with what it delivers. */
export interface Item extends DueDelivery {
  stored: StoredNotification
}

/** A destination, ready for use. */
export interface Target {
  row: LeasedDestination
  way: Destination
  signer: Signer
  /** When the secret before the last rotation ceases to sign. */
  signsTwiceUntil: number
  compressed: boolean
  emails: readonly string[]
}

/** How an attempt ended. */
export interface Ended {
  at: number
  latencyMs: number
  /** The status of the answer; null where there was none. */
  status: number | null
  /** Why there was no answer. */
  error: string | null
  answer: string | null
  retryAfter: string | null
}

/** Any 2xx is a delivery. */
export const isDelivered = ({ status }: Pick<Ended, 'status'>): boolean =>
  status !== null && status >= 200 && status < 300

/** Firewalls refuse requests that do not say who sends them. */
const userAgent = `waypost/${version}`

/** Makes the attempt; undefined where it was not made, or broken off from here, so that it says nothing of the destination. */
export async function attempt(
  item: Item,
  target: Target,
  { clock, write }: { clock: Clock; write: WriteBody },
): Promise<Ended | undefined> {
  const at = clock.now()
  const before = performance.now()
  const ended: Ended = { at, latencyMs: 0, status: null, error: null, answer: null, retryAfter: null }
  try {
    const { status, answer, retryAfter } = await post(item, target, { at, write })
    Object.assign(ended, { status, retryAfter, answer: answer.length === 0 ? null : textOf(answer) })
  } catch (error) {
    if (error instanceof EgressError && isOurs(error)) return undefined
    ended.error =
      error instanceof EgressError ? `${error.reason}: ${error.message}` : 'the attempt failed in the service'
  }
  ended.latencyMs = performance.now() - before
  return ended
}

function post(
  { stored, attempts }: Item,
  { signer, way, compressed }: Target,
  { at, write }: { at: number; write: WriteBody },
): ReturnType<Destination['post']> {
  const { id, type, source, sequence, created_at: createdAt, payload: data } = stored
  const written = write(opening({ type, source, id, createdAt, sequence, attempt: attempts + 1 }), data)
  const body = compressed ? gzipSync(written) : written
  const headers = signer({ id, timestamp: seconds(at), body })
  headers['content-type'] = 'application/json'
  headers['user-agent'] = userAgent
  if (compressed) headers['content-encoding'] = 'gzip'
  return way.post(headers, body)
}

/** The way was closed, or no connection was free: this says nothing about the destination. */
const isOurs = ({ reason }: EgressError): boolean => reason === 'aborted' || reason === 'overloaded'

/** The answer as text that a store takes. */
const textOf = (bytes: Buffer): string => bytes.toString('utf8').replaceAll('\0', '\uFFFD')
