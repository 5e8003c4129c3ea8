import type { Message, MessageFields } from '@waypost/contract'
import type { LeanMessage } from '../../../formats/parse-worker.ts'
import { fromPart } from '../../mail-parts.ts'
import type { Reading } from '../reading.ts'
import { folderId } from './ids.ts'

const basicHeaders = new Set(['message-id', 'in-reply-to', 'references'])

export const partOf = (id: string): string | undefined =>
  /^p\d+(?:_\d+)*$/.test(id) ? id.slice(1).replaceAll('_', '.') : undefined

/** A message that was read, as ours. */
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
    subject: parsed?.subject ?? '',
    from: parsed?.from ?? [],
    to: parsed?.to ?? [],
    cc: parsed?.cc ?? [],
    bcc: parsed?.bcc ?? [],
    reply_to: parsed?.reply_to ?? [],
    date: group.date,
    unread: reading.unread,
    starred: reading.starred,
    snippet: parsed?.snippet ?? '',
    body: at.shown(parsed?.body ?? ''),
    folders: [...new Set(group.entries.map(({ path }) => folderId(path)))],
    attachments: (parsed?.attachments ?? []).map((part) => fromPart(part, at.grantId)),
    ...headersOf(parsed, at.fields),
    ...(at.fields === 'include_tracking_options' ? { tracking_options: noTracking } : {}),
  }
}

const noTracking = { opens: false, links: false, thread_replies: false, label: '' }

function headersOf(parsed: LeanMessage | undefined, fields: MessageFields): Pick<Message, 'headers'> {
  if (fields === 'include_headers') return { headers: parsed?.headers ?? [] }
  if (fields !== 'include_basic_headers') return {}
  return { headers: (parsed?.headers ?? []).filter(({ name }) => basicHeaders.has(name.toLowerCase())) }
}
