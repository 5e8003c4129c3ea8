import type { Message, MessageFields } from '@waypost/contract'
import { contentOf, envelopeOf, requestedBeside } from '../../../mail/message.ts'
import type { GmailHeader } from '../gmail-api.ts'
import type { Reading } from '../reading.ts'
import { headerOf } from './part.ts'

/** Seconds. */
export const dateOf = ({ internalDate }: { internalDate?: string }): number =>
  Math.floor(Number(internalDate ?? 0) / 1000)

/** A message that was read, as ours. */
export function fromReading(
  { message, parsed, headers }: Reading,
  at: { grantId: string; fields: MessageFields; shown(html: string): string },
): Message {
  const names = { id: message.id, grant_id: at.grantId, object: 'message' } as const
  if (at.fields === 'raw_mime') return { ...names, raw_mime: (message.raw ?? '').replace(/=+$/, '') }
  const labels = message.labelIds ?? []
  return {
    ...names,
    thread_id: message.threadId,
    ...envelopeOf(parsed),
    date: dateOf(message),
    unread: labels.includes('UNREAD'),
    starred: labels.includes('STARRED'),
    // Fields that the grant may not read are left out.
    ...(parsed?.isWhole === false ? {} : contentOf(parsed, at)),
    folders: [...new Set(labels)],
    ...requestedBeside(at.fields, headers),
  }
}

/** Whether an id is one that only drafts have. */
export const isDraftId = (id: string): boolean => id.startsWith('r')

/** Whether a message answers another one. */
export const isReply = (headers: readonly GmailHeader[]): boolean =>
  (headerOf(headers, 'in-reply-to') ?? headerOf(headers, 'references')) !== undefined
