// Subscriptions: notifications about changed items.
// https://learn.microsoft.com/graph/api/resources/change-notifications-api-overview
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../../shared/http.ts'
import type { ItemChange } from '../changes.ts'
import { GraphError } from '../errors.ts'
import type { GraphAnswer, GraphCall, GraphRoute } from '../http.ts'
import type { SubscribableResource } from '../part.ts'
import type { World } from '../world.ts'
import { readExpiry, readWanted } from './request.ts'
import { type LifecycleEvent, readSubscriptionJson, type StoredSubscription, subscriptionJson } from './stored.ts'
import { validateUrl } from './validation.ts'

const context = 'https://graph.microsoft.com/v1.0/$metadata#subscriptions'

export interface Subscriptions {
  readonly routes: readonly GraphRoute[]
  tell(change: ItemChange): void
  list(): StoredSubscription[]
  /** Sends a lifecycle event to a subscription's lifecycle URL; a removed subscription ends. */
  tellLifecycle(id: string, event: LifecycleEvent): void
  /** While true, nothing is sent. */
  mute(isMuted: boolean): void
}

export interface SubscriptionsOptions {
  readonly resources: readonly SubscribableResource[]
  /** How many times each notification is sent. */
  readonly copies: number
}

export function createSubscriptions(world: () => World, { resources, copies }: SubscriptionsOptions): Subscriptions {
  const subscriptions = new Map<string, StoredSubscription>()
  let isMuted = false

  function living(): StoredSubscription[] {
    const now = world().now()
    for (const [id, { expiresAt }] of subscriptions) if (expiresAt <= now) subscriptions.delete(id)
    return [...subscriptions.values()]
  }

  function found(call: GraphCall): StoredSubscription {
    const subscription = living().find(({ id }) => id === call.params.id)
    if (subscription !== undefined && subscription.clientId === call.caller.clientId) return subscription
    throw new GraphError(404, 'ResourceNotFound', 'The object was not found.')
  }

  async function create(call: GraphCall): Promise<GraphAnswer> {
    const wanted = readWanted(call, resources)
    const { clientId, account } = call.caller
    for (const url of [wanted.notificationUrl, wanted.lifecycleNotificationUrl]) if (url) await validateUrl(url)
    const isSame = (other: StoredSubscription) =>
      other.clientId === clientId &&
      other.owner === wanted.owner &&
      other.collection === wanted.collection &&
      other.changeTypes.toSorted().join() === wanted.changeTypes.toSorted().join()
    if (living().some(isSame)) {
      throw new GraphError(409, 'Conflict', 'A subscription for the same resource and change type exists already.')
    }
    const { immutableIds } = call.prefer
    const id = randomUUID()
    const subscription = { id, ...wanted, clientId, creatorId: account?.id ?? clientId, immutableIds }
    subscriptions.set(id, subscription)
    return { status: 201, json: { '@odata.context': `${context}/$entity`, ...subscriptionJson(subscription) } }
  }

  function renew(call: GraphCall): GraphAnswer {
    const subscription = found(call)
    const { expirationDateTime } = call.json()
    if (typeof expirationDateTime !== 'string') {
      throw new GraphError(400, 'InvalidRequest', 'The expirationDateTime is missing.')
    }
    subscription.expiresAt = readExpiry(expirationDateTime, call.now)
    return answer(subscription)
  }

  function send(url: string, notification: JsonObject): void {
    if (isMuted) return
    const body = JSON.stringify({ value: [notification] })
    world().push({ url, body, headers: () => ({ 'content-type': 'application/json; charset=utf-8' }) })
  }

  const own = (call: GraphCall) =>
    living().filter(
      ({ clientId, creatorId }) =>
        clientId === call.caller.clientId &&
        (call.caller.account === undefined || creatorId === call.caller.account.id),
    )

  return {
    routes: [
      { method: 'POST', path: '/subscriptions', scopes: [], handle: create },
      {
        method: 'GET',
        path: '/subscriptions',
        scopes: [],
        handle: (call) => ({ json: { '@odata.context': context, value: own(call).map(readSubscriptionJson) } }),
      },
      { method: 'GET', path: '/subscriptions/:id', scopes: [], handle: (call) => answer(found(call)) },
      { method: 'PATCH', path: '/subscriptions/:id', scopes: [], handle: renew },
      {
        method: 'DELETE',
        path: '/subscriptions/:id',
        scopes: [],
        handle(call) {
          subscriptions.delete(found(call).id)
          return {}
        },
      },
      {
        method: 'POST',
        path: '/subscriptions/:id/reauthorize',
        scopes: [],
        handle(call) {
          found(call)
          return {}
        },
      },
    ],
    tell(change) {
      for (const subscription of living()) {
        if (!concerns(subscription, change)) continue
        const notification = notificationOf(subscription, change)
        for (let copy = 0; copy < copies; copy++) send(subscription.notificationUrl, notification)
      }
    },
    list: living,
    tellLifecycle(id, event) {
      const subscription = subscriptions.get(id)
      if (subscription === undefined) throw new Error(`There is no subscription ${id}`)
      if (event === 'subscriptionRemoved') subscriptions.delete(id)
      const url = subscription.lifecycleNotificationUrl
      if (url !== undefined) send(url, lifecycleOf(subscription, event))
    },
    mute(muted) {
      isMuted = muted
    },
  }
}

function concerns({ owner, collection, changeTypes }: StoredSubscription, change: ItemChange): boolean {
  return owner === change.owner && change.collections.includes(collection) && changeTypes.includes(change.changeType)
}

function common({ id, clientState, expiresAt, owner }: StoredSubscription): JsonObject {
  return {
    subscriptionId: id,
    subscriptionExpirationDateTime: new Date(expiresAt).toISOString(),
    ...(clientState !== undefined && { clientState }),
    tenantId: owner.tenant.id,
  }
}

function notificationOf(subscription: StoredSubscription, change: ItemChange): JsonObject {
  const { owner, immutableIds } = subscription
  const id = change.id(immutableIds)
  const resource = `Users/${owner.id}@${owner.tenant.id}/${change.path}/${id}`
  return {
    ...common(subscription),
    changeType: change.changeType,
    resource,
    resourceData: { '@odata.type': change.type, '@odata.id': resource, '@odata.etag': change.etag, id },
  }
}

function lifecycleOf(subscription: StoredSubscription, lifecycleEvent: LifecycleEvent): JsonObject {
  return { ...common(subscription), lifecycleEvent, resource: subscription.resource }
}

function answer(subscription: StoredSubscription): GraphAnswer {
  return { json: { '@odata.context': `${context}/$entity`, ...readSubscriptionJson(subscription) } }
}
