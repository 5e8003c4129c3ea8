export type * from '@waypost/contract'
export {
  type Arguments,
  type ClientOf,
  createWaypost,
  type Operation,
  type Result,
  type WaypostClient,
} from './client.ts'
export type { WaypostFile } from './file.ts'
export type { OutgoingFile } from './form.ts'
export type { WaypostOptions } from './options.ts'
export { newProofKey, type SignInUrlOptions, signInUrl } from './sign-in-url.ts'
export type { VerifiedNotification } from './verified-notification.ts'
export {
  challengeOf,
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookBody,
  type WebhookHeaders,
} from './verify-webhook.ts'
export { type LocalErrorType, WaypostError, type WaypostErrorType } from './waypost-error.ts'
export { WebhookVerificationError, type WebhookVerificationReason } from './webhook-verification-error.ts'
