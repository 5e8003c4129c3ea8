/**
 * The scopes of accounts at Exchange. The server knows none: a password opens all of a mailbox. They say what an
 * application wants of it, and the service keeps to that.
 */
import type { Grant } from '@waypost/contract'
import { invalidField } from '../../lib/api-error.ts'
import type { Capability } from '../operations.ts'

export type EwsPart = 'messages' | 'calendars' | 'contacts'

export const defaultScope = ['ews.messages', 'ews.calendars', 'ews.contacts'] as const

/** Both are written by applications. */
const spellings: Readonly<Record<EwsPart, readonly string[]>> = {
  messages: ['ews.messages'],
  calendars: ['ews.calendars', 'ews.calendar'],
  contacts: ['ews.contacts'],
}

/** A scope in its one spelling. */
export const canonicalScope = (scope: string): string => (scope === 'ews.calendar' ? 'ews.calendars' : scope)

/** What a grant gets: what was asked for, or all. */
export function scopeOf(asked: readonly string[] | undefined): string[] {
  if (!asked?.length) return [...defaultScope]
  const unknown = asked.find((scope) => !isKnown(scope))
  if (unknown !== undefined) throw invalidField('scope', `must be of ${defaultScope.join(', ')} for Exchange`)
  return [...new Set(asked.map(canonicalScope))]
}

const isKnown = (scope: string): boolean => defaultScope.some((known) => known === canonicalScope(scope))

/** Whether a part of the mailbox is open to the application. */
export const hasPart = ({ scope }: Pick<Grant, 'scope'>, part: EwsPart): boolean =>
  spellings[part].some((name) => scope.includes(name))

const messages = [spellings.messages]
const calendars = [spellings.calendars]
const contacts = [spellings.contacts]

export const scopes: { readonly [C in Capability]?: readonly (readonly string[])[] } = {
  'messages.list': messages,
  'messages.get': messages,
  'messages.clean': messages,
  'messages.update': messages,
  'messages.delete': messages,
  'messages.send': messages,
  'drafts.list': messages,
  'drafts.get': messages,
  'drafts.create': messages,
  'drafts.update': messages,
  'drafts.delete': messages,
  'threads.list': messages,
  'threads.get': messages,
  'threads.update': messages,
  'threads.delete': messages,
  'folders.list': messages,
  'folders.get': messages,
  'folders.create': messages,
  'folders.update': messages,
  'folders.delete': messages,
  'attachments.get': messages,
  'attachments.download': messages,
  'calendars.list': calendars,
  'calendars.get': calendars,
  'calendars.create': calendars,
  'calendars.update': calendars,
  'calendars.delete': calendars,
  'calendars.freeBusy': calendars,
  'roomResources.list': calendars,
  'events.list': calendars,
  'events.import': calendars,
  'events.get': calendars,
  'events.create': calendars,
  'events.update': calendars,
  'events.delete': calendars,
  'events.rsvp': calendars,
  'contacts.list': contacts,
  'contacts.get': contacts,
  'contacts.create': contacts,
  'contacts.update': contacts,
  'contacts.delete': contacts,
  'contactGroups.list': contacts,
  'contactGroups.get': contacts,
  'contactGroups.create': contacts,
  'contactGroups.update': contacts,
  'contactGroups.delete': contacts,
}
