/** What the Gmail API answers, as far as it is read, and how its objects are named in paths. */
import { ApiError, invalidField } from '../../../lib/api-error.ts'
import { googleReason, googleStatus } from '../errors.ts'
import type { Session } from '../session.ts'

export interface GmailHeader {
  name: string
  value: string
}

/** A part of a message; `data` and `attachmentId` stand for its content, out of its transfer encoding. */
export interface GmailPart {
  /** '' for the message itself, '0.1' for the second part of the first. */
  partId?: string
  mimeType?: string
  filename?: string
  headers?: GmailHeader[]
  body?: { size?: number; data?: string; attachmentId?: string }
  parts?: GmailPart[]
}

export interface GmailMessage {
  id: string
  threadId: string
  labelIds?: string[]
  snippet?: string
  /** Milliseconds. */
  internalDate?: string
  historyId?: string
  sizeEstimate?: number
  payload?: GmailPart
  /** The whole message in base64url. */
  raw?: string
}

export interface GmailThread {
  id: string
  messages?: GmailMessage[]
}

export interface GmailDraft {
  id: string
  message: GmailMessage
}

export interface GmailLabel {
  id: string
  name: string
  type?: 'system' | 'user'
  messagesTotal?: number
  messagesUnread?: number
  color?: { textColor?: string; backgroundColor?: string }
}

export const me = 'users/me'

export const metadataScope = 'https://www.googleapis.com/auth/gmail.metadata'
export const mailScope = 'https://mail.google.com/'

/** Whether the account lets nobody look into its messages: Gmail then answers headers and labels alone. */
export const isMetadataOnly = ({ grant }: Session): boolean => grant.scope?.includes(metadataScope) ?? false

/** The words for what an id may name. */
export type Named = 'message' | 'thread' | 'draft' | 'folder'

export const notFound = (what: Named): ApiError => new ApiError('not_found', `no ${what} with this id`)

/** An id as a piece of a path; what cannot be one of Gmail's is not there. */
export function idPath(what: Named, id: string): string {
  if (!/^[\w-]{1,200}$/.test(id)) throw notFound(what)
  return id
}

/** Runs a call that names an object; Gmail says of ids that it never gave away that they are invalid. */
export async function orNotFound<T>(what: Named, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw isMissing(error) ? notFound(what) : error
  }
}

/** Whether an error says that there is no such object. */
export const isMissing = (error: unknown): boolean =>
  googleStatus(error) === 404 ||
  (googleStatus(error) === 400 &&
    error instanceof ApiError &&
    /^Google refused: Invalid (id|\w+ id)/i.test(error.message))

/** Whether Gmail did not take a label that was named. */
export const isInvalidLabel = (error: unknown): boolean =>
  googleStatus(error) === 400 &&
  (googleReason(error) === 'invalidArgument' || googleReason(error) === 'invalid') &&
  error instanceof ApiError &&
  /label/i.test(error.message)

/** The error for a change to folders that Gmail does not take. */
export const badFolders = (): ApiError =>
  invalidField('folders', 'names what is no folder of this account that messages can be put into: see GET …/folders')
