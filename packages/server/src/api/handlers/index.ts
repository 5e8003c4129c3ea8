import type { Services } from '../../services/services.ts'
import type { Handlers } from '../pipeline/handler-types.ts'
import { account } from './account.ts'
import { adminGrants } from './admin-grants.ts'
import { adminApplications, apiKeys, usage } from './administration.ts'
import { agents } from './agents/agents.ts'
import { approvals } from './agents/approvals.ts'
import { applications } from './applications.ts'
import { attachmentUploads } from './attachment-uploads.ts'
import { availability } from './availability.ts'
import { calendars, roomResources, virtualCalendars } from './calendars.ts'
import { amqpChannels, natsChannels, pubsubChannels, snsChannels } from './channels.ts'
import { connect } from './connect.ts'
import { connectorSetup } from './connector-setup.ts'
import { connectors } from './connectors.ts'
import { contactGroups, contacts } from './contacts.ts'
import { credentials } from './credentials.ts'
import { audit, health } from './dashboard.ts'
import { deliveries } from './deliveries.ts'
import { drafts } from './drafts.ts'
import { events } from './events.ts'
import { failedJobs } from './failed-jobs.ts'
import { folders } from './folders.ts'
import { grants } from './grants.ts'
import { invitations } from './invitations.ts'
import { attachments, messages } from './messages.ts'
import { notifications } from './notifications.ts'
import { overview } from './overview.ts'
import { installation, people } from './people.ts'
import { providers } from './providers.ts'
import { redirectUris } from './redirect-uris.ts'
import { schedules } from './schedules.ts'
import { schedulingAvailability, uiSettings } from './scheduling/booking-pages.ts'
import { bookings } from './scheduling/bookings.ts'
import { configurations, schedulingPages, schedulingRedirects } from './scheduling/configurations.ts'
import { groupEvents } from './scheduling/group-events.ts'
import { schedulingSessions } from './scheduling/sessions.ts'
import { grantWorkflows, workflows } from './scheduling/workflows.ts'
import { service } from './service.ts'
import { serviceAccounts } from './service-accounts.ts'
import { session } from './session.ts'
import { signatures } from './signatures.ts'
import { grantTemplates, templates } from './templates.ts'
import { threads } from './threads.ts'
import { webhooks } from './webhooks.ts'
import { workspaces } from './workspaces.ts'

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
  pubsubChannels: pubsubChannels(services),
  snsChannels: snsChannels(services),
  natsChannels: natsChannels(services),
  amqpChannels: amqpChannels(services),
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
