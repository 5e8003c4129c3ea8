/** What people are asked for, in words: each part of an account, how much of it, and the scopes that this means. */
import type { ProviderKind } from '@waypost/sdk'

export interface ScopeChoice {
  name: string
  text: string
  scopes: readonly string[]
}
export interface ScopePart {
  name: string
  title: string
  /** From nothing on to everything. */
  choices: readonly ScopeChoice[]
}
export interface ScopeTable {
  parts: readonly ScopePart[]
  /** What says who somebody is; it stands alone where nothing else is asked for. */
  identity: string
  /** A scope as it stands in the table. */
  short(scope: string): string
  /** What is to be known before choosing. */
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

/** The choice that a list of scopes means for a part; the largest of those that are all there. No scopes mean everything. */
export function chosenIn(table: ScopeTable, { choices }: ScopePart, scopes: readonly string[]): string {
  if (scopes.length === 0) return choices.at(-1)?.name ?? 'none'
  const given = new Set(scopes.map(table.short))
  return choices.findLast((choice) => choice.scopes.every((scope) => given.has(scope)))?.name ?? 'none'
}

/** The scopes with another choice for one part; those that no part knows stay. */
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
