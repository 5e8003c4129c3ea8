import type { Draft, Message } from '@waypost/contract'
import type { GmailHeader } from '../gmail-api.ts'
import { headerOf } from './part.ts'

/** Whether an id is one that only drafts have. */
export const isDraftId = (id: string): boolean => id.startsWith('r')

/** A message that is a draft, as ours. One that answers nothing belongs to no thread yet. */
export const fromMessage = (message: Message, at: { id: string; headers: readonly GmailHeader[] }): Draft => {
  const { in_reply_to: _, headers: __, raw_mime: ___, ...rest } = message
  const answers = headerOf(at.headers, 'in-reply-to') ?? headerOf(at.headers, 'references')
  return {
    ...rest,
    id: at.id,
    object: 'draft',
    thread_id: answers === undefined ? '' : (message.thread_id ?? ''),
    date: message.date ?? 0,
  }
}
