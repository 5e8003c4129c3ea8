// The fields of a calendar item about attendees, and its other texts.
import { type Attendee, type ResponseType, sameAddress } from '../../shared/calendar/people.ts'
import { mailboxXml, readPeople } from '../mail/people.ts'
import type { ChangeContext, EwsCall } from '../model.ts'
import { EwsError } from '../soap/errors.ts'
import { childOf, childrenOf, type XmlNode } from '../xml/read.ts'
import { element, type Xml } from '../xml/write.ts'
import { type CalendarItem, changeContent } from './content.ts'
import {
  type CalendarField,
  plainField,
  sets,
  timeField,
  wholeNumber,
  xmlField,
  yesOrNo,
  zonedTime,
} from './field-forms.ts'
import { freeBusyName } from './time-fields.ts'

export const responses: Readonly<Record<ResponseType, string>> = {
  none: 'Unknown',
  organizer: 'Organizer',
  tentativelyAccepted: 'Tentative',
  accepted: 'Accept',
  declined: 'Decline',
  notResponded: 'NoResponseReceived',
}

type AttendeeKind = Attendee['type']
const lists = { RequiredAttendees: 'required', OptionalAttendees: 'optional', Resources: 'resource' } as const

export function attendeeXml(call: EwsCall, { name, address, status, proposedNewTime }: Attendee): Xml {
  return element('t:Attendee', [
    mailboxXml(call, { name, address }),
    element('t:ResponseType', responses[status.response]),
    status.time === undefined ? undefined : element('t:LastResponseTime', zonedTime(call, status.time)),
    proposedNewTime && element('t:ProposedStart', zonedTime(call, proposedNewTime.start.ms)),
    proposedNewTime && element('t:ProposedEnd', zonedTime(call, proposedNewTime.end.ms)),
  ])
}

/** One list of attendees, such as `RequiredAttendees`. */
export function attendeesXml(call: EwsCall, name: keyof typeof lists, all: readonly Attendee[]): Xml | undefined {
  const listed = all.filter(({ type }) => type === lists[name])
  return listed.length === 0
    ? undefined
    : element(
        `t:${name}`,
        listed.map((one) => attendeeXml(call, one)),
      )
}

function readAttendees(written: XmlNode, type: AttendeeKind, call: EwsCall): Attendee[] {
  return childrenOf(written, 'Attendee').flatMap((node) => {
    if (childOf(node, 'Mailbox') === undefined) return []
    return readPeople(call, node).map(({ name, address }) => {
      if (!address.includes('@')) throw new EwsError('ErrorInvalidRecipients', 'At least one recipient is not valid.')
      return { name, address, type, status: { response: 'none' as const } }
    })
  })
}

/** Only the organizer may change the attendees. Their recorded responses are preserved. */
function setAttendees(item: CalendarItem, type: AttendeeKind, written: readonly Attendee[]): void {
  const { attendees, isOrganizer, organizer } = item.content
  if (!isOrganizer) throw new EwsError('ErrorInvalidPropertySet', 'Set action is invalid for property.')
  const known = (address: string) => attendees.find((one) => sameAddress(one.address, address))
  const listed = written
    .filter(({ address }, index) => written.findIndex((one) => sameAddress(one.address, address)) === index)
    .map((one) => {
      if (sameAddress(one.address, organizer.address)) return { ...one, status: { response: 'organizer' as const } }
      return { ...one, status: known(one.address)?.status ?? one.status }
    })
  changeContent(item, { attendees: [...attendees.filter((one) => one.type !== type), ...listed] })
}

const attendeeFields = (Object.keys(lists) as (keyof typeof lists)[]).map((name) =>
  xmlField(
    { name, shape: 'AllProperties', onlyGet: true },
    ({ content }, { call }) => attendeesXml(call, name, content.attendees),
    {
      set: (item, written, { call }: ChangeContext) =>
        setAttendees(item, lists[name], readAttendees(written, lists[name], call)),
      remove: (item) => setAttendees(item, lists[name], []),
    },
  ),
)

const names = (item: CalendarItem, ...types: AttendeeKind[]): string | undefined =>
  item.content.attendees
    .filter(({ type }) => types.includes(type))
    .map(({ name, address }) => name || address)
    .join('; ') || undefined

export const isMeeting = ({ content }: CalendarItem): boolean => content.attendees.length > 0 || !content.isOrganizer

/** PidLidAppointmentStateFlags: meeting, received, cancelled. */
export const appointmentState = (item: CalendarItem): number =>
  (isMeeting(item) ? 1 : 0) | (item.content.isOrganizer ? 0 : 2) | (item.content.isCancelled ? 4 : 0)

/** The actions available to the owner, by their `CreateItem` names. */
function responseObjects(item: CalendarItem): Xml | undefined {
  const { isOrganizer, isCancelled } = item.content
  const forwards = ['ForwardItem']
  const answers = isCancelled ? ['RemoveItem'] : ['AcceptItem', 'TentativelyAcceptItem', 'DeclineItem']
  const objects = isOrganizer
    ? [...(isMeeting(item) ? ['CancelCalendarItem'] : []), ...forwards]
    : [...answers, 'ReplyToItem', 'ReplyAllToItem', ...forwards]
  return element(
    't:ResponseObjects',
    objects.map((name) => element(`t:${name}`)),
  )
}

export const meetingFields: readonly CalendarField[] = [
  // Exchange cannot search by this field; clients use the global object id.
  xmlField(
    { name: 'UID', shape: 'AllProperties', since: 'Exchange2007_SP1' },
    ({ content }) => element('t:UID', content.uid),
    {
      set(item, { text }) {
        if (item.number !== 0) throw new EwsError('ErrorInvalidPropertySet', 'Set action is invalid for property.')
        changeContent(item, { uid: text.trim() })
      },
    },
  ),
  timeField(
    { name: 'DateTimeStamp', shape: 'AllProperties', since: 'Exchange2007_SP1' },
    ({ content }) => content.stamp,
  ),
  plainField(
    { name: 'Location', shape: 'Default' },
    ({ content }) => content.location,
    sets('location', ({ text }) => text, ''),
  ),
  plainField(
    { name: 'IntendedFreeBusyStatus', shape: 'AllProperties', since: 'Exchange2013' },
    ({ content }) => content.intended && freeBusyName(content.intended),
  ),
  plainField({ name: 'IsMeeting', shape: 'AllProperties' }, isMeeting),
  plainField({ name: 'IsCancelled', shape: 'AllProperties' }, ({ content }) => content.isCancelled),
  plainField({ name: 'MeetingRequestWasSent', shape: 'AllProperties' }, ({ content }) => content.wasSent),
  plainField({ name: 'IsResponseRequested', shape: 'AllProperties' }, ({ content }) => content.isResponseRequested, {
    ...sets('isResponseRequested', yesOrNo, true),
  }),
  plainField({ name: 'MyResponseType', shape: 'AllProperties' }, ({ content }) => responses[content.response.response]),
  timeField({ name: 'AppointmentReplyTime', shape: 'AllProperties' }, ({ content }) => content.response.time),
  plainField({ name: 'AppointmentSequenceNumber', shape: 'AllProperties' }, ({ content }) => content.sequence),
  plainField({ name: 'AppointmentState', shape: 'AllProperties' }, appointmentState),
  xmlField(
    { name: 'Organizer', shape: 'Default' },
    ({ content }, { call, found }) => element('t:Organizer', [mailboxXml(call, content.organizer, found)]),
    { value: ({ content }) => content.organizer.name },
  ),
  ...attendeeFields,
  plainField({ name: 'ConferenceType', shape: 'AllProperties' }, ({ content }) => content.conferenceType, {
    ...sets('conferenceType', wholeNumber, undefined),
  }),
  plainField({ name: 'AllowNewTimeProposal', shape: 'AllProperties' }, ({ content }) => content.allowNewTimeProposal, {
    ...sets('allowNewTimeProposal', yesOrNo, true),
  }),
  plainField({ name: 'IsOnlineMeeting', shape: 'AllProperties' }, ({ content }) => content.isOnlineMeeting, {
    ...sets('isOnlineMeeting', yesOrNo, false),
  }),
  plainField({ name: 'MeetingWorkspaceUrl', shape: 'AllProperties' }, ({ content }) => content.meetingWorkspaceUrl, {
    ...sets('meetingWorkspaceUrl', ({ text }) => text, ''),
  }),
  plainField({ name: 'NetShowUrl', shape: 'AllProperties' }, ({ content }) => content.netShowUrl, {
    ...sets('netShowUrl', ({ text }) => text, ''),
  }),
  plainField(
    { name: 'IsOrganizer', shape: 'AllProperties', since: 'Exchange2013' },
    ({ content }) => content.isOrganizer,
  ),
  plainField({ name: 'DisplayTo', uri: 'item:DisplayTo', shape: 'AllProperties' }, (item) => names(item, 'required')),
  plainField({ name: 'DisplayCc', uri: 'item:DisplayCc', shape: 'AllProperties' }, (item) => names(item, 'optional')),
  xmlField(
    { name: 'ResponseObjects', uri: 'item:ResponseObjects', shape: 'AllProperties', onlyGet: true },
    responseObjects,
  ),
]
