// The context of a write, and changes by the organizer's calendar.
import type { AccountOwner } from '../owner.ts'
import { changeStored, type EventChange } from './event-store.ts'
import { noteMails, passOn, type SendUpdates } from './guests.ts'
import type { CalendarState, StoredCalendar, StoredEvent } from './state.ts'

export interface WriteOptions {
  readonly sendUpdates: SendUpdates
  readonly conferenceVersion: number
  readonly supportsAttachments: boolean
}

export const quietly: WriteOptions = { sendUpdates: 'none', conferenceVersion: 1, supportsAttachments: true }

/** One write: its account, calendar and options. */
export interface Write {
  readonly calendar: StoredCalendar
  readonly actor: AccountOwner
  readonly options: WriteOptions
}

/** Applies a change on the organizer's calendar and updates the guests' copies. */
export function changeAsOrganizer(
  state: CalendarState,
  { calendar, options }: Write,
  { event, change }: { event: StoredEvent; change: EventChange },
): StoredEvent {
  const after = changeStored(state, calendar, { event, change })
  if (after.version === event.version) return after
  passOn(state, calendar, after)
  noteMails(state, { calendar, before: event, after, sendUpdates: options.sendUpdates })
  return after
}
