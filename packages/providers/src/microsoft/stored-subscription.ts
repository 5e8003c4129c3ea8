/**
 * Subscriptions to changes (https://learn.microsoft.com/graph/change-notifications-overview). A subscription lasts a
 * week at most and is renewed, or created again if Graph has ended it. Its notifications carry the token of the
 * grant.
 */
import { createHash } from 'node:crypto'
import type { SinceOptions } from '../provider.ts'
import { keepSubscription, type PushSubscription, type StoredSubscription } from '../shared/push-subscription.ts'
import { lifecyclePath, notificationPath } from './push.ts'
import type { Session } from './session.ts'
import { type GraphSubscription, prolong, subscribe, unsubscribe } from './subscriptions.ts'

export interface Subscription extends PushSubscription {
  id: string
  /** The URL that it posts to. */
  address: string
}

/** What is subscribed to. */
export interface Subscribed {
  /** Relative to the mailbox: `messages`. */
  resource: string
  changeType: string
  /** Logged if Graph refuses. */
  refusal: string
}

const day = 86_400_000
/** The maximum is 10,080 minutes; an hour is left for clock differences. */
const life = 7 * day - 3_600_000

/** Identifies a grant without revealing its secret. */
const fingerprintOf = (token: string): string => createHash('sha256').update(token).digest('base64url').slice(0, 22)

const expiry = ({ io }: Session): string => new Date(io.clock.now() + life).toISOString()

/** Creates or renews a subscription, if Graph can reach this service. */
export async function keepGraphSubscription(
  session: Session,
  retained: StoredSubscription<Subscription>,
  { resource, changeType, refusal }: Subscribed,
  options: Pick<SinceOptions, 'renewPush'> = {},
): Promise<StoredSubscription<Subscription>> {
  const { push } = session.io
  if (!push) return {}
  // Several grants of a mailbox may share a client, so the URL says whose subscription it is.
  const address = `${push.address}/${notificationPath}?for=${fingerprintOf(push.token)}`
  const subscriptionOf = ({ id, expirationDateTime }: GraphSubscription): Subscription => ({
    id,
    address,
    expires: expirationDateTime === undefined ? session.io.clock.now() + life : Date.parse(expirationDateTime),
  })
  return keepSubscription(
    session,
    retained,
    {
      refusal,
      renewMs: 2 * day,
      isCurrent: (subscription) => subscription.address === address,
      async create() {
        const made = await subscribe(session, {
          changeType,
          notificationUrl: address,
          lifecycleNotificationUrl: `${push.address}/${lifecyclePath}`,
          resource: decodeURIComponent(`${session.mailbox}/${resource}`),
          expirationDateTime: expiry(session),
          clientState: push.token,
        })
        return subscriptionOf(made)
      },
      renew: async ({ id }) => subscriptionOf(await prolong(session, id, expiry(session))),
      end: ({ id }) => unsubscribe(session, id),
    },
    options,
  )
}

/**
 * Whether Graph pushes changes. A subscription that could not be renewed is not relied on, although it may last some
 * days.
 */
export const isSubscribed = ({ current, retryAt }: StoredSubscription<Subscription>): boolean =>
  current !== undefined && retryAt === undefined
