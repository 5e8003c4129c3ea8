// The item type of calendar items.
import { isDeepStrictEqual } from 'node:util'
import { globalIdBytes, newGlobalId } from '../../shared/calendar/global-id.ts'
import { unanswered } from '../../shared/calendar/meeting-state.ts'
import { UTC } from '../../shared/calendar/zones.ts'
import type { SearchedMessage } from '../../shared/mail/keyword-query.ts'
import { detachedItem, storeDetached } from '../items/detached.ts'
import { setFields } from '../items/writing.ts'
import { sensitivities } from '../mail/content.ts'
import type { DeleteType, EwsCall, ItemType } from '../model.ts'
import type { Account } from '../owner.ts'
import { frameFields } from '../shapes/frame-fields.ts'
import { bodyAsText, keptAttachments, nothingSaid, saidFields, searchedItem } from '../shapes/said-fields.ts'
import { EwsError } from '../soap/errors.ts'
import { namedKey, tagKey } from '../store/extended.ts'
import type { ExtendedField, StoredAttachments, StoredFolder, StoredItem } from '../store/stored.ts'
import type { XmlNode } from '../xml/read.ts'
import type { CalendarContent, CalendarItem } from './content.ts'
import { changedTimes, newTimes } from './draft.ts'
import { appointmentState, meetingFields } from './meeting-fields.ts'
import { cancelCopies, guestsOf, tellAttendees } from './meetings.ts'
import { mimeField } from './mime.ts'
import { cancelOccurrence, changeOccurrence, expandOccurrence, keepException } from './occurrences.ts'
import { cancelModeOf, createModeOf, type Mode, updateModeOf } from './send-modes.ts'
import { seriesFields } from './series-fields.ts'
import { timeFields } from './time-fields.ts'

const binary = (value: (item: CalendarItem) => Buffer): ExtendedField<CalendarContent> => ({
  value: (item) => value(item).toString('base64'),
})

const time = (value: (item: CalendarItem) => number): ExtendedField<CalendarContent> => ({
  value: (item) => new Date(value(item)).toISOString().replace(/\.\d+/, ''),
})

/** The MAPI properties behind the fields, for clients that request them. [MS-OXOCAL] */
const extended: Readonly<Record<string, ExtendedField<CalendarContent>>> = {
  // PidLidGlobalObjectId contains the day of an occurrence, PidLidCleanGlobalObjectId never does.
  [namedKey('Meeting', 0x03, 'Binary')]: binary(({ content }) => globalIdBytes(content.uid, content.occurrence?.date)),
  [namedKey('Meeting', 0x23, 'Binary')]: binary(({ content }) => globalIdBytes(content.uid)),
  [namedKey('Appointment', 0x820d, 'SystemTime')]: time(({ content }) => content.start.ms),
  [namedKey('Appointment', 0x820e, 'SystemTime')]: time(({ content }) => content.end.ms),
  [namedKey('Appointment', 0x8208, 'String')]: { value: ({ content }) => content.location || undefined },
  [namedKey('Appointment', 0x8217, 'Integer')]: { value: (item) => String(appointmentState(item)) },
  [namedKey('Appointment', 0x8223, 'Boolean')]: { value: ({ content }) => String(content.recurrence !== null) },
  [tagKey(0x0037, 'String')]: { value: ({ content }) => content.text.subject || undefined },
  [tagKey(0x0036, 'Integer')]: { value: ({ content }) => String(sensitivities.indexOf(content.sensitivity)) },
}

/** An event with default values. */
export function emptyEvent({ name, email }: Pick<Account, 'name' | 'email'>, now: number): CalendarContent {
  return {
    ...nothingSaid,
    start: { ms: now, zone: UTC },
    end: { ms: now, zone: UTC },
    isAllDay: false,
    showAs: 'busy',
    location: '',
    isReminderOn: true,
    reminderMinutes: 15,
    isResponseRequested: true,
    allowNewTimeProposal: true,
    isOnlineMeeting: false,
    conferenceType: undefined,
    meetingWorkspaceUrl: '',
    netShowUrl: '',
    attendees: [],
    response: { response: 'organizer' },
    isCancelled: false,
    uid: newGlobalId(now),
    organizer: { name, address: email },
    isOrganizer: true,
    recurrence: null,
    exceptions: new Map(),
    cancelled: [],
    sequence: 0,
    wasSent: false,
    stamp: now,
  }
}

function ownerOf(call: EwsCall, { mailbox }: StoredFolder): Account {
  return call.world.findAccountById(mailbox.id) ?? call.account
}

function create(call: EwsCall, written: XmlNode, folder: StoredFolder | undefined): StoredItem[] {
  const mode = createModeOf(call)
  const target = folder ?? call.account.mailbox.folders.standard('calendar')
  if (target.element !== 'CalendarFolder') {
    throw new EwsError(
      'ErrorCannotCreateCalendarItemInNonCalendarFolder',
      'A calendar item can only be created in a calendar folder.',
    )
  }
  const account = ownerOf(call, target)
  const item = detachedItem(calendarType, emptyEvent(account, call.world.now()), target)
  setFields(call, item as StoredItem, written)
  const { draft = {}, ...content } = item.content
  item.content = { ...content, ...newTimes(call, draft), wasSent: mode.sends && guestsOf(content).length > 0 }
  const stored = storeDetached(item, target)
  if (mode.sends) tellOfNew(call, account, { item: stored, mode })
  return [stored as StoredItem]
}

function tellOfNew(call: EwsCall, account: Account, { item, mode }: { item: CalendarItem; mode: Mode }): void {
  const sent = { world: call.world, account, savesCopy: mode.savesCopy }
  tellAttendees(sent, { item, reported: item.content, before: [], rescheduled: true, onlyChanged: false })
}

function updated(call: EwsCall, item: CalendarItem, uris: ReadonlySet<string>, before: CalendarContent): void {
  const mode = updateModeOf(call)
  const { occurrence } = item.content
  const times = changedTimes(call, item.content)
  const { draft: _, ...content } = item.content
  const rescheduled = !sameTimes(before, times)
  const willSend = mode.sends && content.isOrganizer && guestsOf(content).length > 0
  item.content = {
    ...content,
    ...times,
    stamp: call.world.now(),
    wasSent: content.wasSent || willSend,
    sequence: content.sequence + (rescheduled && willSend ? 1 : 0),
    ...(rescheduled && occurrence === undefined && { exceptions: new Map(), cancelled: [] }),
    ...(rescheduled && content.isOrganizer && { attendees: unanswered(content.attendees) }),
  }
  if (occurrence === undefined) {
    if (uris.size > 0) item.mailbox.change(item)
  } else Object.assign(item, keepException(item))
  if (!mode.sends || !content.isOrganizer) return
  const sent = { world: call.world, account: ownerOf(call, item.folder), savesCopy: mode.savesCopy }
  const series = occurrence?.master ?? item
  tellAttendees(sent, {
    item: series,
    reported: item.content,
    before: before.attendees,
    rescheduled,
    onlyChanged: mode.onlyChanged,
  })
}

type Times = Pick<CalendarContent, 'start' | 'end' | 'isAllDay' | 'recurrence'>

function sameTimes(left: Times, right: Times): boolean {
  const timesOf = ({ start, end, isAllDay, recurrence }: Times) => ({ start, end, isAllDay, recurrence })
  return isDeepStrictEqual(timesOf(left), timesOf(right))
}

function remove(call: EwsCall, item: CalendarItem, deleteType: DeleteType): void {
  const mode = cancelModeOf(call)
  const { occurrence, isOrganizer } = item.content
  const reported = { ...item.content, sequence: item.content.sequence + 1 }
  if (occurrence !== undefined) cancelOccurrence(occurrence.master, occurrence.date)
  else discard(item, deleteType)
  if (!mode.sends || !isOrganizer || !reported.wasSent) return
  const sent = { world: call.world, account: ownerOf(call, item.folder), savesCopy: mode.savesCopy }
  cancelCopies(sent, { reported, to: guestsOf(reported), comment: '' })
}

/** Deletes an item in the way that `DeleteItem` requests. */
export function discard(item: CalendarItem, deleteType: DeleteType): void {
  const { mailbox } = item
  if (deleteType === 'HardDelete') mailbox.remove(item as StoredItem)
  else if (deleteType === 'SoftDelete')
    mailbox.move(item as StoredItem, mailbox.folders.standard('recoverableitemsdeletions'))
  else mailbox.move(item as StoredItem, mailbox.folders.standard('deleteditems'))
}

function searchedEvent(item: CalendarItem): SearchedMessage {
  const { text, location, organizer, attendees } = item.content
  const body = { contentType: 'text', content: `${bodyAsText(text.body)} ${location}` } as const
  return searchedItem(item, { kind: 'meetings', text: { ...text, body, from: organizer, to: attendees } })
}

/** Attachments of an occurrence make it an exception. */
const eventAttachments: StoredAttachments<CalendarContent> = {
  list: ({ content }) => content.attachments,
  set(item, attachments) {
    const { occurrence } = item.content
    keptAttachments.set(item, attachments)
    if (occurrence !== undefined) changeOccurrence(occurrence.master, occurrence.date, { changes: { attachments } })
  },
}

export const calendarType: ItemType<CalendarContent> = {
  element: 'CalendarItem',
  itemClass: 'IPM.Appointment',
  fields: [...frameFields, ...saidFields, mimeField, ...timeFields, ...seriesFields, ...meetingFields],
  extended,
  attachments: eventAttachments,
  copyContent: (content) => content,
  create,
  updated,
  remove,
  searched: searchedEvent,
  expand: (item, extra) => expandOccurrence(item, extra) as StoredItem,
}
