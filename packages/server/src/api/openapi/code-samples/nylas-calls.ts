/**
 * The method of the published Nylas client for each route, and the differences of its arguments. Fields that the
 * types of that client lack are omitted.
 */
import { type AnyCase, bodyFields } from '@waypost/contract/examples'
import { Expression } from './literal.ts'

type Fields = Readonly<Record<string, unknown>>

export interface Call {
  readonly method: string
  /** The name of the result, empty if there is none. Default: `{ data }`, except for deletions. */
  readonly gives?: string
  /** Path parameters whose name is not their own in camel case. The grant is `identifier` by default. */
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

const taken = { query: 'taken' } as const
const always = { query: 'always' } as const
const grantId = { params: { grant_id: 'grantId' } }
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
  'calendars.list': { method: 'calendars.list', ...taken },
  'calendars.create': { method: 'calendars.create' },
  'calendars.freeBusy': { method: 'calendars.getFreeBusy' },
  'calendars.get': { method: 'calendars.find' },
  'calendars.update': { method: 'calendars.update' },
  'calendars.delete': { method: 'calendars.destroy' },
  'events.list': { method: 'events.list', ...always, change: windowOf },
  'events.import': { method: 'events.listImportEvents', ...always },
  'events.create': { method: 'events.create', ...always, change: guests },
  'events.get': { method: 'events.find', ...always },
  'events.update': { method: 'events.update', ...always },
  'events.delete': { method: 'events.destroy', ...always },
  'events.rsvp': { method: 'events.sendRsvp', gives: '', ...always, ...lacks('comment') },
  'availability.find': { method: 'calendars.getAvailability', change: availability, imports: ['AvailabilityMethod'] },
}

const mail: Record<string, Call> = {
  'messages.list': { method: 'messages.list', ...taken, change: folderList },
  'messages.clean': { method: 'messages.cleanMessages' },
  'messages.get': { method: 'messages.find', ...taken },
  'messages.update': { method: 'messages.update' },
  'messages.delete': { method: 'messages.destroy' },
  'messages.send': { method: 'messages.send', ...lacks('metadata') },
  'schedules.list': { method: 'messages.listScheduledMessages' },
  'schedules.get': { method: 'messages.findScheduledMessage' },
  'schedules.delete': { method: 'messages.stopScheduledMessage', gives: '{ data }' },
  'drafts.list': { method: 'drafts.list', ...taken },
  'drafts.create': { method: 'drafts.create', ...lacks('metadata') },
  'drafts.get': { method: 'drafts.find' },
  'drafts.update': { method: 'drafts.update' },
  'drafts.delete': { method: 'drafts.destroy' },
  'threads.list': { method: 'threads.list', ...taken, change: folderList },
  'threads.get': { method: 'threads.find', ...taken },
  'threads.update': { method: 'threads.update' },
  'threads.delete': { method: 'threads.destroy' },
  'folders.list': { method: 'folders.list', ...taken },
  'folders.create': { method: 'folders.create' },
  'folders.get': { method: 'folders.find', ...taken },
  'folders.update': { method: 'folders.update' },
  'folders.delete': { method: 'folders.destroy' },
  'attachments.get': { method: 'attachments.find', ...always },
  'attachments.download': { method: 'attachments.downloadBytes', gives: 'bytes', ...always },
  'attachmentUploads.create': { method: 'attachments.createUploadSession' },
  'attachmentUploads.complete': {
    method: 'attachments.completeUploadSession',
    params: { upload_id: 'attachmentId' },
  },
}

const people: Record<string, Call> = {
  'contacts.list': { method: 'contacts.list', ...always },
  'contacts.create': { method: 'contacts.create', ...lacks('groups') },
  'contacts.get': { method: 'contacts.find', ...always },
  'contacts.update': { method: 'contacts.update' },
  'contacts.delete': { method: 'contacts.destroy' },
  'contactGroups.list': { method: 'contacts.groups' },
}

const accounts: Record<string, Call> = {
  'applications.get': { method: 'applications.getDetails' },
  'applications.update': {
    method: 'applications.update',
    ...lacks('notification_stream', 'notification_days', 'mcp_enabled'),
  },
  'redirectUris.list': { method: 'applications.redirectUris.list' },
  'redirectUris.create': { method: 'applications.redirectUris.create' },
  'redirectUris.get': { method: 'applications.redirectUris.find', ...redirectUriId },
  'redirectUris.update': { method: 'applications.redirectUris.update', ...redirectUriId },
  'redirectUris.delete': { method: 'applications.redirectUris.destroy', ...redirectUriId },
  'connectors.list': { method: 'connectors.list', ...always },
  'connectors.create': { method: 'connectors.create', change: named },
  'connectors.get': { method: 'connectors.find' },
  'connectors.update': { method: 'connectors.update' },
  'connectors.delete': { method: 'connectors.destroy' },
  'credentials.list': {
    method: 'connectors.credentials.list',
    ...taken,
    change: (example) => ({ ...example, query: without('sort_by')(example.query) }),
  },
  'credentials.create': {
    method: 'connectors.credentials.create',
    change: credentialType,
    imports: ['CredentialType'],
  },
  'credentials.get': { method: 'connectors.credentials.find', ...credentialsId },
  'credentials.update': { method: 'connectors.credentials.update', ...credentialsId },
  'credentials.delete': { method: 'connectors.credentials.destroy', ...credentialsId },
  'providers.detect': { method: 'auth.detectProvider', fields: ['email', 'all_provider_types'] },
  'connect.custom': { method: 'auth.customAuthentication' },
  'connect.token': {
    method: 'auth.exchangeCodeForToken',
    gives: 'token',
    fields: ['client_id', 'redirect_uri', 'code', 'code_verifier'],
  },
  'connect.tokenInfo': { method: 'auth.accessTokenInfo', only: 'access_token' },
  'connect.revoke': { method: 'auth.revoke', gives: '', only: 'token' },
  'grants.list': { method: 'grants.list', ...taken },
  'grants.get': { method: 'grants.find', ...grantId },
  'grants.delete': { method: 'grants.destroy', ...grantId },
  'workspaces.list': { method: 'workspaces.list' },
  'workspaces.create': { method: 'workspaces.create' },
  'workspaces.autoGroup': { method: 'workspaces.autoGroup' },
  'workspaces.get': { method: 'workspaces.find' },
  'workspaces.update': { method: 'workspaces.update' },
  'workspaces.delete': { method: 'workspaces.destroy' },
  'workspaces.manualAssign': { method: 'workspaces.manualAssign' },
}

/** The types of the client have no name of a configuration, and texts as additional fields. */
const page = (example: AnyCase): AnyCase => {
  const { name: _name, scheduler, ...body } = bodyFields(example) ?? {}
  const rules = without('additional_fields')(scheduler as Fields | undefined)
  return { ...example, body: { ...body, ...(Object.keys(rules).length > 0 ? { scheduler: rules } : {}) } }
}

const scheduling: Record<string, Call> = {
  'configurations.list': { method: 'scheduler.configurations.list' },
  'configurations.create': { method: 'scheduler.configurations.create', change: page },
  'configurations.get': { method: 'scheduler.configurations.find' },
  'configurations.update': { method: 'scheduler.configurations.update', change: page },
  'configurations.delete': { method: 'scheduler.configurations.destroy' },
  'schedulingSessions.create': { method: 'scheduler.sessions.create' },
  'schedulingSessions.delete': { method: 'scheduler.sessions.destroy' },
  'schedulingAvailability.find': { method: 'scheduler.availability.get', ...always },
  'bookings.create': { method: 'scheduler.bookings.create', ...taken },
  'bookings.get': { method: 'scheduler.bookings.find', ...taken },
  'bookings.confirm': { method: 'scheduler.bookings.confirm', ...taken },
  'bookings.reschedule': { method: 'scheduler.bookings.reschedule', ...taken },
  'bookings.cancel': { method: 'scheduler.bookings.destroy', ...taken },
}

const notifications: Record<string, Call> = {
  'webhooks.list': { method: 'webhooks.list' },
  'webhooks.create': { method: 'webhooks.create', change: triggers, imports: ['WebhookTriggers'] },
  'webhooks.ipAddresses': { method: 'webhooks.ipAddresses' },
  'webhooks.rotateSecret': { method: 'webhooks.rotateSecret', ...webhookId },
  'webhooks.get': { method: 'webhooks.find', ...webhookId },
  'webhooks.update': { method: 'webhooks.update', ...webhookId, ...lacks('status') },
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
