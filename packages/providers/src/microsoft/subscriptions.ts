/**
 * Subscriptions at Graph, by which it posts that something changed
 * (https://learn.microsoft.com/graph/api/subscription-post-subscriptions). An application has at most one of each
 * kind per mailbox; a second one is refused. The existing one may be one whose answer was lost, or one for a former
 * URL of the service.
 */
import { instant, nonEmptyText, object, type Read, text } from '@waypost/platform/json/reader'
import { providerStatus } from '../shared/refusal.ts'
import { listAll } from './graph-pages.ts'
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
