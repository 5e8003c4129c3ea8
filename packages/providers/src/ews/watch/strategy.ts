/** How a mailbox at Exchange is watched: the interface of streaming and of polling. */
import { ApiError } from '@waypost/platform/api-error'

export interface WatchStrategy extends AsyncDisposable {
  readonly isOpen: boolean
  /** Subscribes: Exchange reports what happens from now on. Throws if the server refuses. */
  open(): Promise<void>
  /** Whether Exchange reported an event since the last call. */
  take(): boolean
  /** Waits for a report or for the end of `ms`. `lost`: events may be missing, so the mailbox has to be polled. */
  wait(ms: number, signal: AbortSignal): Promise<'told' | 'time' | 'lost'>
}

/** Errors of a subscription that ended or lost events. The node subscribes again and polls the mailbox. */
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

/** Errors of a server that has no more subscriptions or does not offer them. A retry soon would fail again. */
export const hopeless = [
  'ErrorExceededConnectionCount',
  'ErrorExceededSubscriptionCount',
  'ErrorInvalidRequest',
  'ErrorSchemaValidation',
  'ErrorSubscriptionDelegateAccessNotSupported',
  'ErrorNotDelegate',
  'ErrorInvalidOperation',
] as const

/** A stream on which nothing arrived, not even the status that Exchange sends regularly. A retry soon would fail again. */
export class SilentStrategy extends ApiError {
  constructor(cause: unknown) {
    super('provider_unavailable', 'Exchange, or a proxy in front of it, keeps back what is streamed', { cause })
  }
}
