/** What an approval is about, in words. */
import type { Approval } from '@waypost/sdk'
import { visibleText } from '../../foreign-text.ts'

const verbs: Record<string, string> = {
  'messages.send': 'Send a message',
  'drafts.send': 'Send a draft',
  'events.create': 'Create an event and invite others',
  'events.update': 'Change an event and notify others',
  'events.delete': 'Delete an event',
  'events.sendRsvp': 'Answer an invitation',
  'bookings.create': 'Book a meeting',
  'bookings.reschedule': 'Move a booking',
  'bookings.confirm': 'Confirm or decline a booking',
  'bookings.delete': 'Cancel a booking',
  'messages.delete': 'Delete a message permanently',
  'threads.delete': 'Delete a thread permanently',
  'drafts.delete': 'Delete a draft',
  'folders.delete': 'Delete a folder',
  'contacts.delete': 'Delete a contact',
  'calendars.delete': 'Delete a calendar',
}
const kindVerbs: Record<Approval['kind'], string> = {
  send: 'Send mail',
  delete: 'Delete permanently',
  invite: 'Notify other people',
}

export const sayAction = ({ operation, kind }: Pick<Approval, 'operation' | 'kind'>): string =>
  verbs[operation] ?? kindVerbs[kind]

export const sayRequester = ({ type, name }: Approval['requested_by']): string =>
  `${type === 'agent' ? 'Agent' : 'API key'} ${visibleText(name)}`

/** The color of a badge. */
type Tone = 'good' | 'warn' | 'bad' | 'info' | 'neutral'

export const states: readonly (readonly [status: Approval['status'], text: string, tone: Tone])[] = [
  ['pending', 'waiting', 'warn'],
  ['approved', 'being carried out', 'info'],
  ['executed', 'done', 'good'],
  ['failed', 'failed', 'bad'],
  ['rejected', 'rejected', 'neutral'],
  ['drafted', 'turned into a draft', 'info'],
  ['expired', 'expired', 'neutral'],
]
export const stateOf = (status: Approval['status']): { text: string; tone: Tone } => {
  const [, text, tone] = states.find(([each]) => each === status) ?? ['', status, 'neutral' as const]
  return { text, tone }
}

/** Whether the action can become a draft instead. */
export const canBecomeDraft = ({ operation }: Approval): boolean =>
  operation === 'messages.send' || operation === 'drafts.send'

const roles: Record<string, string> = {
  to: 'To',
  cc: 'Cc',
  bcc: 'Bcc',
  reply_to: 'Replies go to',
  participant: 'Participants',
  guest: 'Guests',
  organizer: 'Organizer',
}
export const sayRole = (role: string): string => roles[role] ?? role

const units = ['bytes', 'kB', 'MB'] as const
export function saySize(bytes: number): string {
  const step = bytes < 1000 ? 0 : bytes < 1_000_000 ? 1 : 2
  const value = bytes / 1000 ** step
  return `${step === 0 ? value : value.toFixed(1)} ${units[step]}`
}
