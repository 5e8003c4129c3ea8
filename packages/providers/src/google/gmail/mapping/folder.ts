import type { Folder } from '@waypost/contract'
import type { GmailLabel } from '../gmail-api.ts'

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
