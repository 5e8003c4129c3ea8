/**
 * Why a request is not taken for a notification.
 *
 * - `missing_header`: it has no signature, or not all headers that belong to one
 * - `malformed_header`: `webhook-timestamp` is no number, or a header came twice with different values
 * - `bad_signature`: none of its signatures is of these bytes with one of the secrets
 * - `too_old`, `too_new`: well signed, but not now; somebody may be sending again what was sent before
 * - `unreadable_encoding`, `too_large`: well signed, but cannot be inflated
 * - `not_json`, `not_a_notification`: well signed, but something else
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

/** A request that must not be believed. Its message holds neither the secret nor the body. */
export class WebhookVerificationError extends Error {
  readonly reason: WebhookVerificationReason

  constructor(reason: WebhookVerificationReason, message: string) {
    super(message)
    this.name = 'WebhookVerificationError'
    this.reason = reason
  }
}
