/** Microsoft's scopes (Graph calls them permissions): their names, and the scopes that each operation needs. */
import type { Grant } from '@waypost/contract'
import type { ScopeNames } from '../scope-names.ts'
import { forAll, operationScopes } from '../shared/operation-scopes.ts'

export const graphRoot = 'https://graph.microsoft.com/'

/** Scopes that identify the user and allow access without the user. Answers do not list all of them. */
export const openIdScope = ['openid', 'profile', 'email', 'offline_access']
export const identityScope = [...openIdScope, 'User.Read']

/** Reading and writing mail, calendars and contacts. */
export const dataScope = ['Mail.ReadWrite', 'Mail.Send', 'Calendars.ReadWrite', 'Contacts.ReadWrite']
export const defaultScope = [...identityScope, ...dataScope]

/** A permission, and the same permission for shared mailboxes. */
const withShared = (...names: readonly string[]): readonly string[] => names.flatMap((name) => [name, `${name}.Shared`])

const readMail = [withShared('Mail.Read', 'Mail.ReadWrite')]
const changeMail = [withShared('Mail.ReadWrite')]
const sendMail = [withShared('Mail.Send')]
const readCalendars = [[...withShared('Calendars.Read', 'Calendars.ReadWrite'), 'Calendars.ReadBasic']]
const readEvents = [withShared('Calendars.Read', 'Calendars.ReadWrite')]
const changeCalendars = [withShared('Calendars.ReadWrite')]
const readRooms = [['Place.Read.All', 'Place.ReadWrite.All']]
const readContacts = [
  [
    ...withShared('Contacts.Read', 'Contacts.ReadWrite'),
    ...['People.Read', 'People.Read.All', 'User.ReadBasic.All', 'User.Read.All'],
  ],
]
const readFolders = [withShared('Contacts.Read', 'Contacts.ReadWrite')]
const changeContacts = [withShared('Contacts.ReadWrite')]

export const scopes = operationScopes({
  messages: { read: readMail, change: changeMail, send: sendMail },
  drafts: { read: readMail, change: changeMail },
  threads: { read: readMail, change: changeMail },
  folders: { read: readMail, change: changeMail },
  attachments: forAll(readMail),
  calendars: { read: readCalendars, change: changeCalendars },
  roomResources: forAll(readRooms),
  events: { read: readEvents, change: changeCalendars },
  contacts: { read: readContacts, change: changeContacts },
  contactGroups: { read: readFolders, change: changeContacts },
})

/** All scopes that this service requests or needs, by name in lower case. */
export const knownScopes: ReadonlyMap<string, string> = new Map(
  [...identityScope, ...Object.values(scopes).flat(2)].map((name) => [name.toLowerCase(), name]),
)

/**
 * A scope as grants and errors contain it: `Mail.Read` is short for `https://graph.microsoft.com/Mail.Read`. Scopes
 * of other services stay as they are. Microsoft ignores case.
 */
export function shortScope(scope: string): string {
  const named = scope.trim()
  const short = named.toLowerCase().startsWith(graphRoot) ? named.slice(graphRoot.length) : named
  return knownScopes.get(short.toLowerCase()) ?? short
}

/**
 * The scopes of which a shared mailbox needs one, if the grant has none of them. Undefined if it has one, or the path
 * is for something else. Without this check, Graph's refusal looks as if the mailbox were not shared.
 */
export function missingShared(
  { grant, mailbox }: { grant: Pick<Grant, 'scope'>; mailbox: string },
  method: string,
  path: string,
): readonly string[] | undefined {
  const [, below] = /^\/?users\/[^/?]+\/(mailFolders|messages|sendMail)\b/i.exec(path) ?? []
  if (below === undefined || mailbox !== 'me') return undefined
  const sends = /\/(?:sendMail|send)(?:\?|$)/i.test(path)
  const reads = method === 'GET' ? ['Mail.Read.Shared'] : []
  const needed = sends ? ['Mail.Send.Shared'] : [...reads, 'Mail.ReadWrite.Shared']
  return needed.some((scope) => grant.scope?.includes(scope)) ? undefined : needed
}

export const scopeNames: ScopeNames = {
  name: 'Microsoft Graph',
  canonicalScope: shortScope,
  known: new Set(knownScopes.values()),
}
