// The fields of a calendar item about its times.
import type { ShowAs } from '../../shared/calendar/busy.ts'
import { wallTime } from '../../shared/calendar/event-time.ts'
import type { ChangeContext } from '../model.ts'
import { EwsError } from '../soap/errors.ts'
import { isSince } from '../soap/versions.ts'
import type { XmlNode } from '../xml/read.ts'
import { element } from '../xml/write.ts'
import { type CalendarItem, changeContent, type EventDraft } from './content.ts'
import {
  type CalendarField,
  oneOf,
  plainField,
  sets,
  timeField,
  wholeNumber,
  xmlField,
  yesOrNo,
} from './field-forms.ts'
import { duration, readZone, zoneId, zoneTitle, zoneXml } from './zones-xml.ts'

export const freeBusy = {
  Free: 'free',
  Tentative: 'tentative',
  Busy: 'busy',
  OOF: 'oof',
  WorkingElsewhere: 'workingElsewhere',
  NoData: 'unknown',
} as const satisfies Record<string, ShowAs>
export type FreeBusyName = keyof typeof freeBusy
const freeBusyNames = Object.keys(freeBusy) as FreeBusyName[]

/** The EWS name of a free/busy status; `Busy` if it has none. */
export function freeBusyName(showAs: ShowAs): FreeBusyName {
  return freeBusyNames.find((name) => freeBusy[name] === showAs) ?? 'Busy'
}

/** Collects written values until the request is complete. */
function drafts(read: (written: XmlNode, change: ChangeContext) => EventDraft): Pick<CalendarField, 'set'> {
  return {
    set(item, written, change) {
      changeContent(item, { draft: { ...item.content.draft, ...read(written, change) } })
    },
  }
}

/** Item zones exist since 2010; before that, meetings had a zone in another form. */
const readNewZone = (written: XmlNode) => readZone(written)

function readOldZone(written: XmlNode, { call }: ChangeContext): EventDraft {
  if (isSince(call.schema, 'Exchange2010')) {
    throw new EwsError('ErrorInvalidPropertySet', 'MeetingTimeZone is for Exchange 2007; set StartTimeZone.')
  }
  return { startZone: readZone(written) }
}

const minutes = ({ content: { start, end } }: CalendarItem) => Math.round((end.ms - start.ms) / 60_000)

/** `P1DT2H` */
function lengthOf(item: CalendarItem): string {
  const all = minutes(item)
  const days = Math.floor(all / 1440)
  const rest = all % 1440
  if (days === 0) return duration(rest)
  return rest === 0 ? `P${days}D` : `P${days}D${duration(rest).slice(1)}`
}

const yearOf = ({ content: { start } }: CalendarItem): number => wallTime(start.ms, start.zone).year

export const timeFields: readonly CalendarField[] = [
  timeField(
    { name: 'Start', shape: 'Default' },
    ({ content }) => content.start.ms,
    drafts(({ text }) => ({ start: text.trim() })),
  ),
  timeField(
    { name: 'End', shape: 'Default' },
    ({ content }) => content.end.ms,
    drafts(({ text }) => ({ end: text.trim() })),
  ),
  timeField({ name: 'OriginalStart', shape: 'AllProperties' }, ({ content }) => content.occurrence?.originalStart),
  plainField({ name: 'IsAllDayEvent', shape: 'AllProperties' }, ({ content }) => content.isAllDay, {
    ...drafts((written) => ({ isAllDay: yesOrNo(written) })),
  }),
  plainField({ name: 'LegacyFreeBusyStatus', shape: 'Default' }, ({ content }) => freeBusyName(content.showAs), {
    ...sets('showAs', (written) => freeBusy[oneOf(freeBusyNames)(written)], 'busy'),
  }),
  plainField({ name: 'Duration', shape: 'AllProperties' }, lengthOf),
  plainField({ name: 'TimeZone', shape: 'AllProperties' }, (item) => zoneTitle(item.content.start.zone, yearOf(item))),
  xmlField(
    { name: 'MeetingTimeZone', shape: 'asked' },
    (item, { call }) =>
      isSince(call.schema, 'Exchange2010')
        ? undefined
        : element('t:MeetingTimeZone', { TimeZoneName: zoneId(item.content.start.zone) }),
    drafts(readOldZone),
  ),
  xmlField(
    { name: 'StartTimeZone', shape: 'AllProperties', since: 'Exchange2010', onlyGet: true },
    (item) => zoneXml('t:StartTimeZone', item.content.start.zone, { year: yearOf(item), full: true }),
    drafts((written) => ({ startZone: readNewZone(written) })),
  ),
  xmlField(
    { name: 'EndTimeZone', shape: 'AllProperties', since: 'Exchange2010', onlyGet: true },
    (item) => zoneXml('t:EndTimeZone', item.content.end.zone, { year: yearOf(item), full: true }),
    drafts((written) => ({ endZone: readNewZone(written) })),
  ),
  plainField(
    { name: 'StartTimeZoneId', shape: 'AllProperties', since: 'Exchange2013' },
    ({ content }) => zoneId(content.start.zone),
    {
      ...drafts(({ name, attributes, text, ...rest }) => ({
        startZone: readZone({ ...rest, name, text, attributes: { ...attributes, Id: text.trim() } }),
      })),
    },
  ),
  plainField(
    { name: 'EndTimeZoneId', shape: 'AllProperties', since: 'Exchange2013' },
    ({ content }) => zoneId(content.end.zone),
    {
      ...drafts(({ name, attributes, text, ...rest }) => ({
        endZone: readZone({ ...rest, name, text, attributes: { ...attributes, Id: text.trim() } }),
      })),
    },
  ),
  ...(['Start', 'End'] as const).map((edge) =>
    xmlField({ name: `${edge}WallClock`, shape: 'AllProperties', since: 'Exchange2013' }, ({ content }) => {
      const { ms, zone } = edge === 'Start' ? content.start : content.end
      const time = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone.iana)
      return element(`t:${edge}WallClock`, time.toString({ timeZoneName: 'never', smallestUnit: 'second' }))
    }),
  ),
  plainField(
    { name: 'ReminderIsSet', uri: 'item:ReminderIsSet', shape: 'AllProperties' },
    ({ content }) => content.isReminderOn,
    {
      ...sets('isReminderOn', yesOrNo, false),
    },
  ),
  plainField(
    { name: 'ReminderMinutesBeforeStart', uri: 'item:ReminderMinutesBeforeStart', shape: 'AllProperties' },
    ({ content }) => content.reminderMinutes,
    sets('reminderMinutes', wholeNumber, 15),
  ),
  timeField(
    { name: 'ReminderDueBy', uri: 'item:ReminderDueBy', shape: 'AllProperties' },
    ({ content }) => content.start.ms,
  ),
  timeField(
    { name: 'ReminderNextTime', uri: 'item:ReminderNextTime', shape: 'asked', since: 'Exchange2013' },
    ({ content }) => (content.isReminderOn ? content.start.ms - content.reminderMinutes * 60_000 : undefined),
  ),
]
