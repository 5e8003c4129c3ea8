/**
 * Push subscriptions: a channel, a watch, a subscription. Each lasts some days, is renewed or replaced before it
 * ends, and is created again if it would post to another URL. If the provider refuses, changes are polled and the
 * subscription is tried again later.
 */

import { ApiError } from '@waypost/platform/api-error'
import type { SinceOptions } from '../provider.ts'
import { ifNotFound } from './named-objects.ts'
import type { WatchingSession } from './watched-parts.ts'

/** A subscription, as it is stored in a cursor. */
export interface PushSubscription {
  /** Milliseconds. */
  expires: number
}

export interface StoredSubscription<Sub extends PushSubscription> {
  current?: Sub | undefined
  /** After a refusal: when to try again, in milliseconds. */
  retryAt?: number | undefined
}

/** What differs between providers. */
export interface SubscriptionSource<Sub extends PushSubscription> {
  /** Logged if the provider refuses. */
  refusal: string
  /** It is renewed or replaced when it lasts no longer than this. */
  renewMs: number
  /** Whether it reports the right changes to the right URL; otherwise it is replaced. */
  isCurrent?(subscription: Sub): boolean
  /** Creates one; undefined if there is nothing yet that the provider could post to. */
  create(): Promise<Sub | undefined>
  /** Renews one, if the provider supports it; throws `not_found` if it does not exist any more. */
  renew?(subscription: Sub): Promise<Sub>
  /** Ends one that was replaced and still exists. */
  end?(subscription: Sub): Promise<void>
}

const retryMs = 3_600_000

/**
 * Makes sure that there is a subscription, if the provider allows it. An existing one costs nothing. With `renewPush`
 * it is renewed early, or replaced if it does not exist, because the provider said so.
 */
export async function keepSubscription<Sub extends PushSubscription>(
  session: WatchingSession,
  retained: StoredSubscription<Sub>,
  source: SubscriptionSource<Sub>,
  { renewPush = false }: Pick<SinceOptions, 'renewPush'> = {},
): Promise<StoredSubscription<Sub>> {
  const now = session.io.clock.now()
  if ((retained.retryAt ?? 0) > now && !renewPush) return retained
  const { current } = retained
  const isCurrent = current !== undefined && (source.isCurrent?.(current) ?? true)
  if (isCurrent && !renewPush && current.expires - now > source.renewMs) {
    return retained.retryAt === undefined ? retained : { current }
  }
  const lasts = current !== undefined && current.expires > now
  let next: Sub | undefined
  try {
    const renewed = lasts && isCurrent ? await renewedBy(source, current) : undefined
    if (renewed) return { current: renewed }
    next = await source.create()
  } catch (error) {
    session.io.log.warn(passing(session, error), source.refusal)
    return { ...(lasts ? { current } : {}), retryAt: now + retryMs }
  }
  if (lasts) await ended(session, source, current)
  return next ? { current: next } : { retryAt: now + retryMs }
}

/** The log fields of a failure that does not stop the watch; a problem with the account itself is thrown. */
function passing({ grant }: WatchingSession, error: unknown): { error: ApiError; grant_id: string } {
  if (!(error instanceof ApiError) || error.code === 'grant_invalid') throw error
  return { error, grant_id: grant.id }
}

/** The renewed subscription; undefined if another one has to replace it. */
const renewedBy = async <Sub extends PushSubscription>(
  { renew }: SubscriptionSource<Sub>,
  current: Sub,
): Promise<Sub | undefined> => renew?.(current).catch(ifNotFound(undefined))

/** Ends a replaced subscription. If that fails, it expires by itself. */
async function ended<Sub extends PushSubscription>(
  session: WatchingSession,
  { end }: SubscriptionSource<Sub>,
  subscription: Sub,
): Promise<void> {
  try {
    await end?.(subscription)
  } catch (error) {
    session.io.log.debug(passing(session, error), 'a subscription that was replaced could not be ended')
  }
}
