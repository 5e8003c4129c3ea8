/**
 * Asking Graph to tell of changes (https://learn.microsoft.com/graph/change-notifications-overview). A subscription lasts for
 * a week at most and is prolonged, or made anew where Graph has ended it. What it posts carries the token of the grant.
 */
import { createHash } from 'node:crypto'
import type { SinceOptions } from '../provider.ts'
import { type KeptSubscription, keepSubscription, type PushSubscription } from '../shared/push-subscription.ts'
import { lifecyclePath, notificationPath } from './push.ts'
import type { Session } from './session.ts'
import { type GraphSubscription, prolong, subscribe, unsubscribe } from './subscriptions.ts'

export interface Subscription extends PushSubscription {
  id: string
  /** Where it posts to. */
  address: string
}

/** What is told. */
export interface Subscribed {
  /** Below the mailbox: `messages`. */
  resource: string
  changeType: string
  /** Said in the log where Graph refuses. */
  refusal: string
}

const day = 86_400_000
/** The most is 10,080 minutes, and clocks differ. */
const life = 7 * day - 3_600_000

/** Names a grant without telling its secret. */
const fingerprintOf = (token: string): string => createHash('sha256').update(token).digest('base64url').slice(0, 22)

const expiry = ({ io }: Session): string => new Date(io.clock.now() + life).toISOString()

/** Has Graph tell of changes, where it can reach us. */
export async function keepGraphSubscription(
  session: Session,
  kept: KeptSubscription<Subscription>,
  { resource, changeType, refusal }: Subscribed,
  options: Pick<SinceOptions, 'renewPush'> = {},
): Promise<KeptSubscription<Subscription>> {
  const { push } = session.io
  if (!push) return {}
  // Several grants of a mailbox may share a client: the address tells whose subscription it is.
  const address = `${push.address}/${notificationPath}?for=${fingerprintOf(push.token)}`
  const subscriptionOf = ({ id, expirationDateTime }: GraphSubscription): Subscription => ({
    id,
    address,
    expires: expirationDateTime === undefined ? session.io.clock.now() + life : Date.parse(expirationDateTime),
  })
  return keepSubscription(
    session,
    kept,
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

/** Whether Graph tells of changes. One that it does not prolong is not relied on, although it may last for some days. */
export const isSubscribed = ({ current, retryAt }: KeptSubscription<Subscription>): boolean =>
  current !== undefined && retryAt === undefined
