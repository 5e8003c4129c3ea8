// What a subscription is, and how Graph shows it. https://learn.microsoft.com/graph/api/resources/subscription
import type { JsonObject } from '../../shared/http.ts'
import type { AccountOwner } from '../owner.ts'

export type LifecycleEvent = 'missed' | 'reauthorizationRequired' | 'subscriptionRemoved'

export interface StoredSubscription {
  readonly id: string
  /** As it was given. */
  readonly resource: string
  /** Whose changes. */
  readonly owner: AccountOwner
  /** As `ItemChange.collections` names it. */
  readonly collection: string
  readonly changeTypes: readonly string[]
  readonly notificationUrl: string
  readonly lifecycleNotificationUrl: string | undefined
  readonly clientState: string | undefined
  readonly clientId: string
  /** The user who made it, or the application. */
  readonly creatorId: string
  /** Whether ids in notifications are immutable, as was preferred when it was made. */
  readonly immutableIds: boolean
  expiresAt: number
}

/** A subscription as it is read: its `clientState` is told to nobody but whoever creates it. */
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
