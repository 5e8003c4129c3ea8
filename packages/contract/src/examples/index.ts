/** An example of every operation of the API. Importing them loads no schema. */
import type { Waypost } from '../index.ts'
import { adminApplicationExamples, adminGrantExamples, apiKeyExamples, usageExamples } from './administration.ts'
import { agentExamples } from './agents.ts'
import { applicationExamples, redirectUriExamples } from './applications.ts'
import { approvalExamples } from './approvals.ts'
import { availabilityExamples } from './availability.ts'
import { calendarExamples, virtualCalendarExamples } from './calendars.ts'
import { amqpChannelExamples, natsChannelExamples, pubsubChannelExamples, snsChannelExamples } from './channels.ts'
import { connectExamples } from './connect.ts'
import { connectorSetupExamples } from './connector-setup.ts'
import { connectorExamples, credentialExamples, providerExamples } from './connectors.ts'
import { contactExamples, contactGroupExamples } from './contacts.ts'
import { auditExamples, healthExamples } from './dashboard.ts'
import { draftExamples } from './drafts.ts'
import { eventExamples } from './events.ts'
import type { AnyExample, Examples } from './example.ts'
import { failedJobsExamples } from './failed-jobs.ts'
import { grantExamples } from './grants.ts'
import { groupEventExamples } from './group-events.ts'
import { attachmentExamples, attachmentUploadExamples, folderExamples, threadExamples } from './mailbox.ts'
import { messageExamples, scheduleExamples } from './messages.ts'
import { overviewExamples } from './overview.ts'
import { accountExamples, installationExamples, peopleExamples } from './people.ts'
import { roomResourceExamples } from './room-resources.ts'
import {
  bookingExamples,
  configurationExamples,
  schedulingAvailabilityExamples,
  schedulingPageExamples,
  schedulingRedirectExamples,
  schedulingSessionExamples,
  uiSettingsExamples,
} from './scheduling.ts'
import { serviceExamples } from './service.ts'
import { serviceAccountExamples } from './service-accounts.ts'
import { invitationExamples, sessionExamples } from './session.ts'
import { signatureExamples } from './signatures.ts'
import { grantTemplateExamples, templateExamples } from './templates.ts'
import { deliveryExamples, notificationExamples, webhookExamples } from './webhooks.ts'
import { grantWorkflowExamples, workflowExamples } from './workflows.ts'
import { workspaceExamples } from './workspaces.ts'

/** By resource and operation, in the order of the contract. */
export const examples: Examples<Waypost> = {
  applications: applicationExamples,
  redirectUris: redirectUriExamples,
  connectors: connectorExamples,
  credentials: credentialExamples,
  providers: providerExamples,
  connect: connectExamples,
  grants: grantExamples,
  workspaces: workspaceExamples,
  calendars: calendarExamples,
  virtualCalendars: virtualCalendarExamples,
  roomResources: roomResourceExamples,
  events: eventExamples,
  schedules: scheduleExamples,
  messages: messageExamples,
  drafts: draftExamples,
  threads: threadExamples,
  folders: folderExamples,
  attachments: attachmentExamples,
  attachmentUploads: attachmentUploadExamples,
  contactGroups: contactGroupExamples,
  contacts: contactExamples,
  signatures: signatureExamples,
  templates: templateExamples,
  grantTemplates: grantTemplateExamples,
  workflows: workflowExamples,
  grantWorkflows: grantWorkflowExamples,
  availability: availabilityExamples,
  configurations: configurationExamples,
  schedulingPages: schedulingPageExamples,
  schedulingSessions: schedulingSessionExamples,
  uiSettings: uiSettingsExamples,
  groupEvents: groupEventExamples,
  schedulingAvailability: schedulingAvailabilityExamples,
  bookings: bookingExamples,
  schedulingRedirects: schedulingRedirectExamples,
  webhooks: webhookExamples,
  pubsubChannels: pubsubChannelExamples,
  snsChannels: snsChannelExamples,
  natsChannels: natsChannelExamples,
  amqpChannels: amqpChannelExamples,
  deliveries: deliveryExamples,
  notifications: notificationExamples,
  agents: agentExamples,
  approvals: approvalExamples,
  adminApplications: adminApplicationExamples,
  apiKeys: apiKeyExamples,
  adminGrants: adminGrantExamples,
  overview: overviewExamples,
  connectorSetup: connectorSetupExamples,
  usage: usageExamples,
  session: sessionExamples,
  invitations: invitationExamples,
  account: accountExamples,
  people: peopleExamples,
  serviceAccounts: serviceAccountExamples,
  installation: installationExamples,
  audit: auditExamples,
  failedJobs: failedJobsExamples,
  health: healthExamples,
  service: serviceExamples,
}

/** The example of an operation, for code that iterates over all routes. */
export function exampleOf(resource: string, operation: string): AnyExample | undefined {
  const operations: unknown = Reflect.get(examples, resource)
  return operations === undefined ? undefined : Reflect.get(operations as object, operation)
}

export type * from './example.ts'
export { bodyFields } from './example.ts'
export * from './shared.ts'
