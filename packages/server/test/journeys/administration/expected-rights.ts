/**
 * What a restricted key may call, by operation: the table that the tests believe. It is written by hand and shares nothing
 * with `applications/key-rights.ts`.
 */
import type { KeyOperation } from '@waypost/contract'

const calls: Record<KeyOperation, string> = {
  'mail.read': `notifications: list; messages: list get export clean; schedules: list get; drafts: list get; threads: list get; folders: list get;
    attachments: list get download; signatures: list get`,
  'mail.organize': 'messages: update delete; threads: update delete; folders: create update',
  'mail.draft': 'drafts: create update; attachmentUploads: create complete',
  'mail.send': 'messages: send; drafts: send; schedules: delete; attachmentUploads: create complete',
  'mail.delete': 'messages: delete; threads: delete; drafts: delete; folders: delete',
  'calendar.read':
    'notifications: list; calendars: list get freeBusy; events: list get import export; roomResources: list; availability: find',
  'calendar.write': 'calendars: create update delete; events: create update delete rsvp; virtualCalendars: create',
  'contacts.read': 'notifications: list; contacts: list get export; contactGroups: list get',
  'contacts.write': 'contacts: create update delete; contactGroups: create update delete',
  scheduling: `notifications: list; configurations: list create get update delete; schedulingPages: list; schedulingSessions: create get delete;
    schedulingRedirects: find; schedulingAvailability: find; uiSettings: get; bookings: list create get reschedule confirm cancel;
    groupEvents: list create update delete importForGrant import validateTimeslot`,
  webhooks: `webhooks: list create mockPayload readMockPayload sendTestEvent ipAddresses rotateSecret putRotateSecret
    verifySignature get health update delete; notifications: list get;
    pubsubChannels: list create get update delete; snsChannels: list create get update delete;
    natsChannels: list create get update delete; amqpChannels: list create get update delete;
    deliveries: list attempts attempt backlog replay deliverNow deliverAllNow`,
  administration: `applications: get update; redirectUris: list create get update delete;
    connectors: list create get update delete test; credentials: list create get update delete; providers: detect;
    connect: guide custom; grants: update delete; workspaces: list create autoGroup get update delete manualAssign; signatures: create update delete;
    templates: list create renderBody get update delete render; grantTemplates: list create renderBody get update delete render;
    workflows: list create get update delete; grantWorkflows: list create get update delete`,
  mcp: '',
}

/** Every restricted key may call these; they return what the key may see. */
const open = 'grants: list get; approvals: list get'

/** No restricted key may call these. */
const closed = 'approvals: approve reject draft; agents: list get update delete requests'

function idsIn(text: string): string[] {
  const groups = text.split(';').filter((group) => group.trim() !== '')
  return groups.flatMap((group) => {
    const [resource = '', names = ''] = group.trim().split(':')
    return names
      .trim()
      .split(/\s+/)
      .map((name) => `${resource}.${name}`)
  })
}

const idsByOperation = new Map(
  Object.entries(calls).map(([operation, text]) => [operation as KeyOperation, new Set(idsIn(text))]),
)
const openIds = new Set(idsIn(open))
const closedIds = new Set(idsIn(closed))

/** The operations that open a route, `every`, or `never`. Undefined if the table does not know the route. */
export function expectedFor(id: string): readonly KeyOperation[] | 'every' | 'never' | undefined {
  if (openIds.has(id)) return 'every'
  if (closedIds.has(id)) return 'never'
  const operations = [...idsByOperation].filter(([, ids]) => ids.has(id)).map(([operation]) => operation)
  return operations.length > 0 ? operations : undefined
}
