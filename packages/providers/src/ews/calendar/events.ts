import type { Event, EventDraft } from '@waypost/contract'
import { reportDropped } from '../../calendar/dropped-occurrences.ts'
import { changedFields, fromDraft } from '../../calendar/exchange/event-draft.ts'
import type { ExchangeEvent, ExchangeFields } from '../../calendar/exchange/event-model.ts'
import { isPrimary } from '../../calendar/exchange/event-model.ts'
import { needGuest, needOrganizer, noCalendar, noEvent } from '../../calendar/exchange/refusals.ts'
import { changedTimes } from '../../calendar/exchange/series-change.ts'
import { withJournal } from '../../calendar/exchange/series-rewrite.ts'
import type { EventAddress, Notify, Once, Operations } from '../../operations.ts'
import { hasCode } from '../errors.ts'
import { ourId, theirId } from '../ids.ts'
import {
  type ChangedMeetingMails,
  CreateItem,
  DeleteItem,
  FindItem,
  type MeetingMails,
  page,
  UpdateItem,
} from '../operations/items.ts'
import type { Session } from '../session.ts'
import type { CalendarItem } from '../types/calendar-item.ts'
import type { ItemUpdate } from '../types/changes.ts'
import { type AnyFolderId, item as itemNamed } from '../types/ids.ts'
import { property } from '../types/paths.ts'
import { equals } from '../types/restriction.ts'
import { idAnd } from '../types/shapes.ts'
import { calendarFolder, onceProperty } from './calendar-api.ts'
import { deleteOccurrences } from './deleted-occurrences.ts'
import { importEvents, listEvents } from './event-lists.ts'
import { type NamedItem, readNamed, shownNamed } from './event-reader.ts'
import { asMissing } from './known-calendars.ts'
import { exchangeEvent } from './mapping/event.ts'
import { isOfAttendees, itemUpdates, newItem } from './mapping/event-fields.ts'
import { refusing } from './refusals.ts'
import { finishSeries, pendingJournal, storedOccurrences } from './series-changes.ts'
import { withZones } from './server-zones.ts'

/** The recipients of Exchange's mails, if guests are to be notified. */
const mailsOf = ({ notify_participants: notify }: Notify, hasGuests: boolean): MeetingMails =>
  notify !== false && hasGuests ? 'SendToAllAndSaveCopy' : 'SendToNone'

/** The event that an earlier attempt created under the name. */
async function madeBefore(session: Session, folder: AnyFolderId, once: Once): Promise<string | undefined> {
  const { RootFolder: root } = await session.call(FindItem, {
    Traversal: 'Shallow',
    ItemShape: idAnd(),
    View: page(0, 1),
    Restriction: equals(property(onceProperty), once.name),
    ParentFolderIds: [folder],
  })
  const made = root?.Items?.find((one) => one.kind === 'CalendarItem')
  return made?.ItemId?.Id
}

interface Creating extends Notify {
  folder: AnyFolderId
  once?: Once | undefined
}

/** Creates an item; returns Exchange's id. */
async function createItem(
  session: Session,
  { folder, once, ...notify }: Creating,
  fields: ExchangeFields,
): Promise<string> {
  const mark = once ? [{ ExtendedFieldURI: onceProperty, Value: once.name }] : []
  const { Items } = await withZones(session, fields, (zoneFor) => {
    const item = newItem(fields, zoneFor)
    return session.call(CreateItem, {
      SendMeetingInvitations: mailsOf(notify, (fields.attendees?.length ?? 0) > 0),
      SavedItemFolderId: folder,
      Items: [{ kind: 'CalendarItem', ...item, ExtendedProperty: [...(item.ExtendedProperty ?? []), ...mark] }],
    })
  })
  return Items?.[0]?.ItemId?.Id ?? ''
}

async function create(session: Session, at: Creating & { calendarId: string }, draft: EventDraft): Promise<NamedItem> {
  const written = fromDraft(draft, session.grant.email)
  const { folder, once } = at
  const before = once?.again ? await madeBefore(session, folder, once) : undefined
  const id = before ?? (await createItem(session, at, written.fields))
  const read = () => readNamed(session, { event_id: ourId(id), calendar_id: at.calendarId })
  const made = await read()
  const exdates = written.series?.exdates ?? []
  if (exdates.length === 0) return made
  await deleteOccurrences(session, made, exdates, mailsOf(at, (written.fields.attendees?.length ?? 0) > 0))
  return read()
}

/** If another client changed the event meanwhile, the change is repeated once with the current event. */
async function onChanged<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    if (!hasCode(error, 'ErrorIrresolvableConflict', 'ErrorStaleObject')) throw error
    return change()
  }
}

/** If only the list of guests changes, only the affected guests get mail. */
function updateMails(
  at: Notify,
  before: ExchangeEvent,
  fields: ExchangeFields,
  isGuestsAlone: boolean,
): ChangedMeetingMails {
  const hasGuests = [...(before.attendees ?? []), ...(fields.attendees ?? [])].length > 0
  if (at.notify_participants === false || !hasGuests) return 'SendToNone'
  return isGuestsAlone ? 'SendToChangedAndSaveCopy' : 'SendToAllAndSaveCopy'
}

const write = (session: Session, { target }: NamedItem, Updates: ItemUpdate[], mails: ChangedMeetingMails) =>
  session.call(UpdateItem, {
    ConflictResolution: 'AutoResolve',
    SendMeetingInvitationsOrCancellations: mails,
    ItemChanges: [{ Id: target, Updates }],
  })

const hasAttendees = ({ RequiredAttendees = [], OptionalAttendees = [], Resources = [] }: CalendarItem): boolean =>
  RequiredAttendees.length + OptionalAttendees.length + Resources.length > 0

type EventUpdate = Parameters<Operations<Session>['events']['update']>[2]

async function update(session: Session, at: EventAddress & Notify, change: EventUpdate): Promise<NamedItem> {
  const found = await readSettled(session, at, change)
  const before = exchangeEvent(found.item, { grant: session.grant, masterId: found.masterId })
  if (before.isCancelled) throw noEvent()
  needOrganizer(before)
  const times = changedTimes(change, before)
  const retained = await storedOccurrences(session, found, { before, times })
  const fields = withJournal(
    { ...changedFields(change, session.grant.email, before), ...times.fields },
    retained.property,
  )
  const read = () => readNamed(session, at)
  const changed = await withZones(session, fields, async (zoneFor) => {
    const updates = itemUpdates(fields, zoneFor, before.attendees ?? [])
    if (updates.length === 0) return found
    await write(session, found, updates, updateMails(at, before, fields, isOfAttendees(updates)))
    return read()
  })
  const mails = mailsOf(at, (before.attendees?.length ?? 0) > 0)
  if (retained.journal) await finishSeries(session, changed, { journal: retained.journal, mails })
  else await deleteOccurrences(session, changed, times.exdates, mails)
  reportDropped(session, retained.dropped)
  return retained.journal || times.exdates.length > 0 ? read() : changed
}

/** An event that is to be changed. An interrupted change of its series is finished first. */
async function readSettled(session: Session, at: EventAddress & Notify, change: EventUpdate): Promise<NamedItem> {
  const found = await readNamed(session, at)
  if (!found.item.Recurrence || (change.when === undefined && change.recurrence === undefined)) return found
  const journal = await pendingJournal(session, found)
  if (!journal) return found
  await finishSeries(session, found, { journal, mails: mailsOf(at, hasAttendees(found.item)) })
  return readNamed(session, at)
}

const answers = { yes: 'AcceptItem', no: 'DeclineItem', maybe: 'TentativelyAcceptItem' } as const

export const events: Operations<Session>['events'] = {
  list: listEvents,
  import: importEvents,
  get: async (session, at) => shownNamed(session, await refusing(() => readNamed(session, at)), at),
  async create(session, at, draft) {
    const folder = calendarFolder(session, at.calendar_id)
    if (!folder) throw noCalendar()
    const of = { folder, calendarId: at.calendar_id, once: at.once, notify_participants: at.notify_participants }
    const made = await refusing(() =>
      create(session, of, draft).catch((error: unknown) => {
        throw asMissing(error, noCalendar)
      }),
    )
    return shownNamed(session, made, at)
  },
  async update(session, at, change): Promise<Event> {
    return shownNamed(session, await refusing(() => onChanged(() => update(session, at, change))), at)
  },
  async delete(session, at) {
    await refusing(() => deleteEvent(session, at))
  },
  async rsvp(session, at, answer) {
    const { item } = await refusing(() => readNamed(session, at))
    const event = exchangeEvent(item, session)
    if (event.isCancelled) throw noEvent()
    needGuest(event)
    // An organizer who requested no answers gets none.
    const isSent = !at.skip_email && item.IsResponseRequested !== false
    const Body = answer.comment && isSent ? ({ BodyType: 'Text', value: answer.comment } as const) : undefined
    await refusing(() =>
      session.call(CreateItem, {
        MessageDisposition: isSent ? 'SendAndSaveCopy' : 'SaveOnly',
        Items: [{ kind: answers[answer.status], ...(Body ? { Body } : {}), ReferenceItemId: item.ItemId }],
      }),
    )
    return {}
  },
}

/** Deletes an event by its own id without reading it. Guests of other organizers notify nobody. */
async function deleteEvent(session: Session, at: EventAddress & Notify): Promise<void> {
  const itemId = theirId(at.event_id)
  if (itemId === undefined) throw noEvent()
  const isKnown = at.calendar_id === undefined || isPrimary(session, at.calendar_id)
  const target = isKnown ? itemNamed(itemId) : (await readNamed(session, at)).target
  const remove = (SendMeetingCancellations: MeetingMails) =>
    session.call(DeleteItem, { DeleteType: 'MoveToDeletedItems', SendMeetingCancellations, ItemIds: [target] })
  try {
    await remove(mailsOf(at, true))
  } catch (error) {
    if (!hasCode(error, 'ErrorCalendarIsNotOrganizer')) throw error
    await remove('SendToNone')
  }
}
