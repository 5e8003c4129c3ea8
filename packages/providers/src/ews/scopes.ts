/**
 * The scopes of Exchange accounts. The server has none: a password opens the whole mailbox. They say what an
 * application requests, and the service enforces them.
 */
import type { Grant } from '@waypost/contract'
import { invalidField } from '@waypost/platform/api-error'
import { forAll, operationScopes } from '../shared/operation-scopes.ts'

export type EwsPart = 'messages' | 'calendars' | 'contacts'

export const defaultScope = ['ews.messages', 'ews.calendars', 'ews.contacts'] as const

/** Applications use both spellings. */
const spellings: Readonly<Record<EwsPart, readonly string[]>> = {
  messages: ['ews.messages'],
  calendars: ['ews.calendars', 'ews.calendar'],
  contacts: ['ews.contacts'],
}

/** The canonical name of a scope. */
export const canonicalScope = (scope: string): string => (scope === 'ews.calendar' ? 'ews.calendars' : scope)

/** The scopes of a grant: the requested ones, or all. */
export function scopeOf(requested: readonly string[] | undefined): string[] {
  if (!requested?.length) return [...defaultScope]
  const unknown = requested.find((scope) => !isKnown(scope))
  if (unknown !== undefined) throw invalidField('scope', `must be of ${defaultScope.join(', ')} for Exchange`)
  return [...new Set(requested.map(canonicalScope))]
}

const isKnown = (scope: string): boolean => defaultScope.some((known) => known === canonicalScope(scope))

/** Whether the application may use a part of the mailbox. */
export const hasPart = ({ scope }: Pick<Grant, 'scope'>, part: EwsPart): boolean =>
  spellings[part].some((name) => scope.includes(name))

const messages = [spellings.messages]
const calendars = [spellings.calendars]
const contacts = [spellings.contacts]

export const scopes = operationScopes({
  messages: forAll(messages),
  drafts: forAll(messages),
  threads: forAll(messages),
  folders: forAll(messages),
  attachments: forAll(messages),
  calendars: forAll(calendars),
  roomResources: forAll(calendars),
  events: forAll(calendars),
  contacts: forAll(contacts),
  contactGroups: forAll(contacts),
})
