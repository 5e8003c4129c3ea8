// Subscriptions to changes in folders, and their pending events.
import { randomUUID } from 'node:crypto'
import type { EventType, MailboxEvent } from '../events.ts'
import type { StoredFolder } from '../store/stored.ts'

export interface StoredSubscription {
  readonly id: string
  readonly kind: 'pull' | 'streaming'
  /** The account id of the owner. */
  readonly owner: string
  readonly mailbox: string
  /** Undefined for all folders of the mailbox. */
  readonly folders: ReadonlySet<StoredFolder> | undefined
  readonly types: ReadonlySet<EventType>
  /** Its lifetime without a request, in milliseconds. */
  readonly timeoutMs: number
  /** The time of the last request. */
  usedAt: number
  /** Oldest first. */
  readonly events: WaitingEvent[]
  /** The number of the last event that was dropped because there were too many; 0 for none. */
  forgotten: number
  /** Called when an event is available. */
  wake: () => void
}

export interface WaitingEvent {
  /** Increases over the whole server. */
  readonly number: number
  readonly event: MailboxEvent
}

/** The maximum number of pending events per subscription. */
const maxEvents = 10_000

export function newSubscription(
  wish: Pick<StoredSubscription, 'kind' | 'owner' | 'mailbox' | 'folders' | 'types' | 'timeoutMs' | 'usedAt'>,
): StoredSubscription {
  const id = Buffer.from(`exchange.example\n${wish.mailbox}\n${randomUUID()}`).toString('base64')
  return { ...wish, id, events: [], forgotten: 0, wake: () => {} }
}

/** Adds an event to a subscription that covers it. */
export function offer(
  subscription: StoredSubscription,
  event: MailboxEvent,
  number: number,
  hasDumpster: boolean,
): void {
  const seen = asSeen(subscription, event, hasDumpster)
  if (seen === undefined || !subscription.types.has(seen.type)) return
  subscription.events.push({ number, event: seen })
  if (subscription.events.length > maxEvents) subscription.forgotten = subscription.events.shift()?.number ?? 0
  subscription.wake()
}

/**
 * Maps an event for a subscription; undefined if it is not covered. A move to the recoverable items is reported as a
 * deletion if the subscription covers all folders, or if the server is older than Exchange 2013.
 */
function asSeen(subscription: StoredSubscription, event: MailboxEvent, hasDumpster: boolean): MailboxEvent | undefined {
  if (event.mailbox !== subscription.mailbox || event.place.parent === undefined) return undefined
  const { folders } = subscription
  if (folders !== undefined && !isIn(folders, event)) return undefined
  const isHidden = event.place.parent.wellKnownName?.startsWith('recoverableitems') === true
  if (!isHidden || (folders !== undefined && hasDumpster)) return event
  if (event.old === undefined) return folders === undefined ? undefined : event
  const { type: _type, old, ...rest } = event
  return { ...rest, type: 'DeletedEvent', place: old }
}

function isIn(folders: ReadonlySet<StoredFolder>, { of, place, old }: MailboxEvent): boolean {
  const isWatched = (folder: StoredFolder | undefined) => folder !== undefined && folders.has(folder)
  if (isWatched(place.parent) || isWatched(old?.parent)) return true
  return of === 'folder' && [...folders].some(({ id }) => id === place.id)
}
