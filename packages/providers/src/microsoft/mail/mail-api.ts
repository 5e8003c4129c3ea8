/** Graph's answers for mail, as far as they are read, and the paths of its objects. */
import type { ApiError } from '@waypost/platform/api-error'
import { count, flag, instant, list, nonEmptyText, object, type Read, text } from '@waypost/platform/json/reader'
import { sharedMailbox } from '../../mail/exchange/mail-api.ts'
import type { Shared } from '../../operations.ts'
import {
  orNotFound as findNamed,
  notFound,
  type ObjectKind,
  foundOf as readableOf,
} from '../../shared/named-objects.ts'
import { isMissing } from '../errors.ts'
import { mailboxPath, type Session } from '../session.ts'

/** Scopes of which one is needed to read mail. */
export const readingScopes: ReadonlySet<string> = new Set(['Mail.Read', 'Mail.ReadWrite'])

/** URL-safe base64; ids contain no other characters. */
const idForm = /^[\w=-]{1,1500}$/

const recipient = object({}, { emailAddress: object({}, { name: text, address: text }) })
export type GraphRecipient = Read<typeof recipient>

const header = object({ name: text }, { value: text })

export const graphAttachment = object(
  { id: nonEmptyText },
  {
    /** `#microsoft.graph.fileAttachment`, `…itemAttachment` or `…referenceAttachment`. */
    '@odata.type': text,
    name: text,
    contentType: text,
    isInline: flag,
    contentId: text,
  },
)
export type GraphAttachment = Read<typeof graphAttachment>

export const graphMessage = object(
  { id: nonEmptyText },
  {
    conversationId: text,
    subject: text,
    bodyPreview: text,
    body: object({}, { contentType: text, content: text }),
    from: recipient,
    toRecipients: list(recipient),
    ccRecipients: list(recipient),
    bccRecipients: list(recipient),
    replyTo: list(recipient),
    receivedDateTime: instant,
    isRead: flag,
    isDraft: flag,
    flag: object({}, { flagStatus: text }),
    parentFolderId: text,
    hasAttachments: flag,
    internetMessageId: text,
    internetMessageHeaders: list(header),
    attachments: list(graphAttachment),
    singleValueExtendedProperties: list(object({ id: text }, { value: text })),
  },
)
export type GraphMessage = Read<typeof graphMessage>

export const graphFolder = object(
  { id: nonEmptyText },
  {
    displayName: text,
    parentFolderId: text,
    childFolderCount: count,
    totalItemCount: count,
    unreadItemCount: count,
    isHidden: flag,
  },
)
export type GraphFolder = Read<typeof graphFolder>

/** An object of which only the id is requested. */
export const named = object({ id: nonEmptyText }, {})

/** The mailbox of the account, or one that another account shares with it. */
export interface Mailbox {
  session: Session
  /** The address of its owner. */
  owner: string
  path(rest: string): string
}

/** The mailbox that a request is about. */
export function mailboxFor(session: Session, at: Shared = {}): Mailbox {
  const sharedFrom = sharedMailbox(at)
  return {
    session,
    owner: sharedFrom ?? session.mailbox,
    path: (rest) => mailboxPath(session, rest, sharedFrom),
  }
}

/** An id as a part of a path. An id that Graph cannot have issued is not found. */
export function idPath(what: ObjectKind, id: string): string {
  if (!idForm.test(id)) throw notFound(what)
  return encodeURIComponent(id)
}

/** Runs a call that names an object. */
export const orNotFound = <T>(what: ObjectKind, work: () => Promise<T>): Promise<T> => findNamed(what, work, isMissing)

/** The results of a batch of listed objects. Objects that were deleted meanwhile or cannot be read are left out. */
export const foundOf = <T>(answers: readonly (T | ApiError)[]): T[] => readableOf(answers, isMissing)

/** A text in a filter. */
export const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`
