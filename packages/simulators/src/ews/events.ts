// The events that subscriptions report.
import type { StoredFolder, StoredItem } from './store/stored.ts'

export const eventTypes = [
  'CopiedEvent',
  'CreatedEvent',
  'DeletedEvent',
  'ModifiedEvent',
  'MovedEvent',
  'NewMailEvent',
  'FreeBusyChangedEvent',
] as const

export type EventType = (typeof eventTypes)[number]

/** The location of an item or folder at the time of the event. */
export interface EventPlace {
  readonly id: string
  readonly changeKey: string
  /** Its parent folder; undefined for the root. */
  readonly parent: StoredFolder | undefined
}

export interface MailboxEvent {
  readonly type: EventType
  readonly of: 'item' | 'folder'
  readonly mailbox: string
  readonly at: number
  readonly place: EventPlace
  /** The location before a move, or the original of a copy. */
  readonly old?: EventPlace
  /** Only for a folder whose unread count changed. */
  readonly unreadCount?: number
}

export const placeOf = ({ id, changeKey, folder }: StoredItem): EventPlace => ({ id, changeKey, parent: folder })
export const placeOfFolder = ({ id, changeKey, parent }: StoredFolder): EventPlace => ({ id, changeKey, parent })
