/** Descriptions of the resources, in groups, in reading order. */
import type { Waypost } from '@waypost/contract'
import type { Json } from './json.ts'

const groups = {
  Accounts: {
    connect: [
      'Authentication',
      'Connect accounts as grants: hosted sign-in, custom authentication with credentials that you have, and OAuth tokens.',
    ],
    grants: [
      'Grants',
      'A grant is one connected account of an end user. Requests for its data have its id or address in the path.',
    ],
    workspaces: [
      'Workspaces',
      'Groups of grants, by the domain of their addresses or by hand. A grant is in exactly one, at first in the default workspace.',
    ],
    providers: ['Providers', 'Detects the provider of an email address.'],
  },
  Calendars: {
    calendars: ['Calendars', 'The calendars of an account, and when people are busy.'],
    virtualCalendars: [
      'Virtual calendars',
      'Calendars stored by Waypost, for people and things without a mailbox, such as rooms and machines.',
    ],
    events: [
      'Events',
      'Events, series and their instances, with guests, reminders and conferencing, and responses to invitations.',
    ],
    availability: [
      'Availability',
      'Times when several people can meet, according to their calendars, open hours and buffers.',
    ],
    roomResources: ['Rooms', 'The rooms and other resources that an account can book.'],
  },
  Mail: {
    messages: ['Messages', 'Read, search, change, clean and send mail, immediately or scheduled.'],
    schedules: ['Scheduled sends', 'Messages that will be sent later.'],
    drafts: ['Drafts', 'Messages stored at the provider until they are sent.'],
    threads: ['Threads', 'Conversations: messages grouped by what they reply to.'],
    folders: ['Folders', 'Folders. At Google they are labels.'],
    attachments: ['Attachments', 'Metadata and content of the files in messages.'],
    attachmentUploads: ['Uploads', 'Large files that are uploaded before they are sent.'],
    signatures: ['Signatures', 'Text at the end of messages, stored by Waypost for each grant.'],
    templates: ['Templates', 'Subjects and bodies with variables, for all grants of the application.'],
    grantTemplates: ['Templates of a grant', 'Subjects and bodies with variables, for one grant.'],
    workflows: ['Workflows', 'Mails about bookings from templates, for all grants of the application.'],
    grantWorkflows: ['Workflows of a grant', 'Mails about bookings from templates, for one grant.'],
  },
  Scheduling: {
    configurations: [
      'Scheduler configurations',
      'Booking pages of a grant: who can be booked, when, and what is created.',
    ],
    schedulingPages: ['Booking pages of the application', 'The scheduler configurations of all grants.'],
    schedulingSessions: ['Scheduling sessions', 'Let a browser use one configuration for some minutes.'],
    uiSettings: ['Settings of a booking page', 'What a booking page shows to guests.'],
    groupEvents: ['Group events', 'Events with seats, which many guests can join.'],
    schedulingAvailability: ['Times of a booking page', 'The times that guests can book.'],
    bookings: ['Bookings', 'Slots that guests have booked: each has an event in the calendar of its host.'],
    schedulingRedirects: ['Redirects of version 2', 'Pages of the former version of the API.'],
  },
  Contacts: {
    contacts: ['Contacts', 'The address book of an account.'],
    contactGroups: ['Contact groups', 'The groups that contacts are sorted into.'],
  },
  Notifications: {
    webhooks: [
      'Webhooks',
      'Destinations that receive changes as signed requests. Notifications describes the request bodies.',
    ],
    pubsubChannels: ['Pub/Sub channels', 'Destinations that publish changes to a Google Pub/Sub topic.'],
    snsChannels: ['SNS channels', 'Destinations that publish changes to an Amazon SNS topic.'],
    natsChannels: ['NATS channels', 'Destinations that publish changes to NATS JetStream.'],
    amqpChannels: ['AMQP channels', 'Destinations that publish changes to RabbitMQ or another AMQP 0-9-1 broker.'],
    deliveries: ['Deliveries', 'Waiting deliveries, attempts, and replay.'],
    notifications: ['Notifications', 'Changes by trigger, sent to webhook destinations or read as a stream.'],
  },
  Agents: {
    agents: [
      'Agents',
      'Assistants that people connected to the MCP endpoint: their rights and grants, and how to disconnect them.',
    ],
    approvals: ['Approvals', 'Actions of restricted API keys and agents that wait for a person, and their outcomes.'],
  },
  Application: {
    applications: [
      'Application',
      'The application that the API key belongs to, with its branding and the settings of its sign-in pages.',
    ],
    redirectUris: ['Redirect URIs', 'Where a hosted sign-in may return to. Only registered URIs are accepted.'],
    connectors: [
      'Connectors',
      'One per provider and application: the OAuth client and scopes for connecting accounts.',
    ],
    credentials: [
      'Credentials',
      'Further secrets of a connector, such as another OAuth client or a service account. They are never returned.',
    ],
  },
  Administration: {
    adminApplications: ['Applications', 'All applications of this service.'],
    apiKeys: ['API keys', 'Keys of an application. Each is shown once, when it is created.'],
    adminGrants: ['Grants of an application', 'Search, block and revoke grants, and see their activity.'],
    overview: ['Overview of an application', 'The state of an application, and problems that need action.'],
    connectorSetup: [
      'Setting up connectors',
      'What to register at a provider, and simulated providers for development.',
    ],
    usage: ['Usage', 'How many grants were used, by application and month.'],
    session: ['Sessions', 'Dashboard sign-in and sessions.'],
    invitations: ['Invitations', 'Accept an invitation and choose a password.'],
    account: ['Own account', 'Settings of your own administrator account.'],
    people: ['People', 'The people who administer the service, their roles and rights.'],
    serviceAccounts: ['Service accounts', 'Programs that sign requests to administration routes with an RSA key.'],
    installation: ['Installation', 'Settings of the installation, for owners.'],
    audit: ['Audit log', 'Who changed what, and when.'],
    failedJobs: ['Failed jobs', 'Background jobs that failed permanently, to retry or discard.'],
    health: ['State of the service', 'Health of the service, now and over time.'],
    service: ['Probes', 'Endpoints for load balancers and orchestrators.'],
  },
} as const

/** The title and the description of each resource. */
const words: Readonly<Record<keyof Waypost, readonly [title: string, description: string]>> = {
  ...groups.Accounts,
  ...groups.Calendars,
  ...groups.Mail,
  ...groups.Scheduling,
  ...groups.Contacts,
  ...groups.Notifications,
  ...groups.Agents,
  ...groups.Application,
  ...groups.Administration,
}

/** A tag for each resource, named by it, in the order of the groups. */
export const tags = (): Json[] =>
  Object.entries(words).map(([name, [title, description]]) => ({ name, 'x-displayName': title, description }))

export const tagGroups = (): Json[] =>
  Object.entries(groups).map(([name, group]) => ({ name, tags: Object.keys(group) }))
