/** Google's scopes: how they are spelled in full, and which one each operation needs. */
import type { Capability } from '../operations.ts'
import type { ScopeNames } from '../scope-names.ts'

const root = 'https://www.googleapis.com/auth/'
const mail = 'https://mail.google.com/'

/** A scope as Google spells it in full; `gmail.modify` and its kind are short for an address. */
export function fullScope(scope: string): string {
  const named = scope.trim()
  if (named === 'email' || named === 'profile') return `${root}userinfo.${named}`
  return named === 'openid' || named.includes('://') ? named : `${root}${named}`
}

export const identityScope = ['openid', `${root}userinfo.email`, `${root}userinfo.profile`]

/** Mail, calendars and contacts, for reading and writing. */
export const defaultScope = [...identityScope, `${root}gmail.modify`, `${root}calendar`, `${root}contacts`]

const scoped = (...names: readonly string[]): readonly string[] =>
  names.map((name) => (name.includes('://') ? name : `${root}${name}`))

const readMail = [scoped('gmail.readonly', 'gmail.modify', mail)]
const listMail = [scoped('gmail.readonly', 'gmail.modify', 'gmail.metadata', mail)]
const changeMail = [scoped('gmail.modify', mail)]
const compose = [scoped('gmail.compose', 'gmail.modify', mail)]
const sendMail = [scoped('gmail.send', 'gmail.compose', 'gmail.modify', mail)]
const readLabels = [scoped('gmail.labels', 'gmail.readonly', 'gmail.modify', 'gmail.metadata', mail)]
const changeLabels = [scoped('gmail.labels', 'gmail.modify', mail)]
const readCalendars = [
  scoped(
    'calendar',
    'calendar.readonly',
    'calendar.calendarlist',
    'calendar.calendarlist.readonly',
    'calendar.calendars',
  ),
]
const changeCalendars = [scoped('calendar', 'calendar.calendars', 'calendar.app.created')]
const readEvents = [
  scoped('calendar', 'calendar.readonly', 'calendar.events', 'calendar.events.readonly', 'calendar.events.owned'),
]
const changeEvents = [scoped('calendar', 'calendar.events', 'calendar.events.owned')]
const freeBusy = [
  scoped('calendar', 'calendar.readonly', 'calendar.freebusy', 'calendar.events.freebusy', 'calendar.events.readonly'),
]
const readRooms = [scoped('admin.directory.resource.calendar.readonly', 'admin.directory.resource.calendar')]
const readContacts = [scoped('contacts', 'contacts.readonly', 'contacts.other.readonly', 'directory.readonly')]
const readGroups = [scoped('contacts', 'contacts.readonly')]
const changeContacts = [scoped('contacts')]

export const scopes: { readonly [C in Capability]?: readonly (readonly string[])[] } = {
  'messages.list': listMail,
  'messages.get': listMail,
  'messages.clean': readMail,
  'messages.update': changeMail,
  'messages.delete': changeMail,
  'messages.send': sendMail,
  'drafts.list': [scoped('gmail.compose', 'gmail.readonly', 'gmail.modify', mail)],
  'drafts.get': [scoped('gmail.compose', 'gmail.readonly', 'gmail.modify', mail)],
  'drafts.create': compose,
  'drafts.update': compose,
  'drafts.delete': compose,
  'threads.list': listMail,
  'threads.get': listMail,
  'threads.update': changeMail,
  'threads.delete': changeMail,
  'folders.list': readLabels,
  'folders.get': readLabels,
  'folders.create': changeLabels,
  'folders.update': changeLabels,
  'folders.delete': changeLabels,
  'attachments.get': readMail,
  'attachments.download': readMail,
  'calendars.list': readCalendars,
  'calendars.get': readCalendars,
  'calendars.create': changeCalendars,
  'calendars.update': changeCalendars,
  'calendars.delete': changeCalendars,
  'calendars.freeBusy': freeBusy,
  'roomResources.list': readRooms,
  'events.list': readEvents,
  'events.import': readEvents,
  'events.get': readEvents,
  'events.create': changeEvents,
  'events.update': changeEvents,
  'events.delete': changeEvents,
  'events.rsvp': changeEvents,
  'contacts.list': readContacts,
  'contacts.get': readContacts,
  'contacts.create': changeContacts,
  'contacts.update': changeContacts,
  'contacts.delete': changeContacts,
  'contactGroups.list': readGroups,
  'contactGroups.get': readGroups,
  'contactGroups.create': changeContacts,
  'contactGroups.update': changeContacts,
  'contactGroups.delete': changeContacts,
}

export const scopeNames: ScopeNames = {
  name: 'Google',
  canonicalScope: fullScope,
  known: new Set([...identityScope, ...Object.values(scopes).flat(2)]),
}
