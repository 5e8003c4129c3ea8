/**
 * Drafts are named by their Message-ID alone, `r<base64url(Message-ID)>`, which stays the same however often a draft is
 * saved; where another program wrote none, by the id that it has as a message. So are older drafts that share the
 * Message-ID of a newer one.
 */
import { ApiError } from '../../../lib/api-error.ts'
import { type MessageName, parseMessageId } from './ids.ts'

/** The id of the newest draft with a Message-ID. */
export const newestDraftId = (messageId: string): string => `r${Buffer.from(messageId, 'latin1').toString('base64url')}`

/** The id as a draft of what has an id as a message. */
export function draftIdOf(id: string): string {
  const name = parseMessageId(id)
  return name.kind === 'message-id' ? newestDraftId(name.messageId) : id
}

/** What an id says of its draft. */
export type DraftName = { kind: 'newest'; messageId: string } | (MessageName & { id: string })

/** Whether an id is one that only drafts have. */
export const isDraftId = (id: string): boolean => id.startsWith('r')

export function parseDraftId(id: string): DraftName {
  if (/^r[\w-]+$/.test(id)) {
    const messageId = Buffer.from(id.slice(1), 'base64url').toString('latin1')
    if (/^[\x21-\x7e]{1,250}$/.test(messageId)) return { kind: 'newest', messageId }
  } else if (/^[sd]/.test(id)) return { ...parseMessageId(id), id }
  throw noDraft()
}

export const noDraft = (): ApiError => new ApiError('not_found', 'no draft with this id')
