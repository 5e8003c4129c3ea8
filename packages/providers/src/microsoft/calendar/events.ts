import type { Event, EventChange, EventDraft } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { list, object, text } from '@waypost/platform/json/reader'
import { fromEvent } from '../../calendar/exchange/event.ts'
import { changedFields, fromDraft, type WrittenFields } from '../../calendar/exchange/event-draft.ts'
import { needGuest, needOrganizer, noCalendar, noEvent } from '../../calendar/exchange/refusals.ts'
import { changedTimes } from '../../calendar/exchange/series-change.ts'
import type { EventAddress, Once, Operations, Tentative } from '../../operations.ts'
import { providerReason } from '../../shared/refusal.ts'
import { listAll } from '../graph-pages.ts'
import type { Session } from '../session.ts'
import {
  calendarPath,
  eventPath,
  type GraphCalendar,
  type GraphEvent,
  graphEvent,
  wholeFields,
  withOwnProperty,
} from './calendar-api.ts'
import { importEvents, listEvents } from './event-lists.ts'
import { graphTimes } from './graph-times.ts'
import { asMissing, calendarOf } from './known-calendars.ts'
import { deleteOccurrences } from './occurrences.ts'
import { refusing } from './refusals.ts'
import { changeSeries, finishSeries } from './series-changes.ts'

const whole = { $select: wholeFields, $expand: withOwnProperty }

/** An event in the named calendar, or in any; Graph then says in which. */
async function readEvent(session: Session, { calendar_id: calendarId, event_id: id }: EventAddress) {
  const query =
    calendarId === undefined ? { ...whole, $expand: `${withOwnProperty},calendar($select=id,canEdit)` } : whole
  const read = () => session.call('GET', eventPath(session, calendarId, id), { query, read: graphEvent })
  if (calendarId !== undefined) {
    const [event, calendar] = await Promise.all([refusing(read), calendarOf(session, calendarId)])
    return { event, calendar }
  }
  const event = await refusing(read)
  return { event, calendar: event.calendar ?? (await calendarOf(session, 'primary')) }
}

/** An event that is to be changed. An interrupted change of its series is finished first. */
async function readSettled(session: Session, at: EventAddress, { when, recurrence }: EventChange) {
  const found = await readEvent(session, at)
  const { event } = found
  if (!event.recurrence || (when === undefined && recurrence === undefined)) return found
  const address = { calendarId: at.calendar_id, id: at.event_id, isAllDay: event.isAllDay === true }
  const isFinished = await refusing(() => finishSeries(session, address))
  return isFinished ? readEvent(session, at) : found
}

const shown = (session: Session, calendar: GraphCalendar, event: GraphEvent, at: Tentative = {}): Event =>
  fromEvent(event, { grant: session.grant, calendar, tentativeAsBusy: at.tentative_as_busy })

/** The event that an earlier attempt created, of which Graph reports only that it exists. */
async function madeBefore(
  session: Session,
  calendarId: string,
  once: Once,
  { fields }: WrittenFields,
): Promise<GraphEvent> {
  const { start } = fields as { start: { dateTime: string } }
  const at = Date.parse(`${start.dateTime}Z`)
  // Filters use UTC, whatever the zone of the event.
  const near = (days: number): string => `'${new Date(at + days * 86_400_000).toISOString().slice(0, 19)}'`
  const events = await listAll(session, {
    path: `${calendarPath(session, calendarId)}/events`,
    query: {
      $filter: `start/dateTime ge ${near(-1)} and start/dateTime le ${near(1)}`,
      $select: 'id,transactionId',
      $top: 100,
    },
    read: graphEvent,
  })
  const made = events.find(({ transactionId }) => transactionId === once.name)
  if (!made) throw new ApiError('conflict', 'the event was made by an earlier request, and deleted since')
  return (await readEvent(session, { calendar_id: calendarId, event_id: made.id })).event
}

async function create(
  session: Session,
  { calendar_id: calendarId, once }: { calendar_id: string; once?: Once | undefined },
  draft: EventDraft,
): Promise<GraphEvent> {
  const written = fromDraft(draft, session.grant.email)
  const fields = graphTimes(written.fields)
  const body = once ? { ...fields, transactionId: once.name } : fields
  const path = `${calendarPath(session, calendarId)}/events`
  const made = await refusing(async () => {
    try {
      return await session.call('POST', path, { body, read: graphEvent })
    } catch (error) {
      if (once && providerReason(error) === 'ErrorDuplicateTransactionId') {
        return madeBefore(session, calendarId, once, written)
      }
      throw asMissing(error, noCalendar)
    }
  })
  const exdates = written.series?.exdates ?? []
  const { singleValueExtendedProperties: own } = written.fields as Pick<GraphEvent, 'singleValueExtendedProperties'>
  if (exdates.length === 0) return own ? { ...made, singleValueExtendedProperties: own } : made
  await refusing(() =>
    deleteOccurrences(session, { calendarId, id: made.id, isAllDay: made.isAllDay === true }, exdates),
  )
  return (await readEvent(session, { calendar_id: calendarId, event_id: made.id })).event
}

export const events: Operations<Session>['events'] = {
  list: listEvents,
  import: importEvents,
  async get(session, at) {
    const { event, calendar } = await readEvent(session, at)
    return shown(session, calendar, event, at)
  },
  async create(session, at, draft) {
    const calendar = await calendarOf(session, at.calendar_id)
    const isOnline = draft.conferencing?.autocreate !== undefined
    if (isOnline) await needMeetings(session, at.calendar_id)
    const event = await create(session, at, draft)
    if (isOnline && !event.isOnlineMeeting) {
      await session.execute('DELETE', eventPath(session, at.calendar_id, event.id))
      throw noMeetings()
    }
    return shown(session, calendar, event, at)
  },
  async update(session, at, change) {
    const { event: before, calendar } = await readSettled(session, at, change)
    if (before.isCancelled) throw noEvent()
    needOrganizer(before)
    const isOnline = change.conferencing?.autocreate !== undefined
    if (isOnline) await needMeetings(session, at.calendar_id ?? calendar.id)
    const times = changedTimes(change, before)
    const body = graphTimes({ ...changedFields(change, session.grant.email, before), ...times.fields })
    const address = { calendarId: at.calendar_id, id: at.event_id, isAllDay: before.isAllDay === true }
    if (Object.keys(body).length > 0) {
      const path = eventPath(session, at.calendar_id, at.event_id)
      const changed = await refusing(() =>
        times.reset
          ? changeSeries(session, { ...address, before }, { fields: body, exdates: times.exdates, reset: times.reset })
          : session.call('PATCH', path, { body, read: graphEvent }),
      )
      address.isAllDay = changed.isAllDay === true
      if (isOnline && !changed.isOnlineMeeting) throw noMeetings()
    }
    if (!times.reset) await refusing(() => deleteOccurrences(session, address, times.exdates))
    const { event } = await readEvent(session, at)
    return shown(session, calendar, event, at)
  },
  async delete(session, at) {
    const path = eventPath(session, at.calendar_id, at.event_id)
    await refusing(() => session.execute('DELETE', path))
  },
  async rsvp(session, at, answer) {
    const { event } = await readEvent(session, at)
    if (event.isCancelled) throw noEvent()
    needGuest(event)
    const path = `${eventPath(session, at.calendar_id, at.event_id)}/${actions[answer.status]}`
    // Exchange refuses to send an answer to an organizer who requested none.
    const sendResponse = !at.skip_email && event.responseRequested !== false
    const body = { sendResponse, ...(answer.comment && sendResponse ? { comment: answer.comment } : {}) }
    await refusing(() => session.execute('POST', path, { body }))
    return {}
  },
}

const actions = { yes: 'accept', no: 'decline', maybe: 'tentativelyAccept' } as const

const noMeetings = (): ApiError =>
  invalidField(
    'conferencing.autocreate',
    'Microsoft makes no Teams meetings for this account or calendar: send details instead',
  )

const meetingProviders = object({}, { allowedOnlineMeetingProviders: list(text) })

/**
 * Personal and unlicensed accounts get no online meeting: Graph creates the event without one and does not report it.
 */
async function needMeetings(session: Session, calendarId: string): Promise<void> {
  const options = { query: { $select: 'allowedOnlineMeetingProviders' }, read: meetingProviders }
  const path = calendarPath(session, calendarId)
  const { allowedOnlineMeetingProviders: allowed } = await session
    .call('GET', path, options)
    .catch((error: unknown) => {
      throw asMissing(error, noCalendar)
    })
  if (allowed && !allowed.includes('teamsForBusiness')) throw noMeetings()
}
