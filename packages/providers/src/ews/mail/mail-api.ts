/** The mailbox of a request, and the items in it that are messages. */

import { ApiError } from '@waypost/platform/api-error'
import { sharedMailbox } from '../../mail/exchange/mail-api.ts'
import type { Shared } from '../../operations.ts'
import { orNotFound as findNamed, notFound, type ObjectKind } from '../../shared/named-objects.ts'
import { hasCode, isMissing } from '../errors.ts'
import type { Session } from '../session.ts'
import { type AnyFolderId, type DistinguishedName, distinguished, folder } from '../types/ids.ts'
import type { Item } from '../types/items.ts'
import type { MessageItem } from '../types/message.ts'
import { wellKnownIds as readIds, type WellKnownIds } from '../well-known-folders.ts'
import { folderOfId } from './mapping/names.ts'

/** The mailbox of the account, or one that another account shares with it. */
export interface Mailbox {
  session: Session
  /** The address of its owner. */
  owner: string
  /** The address of the sharing account; undefined for the account's own mailbox. */
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

/** An item that is a message, with the requested fields. */
export type MailItem = MessageItem & { kind: MailKind }

const isMail = (item: Item): item is Extract<Item, { kind: MailKind }> => mailKinds.some((kind) => kind === item.kind)

/** The items that are messages: Deleted Items also contains events, contacts and tasks. */
export const mailIn = (items: readonly Item[] | undefined): MailItem[] => (items ?? []).filter(isMail)

/** A folder by its id; an invalid id is not found. */
export function folderNamed(id: string): AnyFolderId {
  const theirs = folderOfId(id)
  if (theirs === undefined || theirs === '') throw notFound('folder')
  return folder(theirs)
}

/** Runs a call that names an object. */
export const orNotFound = <T>(what: ObjectKind, work: () => Promise<T>): Promise<T> => findNamed(what, work, isMissing)

/** Whether an error means that the account has no access. */
export const isDenied = (error: unknown): boolean =>
  error instanceof ApiError && hasCode(error, 'ErrorAccessDenied', 'ErrorInsufficientPermissions')

/** The ids of the folders that every mailbox has. */
export const wellKnownIds = ({ session, sharedFrom }: Mailbox): Promise<WellKnownIds> => readIds(session, sharedFrom)
