export type { CallOptions, WriteOptions } from './call-options.ts'
export { createWaypost } from './client.ts'
export type { WaypostFile } from './file.ts'
export type { OutgoingFile } from './form.ts'
export { errors, providerKinds, triggers } from './generated/catalogue.ts'
export type * from './generated/operations.ts'
export type * from './generated/types.ts'
export type { LiveItem } from './live.ts'
export type { WaypostOptions } from './options.ts'
export type { DataResult, EmptyResult, FileResult, ListResult } from './results.ts'
export { newProofKey, type SignInUrlOptions, signInUrl } from './sign-in-url.ts'
export type { VerifiedNotification } from './verified-notification.ts'
export {
  challengeOf,
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookBody,
  type WebhookHeaders,
} from './verify-webhook.ts'
export { type ErrorCode, type LocalErrorType, WaypostError, type WaypostErrorType } from './waypost-error.ts'
export { WebhookVerificationError, type WebhookVerificationReason } from './webhook-verification-error.ts'
export type {
  ContactExportFormat,
  EventExportFormat,
  MessageExportFormat,
  MessageFields,
  ScheduleCode,
  SentFields,
  VCardVersion,
} from './words.ts'
