// A message in the form that the search index uses.
import type { SearchedMessage } from '../../shared/mail/keyword-query.ts'
import type { MailItem } from './content.ts'
import { sizeOf } from './reading.ts'

export function searchedMail({ content, isRead, receivedAt, itemClass }: MailItem): SearchedMessage {
  const { text, attachments, categories, flag } = content
  return {
    content: text,
    attachments,
    isRead,
    isFlagged: flag.status === 'Flagged',
    categories,
    receivedAt,
    size: sizeOf(content),
    kind: itemClass.startsWith('IPM.Schedule') ? 'meetings' : 'email',
  }
}
