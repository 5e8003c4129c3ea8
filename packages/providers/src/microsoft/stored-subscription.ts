/**
 * Subscriptions to changes (https://learn.microsoft.com/graph/change-notifications-overview). A subscription lasts a
 * week at most and is renewed, or created again if Graph has ended it. Its notifications carry the token of the
 * grant.
 */
import { createHash } from 'node:crypto'
import { instant, nonEmptyText, object, type Read, text } from '@waypost/platform/json/reader'
import type { SinceOptions } from '../provider.ts'
import { keepSubscription, type PushSubscription, type StoredSubscription } from '../shared/push-subscription.ts'
import { providerStatus } from '../shared/refusal.ts'
import { listAll } from './graph-pages.ts'
import { lifecyclePath, notificationPath } from './push.ts'
import type { Session } from './session.ts'

const subscription = object(
  { id: nonEmptyText },
  { resource: text, notificationUrl: text, expirationDateTime: instant },
)
export type GraphSubscription = Read<typeof subscription>

export interface WantedSubscription {
  resource: string
  /** Such as `created,updated`. */
  changeType: string
  notificationUrl: string
  lifecycleNotificationUrl: string
  expirationDateTime: string
  /** The value that Graph returns with each notification. */
  clientState: string
}

const pathOf = (id: string): string => `subscriptions/${encodeURIComponent(id)}`

/** Creates a subscription, or takes over the existing one of the grant. */
export async function subscribe(session: Session, wanted: WantedSubscription): Promise<GraphSubscription> {
  const create = (): Promise<GraphSubscription> =>
    session.call('POST', 'subscriptions', { body: wanted, read: subscription })
  try {
    return await create()
  } catch (error) {
    const own = providerStatus(error) === 409 ? await findOwn(session, wanted) : undefined
    if (own === undefined) throw error
    if (own.notificationUrl === wanted.notificationUrl) return prolong(session, own.id, wanted.expirationDateTime)
    await unsubscribe(session, own.id)
    return create()
  }
}

/**
 * The existing subscription of this grant. Graph does not return its secret (`clientState`), so it is recognized by
 * its resource and by the path and query of its URL, which name the grant. The host may be a former one of the
 * service.
 */
async function findOwn(session: Session, wanted: WantedSubscription): Promise<GraphSubscription | undefined> {
  const all = await listAll(session, { path: 'subscriptions', query: {}, read: subscription })
  const isSamePlace = (address = ''): boolean => placeOf(address) === placeOf(wanted.notificationUrl)
  return all.find(({ resource, notificationUrl }) => resource === wanted.resource && isSamePlace(notificationUrl))
}

const placeOf = (address: string): string | undefined => {
  const url = URL.parse(address)
  return url ? `${url.pathname}${url.search}` : undefined
}

export const prolong = (session: Session, id: string, expirationDateTime: string): Promise<GraphSubscription> =>
  session.call('PATCH', pathOf(id), { body: { expirationDateTime }, read: subscription })

export const unsubscribe = (session: Session, id: string): Promise<void> => session.execute('DELETE', pathOf(id))

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
