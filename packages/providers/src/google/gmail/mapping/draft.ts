import type { GmailHeader } from '../gmail-api.ts'
import { headerOf } from './part.ts'

/** Whether an id is one that only drafts have. */
export const isDraftId = (id: string): boolean => id.startsWith('r')

/** Whether a message answers another one. */
export const isReply = (headers: readonly GmailHeader[]): boolean =>
  (headerOf(headers, 'in-reply-to') ?? headerOf(headers, 'references')) !== undefined
