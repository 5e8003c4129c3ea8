/**
 * The isolation between applications, over every route of the contract. To the key of application A, an object of
 * application B is indistinguishable from one that does not exist. The matrix comes from `routesOf(contract)`, so it
 * includes new routes. A path parameter without a specimen in this file fails the first test, which says what to add.
 */
import { randomUUID } from 'node:crypto'
import { contract, type Grant, KeyOperation, methodsOf, type NamedRoute, paramsOf, routesOf } from '@waypost/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ApiError } from '../../../src/lib/api-error.ts'
import type { Operations } from '../../../src/providers/operations.ts'
import type { Provider } from '../../../src/providers/provider.ts'
import { providers } from '../../../src/providers/registry.ts'
import type { Sending } from '../../../src/sending/sending.ts'
import { addCredentialRequests } from '../../../src/store/tables/applications/credential-requests.ts'
import { logAttempts } from '../../../src/store/tables/notifications/delivery-results.ts'
import { addFailedJob } from '../../../src/store/tables/notifications/failed-jobs.ts'
import { getNotification } from '../../../src/store/tables/notifications/notification-stream.ts'
import { answerContext } from '../../../src/webhooks/sealed-payloads.ts'
import type { ChannelTransport } from '../../../src/webhooks/transports/channel-settings.ts'
import { storeApproval } from '../../agents/approval-setup.ts'
import { storeAgent } from '../../agents/stored-agent.ts'
import { type AddressBook, addressBook, contactOf, groupOf } from '../../api/pipeline/address-book.ts'
import { createFakeSending } from '../../api/pipeline/fake-sending.ts'
import { createMailbox, type Mailbox, mailProvider, messageOf } from '../../api/pipeline/mail-provider.ts'
import { type Answer, type CallOptions, enginesFor, openService, type TestService, testClock } from '../../harness.ts'
import { openListener } from '../../listener.ts'
import { storeChannel } from '../../webhooks/stored-channel.ts'

/** The objects of an application, as paths refer to them. */
interface Tenant {
  application: string
  workspace: string
  ownWorkspace: string
  key: string
  keyId: string
  failedJob: string
  redirectUri: string
  connector: string
  credential: string
  webhook: string
  channels: Record<ChannelTransport, string>
  notification: string
  grant: string
  email: string
  externalId: string
  deletedGrant: string
  deletedEmail: string
  /** Another grant of the same application. */
  otherGrant: string
  otherEmail: string
  calendar: string
  event: string
  /** A calendar and an event of another grant of the same application. */
  otherCalendar: string
  otherEvent: string
  message: string
  thread: string
  folder: string
  attachment: string
  contact: string
  contactGroup: string
  draft: string
  schedule: string
  signature: string
  upload: string
  template: string
  grantTemplate: string
  workflow: string
  agent: string
  grantWorkflow: string
  otherMessage: string
  otherThread: string
  otherFolder: string
  otherAttachment: string
  otherContact: string
  otherContactGroup: string
  otherDraft: string
  otherSchedule: string
  otherSignature: string
  otherUpload: string
  otherGrantTemplate: string
  otherGrantWorkflow: string
  configuration: string
  otherConfiguration: string
  groupConfiguration: string
  schedulingSession: string
  /** A booking, and the configuration that it is of. */
  booking: string
  bookedConfiguration: string
  /** Decided, so that it stays as it is. */
  approval: string
}

interface World {
  service: TestService
  a: Tenant
  b: Tenant
  revokedKey: string
  expiredKey: string
  /** Access tokens of the two grants of A. */
  token: string
  otherToken: string
  authentications(): number
}

/** Values for one parameter of a path. */
interface Specimen {
  /** Valid in A: used for the other parameters of a path while one is varied. */
  own: string
  /** The same in B. */
  theirs: string
  /** Must look like a missing object to A: an object of B, or a deleted one. */
  foreign: Record<string, string>
  /** Refers to nothing in any application. */
  nothing: string
}

const nowhere = randomUUID()

const workflowOf = (name: string, template_id: string) => ({
  ...{ name: `${name} workflow`, template_id, trigger_event: 'booking.created' },
})

const configurationOf = (name: string, { email, slug }: { email: string; slug: string | null }) => ({
  ...{ name: `${name} page`, slug },
  participants: [{ email, availability: { calendar_ids: ['primary'] }, booking: { calendar_id: 'primary' } }],
  availability: { duration_minutes: 30 },
  event_booking: { title: `${name} meeting` },
})

const grantSpecimen = ({ a, b }: World): Specimen => ({
  own: a.grant,
  theirs: b.grant,
  nothing: nowhere,
  foreign: {
    'the id of a grant of B': b.grant,
    'the id in upper case': b.grant.toUpperCase(),
    'the id with its prefix': `grant:${b.grant}`,
    'the address of a grant of B': b.email,
    'the address in upper case': b.email.toUpperCase(),
    'the address with its prefix': `email:${b.email}`,
    'the external id of a grant of B': `external:${b.externalId}`,
    'the bare external id': b.externalId,
    'the id of a deleted grant of B': b.deletedGrant,
    'the id of a deleted grant of A': a.deletedGrant,
    'the address of a deleted grant of A': a.deletedEmail,
    'an id of something else of B': b.credential,
    'the id of application B': b.application,
    'a random address': 'nobody@nowhere.test',
    'a random external id': 'external:nobody',
    'a NUL behind me': 'me\0',
    'the word ME': 'ME',
    'a path': '../../../etc/passwd',
    'an injection': "' or 1=1--",
  },
})

/** Both applications have google; only B has imap; neither has ews. */
const providerSpecimen = ({ b }: World): Specimen => ({
  own: 'google',
  theirs: 'google',
  nothing: 'ews',
  foreign: {
    'a provider that only B has': 'imap',
    'the id of the connector of B': b.connector,
    'no provider at all': 'fax',
    'a random id': nowhere,
  },
})

/** Objects of a grant: those of other grants are as foreign as those of other applications. */
type Thing =
  | 'calendar'
  | 'event'
  | 'message'
  | 'thread'
  | 'folder'
  | 'attachment'
  | 'contact'
  | 'contactGroup'
  | 'draft'
  | 'schedule'
  | 'signature'
  | 'upload'
  | 'grantTemplate'
  | 'grantWorkflow'
  | 'configuration'
const thingSpecimen =
  (name: Thing, other: `other${Capitalize<Thing>}`) =>
  ({ a, b }: World): Specimen => ({
    own: a[name],
    theirs: b[name],
    nothing: nowhere,
    foreign: {
      [`the ${name} of B`]: b[name],
      [`the ${name} of another grant of A`]: a[other],
      'the id of a grant of B': b.grant,
      'no id at all': 'x',
      'an injection': "' or 1=1--",
    },
  })

const webhookSpecimen = ({ a, b }: World): Specimen => ({
  own: a.webhook,
  theirs: b.webhook,
  nothing: nowhere,
  foreign: {
    'a destination of B': b.webhook,
    'the id in upper case': b.webhook.toUpperCase(),
    'a credential of B': b.credential,
    'no id at all': 'x',
  },
})

const channelSpecimen =
  (transport: ChannelTransport) =>
  ({ a, b }: World): Specimen => ({
    own: a.channels[transport],
    theirs: b.channels[transport],
    nothing: nowhere,
    foreign: { 'a channel of B': b.channels[transport], 'a destination of B': b.webhook, 'no id at all': 'x' },
  })

/** By resource and parameter, or by parameter alone if it means the same in every route. */
const specimens: Record<string, (world: World) => Specimen> = {
  'redirectUris.id': ({ a, b }) => ({
    own: a.redirectUri,
    theirs: b.redirectUri,
    nothing: nowhere,
    foreign: {
      'a redirect URI of B': b.redirectUri,
      'a credential of B': b.credential,
      'no id at all': 'x',
    },
  }),
  'workspaces.workspace_id': ({ a, b }) => ({
    own: a.ownWorkspace,
    theirs: b.ownWorkspace,
    nothing: nowhere,
    foreign: {
      'a workspace of B': b.ownWorkspace,
      'the default workspace of B': b.workspace,
      'the domain of B': 'own.bravo.test',
    },
  }),
  'credentials.id': ({ a, b }) => ({
    own: a.credential,
    theirs: b.credential,
    nothing: nowhere,
    foreign: { 'a credential of B': b.credential, 'a connector of B': b.connector, 'no id at all': 'x' },
  }),
  'webhooks.id': webhookSpecimen,
  'deliveries.id': webhookSpecimen,
  'pubsubChannels.channel_id': channelSpecimen('pubsub'),
  'snsChannels.channel_id': channelSpecimen('sns'),
  'natsChannels.channel_id': channelSpecimen('nats'),
  'amqpChannels.channel_id': channelSpecimen('amqp'),
  notification_id: ({ a, b }) => ({
    own: a.notification,
    theirs: b.notification,
    nothing: nowhere,
    foreign: { 'a notification of B': b.notification, 'no id at all': 'x' },
  }),
  'notifications.id': ({ a, b }) => ({
    own: a.notification,
    theirs: b.notification,
    nothing: nowhere,
    foreign: {
      'a notification of B': b.notification,
      'the id in upper case': b.notification.toUpperCase(),
      'a destination of B': b.webhook,
      'no id at all': 'x',
    },
  }),
  'apiKeys.id': ({ a, b }) => ({
    own: a.keyId,
    theirs: b.keyId,
    nothing: nowhere,
    foreign: { 'an API key of B': b.keyId, 'no id at all': 'x' },
  }),
  'failedJobs.id': ({ a, b }) => ({
    own: a.failedJob,
    theirs: b.failedJob,
    nothing: nowhere,
    foreign: { 'a failed job of B': b.failedJob, 'no id at all': 'x' },
  }),
  'templates.template_id': ({ a, b }) => ({
    own: a.template,
    theirs: b.template,
    nothing: nowhere,
    foreign: {
      'a template of B': b.template,
      'the id in upper case': b.template.toUpperCase(),
      'a template of a grant of A': a.grantTemplate,
      'no id at all': 'x',
    },
  }),
  'grantTemplates.template_id': thingSpecimen('grantTemplate', 'otherGrantTemplate'),
  'workflows.workflow_id': ({ a, b }) => ({
    own: a.workflow,
    theirs: b.workflow,
    nothing: nowhere,
    foreign: {
      'a workflow of B': b.workflow,
      'the id in upper case': b.workflow.toUpperCase(),
      'a workflow of a grant of A': a.grantWorkflow,
      'no id at all': 'x',
    },
  }),
  agent_id: ({ a, b }) => ({
    own: a.agent,
    theirs: b.agent,
    nothing: nowhere,
    foreign: {
      'an agent of B': b.agent,
      'the id in upper case': b.agent.toUpperCase(),
      'a grant of A': a.grant,
      'no id at all': 'x',
    },
  }),
  'grantWorkflows.workflow_id': thingSpecimen('grantWorkflow', 'otherGrantWorkflow'),
  configuration_id: thingSpecimen('configuration', 'otherConfiguration'),
  // The key of an application imports into configurations of all its grants.
  'groupEvents.configuration_id': ({ a, b }) => ({
    own: a.groupConfiguration,
    theirs: b.groupConfiguration,
    nothing: nowhere,
    foreign: {
      'a group configuration of B': b.groupConfiguration,
      'the id in upper case': b.groupConfiguration.toUpperCase(),
      'no id at all': 'x',
      'an injection': "' or 1=1--",
    },
  }),
  'uiSettings.configuration_id': ({ a, b }) => ({
    own: a.configuration,
    theirs: b.configuration,
    nothing: nowhere,
    foreign: {
      'a configuration of B': b.configuration,
      'the id in upper case': b.configuration.toUpperCase(),
      'no id at all': 'x',
      'an injection': "' or 1=1--",
    },
  }),
  'uiSettings.client_id': ({ a, b }) => ({
    own: a.application,
    theirs: b.application,
    nothing: nowhere,
    foreign: { 'application B': b.application, 'a grant of B': b.grant, 'no id at all': 'x' },
  }),
  'uiSettings.booking_id': ({ b }) => ({
    own: nowhere,
    theirs: nowhere,
    nothing: nowhere,
    foreign: { 'a configuration of B': b.configuration, 'no id at all': 'x' },
  }),
  'schedulingAvailability.configuration_id': ({ a, b }) => ({
    own: a.configuration,
    theirs: b.configuration,
    nothing: nowhere,
    foreign: {
      'a configuration of B': b.configuration,
      'the id in upper case': b.configuration.toUpperCase(),
      'no id at all': 'x',
      'an injection': "' or 1=1--",
    },
  }),
  'schedulingAvailability.client_id': ({ a, b }) => ({
    own: a.application,
    theirs: b.application,
    nothing: nowhere,
    foreign: { 'application B': b.application, 'a grant of B': b.grant, 'no id at all': 'x' },
  }),
  approval_id: ({ a, b }) => ({
    own: a.approval,
    theirs: b.approval,
    nothing: nowhere,
    foreign: {
      'an approval of B': b.approval,
      'the id in upper case': b.approval.toUpperCase(),
      'a grant of A': a.grant,
      'no id at all': 'x',
      'an injection': "' or 1=1--",
    },
  }),
  'bookings.booking_id': ({ a, b }) => ({
    own: a.booking,
    theirs: b.booking,
    nothing: nowhere,
    foreign: {
      'a booking of B': b.booking,
      'the id in upper case': b.booking.toUpperCase(),
      'a configuration of A': a.configuration,
      'no id at all': 'x',
    },
  }),
  'bookings.configuration_id': ({ a, b }) => ({
    own: a.bookedConfiguration,
    theirs: b.bookedConfiguration,
    nothing: nowhere,
    foreign: { 'a configuration of B': b.bookedConfiguration, 'no id at all': 'x' },
  }),
  'bookings.client_id': ({ a, b }) => ({
    own: a.application,
    theirs: b.application,
    nothing: nowhere,
    foreign: { 'application B': b.application, 'a grant of B': b.grant, 'no id at all': 'x' },
  }),
  'schedulingAvailability.booking_id': ({ b }) => ({
    own: nowhere,
    theirs: nowhere,
    nothing: nowhere,
    foreign: { 'a configuration of B': b.configuration, 'no id at all': 'x' },
  }),
  'schedulingSessions.session_id': ({ a, b }) => ({
    own: a.schedulingSession,
    theirs: b.schedulingSession,
    nothing: nowhere,
    foreign: {
      'a session of B': b.schedulingSession,
      'a session that has expired': a.schedulingSession,
      'a configuration of B': b.configuration,
      'no id at all': 'x',
    },
  }),
  'schedulingRedirects.former_slug': () => ({
    own: 'page',
    theirs: 'page',
    nothing: nowhere,
    foreign: { 'the slug of a page': 'page' },
  }),
  draft_id: thingSpecimen('draft', 'otherDraft'),
  schedule_id: thingSpecimen('schedule', 'otherSchedule'),
  signature_id: thingSpecimen('signature', 'otherSignature'),
  upload_id: thingSpecimen('upload', 'otherUpload'),
  application_id: ({ a, b }) => ({
    own: a.application,
    theirs: b.application,
    nothing: nowhere,
    foreign: { 'application B': b.application, 'application A itself': a.application },
  }),
  // The route with which an application reads itself: its own id is the only valid one.
  'applications.application_id': ({ a, b }) => ({
    own: a.application,
    theirs: b.application,
    nothing: nowhere,
    foreign: { 'application B': b.application, 'no id at all': 'x' },
  }),
  provider: providerSpecimen,
  // A provider, which belongs to no application.
  'connectorSetup.provider': ({ b }) => ({
    own: 'google',
    theirs: 'google',
    nothing: 'telex',
    foreign: { 'the id of the connector of B': b.connector, 'no provider at all': 'fax', 'a random id': nowhere },
  }),
  grant_id: grantSpecimen,
  calendar_id: thingSpecimen('calendar', 'otherCalendar'),
  event_id: thingSpecimen('event', 'otherEvent'),
  message_id: thingSpecimen('message', 'otherMessage'),
  thread_id: thingSpecimen('thread', 'otherThread'),
  folder_id: thingSpecimen('folder', 'otherFolder'),
  attachment_id: thingSpecimen('attachment', 'otherAttachment'),
  contact_id: thingSpecimen('contact', 'otherContact'),
  group_id: thingSpecimen('contactGroup', 'otherContactGroup'),
}

/** Valid bodies for routes that require one. Each would leave a trace if the request succeeded. */
const bodies: Record<string, unknown> = {
  'redirectUris.update': { url: 'https://evil.test/callback' },
  'connectors.update': { name: 'evil' },
  'credentials.create': {
    name: 'evil',
    credential_type: 'connector',
    credential_data: { client_id: 'evil', client_secret: 'evil' },
  },
  'credentials.update': { name: 'evil' },
  'webhooks.update': { description: 'evil' },
  'pubsubChannels.update': { description: 'evil' },
  'snsChannels.update': { description: 'evil' },
  'natsChannels.update': { description: 'evil' },
  'amqpChannels.update': { description: 'evil' },
  'webhooks.verifySignature': { headers: {}, body: 'evil' },
  'deliveries.replay': { start: 1 },
  'workspaces.create': { name: 'evil' },
  'workspaces.update': { name: 'evil' },
  'workspaces.manualAssign': { assign_grants: [nowhere] },
  'grants.update': { metadata: { evil: 'yes' }, scope: ['evil'] },
  'adminApplications.update': { blocked: true },
  'apiKeys.create': { name: 'evil' },
  'apiKeys.update': { name: 'evil' },
  'adminGrants.update': { blocked: true },
  'adminGrants.complete': { code: 'evil', redirect_uri: 'https://evil.test/callback' },
  'calendars.create': { name: 'evil' },
  'calendars.update': { name: 'evil' },
  'calendars.freeBusy': { start_time: 1_800_000_000, end_time: 1_800_003_600, emails: ['evil@x.test'] },
  'virtualCalendars.create': { name: 'evil' },
  'events.create': { title: 'evil', when: { time: 1_800_000_000 } },
  'events.update': { title: 'evil' },
  'events.rsvp': { status: 'yes' },
  'messages.send': { to: [{ email: 'evil@x.test' }], subject: 'evil' },
  'drafts.create': { subject: 'evil' },
  'drafts.update': { subject: 'evil', metadata: { evil: 'yes' } },
  'attachmentUploads.create': { filename: 'evil', content_type: 'text/plain' },
  'signatures.create': { name: 'evil', body: 'evil' },
  'signatures.update': { name: 'evil' },
  ...Object.fromEntries(
    ['templates', 'grantTemplates'].flatMap((resource) => [
      [`${resource}.create`, { name: 'evil', subject: 'evil', body: 'evil' }],
      [`${resource}.update`, { name: 'evil' }],
      [`${resource}.render`, { variables: {}, strict: false }],
      [`${resource}.renderBody`, { body: 'evil', engine: 'mustache', variables: {} }],
    ]),
  ),
  ...Object.fromEntries(
    ['workflows', 'grantWorkflows'].flatMap((resource) => [
      [`${resource}.create`, { name: 'evil', template_id: nowhere, trigger_event: 'booking.created' }],
      [`${resource}.update`, { name: 'evil' }],
    ]),
  ),
  'agents.update': { name: 'evil' },
  'configurations.create': { name: 'evil' },
  'configurations.update': { name: 'evil' },
  'groupEvents.create': { title: 'evil', when: { start_time: 1_900_000_000, end_time: 1_900_003_600 } },
  'groupEvents.update': { title: 'evil' },
  'groupEvents.importForGrant': [{ calendar_id: 'primary', event_id: nowhere }],
  'groupEvents.import': [{ calendar_id: 'primary', event_id: nowhere }],
  'groupEvents.validateTimeslot': { calendar_id: 'primary', event_id: nowhere, start_time: 1, end_time: 2 },
  'schedulingSessions.create': { slug: 'page' },
  'bookings.create': { start_time: 1_900_000_000, end_time: 1_900_001_800, guest: { email: 'e@x.test', name: 'evil' } },
  'bookings.reschedule': { start_time: 1_900_000_000, end_time: 1_900_001_800 },
  'bookings.confirm': { status: 'confirmed', salt: 'evil' },
  'bookings.cancel': { cancellation_reason: 'evil' },
  'messages.clean': { message_id: ['everywhere'] },
  'messages.update': { starred: true, metadata: { evil: 'yes' } },
  'threads.update': { starred: true },
  'folders.create': { name: 'evil' },
  'folders.update': { name: 'evil' },
  'contacts.create': { given_name: 'evil' },
  'contacts.update': { given_name: 'evil' },
  'contactGroups.create': { name: 'evil' },
  'contactGroups.update': { name: 'evil' },
}

/** A page that is always open, and a booking on it. */
async function bookedOf(
  service: TestService,
  { key, grantId, email, calendar }: { key: string; grantId: string; email: string; calendar: string },
): Promise<{ booking: string; bookedConfiguration: string }> {
  const page = await service.call('POST', `/v3/grants/${grantId}/scheduling/configurations`, {
    key,
    body: {
      participants: [
        {
          ...{ email, is_organizer: true },
          ...{ availability: { calendar_ids: [calendar] }, booking: { calendar_id: calendar } },
        },
      ],
      ...{ availability: { duration_minutes: 30 }, event_booking: { title: 'Talk' } },
    },
  })
  const bookedConfiguration: string = page.body.data.id
  const start_time = (Math.floor(service.services.clock.now() / 86_400_000) + 5) * 86_400
  const body = { start_time, end_time: start_time + 1_800, guest: { email: 'guest@guest.test', name: 'Guest' } }
  const path = `/v3/scheduling/bookings?configuration_id=${bookedConfiguration}`
  const booked = await service.call('POST', path, { key, body })
  const next = { ...body, start_time: body.end_time, end_time: body.end_time + 1_800 }
  await service.call('POST', path, { key, body: next })
  return { booking: booked.body.data.booking_id, bookedConfiguration }
}

/** Queries for routes that require one, without the question mark. */
const queries: Record<string, string> = {
  'webhooks.readMockPayload': 'trigger_type=event.created',
  // Both applications have this slug.
  'uiSettings.get': 'slug=page',
  'schedulingAvailability.find': 'slug=page&start_time=1&end_time=2',
  'bookings.create': 'slug=page',
  'events.list': 'calendar_id=primary',
  'events.import': 'calendar_id=primary',
  'events.export': 'calendar_id=primary',
  'events.create': 'calendar_id=primary',
  'attachments.get': 'message_id=everywhere',
  'attachments.download': 'message_id=everywhere',
}

/**
 * Ids in queries that filter a list. A deleted grant may still have something to read, and an unknown thread or
 * shared folder has no messages. The adapters decide what these find.
 */
const choosing = new Set([
  'notifications.list.grant_id',
  'deliveries.attempts.grant_id',
  'deliveries.attempts.notification_id',
  'approvals.list.grant_id',
  'approvals.list.credential_id',
  'bookings.list.configuration_id',
  'bookings.list.grant_id',
  'agents.requests.grant_id',
  'adminGrants.count.workspace_id',
  'messages.list.thread_id',
  'messages.export.thread_id',
  'messages.export.shared_folder_id',
  'drafts.list.thread_id',
  'threads.list.thread_id',
  'threads.get.shared_folder_id',
  'threads.update.shared_folder_id',
  'threads.delete.shared_folder_id',
])

/**
 * Routes about the installation and its people: their objects belong to no application
 * (`api/pipeline/rights.test.ts`).
 */
const ofInstallation = new Set(['people', 'serviceAccounts', 'session', 'account', 'invitations', 'installation'])

const routes = routesOf(contract).filter(({ resource }) => !ofInstallation.has(resource))
const makerOf = (resource: string, name: string) => specimens[`${resource}.${name}`] ?? specimens[name]

/** Where a route takes an id: in its path, or in a query that does not merely filter a list of the application. */
const placesOf = ({ id, resource, route }: NamedRoute): string[] => {
  const inPath = paramsOf(route.path)
  const inQuery = Object.keys(route.query?.shape ?? {}).filter(
    (name) =>
      name.endsWith('_id') && !choosing.has(`${id}.${name}`) && (makerOf(resource, name) !== undefined || !route.list),
  )
  return [...inPath, ...inQuery.filter((name) => !inPath.includes(name))]
}
const withPlaces = routes.filter((each) => placesOf(each).length > 0)
const ofApplications = withPlaces.filter(({ route }) => route.audience !== 'administrator')
const ofAdministrators = withPlaces.filter(({ route }) => route.audience === 'administrator')
const behindKeys = routes.filter(({ route }) => route.audience !== 'public' && route.audience !== 'client')
/** What B, or the administrator of B, can read. Lists over all applications are left out. */
const readable = behindKeys.filter(
  // Pages of version 2 never existed here.
  ({ id, route }) =>
    id !== 'schedulingRedirects.find' &&
    route.method === 'GET' &&
    (route.audience !== 'administrator' || paramsOf(route.path).length > 0),
)
/** Routes open to an access token: those of its grant, and those that say so. */
const opened = ofApplications.filter(({ route }) => route.audience === 'grant' || route.token)
const lists = routes.filter(({ route }) => route.list && route.method === 'GET' && route.audience !== 'administrator')
const paged = routes.filter(
  ({ route }) => route.audience !== 'administrator' && route.query && 'page_token' in route.query.shape,
)
const pagedOfGrants = paged.filter(({ route }) => route.audience === 'grant')
const withoutCursor = ({ body: { next_cursor: _, ...body }, ...seen }: Seen) => ({ ...seen, body })
/** Routes that an API key opens. */
const keyed = behindKeys.filter(({ route }) => route.audience !== 'administrator')
/** The operations that a key can have for some grants only. */
const someGrants = KeyOperation.options.filter(
  (operation) => operation !== 'webhooks' && operation !== 'administration',
)
/** The operations that open a route, `every`, or `never`, as the route says itself. */
const expectedFor = ({ route: { right = 'never' } }: NamedRoute): readonly KeyOperation[] | 'every' | 'never' => {
  if (right === 'every' || right === 'never') return right
  return typeof right === 'string' ? [right] : right
}
/** Whether a route is closed to keys that may use some grants only. */
const wholeOnly = (expected: ReturnType<typeof expectedFor>): boolean =>
  expected !== 'every' && !(Array.isArray(expected) && expected.some((operation) => someGrants.includes(operation)))
/** The places of a route of the application that name an object of a grant. */
const ofOtherGrants = (each: NamedRoute): string[] => {
  const isOfGrant = each.route.audience === 'grant' || wholeOnly(expectedFor(each))
  return isOfGrant ? [] : placesOf(each).filter((name) => name === 'configuration_id' || name === 'booking_id')
}
const named = (list: readonly NamedRoute[]) => list.map((each) => [each.id, each] as const)

const specimenOf = (world: World, { resource }: NamedRoute, name: string): Specimen => {
  const make = makerOf(resource, name)
  if (!make) throw new Error(`no specimen for :${name} of ${resource}`)
  return make(world)
}

const bodyOf = ({ id, route }: NamedRoute): unknown => (route.body ? (bodies[id] ?? {}) : undefined)

type Choose = (specimen: Specimen, name: string) => string

/** A path with its parameters filled in. */
const fillPath = (world: World, each: NamedRoute, template: string, choose: Choose): string =>
  template.replace(/:([a-z_]+)/g, (_, name: string) => encodeURIComponent(choose(specimenOf(world, each, name), name)))

/** A path with its parameters filled in, and the query that the route requires, with further parameters. */
function fill(world: World, each: NamedRoute, choose: Choose, further: Record<string, string> = {}): string {
  const query = new URLSearchParams(queries[each.id])
  for (const [name, value] of Object.entries(further)) query.set(name, value)
  return `${fillPath(world, each, each.route.path, choose)}?${query}`
}

const own: Choose = (specimen) => specimen.own
const theirs: Choose = (specimen) => specimen.theirs
const nothing: Choose = (specimen) => specimen.nothing

interface Seen {
  status: number
  headers: Record<string, string>
  body: Record<string, unknown>
}

/** The cursor of the next page: files name it in a header. */
const cursorIn = ({ body, headers }: Answer) => body.next_cursor ?? headers.get('next-cursor')

/** A response without the parts that differ from request to request. */
async function look(service: TestService, method: string, target: string, options: CallOptions): Promise<Seen> {
  const answer = await service.call(method, target, options)
  const { request_id: _, ...body } = answer.body
  const headers = Object.fromEntries(answer.headers)
  delete headers['x-request-id']
  return { status: answer.status, headers, body }
}

/** The content of a mailbox, by its grant: ids of its own, and a message with the same id in each mailbox. */
const mailOf = (grantId: string) => ({
  message: `message ${grantId}`,
  thread: `thread of message ${grantId}`,
  folder: `folder ${grantId}`,
  attachment: `attachment ${grantId}`,
  draft: `draft ${grantId}`,
  contact: `contact ${grantId}`,
  contactGroup: `group ${grantId}`,
})

/** Mailboxes in memory, each created on the first request of its grant. */
function mailboxes(): (grantId: string) => Mailbox {
  const all = new Map<string, Mailbox>()
  return (grantId) => {
    const { message, folder, attachment, draft } = mailOf(grantId)
    const mailbox = all.get(grantId) ?? { ...createMailbox(), attachments: new Set([attachment]) }
    if (!all.has(grantId)) {
      for (const id of [message, 'everywhere']) mailbox.messages.set(id, messageOf(id, { body: `Text of ${grantId}` }))
      for (const id of [draft, 'a second draft']) {
        const mimeMessage = messageOf(id, { body: `Text of ${grantId}` })
        mailbox.drafts.set(id, { ...mimeMessage, object: 'draft', date: 1_790_000_000, grant_id: grantId })
      }
      for (const id of [folder, 'INBOX']) {
        mailbox.folders.set(id, {
          id,
          grant_id: grantId,
          object: 'folder',
          name: `${id} of ${grantId}`,
          attributes: [],
        })
      }
      all.set(grantId, mailbox)
    }
    return mailbox
  }
}

/** Address books in memory, each with two contacts and two groups. */
function addressBooks(): (grantId: string) => AddressBook {
  const all = new Map<string, AddressBook>()
  return (grantId) => {
    const { contact, contactGroup } = mailOf(grantId)
    const book = all.get(grantId) ?? {
      contacts: new Map([contact, 'everybody'].map((id) => [id, contactOf(id, grantId)])),
      groups: new Map([contactGroup, 'everything'].map((id) => [id, groupOf(id, grantId)])),
    }
    all.set(grantId, book)
    return book
  }
}

async function made(
  service: TestService,
  method: string,
  target: string,
  options: CallOptions,
): Promise<{ id: string }> {
  const answer = await service.call(method, target, options)
  if (answer.status > 201) throw new Error(`${method} ${target}: ${JSON.stringify(answer.body)}`)
  return answer.body.data
}

/** Creates everything that an application can have, twice if it is listed, so that every list has a second page. */
async function furnish(service: TestService, name: string): Promise<Tenant> {
  const { id: application, key } = await service.createApplication(name)
  const keys = await service.call('GET', `/v3/admin/applications/${application}/api-keys`, { admin: true })
  const post = (target: string, body: unknown) => made(service, 'POST', target, { key, body })
  const uri = await post('/v3/applications/redirect-uris', { url: `https://${name}.test/callback` })
  await post('/v3/applications/redirect-uris', { url: `https://${name}.test/second` })
  const workspace = await service.call('POST', '/v3/workspaces', {
    key,
    body: { name: `${name} workspace`, domain: `own.${name}.test` },
  })
  const client = { client_id: `${name}-client`, client_secret: `${name}-secret` }
  const google = await post('/v3/connectors', { provider: 'google', name: `${name} google`, settings: client })
  await post('/v3/connectors', { provider: 'virtual-calendar', name: `${name} virtual` })
  const credential = (title: string) =>
    post('/v3/connectors/google/creds', {
      name: `${name} ${title}`,
      credential_type: 'connector',
      credential_data: { ...client, title },
    })
  const override = await credential('first')
  await credential('second')
  await using listener = await openListener()
  const destination = (path: string) =>
    post('/v3/webhooks', {
      webhook_url: `${listener.url}/${name}/${path}`,
      trigger_types: ['event.created'],
      description: `${name} ${path}`,
      notification_email_addresses: [`ops@${name}.test`],
    })
  const webhook = await destination('first')
  await destination('second')
  /** Creates two calendars of a grant with two events, and returns the ids of one each. */
  const diary = async (grantId: string) => {
    const at = `/v3/grants/${grantId}`
    const calendar = await post(`${at}/calendars`, { name: `${name} calendar` })
    await post(`${at}/calendars`, { name: `${name} second calendar` })
    const time = Math.floor(service.services.clock.now() / 1000) + 3 * 86_400
    const write = (title: string, hours: number) =>
      post(`${at}/events?calendar_id=${calendar.id}`, {
        title: `${name} ${title}`,
        when: { start_time: time + hours * 3600, end_time: time + hours * 3600 + 1800 },
      })
    const event = await write('event', 0)
    const secondEvent = await write('second event', 1)
    const group_booking = { calendar_id: calendar.id }
    const pages = `${at}/scheduling/configurations`
    const group = await post(pages, { name: `${name} courses`, type: 'group', group_booking })
    await post(
      `${pages}/${group.id}/import-group-events`,
      [event.id, secondEvent.id].map((event_id) => ({ calendar_id: calendar.id, event_id })),
    )
    return { calendar: calendar.id, event: event.id, groupConfiguration: group.id }
  }
  /** Creates two of everything that is stored for a grant outside its mailbox, and returns the ids of one each. */
  const account = async (grantId: string) => {
    const at = `/v3/grants/${grantId}`
    const send_at = Math.floor(service.services.clock.now() / 1000) + 3 * 86_400
    const twice = async (path: string, body: object) => {
      const first = await post(`${at}${path}`, body)
      await post(`${at}${path}`, body)
      return first.id
    }
    const schedules = async () => {
      const body = { to: [{ email: 'x@x.test' }], subject: name, send_at }
      const answer = await service.call('POST', `${at}/messages/send`, { key, body })
      return answer.body.schedule_id
    }
    const uploads = async () => {
      const body = { filename: name, content_type: 'text/plain' }
      const answer = await service.call('POST', `${at}/attachment-uploads`, { key, body })
      return answer.body.data.attachment_id
    }
    const grantTemplate = await twice('/templates', { name: `${name} template`, subject: name, body: name })
    const page = (slug: string | null) => configurationOf(name, { email: emails[grantId] ?? '', slug })
    const configuration = await post(`${at}/scheduling/configurations`, page(grantId === grant.id ? 'page' : null))
    await post(`${at}/scheduling/configurations`, page(null))
    return {
      configuration: configuration.id,
      upload: await uploads(),
      signature: await twice('/signatures', { name: `${name} signature`, body: `${name} text` }),
      grantTemplate,
      grantWorkflow: await twice('/workflows', workflowOf(name, grantTemplate)),
      schedule: await schedules(),
    }
  }
  const email = `user@${name}.test`
  const external_id = `${name}-external`
  const custom = (address: string, extra: object = {}) =>
    post('/v3/connect/custom', { provider: 'virtual-calendar', settings: { email: address }, ...extra })
  const grant = await custom(email, { external_id, state: `${name}-state` })
  const first = await diary(grant.id)
  const otherEmail = `second@${name}.test`
  const secondGrant = await custom(otherEmail, { external_id: `${name}-second` })
  const second = await diary(secondGrant.id)
  const secondMail = mailOf(secondGrant.id)
  const emails: Record<string, string> = { [grant.id]: email, [secondGrant.id]: otherEmail }
  const accounts = [await account(grant.id), await account(secondGrant.id)] as const
  const template = await post('/v3/templates', { name: `${name} template`, subject: name, body: name })
  await post('/v3/templates', { name: `${name} second template`, subject: name, body: name })
  const workflow = await post('/v3/workflows', workflowOf(name, template.id))
  await post('/v3/workflows', workflowOf(name, template.id))
  const agent = await storeAgent(service, { applicationId: application, grantIds: [grant.id] })
  const request = { credential_id: agent.id, application_id: application, method: 'MCP', operation: 'messages.list' }
  await addCredentialRequests(
    service.services.database,
    [1, 2].map((n) => ({
      ...{ ...request, at: service.services.clock.now() + n, id: randomUUID(), tool: `${name} tool` },
      ...{ status: 200, error: null, grant_id: grant.id },
    })),
  )
  await storeAgent(service, { applicationId: application, grantIds: [grant.id] })
  const session = { slug: 'page', time_to_live: 30 }
  const opened = await service.call('POST', '/v3/scheduling/sessions', { key, body: session })
  const booked = await bookedOf(service, { key, grantId: grant.id, email, calendar: first.calendar })
  const approval = await storeApproval(service, { applicationId: application, grantId: grant.id })
  await storeApproval(service, { applicationId: application, grantId: grant.id })
  await service.services.approvals.decide({
    ...{ applicationId: application, id: approval.id, decision: 'reject', by: name },
  })
  const notification = await attempted(service, { applicationId: application, webhookId: webhook.id, key }, name)
  const deletedEmail = `deleted@${name}.test`
  const deleted = await custom(deletedEmail)
  await service.call('DELETE', `/v3/grants/${deleted.id}`, { key })
  const self = await service.call('GET', '/v3/applications', { key })
  return {
    application,
    approval: approval.id,
    workspace: self.body.data.default_workspace_id,
    ownWorkspace: workspace.body.data.workspace_id,
    key,
    keyId: keys.body.data[0].id,
    failedJob: await failedJobOf(service, application, name),
    redirectUri: uri.id,
    connector: google.id,
    credential: override.id,
    webhook: webhook.id,
    channels: {
      pubsub: await storeChannel(service, { applicationId: application, transport: 'pubsub' }),
      sns: await storeChannel(service, { applicationId: application, transport: 'sns' }),
      nats: await storeChannel(service, { applicationId: application, transport: 'nats' }),
      amqp: await storeChannel(service, { applicationId: application, transport: 'amqp' }),
    },
    notification,
    grant: grant.id,
    email,
    externalId: external_id,
    deletedGrant: deleted.id,
    deletedEmail,
    otherGrant: secondGrant.id,
    otherEmail,
    ...first,
    otherCalendar: second.calendar,
    otherEvent: second.event,
    ...mailOf(grant.id),
    otherMessage: secondMail.message,
    otherThread: secondMail.thread,
    otherFolder: secondMail.folder,
    otherAttachment: secondMail.attachment,
    otherDraft: secondMail.draft,
    otherContact: secondMail.contact,
    otherContactGroup: secondMail.contactGroup,
    template: template.id,
    workflow: workflow.id,
    agent: agent.id,
    ...accounts[0],
    otherSignature: accounts[1].signature,
    otherUpload: accounts[1].upload,
    otherGrantTemplate: accounts[1].grantTemplate,
    otherGrantWorkflow: accounts[1].grantWorkflow,
    otherConfiguration: accounts[1].configuration,
    schedulingSession: opened.body.data.session_id,
    ...booked,
    otherSchedule: accounts[1].schedule,
  }
}

/** Records two failed jobs, and returns the id of one. */
async function failedJobOf({ services }: TestService, application_id: string, name: string): Promise<string> {
  const now = services.clock.now()
  const [id, ...others] = [randomUUID(), randomUUID()]
  const facts = { error: 'Error', message: `${name} message`, now, seals: services.seals }
  for (const each of [id, ...others]) {
    const times = { due_at: now, created_at: now }
    const job = {
      id: each,
      application_id,
      grant_id: '',
      kind: 'mail.send',
      payload: '{}',
      attempts: 10,
      ...times,
    } as const
    await addFailedJob(services.database, job, facts)
  }
  return id
}

/** Records two attempts to deliver the application's first notification, and returns the id of the notification. */
async function attempted(
  service: TestService,
  at: { applicationId: string; webhookId: string; key: string },
  name: string,
): Promise<string> {
  const { database, clock, payloads } = service.services
  const { body } = await service.call('GET', '/v3/notifications?limit=1&wait=30', { key: at.key })
  const { id } = body.data[0]
  const stored = await getNotification(database, at.applicationId, id)
  const rest = { at: clock.now(), latencyMs: 1, status: 500, error: null }
  const attempt = (attempt: number) => {
    const key = { webhookId: at.webhookId, notification: stored?.position ?? 0, attempt }
    const context = answerContext(at.applicationId, key)
    return { ...rest, ...key, sealedAnswer: payloads.seals.seal(`${name} answers`, context) }
  }
  await logAttempts(database, database.engine, at.applicationId, [attempt(1), attempt(2)])
  return id
}

async function buildWorld(
  service: TestService,
  clock: ReturnType<typeof testClock>,
  calls: () => number,
): Promise<World> {
  const a = await furnish(service, 'alpha')
  const keysOfA = `/v3/admin/applications/${a.application}/api-keys`
  const create = async (body: object) =>
    (await service.call('POST', keysOfA, { admin: true, body: { name: 'key', ...body } })).body.data
  const expired = await create({ expires_in: 1 })
  const revoked = await create({})
  await service.call('DELETE', `${keysOfA}/${revoked.id}`, { admin: true })
  clock.advance(86_400_000)
  const b = await furnish(service, 'bravo')
  await made(service, 'POST', '/v3/connectors', { key: b.key, body: { provider: 'imap', name: 'bravo imap' } })
  const tokenOf = async (grant_id: string): Promise<string> => {
    const client = { client_id: a.application, client_secret: a.key }
    const body = { grant_type: 'client_credentials', ...client, grant_id }
    return (await service.call('POST', '/v3/connect/token', { key: null, body })).body.access_token
  }
  return {
    service,
    a,
    b,
    revokedKey: revoked.api_key,
    expiredKey: expired.api_key,
    token: await tokenOf(a.grant),
    otherToken: await tokenOf(a.otherGrant),
    authentications: calls,
  }
}

/** A PostgreSQL that others use shows the stream late: waits until it has the last notification of B. */
async function settled({ service, b }: World): Promise<void> {
  const last = async () => (await service.call('GET', '/v3/notifications?limit=200', { key: b.key })).body.data.at(-1)
  await vi.waitFor(async () => expect(await last()).toMatchObject({ type: 'grant.deleted' }), 20_000)
}

/** Values that identify an application: none of B's may be visible to A. */
const marksOf = (tenant: Tenant, name: string): string[] => [
  tenant.application,
  tenant.workspace,
  tenant.ownWorkspace,
  tenant.redirectUri,
  tenant.connector,
  tenant.credential,
  tenant.webhook,
  ...Object.values(tenant.channels),
  tenant.notification,
  tenant.grant,
  tenant.deletedGrant,
  tenant.calendar,
  tenant.event,
  tenant.template,
  tenant.workflow,
  tenant.grantWorkflow,
  tenant.signature,
  tenant.upload,
  tenant.configuration,
  tenant.schedule,
  tenant.draft,
  tenant.email,
  tenant.externalId,
  name,
]
const marksIn = (text: string, marks: readonly string[]): string[] => marks.filter((mark) => text.includes(mark))

const wrongCursor = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

test('every id in a path or query has a specimen, and every body and query has a sample', () => {
  for (const each of withPlaces) {
    const { id, resource, route } = each
    for (const name of placesOf(each)) {
      expect(
        makerOf(resource, name),
        `the route ${id} takes :${name}, which the tenant wall does not know. Add "${resource}.${name}" to \`specimens\` ` +
          'in this file: a value of A, one of B, and every way in which the one of B can be named; let `furnish` make ' +
          'the object twice, with the name of the application in it.',
      ).toBeDefined()
    }
    expect(
      route.query?.safeParse(Object.fromEntries(new URLSearchParams(queries[id]))).success ?? true,
      `the query of ${id} has required fields: add a sample to \`queries\` in this file`,
    ).toBe(true)
    if (!route.body) continue
    expect(
      route.body.safeParse(bodies[id] ?? {}).success,
      `the body of ${id} has required fields: add a sample to \`bodies\` in this file`,
    ).toBe(true)
  }
})

describe.each(enginesFor(import.meta.url))('tenant isolation on %s', (engine) => {
  let world: World
  let before: Map<string, Record<string, unknown>>
  const clock = testClock()
  let calls = 0
  const virtual: Provider = providers['virtual-calendar']
  const mailboxOf = mailboxes()
  const fake = createFakeSending()
  const sending: Sending = {
    ...fake,
    sendDraft: async (order) => {
      if (!mailboxOf(order.grant.grant.id).drafts.has(order.draftId)) throw new ApiError('not_found')
      return fake.sendDraft(order)
    },
  }
  const rooms: Pick<Operations<{ grant: Grant }>, 'roomResources'> = {
    roomResources: {
      async list({ grant }, _, position) {
        const name = `Room ${position ?? 0} of ${grant.email}`
        const room = { object: 'room_resource' as const, grant_id: grant.id, email: 'room@rooms.test', name }
        return position === undefined ? { items: [room], next: 1 } : { items: [room] }
      },
    },
  }
  // One kind of account that supports everything, so that each route has something to return.
  const counted: Provider = {
    ...mailProvider(mailboxOf),
    ...addressBook(addressBooks()),
    ...virtual,
    ...rooms,
    authenticate: (settings, io, use) => {
      calls++
      return virtual.authenticate(settings, io, use)
    },
  }

  /** Everything that B, and the administrator of B, can read. */
  async function readB(): Promise<Map<string, Record<string, unknown>>> {
    const seen = new Map<string, Record<string, unknown>>()
    for (const each of readable) {
      const target = fill(world, each, theirs)
      const options = each.route.audience === 'administrator' ? { admin: true } : { key: world.b.key }
      const { status, body } = await look(world.service, 'GET', target, options)
      expect({ route: each.id, status }).toEqual({ route: each.id, status: 200 })
      seen.set(target, body)
    }
    return seen
  }

  beforeAll(async () => {
    const service = await openService({
      engine,
      overrides: { clock, sending, providers: { 'virtual-calendar': counted } },
    })
    world = await buildWorld(service, clock, () => calls)
    await settled(world)
    before = await readB()
  })
  afterAll(async () => {
    await world.service[Symbol.asyncDispose]()
  })

  /**
   * On SQLite, A itself tries every foreign value at every place. The other store and the administrator try every
   * place too, with the first value and a rotating third of the others.
   */
  let turn = 0
  const some = <T>(list: readonly T[], all = engine === 'sqlite'): readonly T[] => {
    turn++
    return all ? list : list.filter((_, index) => index === 0 || (index + turn) % 3 === 0)
  }

  /** The callers that try: A itself, and the administrator acting for A. */
  const attackers = (): [string, CallOptions][] => [
    ['the key of A', { key: world.a.key }],
    ['the administrator for A', { admin: true, headers: { 'x-waypost-application': world.a.application } }],
  ]

  /** Varies one id at a time over all foreign values, and expects the response for a missing object. */
  async function expectNothing(each: NamedRoute, places: readonly string[], options: CallOptions, status: number) {
    const body = bodyOf(each)
    const call = { ...options, ...(body === undefined ? {} : { body }) }
    const { path: main, aliases = [] } = each.route
    for (const template of [main, ...aliases]) {
      for (const method of methodsOf(each.route)) {
        for (const varied of places) {
          const inPath = template.includes(`:${varied}`)
          const target = (choose: Choose) => {
            const query = new URLSearchParams(queries[each.id])
            if (!inPath) query.set(varied, choose(specimenOf(world, each, varied), varied))
            const mixed: Choose = (specimen, name) => (name === varied ? choose : own)(specimen, name)
            return `${fillPath(world, each, template, mixed)}?${query}`
          }
          const unseen = await look(world.service, method, target(nothing), call)
          expect(unseen.status).toBe(status)
          const foreign = Object.entries(specimenOf(world, each, varied).foreign)
          for (const [what, value] of some(foreign, engine === 'sqlite' && !options.admin)) {
            // An invalid query is refused before its object is looked up.
            if (!inPath && value.includes('\0')) continue
            const seen = await look(
              world.service,
              method,
              target(() => value),
              call,
            )
            expect({ method, template, varied, what, ...seen }).toEqual({ method, template, varied, what, ...unseen })
          }
        }
      }
    }
  }

  test.each(named(ofApplications))('%s does not find objects of another application', async (_, each) => {
    for (const [, options] of attackers()) await expectNothing(each, placesOf(each), options, 404)
  })

  test.each(named(ofAdministrators))('%s is closed, whatever the request refers to', async (_, each) => {
    await expectNothing(each, placesOf(each), { key: world.a.key }, 401)
  })

  test.each(named(ofAdministrators.filter(({ route }) => paramsOf(route.path).length > 1)))(
    '%s treats an object of another application as missing, even from the administrator',
    async (_, each) => {
      const names = paramsOf(each.route.path).filter((name) => name !== 'application_id')
      await expectNothing(each, names, { admin: true }, 404)
    },
  )

  test.each(named(behindKeys))('%s answers a revoked, an expired and an unknown key the same way', async (_, each) => {
    const body = bodyOf(each)
    for (const method of methodsOf(each.route)) {
      const answers = new Set<string>()
      for (const key of [world.revokedKey, world.expiredKey, `${world.a.key}x`, randomUUID()]) {
        for (const choose of some([theirs, own, nothing])) {
          const target = fill(world, each, choose)
          answers.add(JSON.stringify(await look(world.service, method, target, { key, body })))
        }
      }
      expect([...answers]).toHaveLength(1)
      expect(JSON.parse([...answers].join())).toMatchObject({ status: 401 })
    }
  })

  test.each(named(paged))('%s refuses a cursor of another application like a made-up one', async (_, each) => {
    const target = (choose: Choose, token?: string) =>
      fill(world, each, choose, { limit: '1', ...(token ? { page_token: token } : {}) })
    const first = await world.service.call('GET', target(theirs), { key: world.b.key })
    const cursor = cursorIn(first)
    expect(cursor, `let \`furnish\` make at least two objects for ${each.id}`).toBeTypeOf('string')
    for (const [, options] of attackers()) {
      for (const choose of [own, theirs, nothing]) {
        const refused = await look(world.service, 'GET', target(choose, wrongCursor), options)
        expect(refused.status).toBeGreaterThanOrEqual(400)
        expect(await look(world.service, 'GET', target(choose, cursor), options)).toEqual(refused)
      }
      expect((await look(world.service, 'GET', target(own, cursor), options)).status).toBe(400)
    }
    const second = await world.service.call('GET', target(theirs, cursor), { key: world.b.key })
    if (each.route.bytes) expect(second.status).toBe(200)
    else expect(second.body.data).toHaveLength(1)
  })

  test.each(named(lists))('%s never returns a row of another application, with any filter', async (_, each) => {
    const marks = marksOf(world.b, 'bravo')
    const shown = async (further: Record<string, string>, options: CallOptions) =>
      JSON.stringify((await look(world.service, 'GET', fill(world, each, own, further), options)).body)
    // The guide describes providers, and the health of a destination is numbers: neither contains data of an
    // application.
    if (each.id !== 'connect.guide' && each.id !== 'webhooks.health') {
      const hint = 'let `furnish` put the name of the application into what it makes'
      expect(marksIn(JSON.stringify(before.get(fill(world, each, theirs))), marks), hint).not.toEqual([])
      expect(marksIn(await shown({}, { key: world.a.key }), marksOf(world.a, 'alpha')), hint).not.toEqual([])
    }
    const shape = each.route.query?.shape ?? {}
    for (const [, options] of attackers()) {
      const texts = [await shown('limit' in shape ? { limit: '200' } : {}, options)]
      for (const filter of Object.keys(shape).filter((name) => name !== 'page_token')) {
        for (const mark of some(marks, engine === 'sqlite' && !options.admin)) {
          texts.push(await shown({ [filter]: mark }, options))
        }
      }
      for (const text of texts) expect(marksIn(text, marks)).toEqual([])
    }
  })

  /** Every way to refer to a grant other than the token's, and finally one that matches nothing. */
  const notOwn = ({ a, b }: World): string[] => [
    a.otherGrant,
    a.otherGrant.toUpperCase(),
    `grant:${a.otherGrant}`,
    a.otherEmail,
    `email:${a.otherEmail.toUpperCase()}`,
    'external:alpha-second',
    a.deletedGrant,
    b.grant,
    b.email,
    nowhere,
  ]

  test.each(named(opened.filter((each) => placesOf(each).includes('grant_id'))))(
    '%s is closed to an access token of another grant, which cannot find out whether the grant exists',
    async (_, each) => {
      const inPath = paramsOf(each.route.path).includes('grant_id')
      for (const method of methodsOf(each.route)) {
        const ask = (value: string) => {
          const name: Choose = (specimen, place) => (place === 'grant_id' ? value : specimen.own)
          const target = fill(world, each, name, inPath ? {} : { grant_id: value })
          return look(world.service, method, target, { key: world.token, body: bodyOf(each) })
        }
        const unseen = await ask(nowhere)
        expect(unseen).toMatchObject({ status: 403, body: { error: { type: 'grant.access_denied' } } })
        for (const value of some(notOwn(world))) expect({ value, ...(await ask(value)) }).toEqual({ value, ...unseen })
      }
    },
  )

  test.each(named(opened))('%s of another grant does not exist for an access token', async (_, each) => {
    const places = placesOf(each).filter((name) => name !== 'grant_id')
    if (places.length > 0) await expectNothing(each, places, { key: world.token }, 404)
  })

  test.each(named(behindKeys.filter((each) => !opened.includes(each) && each.route.audience === 'application')))(
    '%s is closed to access tokens, unless it says otherwise',
    async (_, each) => {
      if (each.route.token) return
      const options = { key: world.token, body: bodyOf(each) }
      expect((await look(world.service, each.route.method, fill(world, each, own), options)).status).toBe(401)
    },
  )

  test.each(named(pagedOfGrants))('%s accepts a cursor only for the grant that it was issued for', async (_, each) => {
    const page = (grant: string, key: string, cursor?: string) => {
      const choose: Choose = (specimen, name) => (name === 'grant_id' ? grant : specimen.own)
      const target = fill(world, each, choose, { limit: '1', ...(cursor ? { page_token: cursor } : {}) })
      return world.service.call('GET', target, { key })
    }
    const { a, token, otherToken } = world
    const cursor = cursorIn(await page('me', token))
    expect(cursor).toBeTypeOf('string')
    // Every way to refer to the grant: it is the same one.
    for (const [grant, key] of [
      ['me', token],
      [a.email, token],
      [a.grant, a.key],
      [`external:${a.externalId}`, a.key],
    ] as const) {
      expect([grant, (await page(grant, key, cursor)).status]).toEqual([grant, 200])
    }
    for (const [grant, key] of [
      ['me', otherToken],
      [a.otherGrant, otherToken],
      [a.otherGrant, a.key],
      [a.otherEmail, a.key],
    ] as const) {
      expect([grant, (await page(grant, key, cursor)).status]).toEqual([grant, 400])
    }
  })

  test('an access token can read only the busy times of its own grant', async () => {
    const { service, a, b, token } = world
    const start = Math.ceil(clock.now() / 300_000) * 300
    const span = { start_time: start, end_time: start + 7 * 86_400 }
    const ask = (target: string, body: object, key = token) => look(service, 'POST', target, { key, body })
    const emails = [a.email, a.otherEmail, a.otherEmail.toUpperCase(), ` ${a.otherEmail} `, b.email, 'nobody@x.test']
    for (const grant of ['me', a.grant, a.email]) {
      const { body } = await ask(`/v3/grants/${grant}/calendars/free-busy`, { ...span, emails })
      const [first, ...others] = body.data as { object: string; email: string }[]
      expect(first).toMatchObject({ object: 'free_busy', email: a.email })
      expect(others).toEqual(
        emails.slice(1).map((email) => ({ email, object: 'error', error: `no calendar found for ${email}` })),
      )
    }
    const available = (key: string, ...participants: object[]) =>
      ask('/v3/calendars/availability', { ...span, duration_minutes: 30, participants }, key)
    for (const participant of [{ email: a.email }, { grant_id: a.grant }, { grant_id: 'me' }, { grant_id: a.email }]) {
      expect(await available(token, participant)).toMatchObject({ status: 200 })
    }
    const unseen = await available(token, { email: 'nobody@x.test' })
    expect(unseen).toMatchObject({ status: 403, body: { error: { type: 'grant.access_denied' } } })
    for (const other of notOwn(world)) {
      for (const participant of [{ grant_id: other }, { email: other }, { email: a.email, grant_id: other }]) {
        expect(await available(token, participant)).toEqual(unseen)
      }
    }
    expect((await available(token, { email: a.email }, { email: a.otherEmail })).status).toBe(403)
    for (const calendar of [a.otherCalendar, a.otherEmail, b.calendar]) {
      expect((await available(token, { email: a.email, calendar_ids: [calendar] })).status).toBe(400)
    }
    // The application's own key can query all of its grants.
    expect((await available(a.key, { email: a.email }, { email: a.otherEmail })).status).toBe(200)
  })

  test('an Idempotency-Key of another grant of the application returns no stored response to an access token', async () => {
    const { service, a, token, otherToken } = world
    const start = Math.ceil(clock.now() / 300_000) * 300
    const body = {
      start_time: start,
      end_time: start + 86_400,
      duration_minutes: 30,
      participants: [{ grant_id: 'me' }],
    }
    const asked = async (key: string) => {
      const headers = { 'idempotency-key': 'asked-by-many' }
      const answer = await service.call('POST', '/v3/calendars/availability', { key, body, headers })
      return answer.body.data.time_slots[0].emails
    }
    expect(await asked(otherToken)).toEqual([a.otherEmail])
    expect(await asked(token)).toEqual([a.email])
  })

  describe('restricted keys', () => {
    const made = new Map<string, Promise<string>>()
    /** A restricted key of A. Nothing needs approval, so that requests are answered like those of the whole key. */
    const keyWith = (rights: object): Promise<string> => {
      const wanted = JSON.stringify(rights)
      const existing = made.get(wanted)
      if (existing) return existing
      const create = async (): Promise<string> => {
        const body = { name: 'restricted', rights: { approval: [], ...rights } }
        const path = `/v3/admin/applications/${world.a.application}/api-keys`
        const answer = await world.service.call('POST', path, { admin: true, body })
        expect(answer.status, JSON.stringify(answer.body)).toBe(200)
        return answer.body.data.api_key
      }
      const key = create()
      made.set(wanted, key)
      return key
    }
    /** A key that may do everything that is possible with some grants. */
    const limitedTo = (grants: object): Promise<string> => keyWith({ operations: someGrants, grants })
    /** The two ways to limit a key to the first grant of A. */
    const limits = async (): Promise<string[]> => [
      await limitedTo({ ids: [world.a.grant] }),
      await limitedTo({ metadata: { team: 'one' } }),
    ]

    beforeAll(async () => {
      const { service, a } = world
      for (const [grant, team] of [
        [a.grant, 'one'],
        [a.otherGrant, 'two'],
      ] as const) {
        // The other grant has the pair of the first one elsewhere in its document.
        const metadata = { team, ...(team === 'two' ? { 'not "team"': '"team":"one"', note: 'one' } : {}) }
        await service.call('PATCH', `/v3/grants/${grant}`, { key: a.key, body: { metadata } })
      }
    })

    test.each(named(keyed))('%s is open to keys with its right, and to no others', async (_, each) => {
      const expected = expectedFor(each)
      // Nothing changes: objects do not exist, and bodies have the wrong form.
      const isInGrant = each.route.audience === 'grant' || each.route.method === 'GET'
      const target = fill(world, each, (specimen, name) =>
        name === 'grant_id' && isInGrant ? specimen.own : specimen.nothing,
      )
      const body = each.route.body ? 'no object' : undefined
      for (const method of methodsOf(each.route)) {
        const seenByAll = await look(world.service, method, target, { key: world.a.key, body })
        // A restricted key sees its own approvals, and these keys have none.
        const whole = each.id === 'approvals.list' ? { ...seenByAll, body: { data: [] } } : seenByAll
        for (const operation of KeyOperation.options) {
          const key = await keyWith({ operations: [operation] })
          const seen = await look(world.service, method, target, { key, body })
          const isOpen = expected === 'every' || (Array.isArray(expected) && expected.includes(operation))
          // Every cursor is sealed anew.
          // Keys that read objects see the notifications of these objects; only `webhooks` sees all.
          if (isOpen && each.id === 'notifications.list' && operation !== 'webhooks') {
            expect(seen.status).toBe(200)
            const [some, all] = [seen, seenByAll].map(({ body: { data } }) => data as unknown[])
            expect(some?.length).toBeLessThan(all?.length ?? 0)
            expect(all).toEqual(expect.arrayContaining(some ?? []))
          } else if (isOpen)
            expect({ operation, ...withoutCursor(seen) }).toEqual({ operation, ...withoutCursor(whole) })
          else {
            const { status, body: refused } = seen
            expect({ operation, status, refused }).toMatchObject({
              ...{ operation, status: 403 },
              refused: { error: { type: 'api.missing_right' } },
            })
            const wanted = expected === 'never' ? 'an API key with all rights' : [expected].flat().slice(0, 1).join()
            expect(JSON.stringify(refused)).toContain(wanted)
          }
        }
      }
    })

    test('a permanent deletion needs mail.delete, moving to the trash does not', async () => {
      const { service, a } = world
      const target = `/v3/grants/${a.grant}/messages/${nowhere}`
      const status = async (operation: string, query: string) =>
        (await look(service, 'DELETE', `${target}${query}`, { key: await keyWith({ operations: [operation] }) })).status
      expect(await status('mail.organize', '')).toBe(404)
      expect(await status('mail.organize', '?hard_delete=false')).toBe(404)
      expect(await status('mail.organize', '?hard_delete=true')).toBe(403)
      const allowed = await look(service, 'DELETE', `${target}?hard_delete=true`, {
        key: await keyWith({ operations: ['mail.delete'] }),
      })
      expect(allowed.body).not.toMatchObject({ error: { type: 'api.missing_right' } })
    })

    test.each(named(keyed.filter((each) => placesOf(each).includes('grant_id'))))(
      '%s does not find a grant that the key may not use',
      async (_, each) => {
        const inPath = paramsOf(each.route.path).includes('grant_id')
        const isWhole = wholeOnly(expectedFor(each))
        for (const key of await limits()) {
          for (const method of methodsOf(each.route)) {
            const ask = (value: string) => {
              const name: Choose = (specimen, place) => (place === 'grant_id' ? value : specimen.own)
              const target = fill(world, each, name, inPath ? {} : { grant_id: value })
              return look(world.service, method, target, { key, body: bodyOf(each) })
            }
            const unseen = await ask(nowhere)
            expect(unseen.status).toBe(isWhole ? 403 : 404)
            for (const value of some(notOwn(world))) {
              expect({ value, ...(await ask(value)) }).toEqual({ value, ...unseen })
            }
          }
        }
      },
    )

    test.each(named(keyed.filter((each) => ofOtherGrants(each).length > 0)))(
      '%s does not find what belongs to a grant that the key may not use',
      async (_, each) => {
        for (const key of [
          await limitedTo({ ids: [world.a.otherGrant] }),
          await limitedTo({ metadata: { team: 'two' } }),
        ]) {
          for (const varied of ofOtherGrants(each)) {
            const inPath = paramsOf(each.route.path).includes(varied)
            const ask = (choose: Choose) => {
              const further = inPath ? {} : { [varied]: choose(specimenOf(world, each, varied), varied) }
              const target = fill(
                world,
                each,
                (specimen, name) => (name === varied ? choose : own)(specimen, name),
                further,
              )
              return look(world.service, each.route.method, target, { key, body: bodyOf(each) })
            }
            const unseen = await ask(nothing)
            expect(unseen.status).toBe(404)
            expect({ varied, ...(await ask(own)) }).toEqual({ varied, ...unseen })
          }
        }
      },
    )

    test.each(named(lists.filter((each) => !wholeOnly(expectedFor(each)))))(
      '%s lists nothing of a grant that the key may not use',
      async (_, each) => {
        const { a } = world
        const hidden = [a.otherGrant, a.otherEmail, a.otherCalendar, a.otherConfiguration, 'alpha-second']
        for (const key of await limits()) {
          const shape = each.route.query?.shape ?? {}
          const filters = ['grant_id', 'email', 'search'].filter((name) => name in shape)
          const wide: Record<string, string> = 'limit' in shape ? { limit: '200' } : {}
          for (const further of [
            wide,
            ...filters.map((name) => ({ [name]: a.otherEmail })),
            ...filters.map((name) => ({ [name]: a.otherGrant })),
          ]) {
            const { body } = await look(world.service, 'GET', fill(world, each, own, further), { key })
            expect(marksIn(JSON.stringify(body), hidden)).toEqual([])
          }
        }
      },
    )

    test('lists over the application contain the grants that the key may use, page by page', async () => {
      const { service, a } = world
      const ids = async (key: string, path: string, name: string) => {
        const found: unknown[] = []
        for (let next = ''; ; ) {
          const { status, body } = await service.call('GET', `${path}?limit=1${next}`, { key })
          expect(status).toBe(200)
          found.push(...body.data.map((each: Record<string, unknown>) => each[name]))
          if (!body.next_cursor) return [...new Set(found)]
          next = `&page_token=${body.next_cursor}`
        }
      }
      const [first, byMetadata] = await limits()
      const second = await limitedTo({ ids: [a.otherGrant] })
      const both = await limitedTo({ ids: [a.grant, a.otherGrant] })
      const everything = await keyWith({ operations: ['scheduling'] })
      for (const [path, name] of [
        ['/v3/grants', 'id'],
        ['/v3/scheduling/configurations', 'grant_id'],
      ] as const) {
        expect(await ids(first ?? '', path, name)).toEqual([a.grant])
        expect(await ids(byMetadata ?? '', path, name)).toEqual([a.grant])
        expect(await ids(second, path, name)).toEqual([a.otherGrant])
        expect((await ids(both, path, name)).toSorted()).toEqual([a.grant, a.otherGrant].toSorted())
        expect((await ids(everything, path, name)).toSorted()).toEqual((await ids(a.key, path, name)).toSorted())
      }
      const bookings = '/v3/scheduling/bookings'
      expect(await ids(first ?? '', bookings, 'grant_id')).toEqual([a.grant])
      expect(await ids(byMetadata ?? '', bookings, 'grant_id')).toEqual([a.grant])
      expect(await ids(second, bookings, 'grant_id')).toEqual([])
    })

    test('a grant that gets the pair later is in reach from then on, and one that loses it is not', async () => {
      const { service, a } = world
      const key = await limitedTo({ metadata: { later: 'yes' } })
      const change = (metadata: object) =>
        service.call('PATCH', `/v3/grants/${a.otherGrant}`, { key: a.key, body: { metadata } })
      const seen = async () => [
        (await service.call('GET', '/v3/grants', { key })).body.data.length,
        (await service.call('GET', `/v3/grants/${a.otherGrant}/calendars`, { key })).status,
      ]
      expect(await seen()).toEqual([0, 404])
      await change({ team: 'two', later: 'yes' })
      expect(await seen()).toEqual([1, 200])
      await change({ team: 'two' })
      expect(await seen()).toEqual([0, 404])
    })

    test('busy times of others come only from grants that the key may use', async () => {
      const { service, a, b } = world
      const start = Math.ceil(clock.now() / 300_000) * 300
      const span = { start_time: start, end_time: start + 7 * 86_400 }
      const others = [a.otherEmail, a.otherEmail.toUpperCase(), ` ${a.otherEmail} `, b.email, 'nobody@x.test']
      for (const key of await limits()) {
        const ask = (target: string, body: object) => look(service, 'POST', target, { key, body })
        const { body } = await ask(`/v3/grants/${a.grant}/calendars/free-busy`, {
          ...span,
          emails: [a.email, ...others],
        })
        expect(body.data).toEqual([
          expect.objectContaining({ object: 'free_busy', email: a.email }),
          ...others.map((email) => ({ email, object: 'error', error: `no calendar found for ${email}` })),
        ])
        const available = (...participants: object[]) =>
          ask('/v3/calendars/availability', { ...span, duration_minutes: 30, participants })
        expect((await available({ email: a.email })).status).toBe(200)
        const missing = await available({ grant_id: nowhere })
        expect(missing.status).toBe(400)
        const without = (answer: object, name: string) => JSON.stringify(answer).replaceAll(name, '')
        for (const other of [a.otherGrant, a.otherEmail, `external:alpha-second`]) {
          expect(without(await available({ grant_id: other }), other)).toEqual(without(missing, nowhere))
        }
        expect((await available({ email: a.email }, { email: a.otherEmail })).status).toBe(400)
      }
    })

    test('a booking page can name as hosts only grants that the key may use, and sessions open only their pages', async () => {
      const { service, a } = world
      const [key = ''] = await limits()
      const pages = `/v3/grants/${a.grant}/scheduling/configurations`
      const create = (email: string) =>
        look(service, 'POST', pages, { key, body: configurationOf('wall', { email, slug: null }) })
      expect((await create(a.email)).status).toBe(200)
      const missing = await create('nobody@x.test')
      expect(missing.status).toBe(400)
      expect(await create(a.otherEmail)).toEqual(missing)
      const session = (configuration_id: string, by: string) =>
        look(service, 'POST', '/v3/scheduling/sessions', { key: by, body: { configuration_id } })
      expect(await session(a.otherConfiguration, key)).toEqual(await session(nowhere, key))
      const theirs = await session(a.otherConfiguration, a.key)
      const opened = (theirs.body.data as { session_id: string }).session_id
      for (const method of ['GET', 'DELETE']) {
        const target = (id: string) => `/v3/scheduling/sessions/${id}`
        expect(await look(service, method, target(opened), { key })).toEqual(
          await look(service, method, target(nowhere), { key }),
        )
      }
      expect((await look(service, 'GET', `/v3/scheduling/sessions/${opened}`, { key: a.key })).status).toBe(200)
    })

    test('a restricted key is no secret of an OAuth client, and opens no administrator route', async () => {
      const { service, a } = world
      const key = await keyWith({ operations: [...someGrants, 'webhooks', 'administration'] })
      const token = (secret: string) =>
        look(service, 'POST', '/v3/connect/token', {
          key: null,
          body: {
            grant_type: 'client_credentials',
            client_id: a.application,
            client_secret: secret,
            grant_id: a.grant,
          },
        })
      expect(await token(key)).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
      expect(await token(key)).toEqual(await token(`wprk_${randomUUID()}`))
      for (const each of ofAdministrators) {
        const answer = await look(service, each.route.method, fill(world, each, own), { key, body: bodyOf(each) })
        expect({ route: each.id, status: answer.status }).toEqual({ route: each.id, status: 401 })
      }
    })
  })

  test('"me" finds no grant without an access token', async () => {
    for (const each of ofApplications.filter(({ route }) => paramsOf(route.path).includes('grant_id'))) {
      const body = bodyOf(each)
      const target = fill(world, each, (specimen, name) => (name === 'grant_id' ? 'me' : specimen.own))
      const answer = await look(world.service, each.route.method, target, { key: world.a.key, body })
      expect(answer).toMatchObject({ status: 401, body: { error: { type: 'token.unauthorized_access' } } })
    }
  })

  test('an object of another application in a body is answered like a missing one', async () => {
    const { service, a, b } = world
    const start = Math.ceil(clock.now() / 300_000) * 300
    const span = { start_time: start, end_time: start + 7 * 86_400 }
    const available = (...participants: object[]) => ({
      target: 'POST /v3/calendars/availability',
      body: { ...span, duration_minutes: 30, participants },
    })
    type Attempt = (name: string) => { target: string; body: object }
    const attempts: [string, Attempt, string[]][] = [
      [
        'the credential of an authentication',
        (credential_id) => ({
          target: 'POST /v3/connect/custom',
          body: { provider: 'virtual-calendar', settings: { email: 'wall@alpha.test' }, credential_id },
        }),
        [b.credential],
      ],
      [
        'the active credential of a connector',
        (active_credential_id) => ({ target: 'PATCH /v3/connectors/google', body: { active_credential_id } }),
        [b.credential],
      ],
      [
        'a callback URI that is kept',
        (id) => ({
          target: 'PATCH /v3/applications',
          body: { callback_uris: [{ id, url: 'https://evil.test/callback' }] },
        }),
        [b.redirectUri],
      ],
      [
        'the account of a virtual calendar',
        (grant_id) => ({ target: 'POST /v3/calendars', body: { name: 'evil', grant_id } }),
        [b.grant, b.email, `external:${b.externalId}`, a.deletedGrant],
      ],
      [
        'somebody whose busy times are asked for',
        (email) => ({ target: `POST /v3/grants/${a.grant}/calendars/free-busy`, body: { ...span, emails: [email] } }),
        [b.email, b.grant, b.externalId],
      ],
      ['a participant, by address', (email) => available({ email: a.email }, { email }), [b.email]],
      [
        'a participant, by grant',
        (grant_id) => available({ email: a.email }, { email: 'x@x.test', grant_id }),
        [b.grant, b.email, `external:${b.externalId}`],
      ],
      [
        'a calendar of a participant',
        (calendar) => available({ email: a.email, calendar_ids: [calendar] }),
        [b.calendar, a.otherCalendar],
      ],
    ]
    for (const [what, make, foreign] of attempts) {
      /** The response without the requested name, which it may repeat. Nothing else may differ. */
      const answerTo = async (name: string): Promise<string> => {
        const { target, body } = make(name)
        const [method = '', path = ''] = target.split(' ')
        const { status, body: answer } = await look(service, method, path, { key: a.key, body })
        return `${status} ${JSON.stringify(answer).replaceAll(name, '<name>')}`
      }
      const unseen = await answerTo(nowhere)
      for (const name of foreign)
        expect({ what, name, answer: await answerTo(name) }).toEqual({ what, name, answer: unseen })
    }
    const kept = await service.call('GET', '/v3/applications/redirect-uris', { key: a.key })
    expect(kept.body.data).toHaveLength(2)
  })

  test('an external id or address that another application uses is free', async () => {
    const { service, a, b } = world
    const twin = await made(service, 'POST', '/v3/connect/custom', {
      key: a.key,
      body: { provider: 'virtual-calendar', settings: { email: b.email }, external_id: b.externalId },
    })
    expect(twin.id).not.toBe(b.grant)
    for (const locator of [b.email, `external:${b.externalId}`]) {
      const target = `/v3/grants/${encodeURIComponent(locator)}`
      expect((await service.call('GET', target, { key: a.key })).body.data.id).toBe(twin.id)
      expect((await service.call('GET', target, { key: b.key })).body.data.id).toBe(b.grant)
    }
    await service.call('DELETE', `/v3/grants/${twin.id}`, { key: a.key })
  })

  test('an Idempotency-Key of another application returns no stored response', async () => {
    const { service, a, b } = world
    const request = (key: string) =>
      service.call('PATCH', '/v3/connectors/google', {
        key,
        body: { scope: ['openid'] },
        headers: { 'idempotency-key': 'one-and-the-same' },
      })
    const first = await request(b.key)
    const second = await request(a.key)
    expect(second.headers.get('idempotent-response')).toBeNull()
    expect(second.body.data.id).not.toBe(first.body.data.id)
    await service.call('PATCH', '/v3/connectors/google', { key: b.key, body: { scope: [] } })
  })

  test('no attempt reached a provider, and application B is unchanged', async () => {
    // Three grants for each application, and the duplicate that was created on purpose.
    expect(world.authentications()).toBe(7)
    const after = await readB()
    // Cursors are encrypted differently each time.
    const withoutTimes = ({ next_cursor: _, ...value }: Record<string, unknown>) =>
      JSON.parse(JSON.stringify(value).replaceAll(/"updated_at":\d+/g, '"updated_at":0'))
    for (const [target, body] of before) {
      expect({ target, body: withoutTimes(after.get(target) ?? {}) }).toEqual({ target, body: withoutTimes(body) })
    }
  })
})
