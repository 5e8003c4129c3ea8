// What subscriptions are told of.
import type { StoredFolder, StoredItem } from './store/stored.ts'

export const EVENT_TYPES = [
  'CopiedEvent',
  'CreatedEvent',
  'DeletedEvent',
  'ModifiedEvent',
  'MovedEvent',
  'NewMailEvent',
  'FreeBusyChangedEvent',
] as const

export type EventType = (typeof EVENT_TYPES)[number]

/** Where something is or was, at the time. */
export interface EventPlace {
  readonly id: string
  readonly changeKey: string
  /** The folder it is in; undefined for the root of all. */
  readonly parent: StoredFolder | undefined
}

export interface MailboxEvent {
  readonly type: EventType
  readonly of: 'item' | 'folder'
  readonly mailbox: string
  readonly at: number
  readonly place: EventPlace
  /** Where it was before it was moved, or what it was copied from. */
  readonly old?: EventPlace
  /** For a folder whose count of unread items changed. */
  readonly unreadCount?: number
}

export const placeOf = ({ id, changeKey, folder }: StoredItem): EventPlace => ({ id, changeKey, parent: folder })
export const placeOfFolder = ({ id, changeKey, parent }: StoredFolder): EventPlace => ({ id, changeKey, parent })
