/** Which notifications a restricted credential may read: those about objects that it may read, of its grants. Pure. */
import { type KeyOperation, type NotificationProduct, Trigger, triggers } from '@waypost/contract'
import { type Credential, hasOperation } from './key-rights.ts'

/** The operation that reads the objects of a product. Notifications about approvals are for `webhooks` alone. */
const readers: Record<NotificationProduct, KeyOperation | 'every' | 'never'> = {
  emails: 'mail.read',
  send: 'mail.read',
  tracking: 'mail.read',
  events: 'calendar.read',
  contacts: 'contacts.read',
  scheduling: 'scheduling',
  system: 'every',
  agents: 'never',
}

export type TriggerJudgement = { allowed: true } | { allowed: false; missing: readonly KeyOperation[] }

/** Whether a credential may read the notifications of a trigger, and which operations would allow it. */
export function judgeTrigger(credential: Credential, trigger: Trigger): TriggerJudgement {
  if (hasOperation(credential, 'webhooks')) return { allowed: true }
  const needed = readers[triggers[trigger].product]
  if (needed === 'every') return { allowed: true }
  if (needed !== 'never' && hasOperation(credential, needed)) return { allowed: true }
  return { allowed: false, missing: needed === 'never' ? ['webhooks'] : [needed, 'webhooks'] }
}

/** The triggers whose notifications a credential may read. */
export const readableTriggers = (credential: Credential): Trigger[] =>
  Trigger.options.filter((trigger) => judgeTrigger(credential, trigger).allowed)
