/**
 * The rights of restricted credentials: API keys with `rights`, and agents. Every route that accepts them has a rule here,
 * and `api/pipeline/key-admission.ts` enforces the rules for all of them. Pure.
 */
import {
  type Contract,
  type Grant,
  type KeyOperation,
  KeyRights,
  type NamedRoute,
  needsAllGrants,
  type Waypost,
} from '@waypost/contract'
import { ApiError } from '../lib/api-error.ts'
import { withinRanges } from '../lib/networks.ts'
import type { GrantScope } from '../store/tables/grants/grant-scope.ts'

/** A restricted API key, or an agent. */
export interface Credential {
  type: 'api_key' | 'agent'
  id: string
  name: string
  rights: KeyRights
  /** The grants that an agent was connected for, within those of its rights. */
  grantIds?: readonly string[] | undefined
}

type Reach = Pick<Credential, 'rights' | 'grantIds'>

/**
 * What a route needs: an operation, one of several operations, or
 * - `every`: every restricted credential may call it; its handler returns only what the credential may see.
 * - `never`: no restricted credential may call it.
 */
export type RouteRule = KeyOperation | readonly KeyOperation[] | 'every' | 'never'

type Ids<C extends Contract, A> = {
  [R in keyof C & string]: {
    [O in keyof C[R] & string]: C[R][O]['audience'] extends A ? `${R}.${O}` : never
  }[keyof C[R] & string]
}[keyof C & string]

/** Every route that an API key opens. */
type KeyedId = Ids<Waypost, 'application' | 'grant' | 'guest'>

const rules = {
  'messages.list': 'mail.read',
  'messages.get': 'mail.read',
  'messages.export': 'mail.read',
  'messages.clean': 'mail.read',
  'messages.update': 'mail.organize',
  // Moving to the trash is filing; `operationOfFields` asks for more if the deletion is permanent.
  'messages.delete': ['mail.organize', 'mail.delete'],
  'messages.send': 'mail.send',
  'schedules.list': 'mail.read',
  'schedules.get': 'mail.read',
  'schedules.delete': 'mail.send',
  'drafts.list': 'mail.read',
  'drafts.get': 'mail.read',
  'drafts.create': 'mail.draft',
  'drafts.update': 'mail.draft',
  'drafts.delete': 'mail.delete',
  'drafts.send': 'mail.send',
  'threads.list': 'mail.read',
  'threads.get': 'mail.read',
  'threads.update': 'mail.organize',
  'threads.delete': ['mail.organize', 'mail.delete'],
  'folders.list': 'mail.read',
  'folders.get': 'mail.read',
  'folders.create': 'mail.organize',
  'folders.update': 'mail.organize',
  'folders.delete': 'mail.delete',
  'attachments.list': 'mail.read',
  'attachments.get': 'mail.read',
  'attachments.download': 'mail.read',
  'attachmentUploads.create': ['mail.draft', 'mail.send'],
  'attachmentUploads.complete': ['mail.draft', 'mail.send'],

  'calendars.list': 'calendar.read',
  'calendars.get': 'calendar.read',
  'calendars.freeBusy': 'calendar.read',
  'calendars.create': 'calendar.write',
  'calendars.update': 'calendar.write',
  'calendars.delete': 'calendar.write',
  'virtualCalendars.create': 'calendar.write',
  'roomResources.list': 'calendar.read',
  'events.list': 'calendar.read',
  'events.import': 'calendar.read',
  'events.export': 'calendar.read',
  'events.get': 'calendar.read',
  'events.create': 'calendar.write',
  'events.update': 'calendar.write',
  'events.delete': 'calendar.write',
  'events.rsvp': 'calendar.write',
  'availability.find': 'calendar.read',

  'contactGroups.list': 'contacts.read',
  'contactGroups.get': 'contacts.read',
  'contactGroups.create': 'contacts.write',
  'contactGroups.update': 'contacts.write',
  'contactGroups.delete': 'contacts.write',
  'contacts.list': 'contacts.read',
  'contacts.get': 'contacts.read',
  'contacts.export': 'contacts.read',
  'contacts.create': 'contacts.write',
  'contacts.update': 'contacts.write',
  'contacts.delete': 'contacts.write',

  'configurations.list': 'scheduling',
  'configurations.create': 'scheduling',
  'configurations.get': 'scheduling',
  'configurations.update': 'scheduling',
  'configurations.delete': 'scheduling',
  'schedulingPages.list': 'scheduling',
  'schedulingSessions.create': 'scheduling',
  'schedulingSessions.get': 'scheduling',
  'schedulingSessions.delete': 'scheduling',
  'schedulingRedirects.find': 'scheduling',
  'schedulingAvailability.find': 'scheduling',
  'uiSettings.get': 'scheduling',
  'groupEvents.list': 'scheduling',
  'groupEvents.create': 'scheduling',
  'groupEvents.update': 'scheduling',
  'groupEvents.delete': 'scheduling',
  'groupEvents.importForGrant': 'scheduling',
  'groupEvents.import': 'scheduling',
  'groupEvents.validateTimeslot': 'scheduling',
  'bookings.list': 'scheduling',
  'bookings.create': 'scheduling',
  'bookings.get': 'scheduling',
  'bookings.reschedule': 'scheduling',
  'bookings.confirm': 'scheduling',
  'bookings.cancel': 'scheduling',

  'webhooks.list': 'webhooks',
  'webhooks.create': 'webhooks',
  'webhooks.mockPayload': 'webhooks',
  'webhooks.readMockPayload': 'webhooks',
  'webhooks.sendTestEvent': 'webhooks',
  'webhooks.ipAddresses': 'webhooks',
  'webhooks.rotateSecret': 'webhooks',
  'webhooks.putRotateSecret': 'webhooks',
  'webhooks.verifySignature': 'webhooks',
  'webhooks.get': 'webhooks',
  'webhooks.health': 'webhooks',
  'webhooks.update': 'webhooks',
  'webhooks.delete': 'webhooks',
  'pubsubChannels.list': 'webhooks',
  'pubsubChannels.create': 'webhooks',
  'pubsubChannels.get': 'webhooks',
  'pubsubChannels.update': 'webhooks',
  'pubsubChannels.delete': 'webhooks',
  'snsChannels.list': 'webhooks',
  'snsChannels.create': 'webhooks',
  'snsChannels.get': 'webhooks',
  'snsChannels.update': 'webhooks',
  'snsChannels.delete': 'webhooks',
  'natsChannels.list': 'webhooks',
  'natsChannels.create': 'webhooks',
  'natsChannels.get': 'webhooks',
  'natsChannels.update': 'webhooks',
  'natsChannels.delete': 'webhooks',
  'amqpChannels.list': 'webhooks',
  'amqpChannels.create': 'webhooks',
  'amqpChannels.get': 'webhooks',
  'amqpChannels.update': 'webhooks',
  'amqpChannels.delete': 'webhooks',
  'deliveries.list': 'webhooks',
  'deliveries.attempts': 'webhooks',
  'deliveries.attempt': 'webhooks',
  'deliveries.backlog': 'webhooks',
  'deliveries.replay': 'webhooks',
  'deliveries.deliverNow': 'webhooks',
  'deliveries.deliverAllNow': 'webhooks',
  // Without `webhooks`, the list contains what the other operations read (`notification-reach.ts`).
  'notifications.list': ['webhooks', 'mail.read', 'calendar.read', 'contacts.read', 'scheduling'],
  'notifications.get': 'webhooks',

  'agents.list': 'never',
  'agents.get': 'never',
  'agents.update': 'never',
  'agents.delete': 'never',
  'agents.requests': 'never',
  'approvals.list': 'every',
  'approvals.get': 'every',
  'approvals.approve': 'never',
  'approvals.reject': 'never',
  'approvals.draft': 'never',

  'grants.list': 'every',
  'grants.get': 'every',
  'grants.update': 'administration',
  'grants.delete': 'administration',
  'workspaces.list': 'administration',
  'workspaces.create': 'administration',
  'workspaces.autoGroup': 'administration',
  'workspaces.get': 'administration',
  'workspaces.update': 'administration',
  'workspaces.delete': 'administration',
  'workspaces.manualAssign': 'administration',
  'applications.get': 'administration',
  'applications.update': 'administration',
  'redirectUris.list': 'administration',
  'redirectUris.create': 'administration',
  'redirectUris.get': 'administration',
  'redirectUris.update': 'administration',
  'redirectUris.delete': 'administration',
  'connectors.list': 'administration',
  'connectors.create': 'administration',
  'connectors.get': 'administration',
  'connectors.update': 'administration',
  'connectors.delete': 'administration',
  'connectors.test': 'administration',
  'credentials.list': 'administration',
  'credentials.create': 'administration',
  'credentials.get': 'administration',
  'credentials.update': 'administration',
  'credentials.delete': 'administration',
  'providers.detect': 'administration',
  'connect.guide': 'administration',
  'connect.custom': 'administration',
  // Signatures, templates and workflows end up in mail that other callers send.
  'signatures.list': 'mail.read',
  'signatures.get': 'mail.read',
  'signatures.create': 'administration',
  'signatures.update': 'administration',
  'signatures.delete': 'administration',
  'templates.list': 'administration',
  'templates.create': 'administration',
  'templates.renderBody': 'administration',
  'templates.get': 'administration',
  'templates.update': 'administration',
  'templates.delete': 'administration',
  'templates.render': 'administration',
  'grantTemplates.list': 'administration',
  'grantTemplates.create': 'administration',
  'grantTemplates.renderBody': 'administration',
  'grantTemplates.get': 'administration',
  'grantTemplates.update': 'administration',
  'grantTemplates.delete': 'administration',
  'grantTemplates.render': 'administration',
  'workflows.list': 'administration',
  'workflows.create': 'administration',
  'workflows.get': 'administration',
  'workflows.update': 'administration',
  'workflows.delete': 'administration',
  'grantWorkflows.list': 'administration',
  'grantWorkflows.create': 'administration',
  'grantWorkflows.get': 'administration',
  'grantWorkflows.update': 'administration',
  'grantWorkflows.delete': 'administration',
} as const satisfies Record<KeyedId, RouteRule>

/** The rule of a route. A route without one is for no restricted credential. */
export const ruleOf = ({ id }: NamedRoute): RouteRule => (Object.hasOwn(rules, id) ? rules[id as KeyedId] : 'never')

/** Whether a credential has an operation. Limited to some grants, it has none that concerns the whole application. */
export const hasOperation = (credential: Reach, operation: KeyOperation): boolean =>
  credential.rights.operations.includes(operation) && !(needsAllGrants.has(operation) && isLimited(credential))

export type OperationJudgement = { allowed: true } | { allowed: false; missing: readonly KeyOperation[] }

/** Whether a credential may call a route, and which operations would allow it. None: no right allows it. */
export function judgeOperation(credential: Reach, named: NamedRoute): OperationJudgement {
  const rule = ruleOf(named)
  if (rule === 'every') return { allowed: true }
  if (rule === 'never') return { allowed: false, missing: [] }
  const sufficient = typeof rule === 'string' ? [rule] : rule
  const has = (operation: KeyOperation): boolean => hasOperation(credential, operation)
  return sufficient.some(has) ? { allowed: true } : { allowed: false, missing: sufficient }
}

/** The operation that the fields of a request need beyond those of its route. */
export function operationOfFields(
  { id }: NamedRoute,
  query: Readonly<Record<string, unknown>>,
): KeyOperation | undefined {
  return id === 'messages.delete' && query.hard_delete === true ? 'mail.delete' : undefined
}

/** Whether a credential may use some grants only. */
export const isLimited = ({ rights, grantIds }: Reach): boolean => grantIds !== undefined || Boolean(rights.grants)

/** Whether a credential may use a grant. */
export function mayUseGrant({ rights: { grants }, grantIds }: Reach, grant: Pick<Grant, 'id' | 'metadata'>): boolean {
  if (grantIds && !grantIds.includes(grant.id)) return false
  if (!grants) return true
  if ('ids' in grants) return grants.ids.includes(grant.id)
  return Object.entries(grants.metadata).every(([key, value]) => grant.metadata[key] === value)
}

/** The grants that a credential may use, as a filter for lists. Undefined: all. */
export function scopeOf({ rights: { grants }, grantIds }: Reach): GrantScope | undefined {
  if (!grants) return grantIds && { ids: grantIds }
  if ('ids' in grants) return { ids: grantIds ? grants.ids.filter((id) => grantIds.includes(id)) : grants.ids }
  const [[key, value] = ['', '']] = Object.entries(grants.metadata)
  return { ids: grantIds, pair: { key, value } }
}

/** Whether a credential may send to an address and invite it. A domain includes no subdomains. */
export function isAllowedRecipient({ recipients }: Pick<KeyRights, 'recipients'>, email: string): boolean {
  if (!recipients) return true
  const address = email.trim().toLowerCase()
  const domain = address.slice(address.lastIndexOf('@') + 1)
  if (!/^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(address)) return false
  return recipients.some((allowed) => {
    const wanted = allowed.toLowerCase()
    // Some servers pass mail for `somebody%elsewhere@domain` on to the other domain.
    return wanted.includes('@') ? wanted === address : wanted === domain && !/[%!]/.test(address)
  })
}

/** Whether a credential may be used from an address. */
export const isInNetworks = ({ networks }: Pick<KeyRights, 'networks'>, address: string): boolean =>
  !networks || withinRanges(networks)(address)

/**
 * The rights of a key or an agent as stored. A limit that is not understood must not be ignored: a credential whose rights a
 * newer version wrote works at nodes of that version only.
 */
export function readRights(text: string): KeyRights {
  const read = KeyRights.safeParse(JSON.parse(text))
  if (read.success) return read.data
  throw new ApiError(
    'service_unavailable',
    'this node does not understand the rights of the credential: update the node',
    {
      cause: read.error,
    },
  )
}
