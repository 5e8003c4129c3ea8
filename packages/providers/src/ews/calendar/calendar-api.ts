/** The requested fields of calendars and events, and their ids. */
import { isPrimary, journalPropertyName, ownPropertyName, ownPropertySet } from '../../calendar/exchange/event-model.ts'
import { theirId } from '../ids.ts'
import type { Session } from '../session.ts'
import type { Server } from '../soap/known-servers.ts'
import { type AnyFolderId, distinguished, folder } from '../types/ids.ts'
import { type ExtendedFieldUri, type FieldUri, field, named, type Path, property } from '../types/paths.ts'
import { type ItemShape, idAnd } from '../types/shapes.ts'

/** The property for fields that Exchange does not have; Graph uses the same one. */
export const ownProperty: ExtendedFieldUri = named({ guid: ownPropertySet }, ownPropertyName, 'String')
/** The property for the remaining steps of an interrupted change of a series; Graph uses the same one. */
export const journalProperty: ExtendedFieldUri = named({ guid: ownPropertySet }, journalPropertyName, 'String')
/** The name that an event was created under, so that it is created once (`Once`). */
export const onceProperty: ExtendedFieldUri = named({ guid: ownPropertySet }, `${ownPropertyName} once`, 'String')
/** PidLidRecurring: an event is a series. Exchange cannot search `calendar:IsRecurring`. */
export const recurringProperty: ExtendedFieldUri = named('Appointment', 0x8223, 'Boolean')
/** PidLidGlobalObjectId and PidLidCleanGlobalObjectId: the source of a UID ([MS-OXOCAL] 2.2.1.27). */
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
    'calendar:AppointmentSequenceNumber',
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

/** All fields that are read of an event. */
export const eventShape = (server: Server): ItemShape => ({
  ...idAnd(...eventFields, ...(server.since('Exchange2013') ? newerFields : [])),
  BodyType: 'HTML',
})

/** The fields that a list needs before it reads events. */
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

/** The remaining steps of a change of a series. */
export const journalShape: ItemShape = idAnd(property(journalProperty))

/** The folder of a calendar; undefined if the id is invalid. */
export function calendarFolder(session: Session, id: string): AnyFolderId | undefined {
  if (isPrimary(session, id)) return distinguished('calendar')
  const theirs = theirId(id)
  return theirs === undefined ? undefined : folder(theirs)
}

const header = Buffer.from('040000008200e00074c5b7101a82e008', 'hex')

/** A UID of Exchange is such an id in hexadecimal; any other UID is wrapped into one. */
export function globalIdOf(uid: string): Buffer {
  const bytes = /^(?:[\da-f]{2})+$/i.test(uid) ? Buffer.from(uid, 'hex') : undefined
  if (bytes?.subarray(0, header.length).equals(header)) {
    // The day of an occurrence, which a series does not have.
    return bytes.fill(0, 16, 20)
  }
  const data = Buffer.from(`vCal-Uid\x01\0\0\0${uid}\0`)
  const size = Buffer.alloc(4)
  size.writeUInt32LE(data.length)
  // No day, no time of creation, and eight reserved bytes.
  return Buffer.concat([header, Buffer.alloc(20), size, data])
}
