/** A way in which Exchange tells that something happened in a mailbox. */
import { ApiError } from '@waypost/platform/api-error'

export interface WatchStrategy extends AsyncDisposable {
  readonly isOpen: boolean
  /** Opens it: from then on what happens is told. Throws where that cannot be. */
  open(): Promise<void>
  /** Whether something was told that nobody has heard yet; from then on it is heard. */
  take(): boolean
  /** Waits until something is told, or it is `time`; `lost` where something may have happened that was not told. */
  wait(ms: number, signal: AbortSignal): Promise<'told' | 'time' | 'lost'>
}

/** Subscriptions that are over, or of which something was lost: another one is made, and the mailbox is looked at. */
export const lostSubscription = [
  'ErrorSubscriptionNotFound',
  'ErrorInvalidSubscription',
  'ErrorExpiredSubscription',
  'ErrorInvalidWatermark',
  'ErrorMissedNotificationEvents',
  'ErrorReadEventsFailed',
  'ErrorSubscriptionAccessDenied',
  'ErrorSubscriptionUnsubscribed',
  'ErrorInvalidPullSubscriptionId',
] as const

/** What a server answers that has no more to give, or no such thing: trying again soon does not help. */
export const hopeless = [
  'ErrorExceededConnectionCount',
  'ErrorExceededSubscriptionCount',
  'ErrorInvalidRequest',
  'ErrorSchemaValidation',
  'ErrorSubscriptionDelegateAccessNotSupported',
  'ErrorNotDelegate',
  'ErrorInvalidOperation',
] as const

/** Nothing came through in the time in which Exchange would have said something: trying again soon does not help either. */
export class SilentStrategy extends ApiError {
  constructor(cause: unknown) {
    super('provider_unavailable', 'Exchange, or a proxy in front of it, keeps back what is streamed', { cause })
  }
}
