import type { Services } from '../../services/services.ts'
import type { Handlers } from '../pipeline/handler-types.ts'
import { account, invitations } from './account.ts'
import { adminGrants } from './admin-grants.ts'
import { adminApplications, apiKeys, usage } from './administration.ts'
import { agents } from './agents/agents.ts'
import { approvals } from './agents/approvals.ts'
import { applications, redirectUris } from './applications.ts'
import { attachmentUploads } from './attachment-uploads.ts'
import { availability } from './availability.ts'
import { calendars, roomResources, virtualCalendars } from './calendars.ts'
import { channels } from './channels.ts'
import { connect, providers } from './connect.ts'
import { connectorSetup, connectors } from './connectors.ts'
import { contactGroups, contacts } from './contacts.ts'
import { credentials } from './credentials.ts'
import { audit, failedJobs, health, service } from './dashboard.ts'
import { deliveries } from './deliveries.ts'
import { drafts } from './drafts.ts'
import { events } from './events.ts'
import { grants, workspaces } from './grants.ts'
import { attachments, folders, messages, threads } from './messages.ts'
import { notifications } from './notifications.ts'
import { overview } from './overview.ts'
import { installation, people, serviceAccounts } from './people.ts'
import { bookings } from './scheduling/bookings.ts'
import { configurations, schedulingPages, schedulingRedirects } from './scheduling/configurations.ts'
import { groupEvents } from './scheduling/group-events.ts'
import { schedulingAvailability, schedulingSessions, uiSettings } from './scheduling/pages.ts'
import { grantWorkflows, workflows } from './scheduling/workflows.ts'
import { schedules } from './send-message.ts'
import { session } from './session.ts'
import { signatures } from './signatures.ts'
import { grantTemplates, templates } from './templates.ts'
import { webhooks } from './webhooks.ts'

/** Every handler of the contract. */
export const createHandlers = (services: Services): Handlers => ({
  applications: applications(services),
  redirectUris: redirectUris(services),
  connectors: connectors(services),
  credentials: credentials(services),
  providers: providers(services),
  connect: connect(services),
  grants: grants(services),
  workspaces: workspaces(services),
  calendars: calendars(services),
  virtualCalendars: virtualCalendars(services),
  events: events(services),
  schedules: schedules(services),
  messages: messages(services),
  drafts: drafts(services),
  threads: threads(services),
  folders,
  attachments,
  attachmentUploads: attachmentUploads(services),
  roomResources,
  contactGroups,
  contacts: contacts(services),
  signatures: signatures(services),
  templates: templates(services),
  grantTemplates: grantTemplates(services),
  workflows: workflows(services),
  grantWorkflows: grantWorkflows(services),
  availability: availability(services),
  configurations: configurations(services),
  bookings: bookings(services),
  schedulingPages: schedulingPages(services),
  schedulingSessions: schedulingSessions(services),
  uiSettings: uiSettings(services),
  groupEvents: groupEvents(services),
  schedulingAvailability: schedulingAvailability(services),
  schedulingRedirects,
  webhooks: webhooks(services),
  ...channels(services),
  deliveries: deliveries(services),
  notifications: notifications(services),
  agents: agents(services),
  approvals: approvals(services),
  adminApplications: adminApplications(services),
  apiKeys: apiKeys(services),
  adminGrants: adminGrants(services),
  overview: overview(services),
  connectorSetup: connectorSetup(services),
  usage: usage(services),
  session: session(services),
  invitations: invitations(services),
  account: account(services),
  people: people(services),
  serviceAccounts: serviceAccounts(services),
  installation: installation(services),
  audit: audit(services),
  failedJobs: failedJobs(services),
  health: health(services),
  service: service(services),
})
