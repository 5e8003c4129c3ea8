// A stored subscription, and its representation in Graph.
// https://learn.microsoft.com/graph/api/resources/subscription
import type { JsonObject } from '../../shared/http.ts'
import type { AccountOwner } from '../owner.ts'

export type LifecycleEvent = 'missed' | 'reauthorizationRequired' | 'subscriptionRemoved'

export interface StoredSubscription {
  readonly id: string
  /** As the client sent it. */
  readonly resource: string
  /** The owner of the watched mailbox. */
  readonly owner: AccountOwner
  /** Its name in `ItemChange.collections`. */
  readonly collection: string
  readonly changeTypes: readonly string[]
  readonly notificationUrl: string
  readonly lifecycleNotificationUrl: string | undefined
  readonly clientState: string | undefined
  readonly clientId: string
  /** The user or application that created it. */
  readonly creatorId: string
  /** Whether notifications contain immutable ids, as the client preferred at creation. */
  readonly immutableIds: boolean
  expiresAt: number
}

/** A subscription as it is read later: `clientState` is returned only at creation. */
export function readSubscriptionJson(subscription: StoredSubscription): JsonObject {
  return { ...subscriptionJson(subscription), clientState: null }
}

export function subscriptionJson(subscription: StoredSubscription): JsonObject {
  return {
    id: subscription.id,
    resource: subscription.resource,
    applicationId: subscription.clientId,
    changeType: subscription.changeTypes.join(','),
    clientState: subscription.clientState ?? null,
    notificationUrl: subscription.notificationUrl,
    notificationQueryOptions: null,
    lifecycleNotificationUrl: subscription.lifecycleNotificationUrl ?? null,
    expirationDateTime: new Date(subscription.expiresAt).toISOString(),
    creatorId: subscription.creatorId,
    includeResourceData: null,
    latestSupportedTlsVersion: 'v1_2',
    encryptionCertificate: null,
    encryptionCertificateId: null,
    notificationUrlAppId: null,
  }
}
