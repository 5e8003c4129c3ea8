/** What is asked for of calendars and events, and how they are named. */
import { journalPropertyName, ownPropertyName, ownPropertySet } from '../../calendar/exchange/event-model.ts'
import { theirId } from '../ids.ts'
import type { Session } from '../session.ts'
import type { Server } from '../soap/known-servers.ts'
import type { AnyFolderId } from '../types/ids.ts'
import { distinguished, folder } from '../types/ids.ts'
import { type ExtendedFieldUri, type FieldUri, field, named, type Path, property } from '../types/paths.ts'
import { type ItemShape, idAnd } from '../types/shapes.ts'

/** Where an event keeps what Exchange has no field for, the same as by Graph. */
export const ownProperty: ExtendedFieldUri = named({ guid: ownPropertySet }, ownPropertyName, 'String')
/** Where a series keeps what is left to do of a change that was interrupted, the same as by Graph. */
export const journalProperty: ExtendedFieldUri = named({ guid: ownPropertySet }, journalPropertyName, 'String')
/** The name that an event was made under, so that it is made once (`Once`). */
export const onceProperty: ExtendedFieldUri = named({ guid: ownPropertySet }, `${ownPropertyName} once`, 'String')
/** PidLidBusyStatus, by its number: what `calendar:LegacyFreeBusyStatus` is made of. */
export const busyProperty: ExtendedFieldUri = named('Appointment', 0x8205, 'Integer')
/** PidLidRecurring: an event is a series. Exchange does not look for `calendar:IsRecurring`. */
export const recurringProperty: ExtendedFieldUri = named('Appointment', 0x8223, 'Boolean')
/** PidLidGlobalObjectId and PidLidCleanGlobalObjectId: what a UID is made of ([MS-OXOCAL] 2.2.1.27). */
export const globalIdProperties: readonly ExtendedFieldUri[] = [
  named('Meeting', 0x23, 'Binary'),
  named('Meeting', 0x3, 'Binary'),
]

const fields = (...names: FieldUri[]): Path[] => names.map(field)

const eventFields = [
  ...fields(
    'item:ParentFolderId',
    'item:Subject',
    'item:Sensitivity',
    'item:Body',
    'item:DateTimeCreated',
    'item:ReminderIsSet',
    'item:ReminderMinutesBeforeStart',
    'item:EffectiveRights',
    'item:HasAttachments',
    'item:LastModifiedTime',
    'calendar:UID',
    'calendar:Start',
    'calendar:End',
    'calendar:OriginalStart',
    'calendar:IsAllDayEvent',
    'calendar:LegacyFreeBusyStatus',
    'calendar:Location',
    'calendar:IsMeeting',
    'calendar:IsCancelled',
    'calendar:IsRecurring',
    'calendar:IsResponseRequested',
    'calendar:CalendarItemType',
    'calendar:MyResponseType',
    'calendar:Organizer',
    'calendar:RequiredAttendees',
    'calendar:OptionalAttendees',
    'calendar:Resources',
    'calendar:AppointmentState',
    'calendar:Recurrence',
    'calendar:ModifiedOccurrences',
    'calendar:DeletedOccurrences',
    'calendar:StartTimeZone',
    'calendar:EndTimeZone',
  ),
  property(ownProperty),
]
const newerFields = fields(
  'calendar:StartTimeZoneId',
  'calendar:EndTimeZoneId',
  'calendar:JoinOnlineMeetingUrl',
  'calendar:IsOrganizer',
)

/** All that is read of an event. */
export const eventShape = (server: Server): ItemShape => ({
  ...idAnd(...eventFields, ...(server.since('Exchange2013') ? newerFields : [])),
  BodyType: 'HTML',
})

/** What a list needs to know of events before it reads them. */
export const entryShape: ItemShape = idAnd(
  ...fields(
    'item:Subject',
    'item:LastModifiedTime',
    'calendar:UID',
    'calendar:Start',
    'calendar:End',
    'calendar:IsAllDayEvent',
    'calendar:LegacyFreeBusyStatus',
    'calendar:Location',
    'calendar:IsCancelled',
    'calendar:CalendarItemType',
  ),
)

/** What is left to do of a change of a series. */
export const journalShape: ItemShape = idAnd(property(journalProperty))

/** What tells the place of an occurrence in its series. */
export const occurrenceShape: ItemShape = idAnd(...fields('calendar:Start', 'calendar:OriginalStart'))

/** Whether an id is one of those that name the main calendar: the word, or the account's own address. */
export const isPrimary = ({ grant }: Session, id: string): boolean =>
  id === 'primary' || id.trim().toLowerCase() === grant.email.trim().toLowerCase()

/** The folder of a calendar; undefined where the id is none of ours. */
export function calendarFolder(session: Session, id: string): AnyFolderId | undefined {
  if (isPrimary(session, id)) return distinguished('calendar')
  const theirs = theirId(id)
  return theirs === undefined ? undefined : folder(theirs)
}
