/** Descriptions of the resources, in groups, in reading order. */
import type { Waypost } from '@waypost/contract'
import type { Json } from './json.ts'

interface Words {
  readonly title: string
  readonly description: string
}

const words: Record<keyof Waypost, Words> = {
  connect: {
    title: 'Authentication',
    description:
      'Connect accounts as grants: hosted sign-in, custom authentication with credentials that you have, and OAuth tokens.',
  },
  grants: {
    title: 'Grants',
    description:
      'A grant is one connected account of an end user. Requests for its data have its id or address in the path.',
  },
  workspaces: {
    title: 'Workspaces',
    description:
      'Groups of grants, by the domain of their addresses or by hand. A grant is in exactly one, at first in the default workspace.',
  },
  providers: { title: 'Providers', description: 'Detects the provider of an email address.' },
  applications: {
    title: 'Application',
    description:
      'The application that the API key belongs to, with its branding and the settings of its sign-in pages.',
  },
  redirectUris: {
    title: 'Redirect URIs',
    description: 'Where a hosted sign-in may return to. Only registered URIs are accepted.',
  },
  connectors: {
    title: 'Connectors',
    description: 'One per provider and application: the OAuth client and scopes for connecting accounts.',
  },
  credentials: {
    title: 'Credentials',
    description:
      'Further secrets of a connector, such as another OAuth client or a service account. They are never returned.',
  },
  calendars: {
    title: 'Calendars',
    description: 'The calendars of an account, and when people are busy.',
  },
  virtualCalendars: {
    title: 'Virtual calendars',
    description: 'Calendars stored by Waypost, for people and things without a mailbox, such as rooms and machines.',
  },
  events: {
    title: 'Events',
    description:
      'Events, series and their instances, with guests, reminders and conferencing, and responses to invitations.',
  },
  availability: {
    title: 'Availability',
    description: 'Times when several people can meet, according to their calendars, open hours and buffers.',
  },
  roomResources: { title: 'Rooms', description: 'The rooms and other resources that an account can book.' },
  messages: {
    title: 'Messages',
    description: 'Read, search, change, clean and send mail, immediately or scheduled.',
  },
  schedules: { title: 'Scheduled sends', description: 'Messages that will be sent later.' },
  drafts: { title: 'Drafts', description: 'Messages stored at the provider until they are sent.' },
  threads: { title: 'Threads', description: 'Conversations: messages grouped by what they reply to.' },
  folders: { title: 'Folders', description: 'Folders. At Google they are labels.' },
  attachments: { title: 'Attachments', description: 'Metadata and content of the files in messages.' },
  attachmentUploads: { title: 'Uploads', description: 'Large files that are uploaded before they are sent.' },
  signatures: {
    title: 'Signatures',
    description: 'Text at the end of messages, stored by Waypost for each grant.',
  },
  templates: {
    title: 'Templates',
    description: 'Subjects and bodies with variables, for all grants of the application.',
  },
  grantTemplates: { title: 'Templates of a grant', description: 'Subjects and bodies with variables, for one grant.' },
  workflows: {
    title: 'Workflows',
    description: 'Mails about bookings from templates, for all grants of the application.',
  },
  grantWorkflows: {
    title: 'Workflows of a grant',
    description: 'Mails about bookings from templates, for one grant.',
  },
  configurations: {
    title: 'Scheduler configurations',
    description: 'Booking pages of a grant: who can be booked, when, and what is created.',
  },
  schedulingPages: {
    title: 'Booking pages of the application',
    description: 'The scheduler configurations of all grants.',
  },
  schedulingSessions: {
    title: 'Scheduling sessions',
    description: 'Let a browser use one configuration for some minutes.',
  },
  schedulingAvailability: { title: 'Times of a booking page', description: 'The times that guests can book.' },
  bookings: {
    title: 'Bookings',
    description: 'Slots that guests have booked: each has an event in the calendar of its host.',
  },
  uiSettings: { title: 'Settings of a booking page', description: 'What a booking page shows to guests.' },
  groupEvents: { title: 'Group events', description: 'Events with seats, which many guests can join.' },
  schedulingRedirects: { title: 'Redirects of version 2', description: 'Pages of the former version of the API.' },
  contacts: { title: 'Contacts', description: 'The address book of an account.' },
  contactGroups: { title: 'Contact groups', description: 'The groups that contacts are sorted into.' },
  webhooks: {
    title: 'Webhooks',
    description: 'Destinations that receive changes as signed requests. Notifications describes the request bodies.',
  },
  pubsubChannels: {
    title: 'Pub/Sub channels',
    description: 'Destinations that publish changes to a Google Pub/Sub topic.',
  },
  snsChannels: { title: 'SNS channels', description: 'Destinations that publish changes to an Amazon SNS topic.' },
  natsChannels: { title: 'NATS channels', description: 'Destinations that publish changes to NATS JetStream.' },
  amqpChannels: {
    title: 'AMQP channels',
    description: 'Destinations that publish changes to RabbitMQ or another AMQP 0-9-1 broker.',
  },
  deliveries: {
    title: 'Deliveries',
    description: 'Waiting deliveries, attempts, and replay.',
  },
  notifications: {
    title: 'Notifications',
    description: 'Changes by trigger, sent to webhook destinations or read as a stream.',
  },
  agents: {
    title: 'Agents',
    description:
      'Assistants that people connected to the MCP endpoint: their rights and grants, and how to disconnect them.',
  },
  approvals: {
    title: 'Approvals',
    description: 'Actions of restricted API keys and agents that wait for a person, and their outcomes.',
  },
  adminApplications: { title: 'Applications', description: 'All applications of this service.' },
  apiKeys: {
    title: 'API keys',
    description: 'Keys of an application. Each is shown once, when it is created.',
  },
  adminGrants: {
    title: 'Grants of an application',
    description: 'Search, block and revoke grants, and see their activity.',
  },
  overview: {
    title: 'Overview of an application',
    description: 'The state of an application, and problems that need action.',
  },
  connectorSetup: {
    title: 'Setting up connectors',
    description: 'What to register at a provider, and simulated providers for development.',
  },
  usage: { title: 'Usage', description: 'How many grants were used, by application and month.' },
  session: { title: 'Sessions', description: 'Dashboard sign-in and sessions.' },
  invitations: { title: 'Invitations', description: 'Accept an invitation and choose a password.' },
  account: { title: 'Own account', description: 'Settings of your own administrator account.' },
  people: { title: 'People', description: 'The people who administer the service, their roles and rights.' },
  serviceAccounts: {
    title: 'Service accounts',
    description: 'Programs that sign requests to administration routes with an RSA key.',
  },
  installation: { title: 'Installation', description: 'Settings of the installation, for owners.' },
  audit: { title: 'Audit log', description: 'Who changed what, and when.' },
  failedJobs: {
    title: 'Failed jobs',
    description: 'Background jobs that failed permanently, to retry or discard.',
  },
  health: { title: 'State of the service', description: 'Health of the service, now and over time.' },
  service: { title: 'Probes', description: 'Endpoints for load balancers and orchestrators.' },
}

const groups: readonly { readonly name: string; readonly tags: readonly (keyof Waypost)[] }[] = [
  { name: 'Accounts', tags: ['connect', 'grants', 'workspaces', 'providers'] },
  { name: 'Calendars', tags: ['calendars', 'virtualCalendars', 'events', 'availability', 'roomResources'] },
  {
    name: 'Mail',
    tags: [
      'messages',
      'schedules',
      'drafts',
      'threads',
      'folders',
      'attachments',
      'attachmentUploads',
      'signatures',
      'templates',
      'grantTemplates',
      'workflows',
      'grantWorkflows',
    ],
  },
  {
    name: 'Scheduling',
    tags: [
      'configurations',
      'schedulingPages',
      'schedulingSessions',
      'uiSettings',
      'groupEvents',
      'schedulingAvailability',
      'bookings',
      'schedulingRedirects',
    ],
  },
  { name: 'Contacts', tags: ['contacts', 'contactGroups'] },
  {
    name: 'Notifications',
    tags: ['webhooks', 'pubsubChannels', 'snsChannels', 'natsChannels', 'amqpChannels', 'deliveries', 'notifications'],
  },
  { name: 'Agents', tags: ['agents', 'approvals'] },
  { name: 'Application', tags: ['applications', 'redirectUris', 'connectors', 'credentials'] },
  {
    name: 'Administration',
    tags: [
      ...([
        'adminApplications',
        'apiKeys',
        'adminGrants',
        'overview',
        'connectorSetup',
        'usage',
        'session',
        'invitations',
        'account',
      ] as const),
      ...(['people', 'serviceAccounts', 'installation', 'audit', 'failedJobs', 'health', 'service'] as const),
    ],
  },
]

/** A tag for each resource, named by it, in the order of the groups. */
export const tags = (): Json[] =>
  groups.flatMap(({ tags: names }) =>
    names.map((name) => ({ name, 'x-displayName': words[name].title, description: words[name].description })),
  )

export const tagGroups = (): Json[] => groups.map(({ name, tags: names }) => ({ name, tags: [...names] }))
