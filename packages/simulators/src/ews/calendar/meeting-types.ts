// The item types of meeting requests, responses and cancellations: messages with the fields of their meeting.
import type { MailField } from '../mail/field-forms.ts'
import { messageFields } from '../mail/message-fields.ts'
import { messageType } from '../mail/message-type.ts'
import { mailboxXml } from '../mail/people.ts'
import type { Field, ItemType, WriteContext } from '../model.ts'
import type { ItemElement } from '../xml/order.ts'
import { element, type Xml } from '../xml/write.ts'
import type { CalendarItem } from './content.ts'
import { zonedTime } from './field-forms.ts'
import { associatedItem, isOutOfDate, type MeetingMailContent, type MeetingMailItem } from './meeting-content.ts'
import { meetingFields as calendarMeetingFields, responses } from './meeting-fields.ts'
import { occurrenceId } from './occurrences.ts'
import { kindOf, seriesFields } from './series-fields.ts'
import { freeBusyName, timeFields } from './time-fields.ts'

type MeetingField = Field<MeetingMailContent>

/** The meeting as an item on the recipient's calendar, so that the same field definitions apply. */
function eventIn(item: MeetingMailItem): CalendarItem {
  const { event, about } = item.content.meeting
  return { ...(item as unknown as CalendarItem), ...(about === undefined ? {} : { id: about.id }), content: event }
}

function value(
  name: string,
  uri: string,
  get: (item: MeetingMailItem) => string | number | boolean | undefined,
  shape: MeetingField['shape'] = 'AllProperties',
): MeetingField {
  return {
    uri,
    name,
    shape,
    write(item) {
      const known = get(item)
      return known === undefined ? undefined : element(`t:${name}`, known)
    },
    value: get,
  }
}

/** The id of the event, or of the occurrence, that the message refers to. */
export function associatedId(item: MeetingMailItem): Xml | undefined {
  const about = associatedItem(item)
  if (about === undefined) return undefined
  const date = item.content.meeting.event.occurrence?.date
  const Id = date === undefined || about.content.recurrence === null ? about.id : occurrenceId(about, date)
  return element('t:AssociatedCalendarItemId', { Id, ChangeKey: about.changeKey })
}

const responseObjects: MeetingField = {
  uri: 'item:ResponseObjects',
  name: 'ResponseObjects',
  shape: 'Default',
  onlyGet: true,
  write({ content: { meeting } }) {
    const own = {
      request: ['AcceptItem', 'TentativelyAcceptItem', 'DeclineItem'],
      cancellation: ['RemoveItem'],
      response: [],
    }
    const names = [...own[meeting.kind], 'ReplyToItem', 'ReplyAllToItem', 'ForwardItem']
    return element(
      't:ResponseObjects',
      names.map((name) => element(`t:${name}`)),
    )
  },
}

/** The fields of all meeting messages. */
const aboutFields: readonly MeetingField[] = [
  ...(messageFields.filter(
    ({ uri }) => uri !== 'item:ResponseObjects',
  ) as readonly MailField[] as readonly MeetingField[]),
  responseObjects,
  { uri: 'meeting:AssociatedCalendarItemId', name: 'AssociatedCalendarItemId', shape: 'Default', write: associatedId },
  value('IsDelegated', 'meeting:IsDelegated', () => false, 'Default'),
  value('IsOutOfDate', 'meeting:IsOutOfDate', isOutOfDate, 'Default'),
  value('HasBeenProcessed', 'meeting:HasBeenProcessed', ({ content }) => content.meeting.isProcessed, 'Default'),
  value('ResponseType', 'meeting:ResponseType', ({ content }) => responses[content.meeting.response], 'Default'),
  { ...value('UID', 'calendar:UID', ({ content }) => content.meeting.event.uid), since: 'Exchange2007_SP1' },
  {
    ...eventTime('RecurrenceId', ({ content }) => content.meeting.event.occurrence?.originalStart),
    since: 'Exchange2007_SP1',
  },
  { ...eventTime('DateTimeStamp', ({ content }) => content.meeting.event.stamp), since: 'Exchange2007_SP1' },
  {
    ...value('IsOrganizer', 'calendar:IsOrganizer', ({ content }) => content.meeting.kind === 'response'),
    since: 'Exchange2013',
  },
]

function eventTime(name: string, get: (item: MeetingMailItem) => number | undefined): MeetingField {
  return {
    uri: `calendar:${name}`,
    name,
    shape: 'AllProperties',
    write(item, { call }) {
      const ms = get(item)
      return ms === undefined ? undefined : element(`t:${name}`, zonedTime(call, ms))
    },
    value: get,
  }
}

/** Fields of calendar items, applied to the meeting of a message. */
function shown(names: readonly string[]): MeetingField[] {
  const known = [...timeFields, ...seriesFields, ...calendarMeetingFields]
  return names.flatMap((name) => {
    const field = known.find((one) => one.name === name && one.uri === `calendar:${name}`)
    if (field === undefined) return []
    const { uri, shape, since, onlyGet, value: get } = field
    return [
      {
        uri,
        name,
        shape: shape === 'asked' ? 'asked' : 'AllProperties',
        ...(since !== undefined && { since }),
        ...(onlyGet !== undefined && { onlyGet }),
        write: (item: MeetingMailItem, context: WriteContext) => field.write(eventIn(item), context),
        ...(get !== undefined && { value: (item: MeetingMailItem) => get(eventIn(item)) }),
      } satisfies MeetingField,
    ]
  })
}

const requestFields: readonly MeetingField[] = [
  value('MeetingRequestType', 'meetingRequest:MeetingRequestType', (item) =>
    isOutOfDate(item) ? 'Outdated' : item.content.meeting.requestType,
  ),
  value('IntendedFreeBusyStatus', 'meetingRequest:IntendedFreeBusyStatus', ({ content }) =>
    freeBusyName(content.meeting.event.showAs),
  ),
  ...shown(
    `Start End OriginalStart IsAllDayEvent LegacyFreeBusyStatus Location IsMeeting IsCancelled IsRecurring
     MeetingRequestWasSent CalendarItemType RequiredAttendees OptionalAttendees Resources Duration TimeZone
     AppointmentSequenceNumber AppointmentState Recurrence MeetingTimeZone StartTimeZone EndTimeZone ConferenceType
     AllowNewTimeProposal IsOnlineMeeting MeetingWorkspaceUrl NetShowUrl StartWallClock EndWallClock StartTimeZoneId
     EndTimeZoneId`.split(/\s+/),
  ),
  value(
    'MyResponseType',
    'calendar:MyResponseType',
    (item) => responses[associatedItem(item)?.content.response.response ?? 'notResponded'],
  ),
  {
    uri: 'calendar:Organizer',
    name: 'Organizer',
    shape: 'AllProperties',
    write: ({ content }, { call, found }) =>
      element('t:Organizer', [mailboxXml(call, content.meeting.event.organizer, found)]),
    value: ({ content }) => content.meeting.event.organizer.name,
  },
]

/** Responses and cancellations have fewer fields, available since 2013. */
const lesserFields: readonly MeetingField[] = [
  ...shown(['Start', 'End', 'Location', 'Recurrence']),
  value('CalendarItemType', 'calendar:CalendarItemType', (item) => kindOf(eventIn(item))),
].map((field) => ({ ...field, since: 'Exchange2013' as const }))

const proposalFields: readonly MeetingField[] = (['ProposedStart', 'ProposedEnd'] as const).map((name) => ({
  ...eventTime(name, ({ content }) => content.meeting.proposed?.[name === 'ProposedStart' ? 'start' : 'end']),
  uri: `meeting:${name}`,
  since: 'Exchange2013',
}))

function meetingType(
  elementName: ItemElement,
  itemClass: string,
  more: readonly MeetingField[],
): ItemType<MeetingMailContent> {
  const { create: _, copyContent: __, ...rest } = messageType as unknown as ItemType<MeetingMailContent>
  return {
    ...rest,
    element: elementName,
    itemClass,
    fields: [...aboutFields, ...more],
    copyContent: (content) => ({ ...content }),
  }
}

export const meetingRequestType = meetingType('MeetingRequest', 'IPM.Schedule.Meeting.Request', requestFields)
export const meetingResponseType = meetingType('MeetingResponse', 'IPM.Schedule.Meeting.Resp', [
  ...lesserFields,
  ...proposalFields,
])
export const meetingCancellationType = meetingType('MeetingCancellation', 'IPM.Schedule.Meeting.Canceled', lesserFields)

/** The item classes of responses. */
export const responseClasses: Readonly<Record<string, string>> = {
  accepted: 'IPM.Schedule.Meeting.Resp.Pos',
  tentativelyAccepted: 'IPM.Schedule.Meeting.Resp.Tent',
  declined: 'IPM.Schedule.Meeting.Resp.Neg',
}
