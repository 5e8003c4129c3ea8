/**
 * What an attempt at a channel means. Unlike receivers of webhooks, a channel keeps the order of each grant, and its
 * failures are nearly always those of its broker. So there are four outcomes:
 *
 * - delivered: the broker has the message.
 * - refused: the broker refuses this message for good, such as one that is too large. It is given up at once, so that
 *   later messages of its grant go on. It can be replayed.
 * - held: no queue or stream takes messages of this type. Where each type has its own, that says nothing about the others.
 *   So only the grant of the message waits, which keeps its order. It may be that the place is missing only for a moment,
 *   while a cluster elects a leader. After 15 seconds messages of this type are refused until one is delivered.
 * - stopped: the broker cannot be reached, refuses the credentials, does not know the topic, is overloaded, or failed. The
 *   channel stops as a whole and tries the same message again: after 1 second, then after twice as long each time, up to a
 *   minute. This costs no message one of its tries, so an outage of hours loses nothing.
 *
 * A broker that answers a message with 500 again and again may be at fault, or the message may be. After 8 such attempts,
 * about four minutes, the message is given up, so that it cannot stop the channel forever.
 */

import { noPlaceForType } from '../transports/fitted.ts'
import type { Ended } from './attempt.ts'
import { isDelivered } from './attempt.ts'
import { parseRetryAfter } from './retry.ts'

export type ChannelOutcome = 'delivered' | 'refused' | 'held' | 'stopped'

/** Statuses that say nothing about a single message. */
const ofBroker: ReadonlySet<number> = new Set([401, 403, 404, 408, 429, 502, 503, 504, 507])
const maxTries = 8
const firstMs = 1_000
const maxMs = 60_000
/** How long a place for a type may be missing before its messages are refused. */
const missingMs = 15_000

/** Whether an attempt counts as one of the tries of its message. */
export const isTried = ({ status }: Pick<Ended, 'status'>): boolean =>
  status === noPlaceForType || (status !== null && status >= 500 && !ofBroker.has(status))

/** Since when a type has had no place, before an attempt and after it. Undefined: it has one, as far as is known. */
export function missingAfter(since: number | undefined, { status, at }: Pick<Ended, 'status' | 'at'>) {
  if (status === noPlaceForType) return since ?? at
  return isDelivered({ status }) ? undefined : since
}

/** `tries`: the tries of the message before this attempt. `missingSince`: since when its type has had no place. */
export function channelOutcome(
  ended: Pick<Ended, 'status' | 'at'>,
  { tries, missingSince }: { tries: number; missingSince: number | undefined },
): ChannelOutcome {
  const { status, at } = ended
  if (isDelivered(ended)) return 'delivered'
  if (status === noPlaceForType) return at - (missingSince ?? at) < missingMs ? 'held' : 'refused'
  if (status === null || ofBroker.has(status)) return 'stopped'
  if (status >= 500) return tries + 1 < maxTries ? 'stopped' : 'refused'
  return 'refused'
}

/**
 * How long a channel rests after its broker failed `count` times in a row. A broker that says when to come back is
 * obeyed within the same limit. `random` is from 0 up to 1 and makes the rest up to 20 % longer.
 */
export function stopMs(
  count: number,
  { retryAfter, now, random }: { retryAfter: string | null; now: number; random: number },
): number {
  const grown = firstMs * 2 ** Math.min(count - 1, 10)
  const requested = parseRetryAfter(retryAfter ?? undefined, now) ?? 0
  return Math.round(Math.min(maxMs, Math.max(grown, requested)) * (1 + 0.2 * random))
}
