/**
 * The scopes of accounts at Exchange. The server knows none: a password opens all of a mailbox. They say what an
 * application wants of it, and the service keeps to that.
 */
import type { Grant } from '@waypost/contract'
import { invalidField } from '../../lib/api-error.ts'
import { forAll, operationScopes } from '../shared/operation-scopes.ts'

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
