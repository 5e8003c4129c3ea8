/**
 * The id of a draft is `r<base64url(Message-ID)>`, which stays the same when the draft is saved again. A draft
 * without Message-ID has its id as a message. So has an older draft that shares the Message-ID of a newer one.
 */
import { ApiError } from '@waypost/platform/api-error'
import { type MessageName, parseMessageId } from './ids.ts'

/** The id of the newest draft with a Message-ID. */
export const newestDraftId = (messageId: string): string => `r${Buffer.from(messageId, 'latin1').toString('base64url')}`

/** The draft id for a message id. */
export function draftIdOf(id: string): string {
  const name = parseMessageId(id)
  return name.kind === 'message-id' ? newestDraftId(name.messageId) : id
}

/** Parses the id of a draft. */
export type DraftName = { kind: 'newest'; messageId: string } | (MessageName & { id: string })

/** Whether only drafts have ids like this. */
export const isDraftId = (id: string): boolean => id.startsWith('r')

export function parseDraftId(id: string): DraftName {
  if (/^r[\w-]+$/.test(id)) {
    const messageId = Buffer.from(id.slice(1), 'base64url').toString('latin1')
    if (/^[\x21-\x7e]{1,250}$/.test(messageId)) return { kind: 'newest', messageId }
  } else if (/^[sd]/.test(id)) return { ...parseMessageId(id), id }
  throw noDraft()
}

export const noDraft = (): ApiError => new ApiError('not_found', 'no draft with this id')
