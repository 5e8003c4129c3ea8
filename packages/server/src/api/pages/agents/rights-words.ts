/** Rights and actions in the words of the pages. */
import type { ApprovalKind, ApprovalStatus, KeyOperation } from '@waypost/contract'
import type { PlainKey } from '../hosted/languages.ts'

/** What an operation means for the owner of an account. The endpoint of an agent is no right that people care about. */
export const rightWords: Readonly<Record<KeyOperation, PlainKey | undefined>> = {
  'mail.read': 'right.mail.read',
  'mail.organize': 'right.mail.organize',
  'mail.draft': 'right.mail.draft',
  'mail.send': 'right.mail.send',
  'mail.delete': 'right.mail.delete',
  'calendar.read': 'right.calendar.read',
  'calendar.write': 'right.calendar.write',
  'contacts.read': 'right.contacts.read',
  'contacts.write': 'right.contacts.write',
  scheduling: 'right.scheduling',
  webhooks: 'right.webhooks',
  administration: 'right.administration',
  mcp: undefined,
}

/** Actions that need an approval. */
export const actionWords: Readonly<Record<ApprovalKind, PlainKey>> = {
  send: 'action.send',
  delete: 'action.delete',
  invite: 'action.invite',
}

export const approveWords: Readonly<Record<ApprovalKind, PlainKey>> = {
  send: 'approval.yes_send',
  delete: 'approval.yes_delete',
  invite: 'approval.yes_invite',
}

/** A state in a list. */
export const statusWords: Readonly<Record<ApprovalStatus, PlainKey>> = {
  pending: 'status.pending',
  approved: 'status.approved',
  executed: 'status.executed',
  failed: 'status.failed',
  rejected: 'status.rejected',
  drafted: 'status.drafted',
  expired: 'status.expired',
}

/** A state on the page of the approval. */
export const stateWords: Readonly<Record<Exclude<ApprovalStatus, 'pending'>, PlainKey>> = {
  approved: 'state.approved',
  executed: 'state.executed',
  failed: 'state.failed',
  rejected: 'state.rejected',
  drafted: 'state.drafted',
  expired: 'state.expired',
}

const roleWords: Readonly<Record<string, PlainKey>> = {
  to: 'role.to',
  cc: 'role.cc',
  bcc: 'role.bcc',
  reply_to: 'role.reply_to',
  participant: 'role.participant',
  guest: 'role.guest',
  organizer: 'role.organizer',
  resource: 'role.resource',
  header: 'role.header',
}
export const roleKey = (role: string): PlainKey | undefined =>
  Object.hasOwn(roleWords, role) ? roleWords[role] : undefined
