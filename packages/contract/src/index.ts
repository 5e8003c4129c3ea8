import { adminApplications, adminGrants, apiKeys, usage } from './administration.ts'
import { applications } from './applications.ts'
import { attachments } from './attachments.ts'
import { availability } from './availability.ts'
import { calendars, virtualCalendars } from './calendars.ts'
import { connect } from './connect.ts'
import { connectors } from './connectors.ts'
import { credentials } from './credentials.ts'
import { deliveries, notifications } from './deliveries.ts'
import { events } from './events.ts'
import { folders } from './folders.ts'
import { grants } from './grants.ts'
import { messages } from './messages.ts'
import { providers } from './providers.ts'
import { redirectUris } from './redirect-uris.ts'
import { service } from './service.ts'
import { threads } from './threads.ts'
import { webhooks } from './webhooks.ts'

/** The whole HTTP API. `contract.grants.list` is the route whose id, everywhere, is "grants.list". */
export const contract = {
  applications,
  redirectUris,
  connectors,
  credentials,
  providers,
  connect,
  grants,
  calendars,
  virtualCalendars,
  events,
  messages,
  threads,
  folders,
  attachments,
  availability,
  webhooks,
  deliveries,
  notifications,
  adminApplications,
  apiKeys,
  adminGrants,
  usage,
  service,
}
export type Waypost = typeof contract

export * from './administration.ts'
export * from './applications.ts'
export * from './attachments.ts'
export * from './availability.ts'
export * from './calendars.ts'
export * from './connect.ts'
export * from './connectors.ts'
export * from './credentials.ts'
export * from './deliveries.ts'
export * from './errors.ts'
export * from './events.ts'
export * from './fields.ts'
export * from './folders.ts'
export * from './grants.ts'
export * from './limits.ts'
export * from './messages.ts'
export * from './notification-objects.ts'
export * from './notifications.ts'
export * from './provider-kinds.ts'
export * from './providers.ts'
export * from './redirect-uris.ts'
export * from './removed.ts'
export * from './route.ts'
export * from './service.ts'
export * from './threads.ts'
export * from './webhooks.ts'
