import type { Message, MessageFields } from '@waypost/contract'
import { contentOf, envelopeOf, requestedBeside } from '../../mail/message.ts'
import { folderId } from '../mapping/ids.ts'
import type { Reading } from './read-messages.ts'

export function fromReading(
  reading: Reading,
  at: { grantId: string; threadId: string; fields: MessageFields; shown(html: string): string },
): Message {
  const { group, parsed, raw } = reading
  const names = { id: group.id, grant_id: at.grantId, object: 'message' } as const
  if (at.fields === 'raw_mime') return { ...names, raw_mime: raw?.toString('base64url') ?? '' }
  return {
    ...names,
    thread_id: at.threadId,
    ...envelopeOf(parsed),
    date: group.date,
    unread: reading.unread,
    starred: reading.starred,
    ...contentOf(parsed, at),
    // Sorted, because folders respond in any order.
    folders: [...new Set(group.entries.map(({ path }) => folderId(path)))].sort(),
    ...requestedBeside(at.fields, parsed?.headers ?? []),
  }
}
