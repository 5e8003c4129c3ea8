import type { Message, MessageFields } from '@waypost/contract'
import { fromPart } from '../../mail-parts.ts'
import type { Reading } from '../reading.ts'

const basicHeaders = new Set(['message-id', 'in-reply-to', 'references'])

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
    subject: parsed?.subject ?? '',
    from: parsed?.from ?? [],
    to: parsed?.to ?? [],
    cc: parsed?.cc ?? [],
    bcc: parsed?.bcc ?? [],
    reply_to: parsed?.reply_to ?? [],
    date: dateOf(message),
    unread: labels.includes('UNREAD'),
    starred: labels.includes('STARRED'),
    ...contentOf(parsed, at),
    folders: [...new Set(labels)],
    ...headersOf(headers, at.fields),
    ...(at.fields === 'include_tracking_options' ? { tracking_options: noTracking } : {}),
  }
}

const noTracking = { opens: false, links: false, thread_replies: false, label: '' }

/** What the account does not show is left out. */
function contentOf(
  parsed: Reading['parsed'],
  at: { grantId: string; shown(html: string): string },
): Pick<Message, 'snippet' | 'body' | 'attachments'> {
  if (parsed?.isWhole === false) return {}
  return {
    snippet: parsed?.snippet ?? '',
    body: at.shown(parsed?.body ?? ''),
    attachments: (parsed?.attachments ?? []).map((part) => fromPart(part, at.grantId)),
  }
}

function headersOf(headers: Reading['headers'], fields: MessageFields): Pick<Message, 'headers'> {
  if (fields === 'include_headers') return { headers: headers.map(({ name, value }) => ({ name, value })) }
  if (fields !== 'include_basic_headers') return {}
  return {
    headers: headers
      .filter(({ name }) => basicHeaders.has(name.toLowerCase()))
      .map(({ name, value }) => ({ name, value })),
  }
}
