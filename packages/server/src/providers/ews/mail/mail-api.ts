/** The mailbox that a request is about, and which items of it are messages. */
import { ApiError } from '../../../lib/api-error.ts'
import { sharedMailbox } from '../../mail/exchange/mail-api.ts'
import type { Shared } from '../../operations.ts'
import { orNotFound as findNamed, type Named, notFound } from '../../shared/named-objects.ts'
import { hasCode, isMissing } from '../errors.ts'
import type { Session } from '../session.ts'
import { type AnyFolderId, type DistinguishedName, distinguished, folder } from '../types/ids.ts'
import type { Item } from '../types/items.ts'
import type { MessageItem } from '../types/message.ts'
import { folderOfId } from './mapping/names.ts'

/** A mailbox: the account's own, or one that somebody shares with it. */
export interface Mailbox {
  session: Session
  /** Whose it is. */
  owner: string
  /** Who shares it, where it is not the account's own. */
  sharedFrom: string | undefined
  /** A folder that every mailbox has. */
  place(name: DistinguishedName): AnyFolderId
}

/** The mailbox that a request is about. */
export function mailboxFor(session: Session, at: Shared = {}): Mailbox {
  const sharedFrom = sharedMailbox(at)
  return {
    session,
    owner: sharedFrom ?? session.address,
    sharedFrom,
    place: (name) => distinguished(name, sharedFrom),
  }
}

const mailKinds = [
  'Message',
  'MeetingMessage',
  'MeetingRequest',
  'MeetingResponse',
  'MeetingCancellation',
  'PostItem',
  'Item',
] as const
type MailKind = (typeof mailKinds)[number]

/** An item that is a message, with what was asked of it. */
export type MailItem = MessageItem & { kind: MailKind }

const isMail = (item: Item): item is Extract<Item, { kind: MailKind }> => mailKinds.some((kind) => kind === item.kind)

/** Those that are messages: deleted events, contacts and tasks lie in Deleted Items beside them. */
export const mailIn = (items: readonly Item[] | undefined): MailItem[] => (items ?? []).filter(isMail)

/** A folder by its id; what cannot be one is not there. */
export function folderNamed(id: string): AnyFolderId {
  const theirs = folderOfId(id)
  if (theirs === undefined || theirs === '') throw notFound('folder')
  return folder(theirs)
}

/** Runs a call that names an object. */
export const orNotFound = <T>(what: Named, work: () => Promise<T>): Promise<T> => findNamed(what, work, isMissing)

/** Whether an error says that the account may not see something. */
export const isDenied = (error: unknown): boolean =>
  error instanceof ApiError && hasCode(error, 'ErrorAccessDenied', 'ErrorInsufficientPermissions')
