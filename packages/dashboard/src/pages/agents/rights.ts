/** The rights of restricted API keys and agents: their words and the presets. */
import type { ApprovalKind, KeyGrants, KeyOperation, KeyRights } from '@waypost/sdk'
import { plural } from '../../format.ts'

type Described = readonly [operation: KeyOperation, label: string, means: string]

export const operationGroups: readonly (readonly [title: string, operations: readonly Described[]])[] = [
  [
    'Mail',
    [
      ['mail.read', 'Read mail', 'Messages, threads, folders, attachments and drafts'],
      ['mail.organize', 'Organize mail', 'Move, flag and file messages'],
      ['mail.draft', 'Write drafts', 'Create and change drafts, without sending them'],
      ['mail.send', 'Send mail', 'New messages, replies and drafts'],
      ['mail.delete', 'Delete mail', 'Messages, threads, drafts and folders'],
    ],
  ],
  [
    'Calendars and contacts',
    [
      ['calendar.read', 'Read calendars', 'Calendars, events, free/busy and rooms'],
      ['calendar.write', 'Change calendars', 'Create, change and delete events, answer invitations'],
      ['contacts.read', 'Read contacts', 'People and groups'],
      ['contacts.write', 'Change contacts', 'Create, change and delete people'],
    ],
  ],
  [
    'Application',
    [
      ['mcp', 'Use the MCP endpoint', 'The address for assistants'],
      ['scheduling', 'Scheduling', 'Booking pages and bookings'],
      ['webhooks', 'Webhooks', 'Destinations and notifications. Needs all grants'],
      ['administration', 'Administration', 'Connectors, grants, templates and settings. Needs all grants'],
    ],
  ],
]

export const operationOrder = operationGroups.flatMap(([, all]) => all.map(([operation]) => operation))

export const approvalKinds: readonly (readonly [kind: ApprovalKind, label: string, means: string])[] = [
  ['send', 'Sending mail', 'A person reads each message before it leaves the account'],
  ['delete', 'Deleting permanently', 'Messages, events, contacts and other objects'],
  ['invite', 'Inviting others', 'Events and bookings that notify other people'],
]

export interface Preset {
  name: string
  means: string
  operations: readonly KeyOperation[]
}

export const presets: readonly Preset[] = [
  {
    name: 'Read only',
    means: 'Reads mail, calendars and contacts',
    operations: ['mail.read', 'calendar.read', 'contacts.read'],
  },
  {
    name: 'Drafts, no sending',
    means: 'Reads, organizes mail and writes drafts',
    operations: ['mail.read', 'mail.organize', 'mail.draft', 'calendar.read', 'contacts.read'],
  },
  {
    name: 'Assistant with approval',
    means: 'Sends, invites and deletes after a person agreed',
    operations: [
      ...(['mail.read', 'mail.organize', 'mail.draft', 'mail.send', 'mail.delete'] as const),
      ...(['calendar.read', 'calendar.write', 'contacts.read', 'contacts.write', 'mcp'] as const),
    ],
  },
]

const listed = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

/** Short words: what it may do with what. */
const shortWords: readonly (readonly [what: string, verbs: Partial<Record<KeyOperation, string>>])[] = [
  [
    'Mail',
    {
      'mail.read': 'read',
      'mail.organize': 'organize',
      'mail.draft': 'draft',
      'mail.send': 'send',
      'mail.delete': 'delete',
    },
  ],
  ['Calendars', { 'calendar.read': 'read', 'calendar.write': 'change' }],
  ['Contacts', { 'contacts.read': 'read', 'contacts.write': 'change' }],
]
const alone: Partial<Record<KeyOperation, string>> = {
  scheduling: 'Scheduling',
  webhooks: 'Webhooks',
  administration: 'Administration',
  mcp: 'MCP endpoint',
}

/** What the credential may do, in a few lines such as "Mail: read, draft". */
export function sayOperations({ operations }: KeyRights): string[] {
  const has = ([operation]: readonly [string, string]): boolean => operations.some((each) => each === operation)
  const grouped = shortWords.flatMap(([what, verbs]) => {
    const words = Object.entries(verbs).filter(has)
    return words.length === 0 ? [] : [`${what}: ${words.map(([, verb]) => verb).join(', ')}`]
  })
  const others = Object.entries(alone).filter(has)
  return [...grouped, ...(others.length === 0 ? [] : [others.map(([, word]) => word).join(', ')])]
}

const approvalWords: Record<ApprovalKind, string> = { send: 'sending', delete: 'deleting', invite: 'inviting' }

export function sayApproval({ approval }: KeyRights): string {
  const kinds = approvalKinds.flatMap(([kind]) => (approval.includes(kind) ? [approvalWords[kind]] : []))
  if (kinds.length === 0) return 'Acts without approval'
  const words = listed(kinds)
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} ${kinds.length === 1 ? 'needs' : 'need'} approval`
}

export function sayGrants(grants: KeyGrants | null | undefined): string {
  if (!grants) return 'All grants'
  if ('ids' in grants) return plural(grants.ids.length, 'grant')
  const [pair] = Object.entries(grants.metadata)
  return pair ? `Grants with ${pair[0]} = ${pair[1]}` : 'No grants'
}

/** The limits in a few words each. */
export function sayLimits(rights: KeyRights, grants = sayGrants(rights.grants)): string[] {
  const { recipients, messages_per_hour: perHour, networks } = rights
  return [
    grants,
    ...(recipients
      ? [`Only to ${recipients.length > 3 ? plural(recipients.length, 'address', 'addresses') : listed(recipients)}`]
      : []),
    ...(perHour ? [`${plural(perHour, 'message')} per hour`] : []),
    ...(networks ? [`Only from ${networks.length > 2 ? plural(networks.length, 'network') : listed(networks)}`] : []),
  ]
}

export interface ChosenGrant {
  id: string
  email: string
}

/** The rights that a form shows first. */
export const firstRights: KeyRights = {
  operations: [...(presets[0]?.operations ?? [])],
  grants: null,
  recipients: null,
  messages_per_hour: null,
  networks: null,
  approval: ['send', 'delete', 'invite'],
  elicitation: true,
}
