// The calendars of an account, for tests. Changes made here look like those of another client of the user, or of
// people outside the simulator.
import type { Person, ResponseType } from '../../shared/calendar/people.ts'
import { changeWritten, type WrittenChange } from '../items/scripted.ts'
import type { World } from '../model.ts'
import type { Account } from '../owner.ts'
import { itemOfId } from '../store/lookup.ts'
import type { StoredFolder, StoredItem } from '../store/stored.ts'
import { type WrittenBody, writtenCall, writtenNode } from '../written.ts'
import { type Answer, answerMeeting, checkAnswer } from './answers.ts'
import { hideFreeBusy } from './availability.ts'
import { calendarType } from './calendar-type.ts'
import type { CalendarContent, CalendarItem } from './content.ts'
import { cancelInvitation, type InvitationBody, receiveAnswer, receiveInvitation } from './foreign.ts'
import { type MeetingMail, meetingMailsOf } from './meeting-mails.ts'
import { isCalendarItem } from './occurrences.ts'

export interface AddedEvent {
  readonly id: string
  readonly uid: string
}

export interface SimulatedEvent extends Omit<CalendarContent, 'occurrence' | 'draft'> {
  readonly id: string
  readonly calendarId: string
}

interface Sends {
  /** Whether attendees are notified; default true. */
  readonly sends?: boolean
}

export interface SimulatedCalendar {
  /** All emails about meetings that this account sent. */
  readonly mails: readonly MeetingMail[]
  /** The id of the default calendar. */
  readonly id: string
  addCalendar(name: string): { id: string }
  renameCalendar(id: string, name: string): void
  deleteCalendar(id: string): void
  /** Adds an event with the elements of `<t:CalendarItem>`; default: to the default calendar. */
  addEvent(body: WrittenBody, options?: Sends & { calendarId?: string }): AddedEvent
  /** Sets elements of an event, a series or one occurrence; null deletes one. */
  changeEvent(id: string, body: WrittenChange, options?: Sends): void
  /** Deletes an event, a series or one occurrence. */
  deleteEvent(id: string, options?: Sends): void
  /** Responds to a meeting that the account is invited to. */
  respond(id: string, response: Answer, options?: Sends & { comment?: string }): void
  /** Somebody outside the simulator invites this account; a repeated `uid` makes it an update. */
  receiveInvitation(organizer: Person, body: WrittenBody, options?: InvitationBody): AddedEvent
  /** The organizer outside the simulator cancels the meeting. */
  cancelInvitation(uid: string): void
  /** An attendee outside the simulator responds to a meeting of this account. */
  receiveAnswer(id: string, from: string, response: ResponseType): void
  event(id: string): SimulatedEvent
  /** The single events and series of a calendar. */
  events(calendarId?: string): SimulatedEvent[]
  /** Sets whether the account hides its free/busy times from others. */
  hideFreeBusy(hides: boolean): void
}

const modes = ({ sends = true }: Sends) => (sends ? 'SendToAllAndSaveCopy' : 'SendToNone')

export function openCalendar(owner: Account, world: World): SimulatedCalendar {
  const { mailbox } = owner
  const calendarNamed = (id?: string): StoredFolder => {
    const folder =
      id === undefined ? mailbox.folders.standard('calendar') : mailbox.folders.all().find((one) => one.id === id)
    if (folder === undefined) throw new Error(`There is no calendar ${id}`)
    return folder
  }
  const call = (operation: string, attributes = {}) => writtenCall(world, owner, { operation, attributes })
  const find = (id: string): CalendarItem => {
    const item = itemOfId(call('GetItem'), id)
    if (!isCalendarItem(item)) throw new Error(`${id} is no event`)
    return item
  }

  return {
    mails: meetingMailsOf(owner),
    id: calendarNamed().id,
    addCalendar(displayName) {
      const wish = {
        displayName,
        parent: calendarNamed(),
        element: 'CalendarFolder',
        folderClass: 'IPF.Appointment',
      } as const
      return { id: mailbox.addFolder(wish).id }
    },
    renameCalendar(id, name) {
      const folder = calendarNamed(id)
      folder.displayName = name
      mailbox.changeFolder(folder)
    },
    deleteCalendar: (id) => mailbox.removeFolder(calendarNamed(id)),
    addEvent(body, { calendarId, ...sends } = {}) {
      const requested = call('CreateItem', { SendMeetingInvitations: modes(sends) })
      const [added] =
        calendarType.create?.(requested, writtenNode('CalendarItem', body), calendarNamed(calendarId)) ?? []
      if (added === undefined) throw new Error('No event was made')
      return { id: added.id, uid: (added as CalendarItem).content.uid }
    },
    changeEvent(id, body, sends = {}) {
      changeWritten(call('UpdateItem', { SendMeetingInvitationsOrCancellations: modes(sends) }), id, body)
    },
    deleteEvent(id, sends = {}) {
      calendarType.remove?.(
        call('DeleteItem', { SendMeetingCancellations: modes(sends) }),
        find(id),
        'MoveToDeletedItems',
      )
    },
    respond(id, response, { sends = true, comment = '' } = {}) {
      const item = find(id)
      checkAnswer(item, response)
      answerMeeting(world, owner, { item, response, sends, savesCopy: sends, comment })
    },
    receiveInvitation(organizer, body, options = {}) {
      const { id, content } = receiveInvitation(world, owner, {
        organizer,
        node: writtenNode('CalendarItem', body),
        options,
      })
      return { id, uid: content.uid }
    },
    cancelInvitation: (uid) => cancelInvitation(world, owner, uid),
    receiveAnswer: (id, from, response) => receiveAnswer(world, owner, { item: find(id), from, response }),
    event: (id) => shown(find(id)),
    events(calendarId) {
      const items: StoredItem[] = [...calendarNamed(calendarId).items.values()]
      return items.filter(isCalendarItem).map(shown)
    },
    hideFreeBusy: (hides) => hideFreeBusy(owner, hides),
  }
}

function shown({ id, folder, content: { occurrence: _, draft: __, ...content } }: CalendarItem): SimulatedEvent {
  return { ...content, id, calendarId: folder.id }
}
