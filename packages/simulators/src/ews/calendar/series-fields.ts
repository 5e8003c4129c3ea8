// The fields of a calendar item that are about series.
import { exceptionItems, masterSlots, occurrenceOn } from '../../shared/calendar/series.ts'
import type { EwsCall } from '../model.ts'
import { EwsError } from '../soap/errors.ts'
import { element, type Xml } from '../xml/write.ts'
import { type CalendarItem, changeContent, type EventItem, eventOf } from './content.ts'
import { type CalendarField, plainField, timeField, xmlField, zonedTime } from './field-forms.ts'
import { deletedStarts } from './mime.ts'
import { itemsInView, occurrenceId } from './occurrences.ts'
import { recurrenceXml } from './recurrence-xml.ts'

export type CalendarItemKind = 'Single' | 'RecurringMaster' | 'Occurrence' | 'Exception'

export function kindOf({ content: { recurrence, occurrence } }: CalendarItem): CalendarItemKind {
  if (occurrence !== undefined) return occurrence.kind === 'exception' ? 'Exception' : 'Occurrence'
  return recurrence === null ? 'Single' : 'RecurringMaster'
}

function occurrenceXml(tag: string, master: CalendarItem, event: EventItem, call: EwsCall): Xml {
  return element(tag, [
    element('t:ItemId', { Id: occurrenceId(master, event.date ?? ''), ChangeKey: master.changeKey }),
    element('t:Start', zonedTime(call, event.start.ms)),
    element('t:End', zonedTime(call, event.end.ms)),
    element('t:OriginalStart', zonedTime(call, event.originalStart ?? event.start.ms)),
  ])
}

function firstOccurrence(item: CalendarItem): EventItem | undefined {
  const event = eventOf(item)
  for (const { date } of masterSlots(event)) {
    const found = occurrenceOn(event, date)
    if (found !== undefined) return found
  }
  return undefined
}

/** Undefined if the series has no end. */
function lastOccurrence(item: CalendarItem): EventItem | undefined {
  const event = eventOf(item)
  if (event.recurrence === null || event.recurrence.range.type === 'noEnd') return undefined
  const dates = [...masterSlots(event)].map(({ date }) => date).reverse()
  const last = dates.find((date) => !event.cancelled.includes(date))
  return last === undefined ? undefined : occurrenceOn(event, last)
}

function deletedXml(item: CalendarItem, call: EwsCall): Xml | undefined {
  const starts = item.content.recurrence === null ? [] : deletedStarts(item)
  if (starts.length === 0) return undefined
  return element(
    't:DeletedOccurrences',
    starts.map((start) => element('t:DeletedOccurrence', [element('t:Start', zonedTime(call, start))])),
  )
}

/** The number of other events at the same time, or directly before or after. */
function meetingCount(item: CalendarItem, isMeant: (other: CalendarItem) => boolean): number {
  const { start, end, uid } = item.content
  const around = { from: start.ms - 1, to: end.ms + 1 }
  return itemsInView(item.folder, around).filter((other) => other.content.uid !== uid && isMeant(other)).length
}

const isAtOnce = ({ content: { start, end } }: CalendarItem, { content: other }: CalendarItem): boolean =>
  other.start.ms < end.ms && other.end.ms > start.ms

export const seriesFields: readonly CalendarField[] = [
  plainField(
    { name: 'IsRecurring', shape: 'Default' },
    ({ content }) => content.recurrence !== null || content.occurrence !== undefined,
  ),
  plainField({ name: 'CalendarItemType', shape: 'Default' }, kindOf),
  timeField(
    { name: 'RecurrenceId', shape: 'AllProperties', since: 'Exchange2007_SP1' },
    ({ content }) => content.occurrence?.originalStart,
  ),
  xmlField(
    { name: 'Recurrence', shape: 'AllProperties', onlyGet: true },
    ({ content }) => (content.recurrence === null ? undefined : recurrenceXml(content.recurrence)),
    {
      set: (item, written) => changeContent(item, { draft: { ...item.content.draft, recurrence: written } }),
      remove(item) {
        if (item.content.occurrence !== undefined) {
          throw new EwsError('ErrorInvalidPropertyDelete', 'Delete action is not supported for this property.')
        }
        changeContent(item, { draft: { ...item.content.draft, recurrence: null } })
      },
    },
  ),
  xmlField({ name: 'FirstOccurrence', shape: 'AllProperties', onlyGet: true }, (item, { call }) => {
    const first = item.content.recurrence === null ? undefined : firstOccurrence(item)
    return first === undefined ? undefined : occurrenceXml('t:FirstOccurrence', item, first, call)
  }),
  xmlField({ name: 'LastOccurrence', shape: 'AllProperties', onlyGet: true }, (item, { call }) => {
    const last = lastOccurrence(item)
    return last === undefined ? undefined : occurrenceXml('t:LastOccurrence', item, last, call)
  }),
  xmlField({ name: 'ModifiedOccurrences', shape: 'AllProperties', onlyGet: true }, (item, { call }) => {
    const changed = item.content.recurrence === null ? [] : exceptionItems(eventOf(item))
    if (changed.length === 0) return undefined
    return element(
      't:ModifiedOccurrences',
      changed.map((event) => occurrenceXml('t:Occurrence', item, event, call)),
    )
  }),
  plainField({ name: 'ConflictingMeetingCount', shape: 'asked', onlyGet: true }, (item) =>
    meetingCount(item, (other) => isAtOnce(item, other)),
  ),
  plainField({ name: 'AdjacentMeetingCount', shape: 'asked', onlyGet: true }, (item) =>
    meetingCount(item, (other) => !isAtOnce(item, other)),
  ),
  xmlField({ name: 'DeletedOccurrences', shape: 'AllProperties', onlyGet: true }, (item, { call }) =>
    deletedXml(item, call),
  ),
]
