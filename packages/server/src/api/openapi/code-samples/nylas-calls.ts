/** Which method of the published client stands for which route, and what differs in its arguments. */
export interface Call {
  readonly method: string
  /** What the result is called, where there is any. */
  readonly gives?: string
  /** Parameters of the path that have another name than their own in camel case. */
  readonly params?: Readonly<Record<string, string>>
  /** Whether it takes a query: not at all, where there is one, or always. */
  readonly query?: 'taken' | 'always'
  /** It takes this one field alone, bare. */
  readonly only?: string
  /** It takes these fields of the body, without any around them. */
  readonly fields?: readonly string[]
  /** Keys whose values are members of an enumeration of the client: its name, and its members by value. */
  readonly enums?: Readonly<Record<string, readonly [string, Readonly<Record<string, string>>]>>
}

const identifier = { params: { grant_id: 'identifier' } }
const gives = '{ data }'
const taken = { query: 'taken' } as const
const always = { query: 'always' } as const
const webhookId = { params: { id: 'webhookId' } }
const redirectUriId = { params: { id: 'redirectUriId' } }
const credentialsId = { params: { id: 'credentialsId' } }

const calendars: Record<string, Call> = {
  'calendars.list': { method: 'calendars.list', gives, ...identifier, ...taken },
  'calendars.create': { method: 'calendars.create', gives, ...identifier },
  'calendars.freeBusy': { method: 'calendars.getFreeBusy', gives, ...identifier },
  'calendars.get': { method: 'calendars.find', gives, ...identifier },
  'calendars.update': { method: 'calendars.update', gives, ...identifier },
  'calendars.delete': { method: 'calendars.destroy', ...identifier },
  'events.list': { method: 'events.list', gives, ...identifier, ...always },
  'events.import': { method: 'events.listImportEvents', gives, ...identifier, ...always },
  'events.create': { method: 'events.create', gives, ...identifier, ...always },
  'events.get': { method: 'events.find', gives, ...identifier, ...always },
  'events.update': { method: 'events.update', gives, ...identifier, ...always },
  'events.delete': { method: 'events.destroy', ...identifier, ...always },
  'events.rsvp': { method: 'events.sendRsvp', ...identifier, ...always },
  'availability.find': { method: 'calendars.getAvailability', gives },
}

const mail: Record<string, Call> = {
  'messages.list': { method: 'messages.list', gives, ...identifier, ...taken },
  'messages.clean': { method: 'messages.cleanMessages', gives, ...identifier },
  'messages.get': { method: 'messages.find', gives, ...identifier, ...taken },
  'messages.update': { method: 'messages.update', gives, ...identifier },
  'messages.delete': { method: 'messages.destroy', ...identifier },
  'messages.send': { method: 'messages.send', gives, ...identifier },
  'schedules.list': { method: 'messages.listScheduledMessages', gives, ...identifier },
  'schedules.get': { method: 'messages.findScheduledMessage', gives, ...identifier },
  'schedules.delete': { method: 'messages.stopScheduledMessage', gives, ...identifier },
  'drafts.list': { method: 'drafts.list', gives, ...identifier, ...taken },
  'drafts.create': { method: 'drafts.create', gives, ...identifier },
  'drafts.get': { method: 'drafts.find', gives, ...identifier },
  'drafts.update': { method: 'drafts.update', gives, ...identifier },
  'drafts.delete': { method: 'drafts.destroy', ...identifier },
  'threads.list': { method: 'threads.list', gives, ...identifier, ...taken },
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
}

const people: Record<string, Call> = {
  'contacts.list': { method: 'contacts.list', gives, ...identifier, ...always },
  'contacts.create': { method: 'contacts.create', gives, ...identifier },
  'contacts.get': { method: 'contacts.find', gives, ...identifier, ...always },
  'contacts.update': { method: 'contacts.update', gives, ...identifier },
  'contacts.delete': { method: 'contacts.destroy', ...identifier },
  'contactGroups.list': { method: 'contacts.groups', gives, ...identifier },
}

const accounts: Record<string, Call> = {
  'applications.get': { method: 'applications.getDetails', gives },
  'applications.update': { method: 'applications.update', gives },
  'redirectUris.list': { method: 'applications.redirectUris.list', gives },
  'redirectUris.create': { method: 'applications.redirectUris.create', gives },
  'redirectUris.get': { method: 'applications.redirectUris.find', gives, ...redirectUriId },
  'redirectUris.update': { method: 'applications.redirectUris.update', gives, ...redirectUriId },
  'redirectUris.delete': { method: 'applications.redirectUris.destroy', ...redirectUriId },
  'connectors.list': { method: 'connectors.list', gives, ...always },
  'connectors.create': { method: 'connectors.create', gives },
  'connectors.get': { method: 'connectors.find', gives },
  'connectors.update': { method: 'connectors.update', gives },
  'connectors.delete': { method: 'connectors.destroy' },
  'credentials.list': { method: 'connectors.credentials.list', gives, ...taken },
  'credentials.create': { method: 'connectors.credentials.create', gives },
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
  'grants.update': { method: 'grants.update', gives },
  'grants.delete': { method: 'grants.destroy' },
}

const notifications: Record<string, Call> = {
  'webhooks.list': { method: 'webhooks.list', gives },
  'webhooks.create': { method: 'webhooks.create', gives },
  'webhooks.ipAddresses': { method: 'webhooks.ipAddresses', gives },
  'webhooks.rotateSecret': { method: 'webhooks.rotateSecret', gives, ...webhookId },
  'webhooks.get': { method: 'webhooks.find', gives, ...webhookId },
  'webhooks.update': { method: 'webhooks.update', gives, ...webhookId },
  'webhooks.delete': { method: 'webhooks.destroy', ...webhookId },
}

/** By the id of the route. */
export const calls: Readonly<Record<string, Call>> = { ...calendars, ...mail, ...people, ...accounts, ...notifications }
