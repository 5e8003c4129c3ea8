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
      'How accounts become grants: the hosted sign-in, custom authentication with credentials that you hold, and the tokens of OAuth clients.',
  },
  grants: {
    title: 'Grants',
    description:
      'A grant is one account of an end user that the application may read and write. Its id, or its address, stands in the path of every request for data.',
  },
  providers: { title: 'Providers', description: 'Which provider an e-mail address belongs to.' },
  applications: {
    title: 'Application',
    description:
      'The application that the API key belongs to, with its branding and the settings of its sign-in pages.',
  },
  redirectUris: {
    title: 'Redirect URIs',
    description: 'Where a hosted sign-in may lead back to. Only registered addresses are taken.',
  },
  connectors: {
    title: 'Connectors',
    description:
      'One for each provider of the application: the OAuth client and the scopes that accounts are connected with.',
  },
  credentials: {
    title: 'Credentials',
    description:
      'Further secrets of a connector, such as another OAuth client or a service account. They are never told again.',
  },
  calendars: {
    title: 'Calendars',
    description: 'The calendars of an account, and when people are busy.',
  },
  virtualCalendars: {
    title: 'Virtual calendars',
    description:
      'Calendars that the service keeps itself, for whom or what has no mailbox: rooms, machines, tour guides.',
  },
  events: {
    title: 'Events',
    description:
      'Events, series and their instances, with guests, reminders and conferencing, and answers to invitations.',
  },
  availability: {
    title: 'Availability',
    description: 'When several people have time together, by their calendars, open hours and buffers.',
  },
  roomResources: { title: 'Rooms', description: 'The rooms and other resources that an account can book.' },
  messages: {
    title: 'Messages',
    description: 'Mail: read, searched, changed, cleaned and sent, at once or at a time.',
  },
  schedules: { title: 'Scheduled sends', description: 'Messages that wait for the time at which they are sent.' },
  drafts: { title: 'Drafts', description: 'Messages that are kept at the provider until they are sent.' },
  threads: { title: 'Threads', description: 'Conversations: the messages that belong together, as one.' },
  folders: { title: 'Folders', description: 'Folders, which are labels with Google.' },
  attachments: { title: 'Attachments', description: 'The files of messages: what they are, and their bytes.' },
  signatures: {
    title: 'Signatures',
    description: 'What stands at the end of messages. The service keeps them for each grant.',
  },
  templates: {
    title: 'Templates',
    description: 'Subjects and bodies with variables, for all grants of the application.',
  },
  grantTemplates: { title: 'Templates of a grant', description: 'Subjects and bodies with variables, for one grant.' },
  contacts: { title: 'Contacts', description: 'The address book of an account.' },
  contactGroups: { title: 'Contact groups', description: 'The groups that contacts are sorted into.' },
  webhooks: {
    title: 'Webhooks',
    description:
      'Destinations that are told of changes, by signed requests. What they are sent stands under Notifications.',
  },
  deliveries: {
    title: 'Deliveries',
    description: 'What waits for a destination, what was tried, and how to send it again.',
  },
  notifications: {
    title: 'Notifications',
    description: 'What happened, trigger by trigger: pushed to webhook destinations, or read as a stream.',
  },
  adminApplications: { title: 'Applications', description: 'All applications of this service.' },
  apiKeys: {
    title: 'API keys',
    description: 'The keys that open an application. Each is shown once, when it is made.',
  },
  adminGrants: {
    title: 'Grants of an application',
    description: 'Finds, blocks and revokes grants, and tells what they do.',
  },
  overview: {
    title: 'Overview of an application',
    description: 'Whether all is well with an application, and what somebody should act on.',
  },
  connectorSetup: {
    title: 'Setting up connectors',
    description: 'What is to be registered at a provider, and what stands in for it while trying things out.',
  },
  usage: { title: 'Usage', description: 'How many grants were used, by application and month.' },
  session: { title: 'Sessions', description: 'Signing in to the dashboard, and the sessions that begin with it.' },
  invitations: { title: 'Invitations', description: 'How an invited person chooses a password and comes in.' },
  account: { title: 'Own account', description: 'What people who administer the service change of themselves.' },
  people: { title: 'People', description: 'The people who administer the service, their roles and rights.' },
  installation: { title: 'Installation', description: 'Settings of the installation that owners change.' },
  audit: { title: 'Audit log', description: 'Who changed what, and when.' },
  health: { title: 'State of the service', description: 'How the service fares, now and over time.' },
  service: { title: 'Probes', description: 'What load balancers and orchestrators ask.' },
}

const groups: readonly { readonly name: string; readonly tags: readonly (keyof Waypost)[] }[] = [
  { name: 'Accounts', tags: ['connect', 'grants', 'providers'] },
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
      'signatures',
      'templates',
      'grantTemplates',
    ],
  },
  { name: 'Contacts', tags: ['contacts', 'contactGroups'] },
  { name: 'Notifications', tags: ['webhooks', 'deliveries', 'notifications'] },
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
      ...(['people', 'installation', 'audit', 'health', 'service'] as const),
    ],
  },
]

/** A tag for each resource, named by it, in the order of the groups. */
export const tags = (): Json[] =>
  groups.flatMap(({ tags: names }) =>
    names.map((name) => ({ name, 'x-displayName': words[name].title, description: words[name].description })),
  )

export const tagGroups = (): Json[] => groups.map(({ name, tags: names }) => ({ name, tags: [...names] }))
