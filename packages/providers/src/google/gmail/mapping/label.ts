import type { Folder } from '@waypost/contract'
import type { GmailLabel } from '../gmail-api.ts'

/** Labels as places: some say which folder a message is in, some mark it, and some are set only by Gmail. */

/** Labels that mark a message and do not say where it is. */
const isMark = (label: string): boolean =>
  ['UNREAD', 'STARRED', 'IMPORTANT', 'CHAT'].includes(label) ||
  /^CATEGORY_|_(STAR|BANG|CHECK|GUILLEMET|INFO|QUESTION)$/.test(label)

/** Labels that no request changes. */
const isFixed = (label: string): boolean => label === 'SENT' || label === 'DRAFT'

export interface LabelChange {
  addLabelIds: string[]
  removeLabelIds: string[]
}

/**
 * The label change for a request. Folders come first, then marks. Marks that the request does not name stay, and so
 * do the labels that only Gmail sets.
 */
export function labelChange(
  labels: readonly string[],
  change: { folders?: readonly string[] | undefined; unread?: boolean | undefined; starred?: boolean | undefined },
): LabelChange {
  const { folders, unread, starred } = change
  const add = new Set(folders ?? [])
  const remove = new Set(
    folders === undefined ? [] : labels.filter((label) => !isMark(label) && !isFixed(label) && !add.has(label)),
  )
  for (const [label, on] of [
    ['UNREAD', unread],
    ['STARRED', starred],
  ] as const) {
    if (on === undefined) continue
    ;(on ? add : remove).add(label)
    ;(on ? remove : add).delete(label)
  }
  return { addLabelIds: [...add], removeLabelIds: [...remove] }
}

/** The part of a change that a message with these labels still needs. */
export const missing = ({ addLabelIds, removeLabelIds }: LabelChange, labels: readonly string[]): LabelChange => ({
  addLabelIds: addLabelIds.filter((label) => !labels.includes(label)),
  removeLabelIds: removeLabelIds.filter((label) => labels.includes(label)),
})

export const isNothing = ({ addLabelIds, removeLabelIds }: LabelChange): boolean =>
  addLabelIds.length === 0 && removeLabelIds.length === 0

const uses: Partial<Record<string, string>> = {
  INBOX: '\\Inbox',
  SENT: '\\Sent',
  DRAFT: '\\Drafts',
  TRASH: '\\Trash',
  SPAM: '\\Junk',
}

export const isSystem = ({ type }: GmailLabel): boolean => type === 'system'

/** A label as ours. */
export const fromLabel = (label: GmailLabel, grantId: string): Folder => {
  const use = uses[label.id]
  const { textColor, backgroundColor } = label.color ?? {}
  return {
    id: label.id,
    grant_id: grantId,
    object: 'folder',
    name: label.name,
    attributes: use === undefined ? [] : [use],
    system_folder: isSystem(label),
    ...(label.messagesTotal === undefined ? {} : { total_count: label.messagesTotal }),
    ...(label.messagesUnread === undefined ? {} : { unread_count: label.messagesUnread }),
    ...(backgroundColor ? { background_color: backgroundColor } : {}),
    ...(textColor ? { text_color: textColor } : {}),
  }
}
