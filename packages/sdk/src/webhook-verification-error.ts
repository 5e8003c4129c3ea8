/**
 * Why a request is not accepted as a notification.
 *
 * - `missing_header`: it has no signature, or not all headers that belong to one
 * - `malformed_header`: `webhook-timestamp` is not a number, or a header occurs twice with different values
 * - `bad_signature`: no signature matches these bytes with one of the secrets
 * - `too_old`, `too_new`: correctly signed, but at another time; it may be a replay
 * - `unreadable_encoding`, `too_large`: correctly signed, but cannot be decompressed
 * - `not_json`, `not_a_notification`: correctly signed, but something else
 */
export type WebhookVerificationReason =
  | 'missing_header'
  | 'malformed_header'
  | 'bad_signature'
  | 'too_old'
  | 'too_new'
  | 'unreadable_encoding'
  | 'too_large'
  | 'not_json'
  | 'not_a_notification'

/** A request that must not be trusted. Its message contains neither the secret nor the body. */
export class WebhookVerificationError extends Error {
  readonly reason: WebhookVerificationReason

  constructor(reason: WebhookVerificationReason, message: string) {
    super(message)
    this.name = 'WebhookVerificationError'
    this.reason = reason
  }
}
