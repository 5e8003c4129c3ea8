/**
 * The method of the published Nylas client for each route, and the differences of its arguments. Fields that the
 * types of that client lack are omitted.
 */
import { type AnyCase, bodyFields } from '@waypost/contract/examples'
import { Expression } from './literal.ts'

type Fields = Readonly<Record<string, unknown>>

export interface Call {
  readonly method: string
  /** The name of the result, if there is one. */
  readonly gives?: string
  /** Path parameters whose name is not their own in camel case. */
  readonly params?: Readonly<Record<string, string>>
  /** Whether it takes a query: never, if there is one, or always. */
  readonly query?: 'taken' | 'always'
  /** It takes only this field, without an object. */
  readonly only?: string
  /** It takes these fields, without an object around them. */
  readonly fields?: readonly string[]
  /** Changes to body or query that its types require. */
  readonly change?: (example: AnyCase) => AnyCase
  /** Enumerations of the client that the sample imports. */
  readonly imports?: readonly string[]
}

const identifier = { params: { grant_id: 'identifier' } }
const gives = '{ data }'
const taken = { query: 'taken' } as const
const always = { query: 'always' } as const
const webhookId = { params: { id: 'webhookId' } }
const redirectUriId = { params: { id: 'redirectUriId' } }
const credentialsId = { params: { id: 'credentialsId' } }

const without =
  (...names: string[]) =>
  (fields: Fields = {}): Fields =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))

/** The body without some of its fields. */
const lacks = (...names: string[]): Pick<Call, 'change'> => ({
  change: (example) => ({ ...example, body: without(...names)(bodyFields(example)) }),
})

const itemsOf = (value: unknown): Fields[] => (Array.isArray(value) ? value : [])
const pascalCase = (text: string): string =>
  text.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())
/** A member of an enumeration of the client. */
const member = (name: string, value: unknown): Expression => new Expression(`${name}.${pascalCase(String(value))}`)

const guests = (example: AnyCase): AnyCase => {
  const participants = itemsOf(bodyFields(example)?.participants).map((each) => ({ ...each, status: 'noreply' }))
  return { ...example, body: { ...bodyFields(example), participants } }
}

/** Times of a window are texts. */
const windowOf = (example: AnyCase): AnyCase => {
  const texts = Object.entries(example.query ?? {}).map(([name, value]) =>
    name === 'start' || name === 'end' ? [name, String(value)] : [name, value],
  )
  return { ...example, query: Object.fromEntries(texts) }
}

/** Folders are a list. */
const folderList = (example: AnyCase): AnyCase => {
  const { in: folder, ...query } = example.query ?? {}
  return { ...example, query: folder === undefined ? query : { ...query, in: [folder].flat() } }
}

const availability = (example: AnyCase): AnyCase => {
  const { participants, availability_rules, ...body } = bodyFields(example) ?? {}
  const rules = availability_rules as Fields | undefined
  const method = rules && { ...rules, availability_method: member('AvailabilityMethod', rules.availability_method) }
  const people = itemsOf(participants).map(({ open_hours, ...person }) => ({
    ...person,
    ...(open_hours ? { open_hours: itemsOf(open_hours).map((hours) => ({ exdates: [], ...hours })) } : {}),
  }))
  return { ...example, body: { ...body, participants: people, ...(method ? { availability_rules: method } : {}) } }
}

const triggers = (example: AnyCase): AnyCase => {
  const { trigger_types } = bodyFields(example) ?? {}
  const names = (Array.isArray(trigger_types) ? trigger_types : []).map((name) => member('WebhookTriggers', name))
  return { ...example, body: { ...bodyFields(example), ...(names.length > 0 ? { trigger_types: names } : {}) } }
}

const credentialType = (example: AnyCase): AnyCase => {
  const type = new Expression(`CredentialType.${String(bodyFields(example)?.credential_type).toUpperCase()}`)
  return { ...example, body: { ...bodyFields(example), credential_type: type } }
}

/** The client requires a name, which the service accepts too. */
const named = (example: AnyCase): AnyCase => ({ ...example, body: { name: 'Google', ...bodyFields(example) } })

const calendars: Record<string, Call> = {
  'calendars.list': { method: 'calendars.list', gives, ...identifier, ...taken },
  'calendars.create': { method: 'calendars.create', gives, ...identifier },
  'calendars.freeBusy': { method: 'calendars.getFreeBusy', gives, ...identifier },
  'calendars.get': { method: 'calendars.find', gives, ...identifier },
  'calendars.update': { method: 'calendars.update', gives, ...identifier },
  'calendars.delete': { method: 'calendars.destroy', ...identifier },
  'events.list': { method: 'events.list', gives, ...identifier, ...always, change: windowOf },
  'events.import': { method: 'events.listImportEvents', gives, ...identifier, ...always },
  'events.create': { method: 'events.create', gives, ...identifier, ...always, change: guests },
  'events.get': { method: 'events.find', gives, ...identifier, ...always },
  'events.update': { method: 'events.update', gives, ...identifier, ...always },
  'events.delete': { method: 'events.destroy', ...identifier, ...always },
  'events.rsvp': { method: 'events.sendRsvp', ...identifier, ...always, ...lacks('comment') },
  'availability.find': {
    method: 'calendars.getAvailability',
    gives,
    change: availability,
    imports: ['AvailabilityMethod'],
  },
}

const mail: Record<string, Call> = {
  'messages.list': { method: 'messages.list', gives, ...identifier, ...taken, change: folderList },
  'messages.clean': { method: 'messages.cleanMessages', gives, ...identifier },
  'messages.get': { method: 'messages.find', gives, ...identifier, ...taken },
  'messages.update': { method: 'messages.update', gives, ...identifier },
  'messages.delete': { method: 'messages.destroy', ...identifier },
  'messages.send': { method: 'messages.send', gives, ...identifier, ...lacks('metadata') },
  'schedules.list': { method: 'messages.listScheduledMessages', gives, ...identifier },
  'schedules.get': { method: 'messages.findScheduledMessage', gives, ...identifier },
  'schedules.delete': { method: 'messages.stopScheduledMessage', gives, ...identifier },
  'drafts.list': { method: 'drafts.list', gives, ...identifier, ...taken },
  'drafts.create': { method: 'drafts.create', gives, ...identifier, ...lacks('metadata') },
  'drafts.get': { method: 'drafts.find', gives, ...identifier },
  'drafts.update': { method: 'drafts.update', gives, ...identifier },
  'drafts.delete': { method: 'drafts.destroy', ...identifier },
  'threads.list': { method: 'threads.list', gives, ...identifier, ...taken, change: folderList },
  'threads.get': { method: 'threads.find', gives, ...identifier, ...taken },
  'threads.update': { method: 'threads.update', gives, ...identifier },
  'threads.delete': { method: 'threads.destroy', ...identifier },
  'folders.list': { method: 'folders.list', gives, ...identifier, ...taken },
  'folders.create': { method: 'folders.create', gives, ...identifier },
  'folders.get': { method: 'folders.find', gives, ...identifier, ...taken },
  'folders.update': { method: 'folders.update', gives, ...identifier },
  'folders.delete': { method: 'folders.destroy', ...identifier },
  'attachments.get': { method: 'attachments.find', gives, ...identifier, ...always },
  'attachments.download': { method: 'attachments.downloadBytes', gives: 'bytes', ...identifier, ...always },
  'attachmentUploads.create': { method: 'attachments.createUploadSession', gives, ...identifier },
  'attachmentUploads.complete': {
    method: 'attachments.completeUploadSession',
    gives,
    params: { grant_id: 'identifier', upload_id: 'attachmentId' },
  },
}

const people: Record<string, Call> = {
  'contacts.list': { method: 'contacts.list', gives, ...identifier, ...always },
  'contacts.create': { method: 'contacts.create', gives, ...identifier, ...lacks('groups') },
  'contacts.get': { method: 'contacts.find', gives, ...identifier, ...always },
  'contacts.update': { method: 'contacts.update', gives, ...identifier },
  'contacts.delete': { method: 'contacts.destroy', ...identifier },
  'contactGroups.list': { method: 'contacts.groups', gives, ...identifier },
}

const accounts: Record<string, Call> = {
  'applications.get': { method: 'applications.getDetails', gives },
  'applications.update': {
    method: 'applications.update',
    gives,
    ...lacks('notification_stream', 'notification_days', 'mcp_enabled'),
  },
  'redirectUris.list': { method: 'applications.redirectUris.list', gives },
  'redirectUris.create': { method: 'applications.redirectUris.create', gives },
  'redirectUris.get': { method: 'applications.redirectUris.find', gives, ...redirectUriId },
  'redirectUris.update': { method: 'applications.redirectUris.update', gives, ...redirectUriId },
  'redirectUris.delete': { method: 'applications.redirectUris.destroy', ...redirectUriId },
  'connectors.list': { method: 'connectors.list', gives, ...always },
  'connectors.create': { method: 'connectors.create', gives, change: named },
  'connectors.get': { method: 'connectors.find', gives },
  'connectors.update': { method: 'connectors.update', gives },
  'connectors.delete': { method: 'connectors.destroy' },
  'credentials.list': {
    method: 'connectors.credentials.list',
    gives,
    ...taken,
    change: (example) => ({ ...example, query: without('sort_by')(example.query) }),
  },
  'credentials.create': {
    method: 'connectors.credentials.create',
    gives,
    change: credentialType,
    imports: ['CredentialType'],
  },
  'credentials.get': { method: 'connectors.credentials.find', gives, ...credentialsId },
  'credentials.update': { method: 'connectors.credentials.update', gives, ...credentialsId },
  'credentials.delete': { method: 'connectors.credentials.destroy', ...credentialsId },
  'providers.detect': { method: 'auth.detectProvider', gives, fields: ['email', 'all_provider_types'] },
  'connect.custom': { method: 'auth.customAuthentication', gives },
  'connect.token': {
    method: 'auth.exchangeCodeForToken',
    gives: 'token',
    fields: ['client_id', 'redirect_uri', 'code', 'code_verifier'],
  },
  'connect.tokenInfo': { method: 'auth.accessTokenInfo', gives, only: 'access_token' },
  'connect.revoke': { method: 'auth.revoke', only: 'token' },
  'grants.list': { method: 'grants.list', gives, ...taken },
  'grants.get': { method: 'grants.find', gives },
  'grants.delete': { method: 'grants.destroy' },
  'workspaces.list': { method: 'workspaces.list', gives },
  'workspaces.create': { method: 'workspaces.create', gives },
  'workspaces.autoGroup': { method: 'workspaces.autoGroup', gives },
  'workspaces.get': { method: 'workspaces.find', gives },
  'workspaces.update': { method: 'workspaces.update', gives },
  'workspaces.delete': { method: 'workspaces.destroy' },
  'workspaces.manualAssign': { method: 'workspaces.manualAssign', gives },
}

/** The types of the client have no name of a configuration, and texts as additional fields. */
const page = (example: AnyCase): AnyCase => {
  const { name: _name, scheduler, ...body } = bodyFields(example) ?? {}
  const rules = without('additional_fields')(scheduler as Fields | undefined)
  return { ...example, body: { ...body, ...(Object.keys(rules).length > 0 ? { scheduler: rules } : {}) } }
}

const scheduling: Record<string, Call> = {
  'configurations.list': { method: 'scheduler.configurations.list', gives, ...identifier },
  'configurations.create': { method: 'scheduler.configurations.create', gives, ...identifier, change: page },
  'configurations.get': { method: 'scheduler.configurations.find', gives, ...identifier },
  'configurations.update': { method: 'scheduler.configurations.update', gives, ...identifier, change: page },
  'configurations.delete': { method: 'scheduler.configurations.destroy', ...identifier },
  'schedulingSessions.create': { method: 'scheduler.sessions.create', gives },
  'schedulingSessions.delete': { method: 'scheduler.sessions.destroy' },
  'schedulingAvailability.find': { method: 'scheduler.availability.get', gives, ...always },
  'bookings.create': { method: 'scheduler.bookings.create', gives, ...taken },
  'bookings.get': { method: 'scheduler.bookings.find', gives, ...taken },
  'bookings.confirm': { method: 'scheduler.bookings.confirm', gives, ...taken },
  'bookings.reschedule': { method: 'scheduler.bookings.reschedule', gives, ...taken },
  'bookings.cancel': { method: 'scheduler.bookings.destroy', ...taken },
}

const notifications: Record<string, Call> = {
  'webhooks.list': { method: 'webhooks.list', gives },
  'webhooks.create': { method: 'webhooks.create', gives, change: triggers, imports: ['WebhookTriggers'] },
  'webhooks.ipAddresses': { method: 'webhooks.ipAddresses', gives },
  'webhooks.rotateSecret': { method: 'webhooks.rotateSecret', gives, ...webhookId },
  'webhooks.get': { method: 'webhooks.find', gives, ...webhookId },
  'webhooks.update': { method: 'webhooks.update', gives, ...webhookId, ...lacks('status') },
  'webhooks.delete': { method: 'webhooks.destroy', ...webhookId },
}

/** By the id of the route. */
export const calls: Readonly<Record<string, Call>> = {
  ...calendars,
  ...mail,
  ...people,
  ...accounts,
  ...scheduling,
  ...notifications,
}
