/** Google's scopes: their full names, and the scopes that each operation needs. */
import type { ScopeNames } from '../scope-names.ts'
import { forAll, operationScopes } from '../shared/operation-scopes.ts'

const root = 'https://www.googleapis.com/auth/'
const mail = 'https://mail.google.com/'

/** The full name of a scope; `gmail.modify` and the like are short for a URL. */
export function fullScope(scope: string): string {
  const named = scope.trim()
  if (named === 'email' || named === 'profile') return `${root}userinfo.${named}`
  return named === 'openid' || named.includes('://') ? named : `${root}${named}`
}

export const identityScope = ['openid', `${root}userinfo.email`, `${root}userinfo.profile`]

/** Reading and writing mail, calendars and contacts. */
export const defaultScope = [...identityScope, `${root}gmail.modify`, `${root}calendar`, `${root}contacts`]

const scoped = (...names: readonly string[]): readonly string[] =>
  names.map((name) => (name.includes('://') ? name : `${root}${name}`))

const readMail = [scoped('gmail.readonly', 'gmail.modify', mail)]
const listMail = [scoped('gmail.readonly', 'gmail.modify', 'gmail.metadata', mail)]
const changeMail = [scoped('gmail.modify', mail)]
const readDrafts = [scoped('gmail.compose', 'gmail.readonly', 'gmail.modify', mail)]
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

export const scopes = operationScopes({
  messages: { read: listMail, change: changeMail, clean: readMail, send: sendMail },
  drafts: { read: readDrafts, change: compose },
  threads: { read: listMail, change: changeMail },
  folders: { read: readLabels, change: changeLabels },
  attachments: forAll(readMail),
  calendars: { read: readCalendars, change: changeCalendars, freeBusy },
  roomResources: forAll(readRooms),
  events: { read: readEvents, change: changeEvents },
  contacts: { read: readContacts, change: changeContacts },
  contactGroups: { read: readGroups, change: changeContacts },
})

export const scopeNames: ScopeNames = {
  name: 'Google',
  canonicalScope: fullScope,
  known: new Set([...identityScope, ...Object.values(scopes).flat(2)]),
}
