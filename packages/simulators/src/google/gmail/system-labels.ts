// The labels that every mailbox has.
import type { StoredLabel } from './stored.ts'

const SYSTEM_LABELS = [
  'CHAT',
  'SENT',
  'INBOX',
  'IMPORTANT',
  'TRASH',
  'DRAFT',
  'SPAM',
  'CATEGORY_FORUMS',
  'CATEGORY_UPDATES',
  'CATEGORY_PERSONAL',
  'CATEGORY_PROMOTIONS',
  'CATEGORY_SOCIAL',
  'STARRED',
  'UNREAD',
] as const

export function systemLabels(): Map<string, StoredLabel> {
  return new Map(SYSTEM_LABELS.map((id) => [id, { id, name: id, type: 'system' }]))
}
