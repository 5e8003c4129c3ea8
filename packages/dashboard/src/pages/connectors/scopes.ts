/** Permissions by part of an account: the access levels and the scopes behind each. */
import type { ProviderKind } from '@waypost/sdk'

export interface ScopeChoice {
  name: string
  text: string
  scopes: readonly string[]
}
export interface ScopePart {
  name: string
  title: string
  /** Access levels in ascending order. */
  choices: readonly ScopeChoice[]
}
export interface ScopeTable {
  parts: readonly ScopePart[]
  /** Scope that identifies the user. It is requested alone if no part is selected. */
  identity: string
  /** Short form of a scope for the table. */
  short(scope: string): string
  /** A note shown above the choices. */
  note: string
}

const none: ScopeChoice = { name: 'none', text: 'No access', scopes: [] }
const read = (...scopes: readonly string[]): ScopeChoice => ({ name: 'read', text: 'Read', scopes })
const full = (text: string, ...scopes: readonly string[]): ScopeChoice => ({ name: 'full', text, scopes })
const part = (title: string, ...choices: readonly ScopeChoice[]): ScopePart => ({
  name: title.toLowerCase(),
  title,
  choices: [none, ...choices],
})

const googleRoot = 'https://www.googleapis.com/auth/'
const microsoftRoot = 'https://graph.microsoft.com/'

export const scopeTables: Partial<Record<ProviderKind, ScopeTable>> = {
  google: {
    parts: [
      part(
        'Mail',
        { name: 'send', text: 'Send only', scopes: ['gmail.send'] },
        read('gmail.readonly'),
        full('Read, write and send', 'gmail.modify'),
      ),
      part('Calendars', read('calendar.readonly'), full('Read and write', 'calendar')),
      part('Contacts', read('contacts.readonly'), full('Read and write', 'contacts')),
    ],
    identity: 'openid',
    short: (scope) => (scope.startsWith(googleRoot) ? scope.slice(googleRoot.length) : scope),
    note: 'Google treats reading mail as a restricted scope. Google must verify your application before the public can use it. Test users and your own organization can use it immediately.',
  },
  microsoft: {
    parts: [
      part('Mail', read('Mail.Read'), full('Read, write and send', 'Mail.ReadWrite', 'Mail.Send')),
      part('Calendars', read('Calendars.Read'), full('Read and write', 'Calendars.ReadWrite')),
      part('Contacts', read('Contacts.Read'), full('Read and write', 'Contacts.ReadWrite')),
    ],
    identity: 'User.Read',
    short: (scope) => (scope.startsWith(microsoftRoot) ? scope.slice(microsoftRoot.length) : scope),
    note: 'Add each scope under API permissions of your registration too. Many organizations require administrator approval.',
  },
  yahoo: {
    parts: [part('Mail', read('mail-r'), full('Read, write and send', 'mail-w'))],
    identity: 'openid',
    short: (scope) => scope,
    note: 'Yahoo allows mail access only to clients that it approved.',
  },
  ews: {
    parts: [
      part('Mail', full('Read, write and send', 'ews.messages')),
      part('Calendars', full('Read and write', 'ews.calendars')),
      part('Contacts', full('Read and write', 'ews.contacts')),
    ],
    identity: 'ews.messages',
    short: (scope) => scope,
    note: 'Exchange has no scopes. The service enforces this choice itself. If nothing is selected, everything is allowed.',
  },
}

/**
 * The access level of a part for a list of scopes: the highest one whose scopes are all present. No scopes mean full
 * access.
 */
export function chosenIn(table: ScopeTable, { choices }: ScopePart, scopes: readonly string[]): string {
  if (scopes.length === 0) return choices.at(-1)?.name ?? 'none'
  const given = new Set(scopes.map(table.short))
  return choices.findLast((choice) => choice.scopes.every((scope) => given.has(scope)))?.name ?? 'none'
}

/** Replaces the access level of one part; unrelated scopes stay. */
export function withChoice(
  table: ScopeTable,
  scopes: readonly string[],
  { part: name, choice }: { part: string; choice: string },
): string[] {
  const known = new Set(table.parts.flatMap(({ choices }) => choices.flatMap((each) => each.scopes)))
  const others = scopes.filter((scope) => !known.has(table.short(scope)) && scope !== table.identity)
  const wanted = table.parts.flatMap((each) => {
    const chosen = each.name === name ? choice : chosenIn(table, each, scopes)
    return each.choices.find((one) => one.name === chosen)?.scopes ?? []
  })
  const next = [...others, ...wanted]
  return next.length === 0 ? [table.identity] : next
}
