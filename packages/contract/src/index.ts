import { account } from './account.ts'
import { adminGrants } from './admin-grants.ts'
import { adminApplications, apiKeys, usage } from './administration.ts'
import { agents } from './agents/agents.ts'
import { approvals } from './agents/approvals.ts'
import { applications } from './applications.ts'
import { attachmentUploads } from './attachment-uploads.ts'
import { attachments } from './attachments.ts'
import { availability } from './availability.ts'
import { calendars, virtualCalendars } from './calendars.ts'
import { amqpChannels, natsChannels, pubsubChannels, snsChannels } from './channels.ts'
import { connect } from './connect.ts'
import { connectorSetup } from './connector-setup.ts'
import { connectors } from './connectors.ts'
import { contactGroups, contacts } from './contacts.ts'
import { credentials } from './credentials.ts'
import { audit, health } from './dashboard.ts'
import { deliveries, notifications } from './deliveries.ts'
import { drafts } from './drafts.ts'
import { events } from './events.ts'
import { failedJobs } from './failed-jobs.ts'
import { folders } from './folders.ts'
import { grants } from './grants.ts'
import { installation } from './installation.ts'
import { messages } from './messages.ts'
import { overview } from './overview.ts'
import { people } from './people.ts'
import { providers } from './providers.ts'
import { redirectUris } from './redirect-uris.ts'
import { roomResources } from './room-resources.ts'
import { bookings } from './scheduling/bookings.ts'
import { configurations, schedulingPages, schedulingRedirects } from './scheduling/configurations.ts'
import { groupEvents } from './scheduling/group-events.ts'
import { schedulingSessions } from './scheduling/scheduling-sessions.ts'
import { schedulingAvailability } from './scheduling/slots.ts'
import { uiSettings } from './scheduling/ui-settings.ts'
import { grantWorkflows, workflows } from './scheduling/workflows.ts'
import { schedules, sending } from './sending.ts'
import { service } from './service.ts'
import { serviceAccounts } from './service-accounts.ts'
import { invitations, session } from './session.ts'
import { signatures } from './signatures.ts'
import { grantTemplates, templates } from './templates.ts'
import { threads } from './threads.ts'
import { webhooks } from './webhooks.ts'
import { workspaces } from './workspaces.ts'

/** The whole HTTP API. The id of `contract.grants.list` is "grants.list" everywhere. */
export const contract = {
  applications,
  redirectUris,
  connectors,
  credentials,
  providers,
  connect,
  grants,
  workspaces,
  calendars,
  virtualCalendars,
  roomResources,
  events,
  // Before the messages, because `messages/schedules` would otherwise match a message id.
  schedules,
  messages: { ...messages, ...sending },
  drafts,
  threads,
  folders,
  attachments,
  attachmentUploads,
  // Before the contacts, because `contacts/groups` would otherwise match a contact id.
  contactGroups,
  contacts,
  signatures,
  templates,
  grantTemplates,
  workflows,
  grantWorkflows,
  availability,
  configurations,
  schedulingPages,
  schedulingSessions,
  uiSettings,
  groupEvents,
  schedulingAvailability,
  bookings,
  schedulingRedirects,
  webhooks,
  pubsubChannels,
  snsChannels,
  natsChannels,
  amqpChannels,
  deliveries,
  notifications,
  agents,
  approvals,
  adminApplications,
  apiKeys,
  adminGrants,
  overview,
  connectorSetup,
  usage,
  session,
  invitations,
  account,
  people,
  serviceAccounts,
  installation,
  audit,
  failedJobs,
  health,
  service,
}
export type Waypost = typeof contract

export * from './account.ts'
export * from './admin-grants.ts'
export * from './administration.ts'
export * from './agents/agents.ts'
export * from './agents/approvals.ts'
export * from './agents/key-rights.ts'
export * from './applications.ts'
export * from './attachment-uploads.ts'
export * from './attachments.ts'
export * from './availability.ts'
export * from './calendars.ts'
export * from './channels.ts'
export * from './connect.ts'
export * from './connector-setup.ts'
export * from './connectors.ts'
export * from './contact-objects.ts'
export * from './contacts.ts'
export * from './credentials.ts'
export * from './dashboard.ts'
export * from './deliveries.ts'
export * from './delivery-attempts.ts'
export * from './destination-fields.ts'
export * from './drafts.ts'
export * from './errors.ts'
export * from './event-objects.ts'
export * from './event-parts.ts'
export * from './events.ts'
export * from './failed-jobs.ts'
export * from './fields.ts'
export * from './folders.ts'
export * from './grants.ts'
export * from './hosted.ts'
export * from './installation.ts'
export * from './limiting.ts'
export * from './limits.ts'
export * from './mail-filters.ts'
export * from './messages.ts'
export * from './notification-objects.ts'
export * from './notifications.ts'
export * from './outgoing.ts'
export * from './overview.ts'
export * from './people.ts'
export * from './provider-kinds.ts'
export * from './providers.ts'
export * from './redirect-uris.ts'
export * from './removed.ts'
export * from './room-resources.ts'
export * from './route.ts'
export * from './scheduling/booking-notifications.ts'
export * from './scheduling/bookings.ts'
export * from './scheduling/configuration-parts.ts'
export * from './scheduling/configurations.ts'
export * from './scheduling/group-events.ts'
export * from './scheduling/page-params.ts'
export * from './scheduling/scheduling-sessions.ts'
export * from './scheduling/slots.ts'
export * from './scheduling/time-rules.ts'
export * from './scheduling/ui-settings.ts'
export * from './scheduling/workflows.ts'
export * from './sending.ts'
export * from './service.ts'
export * from './service-accounts.ts'
export * from './session.ts'
export * from './signatures.ts'
export * from './templates.ts'
export * from './threads.ts'
export * from './tokens.ts'
export * from './unavailable.ts'
export * from './webhook-signatures.ts'
export * from './webhooks.ts'
export * from './workspaces.ts'
