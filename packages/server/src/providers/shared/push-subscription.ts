/**
 * What a provider is asked for so that it tells of changes: a channel, a watch, a subscription. Each lasts for some days,
 * is renewed or replaced before, and is opened anew where it would post elsewhere. Where the provider refuses, its changes
 * are asked for as without pushes, and it is tried again later.
 */
import { ApiError } from '../../lib/api-error.ts'
import type { SinceOptions } from '../provider.ts'
import type { WatchingSession } from './watched-parts.ts'

/** A subscription, as it is kept in a cursor. */
export interface PushSubscription {
  /** Milliseconds. */
  expires: number
}

export interface KeptSubscription<Sub extends PushSubscription> {
  current?: Sub | undefined
  /** After a refusal: when it is tried again, in milliseconds. */
  retryAt?: number | undefined
}

/** What differs between providers. */
export interface SubscriptionSource<Sub extends PushSubscription> {
  /** Said in the log where the provider refuses. */
  refusal: string
  /** It is renewed or replaced when it lasts no longer than this. */
  renewMs: number
  /** Whether it tells what it should where it should; one that does not is replaced. */
  isCurrent?(subscription: Sub): boolean
  /** A new one; undefined where there is nothing yet that the provider could tell through. */
  create(): Promise<Sub | undefined>
  /** The same for longer, where the provider prolongs what there is; throws `not_found` where it is gone. */
  renew?(subscription: Sub): Promise<Sub>
  /** Ends one that was replaced and is still there. */
  end?(subscription: Sub): Promise<void>
}

const retryMs = 3_600_000

/**
 * Makes sure that there is a subscription, as far as the provider lets; one that there is already costs nothing. With
 * `renewPush` it is renewed although it lasts, or replaced where it is gone: the provider said that it must be.
 */
export async function keepSubscription<Sub extends PushSubscription>(
  session: WatchingSession,
  kept: KeptSubscription<Sub>,
  source: SubscriptionSource<Sub>,
  { renewPush = false }: Pick<SinceOptions, 'renewPush'> = {},
): Promise<KeptSubscription<Sub>> {
  const now = session.io.clock.now()
  if ((kept.retryAt ?? 0) > now && !renewPush) return kept
  const { current } = kept
  const isCurrent = current !== undefined && (source.isCurrent?.(current) ?? true)
  if (isCurrent && !renewPush && current.expires - now > source.renewMs) {
    return kept.retryAt === undefined ? kept : { current }
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

/** What is logged of a failure that does not hold up the watch; what is wrong with the account itself is thrown. */
function passing({ grant }: WatchingSession, error: unknown): { error: ApiError; grant_id: string } {
  if (!(error instanceof ApiError) || error.code === 'grant_invalid') throw error
  return { error, grant_id: grant.id }
}

/** A subscription that is prolonged, undefined where another has to take its place. */
async function renewedBy<Sub extends PushSubscription>(
  { renew }: SubscriptionSource<Sub>,
  current: Sub,
): Promise<Sub | undefined> {
  try {
    return await renew?.(current)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined
    throw error
  }
}

/** Ends what was replaced; it goes by itself where that fails. */
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
