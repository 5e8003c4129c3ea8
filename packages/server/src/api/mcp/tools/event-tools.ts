/** Tools about calendars and events. */
import { Calendar, type Event, EventListQuery, events, Rsvp } from '@waypost/contract'
import { z } from 'zod'
import { untrusted } from '../content/result-text.ts'
import { defineTool } from './define-tool.ts'
import { EventRow, eventFields, eventRow, whenInput, whenOf, whenProblem, wholeEventRow } from './event-rows.ts'
import {
  acts,
  adds,
  compact,
  identifierOf,
  itemOf,
  itemsOf,
  nextCursor,
  optionalSeconds,
  pageOf,
  pageQuery,
  paging,
  reads,
  sets,
  Time,
  timezone,
} from './parts.ts'
import { addressProblem, windowProblem } from './search-arguments.ts'

const waitsToInvite = 'With other guests it waits for the approval of a person unless the credential says otherwise.'
const calendarId = EventListQuery.shape.calendar_id
  .default('primary')
  .meta({ description: 'Id of the calendar; default: `primary`' })
const { calendar_id: ofEvent } = events.get.query.shape
const { notify_participants } = events.create.query.shape

const { id, timezone: zoneOfCalendar, is_primary, read_only, is_owned_by_user, name, description } = Calendar.shape

export const listCalendars = defineTool({
  name: 'list_calendars',
  title: 'List calendars',
  description: 'Lists the calendars that the account can read, with their time zones.',
  operations: ['calendar.read'],
  annotations: reads,
  grant: true,
  input: paging,
  output: {
    calendars: z.array(
      z.object({
        id,
        timezone: zoneOfCalendar,
        is_primary,
        read_only,
        is_owned_by_user,
        untrusted: untrusted({ name, description }),
      }),
    ),
    ...nextCursor,
  },
  run: async ({ call, grantId }, args) => {
    const page = await call('calendars.list', { params: { grant_id: grantId }, query: pageQuery(args) })
    return pageOf<Calendar>(page, { name: 'calendars', one: 'calendar' }, (calendar) => {
      const { id, timezone, is_primary, read_only, is_owned_by_user, name, description } = calendar
      return {
        facts: { id, timezone, is_primary, read_only, is_owned_by_user },
        untrusted: { name, description: description?.slice(0, 300) ?? null },
      }
    })
  },
})

export const findEvents = defineTool({
  name: 'find_events',
  title: 'Find events',
  description:
    'Finds events of a calendar in a window, by start; series as their single events. Default window: one month from now.',
  operations: ['calendar.read'],
  annotations: reads,
  grant: true,
  input: {
    calendar_id: calendarId,
    start: Time.optional().meta({ description: 'Only events that end after this time; default now' }),
    end: Time.optional().meta({ description: 'Only events that begin before this time; default one month later' }),
    title: EventListQuery.shape.title,
    attendees: EventListQuery.shape.attendees,
    ...paging,
    ...timezone,
  },
  refine: ({ start, end, attendees }) =>
    addressProblem('attendees', attendees, 'find_contacts lists addresses; to search a title, pass title') ??
    windowProblem(['start', start], ['end', end]),
  output: { events: z.array(EventRow), ...nextCursor },
  run: async ({ call, grantId }, { limit, cursor, timezone: zone, start, end, ...filters }) => {
    const page = await call('events.list', {
      params: { grant_id: grantId },
      query: {
        ...filters,
        start: optionalSeconds(start),
        end: optionalSeconds(end),
        expand_recurring: true,
        ...pageQuery({ limit, cursor }),
      },
    })
    const found = pageOf<Event>(page, { name: 'events', one: 'event' }, (event) => eventRow(event, zone))
    const where = start === undefined || end === undefined ? ' in the default window of one month' : ' in this window'
    return itemsOf(page).length > 0 ? found : { ...found, summary: `No events${where} of this calendar.` }
  },
})

export const readEvent = defineTool({
  name: 'read_event',
  title: 'Read an event',
  description: 'Reads one event with its description and guests.',
  operations: ['calendar.read'],
  annotations: reads,
  grant: true,
  input: { event_id: identifierOf('event'), calendar_id: ofEvent, ...timezone },
  output: { event: EventRow },
  run: async ({ call, grantId }, { event_id, calendar_id, timezone: zone }) => {
    const answer = await call('events.get', { params: { grant_id: grantId, event_id }, query: { calendar_id } })
    return { summary: 'One event.', row: { name: 'event', row: wholeEventRow(itemOf(answer), zone) } }
  },
})

const roomsOf = (rooms: readonly string[] | undefined): { resources?: { email: string }[] } =>
  rooms ? { resources: rooms.map((email) => ({ email })) } : {}

export const createEvent = defineTool({
  name: 'create_event',
  title: 'Create an event',
  description: `Creates an event or, with recurrence, a series. ${waitsToInvite}`,
  operations: ['calendar.write'],
  annotations: adds,
  approval: ['invite'],
  grant: true,
  input: { calendar_id: calendarId, ...whenInput, ...eventFields, notify_participants },
  refine: whenProblem,
  output: { event: EventRow },
  run: async ({ call, grantId }, args) => {
    const { calendar_id, notify_participants, start, end, timezone: zone, rooms, ...fields } = args
    const answer = await call('events.create', {
      params: { grant_id: grantId },
      query: { calendar_id, notify_participants },
      body: compact({ ...fields, ...roomsOf(rooms), when: whenOf({ start, end, timezone: zone }) }),
    })
    return { summary: 'The event is created.', row: { name: 'event', row: wholeEventRow(itemOf(answer), zone) } }
  },
})

export const updateEvent = defineTool({
  name: 'update_event',
  title: 'Change an event',
  description: `Changes an event, a whole series, or one of its events by its own id. Absent fields stay unchanged. ${waitsToInvite}`,
  operations: ['calendar.write'],
  annotations: sets,
  approval: ['invite'],
  grant: true,
  input: {
    event_id: identifierOf('event'),
    calendar_id: ofEvent,
    start: whenInput.start.optional(),
    end: whenInput.end,
    timezone: whenInput.timezone,
    ...eventFields,
    notify_participants,
  },
  refine: whenProblem,
  output: { event: EventRow },
  run: async ({ call, grantId }, args) => {
    const { event_id, calendar_id, notify_participants, start, end, timezone: zone, rooms, ...fields } = args
    const answer = await call('events.update', {
      params: { grant_id: grantId, event_id },
      query: { calendar_id, notify_participants },
      body: compact({ ...fields, ...roomsOf(rooms), when: whenOf({ start, end, timezone: zone }) }),
    })
    return { summary: 'The event is changed.', row: { name: 'event', row: wholeEventRow(itemOf(answer), zone) } }
  },
})

export const deleteEvent = defineTool({
  name: 'delete_event',
  title: 'Delete an event',
  description:
    'Deletes an event, a whole series, or one of its events by its own id. It waits for the approval of a person unless the credential says otherwise.',
  operations: ['calendar.write'],
  annotations: { ...acts, idempotentHint: true },
  approval: ['delete', 'invite'],
  grant: true,
  input: { event_id: identifierOf('event'), calendar_id: ofEvent, notify_participants },
  output: { deleted: z.boolean().meta({ description: 'Always true' }) },
  run: async ({ call, grantId }, { event_id, ...query }) => {
    await call('events.delete', { params: { grant_id: grantId, event_id }, query })
    return { summary: 'The event is deleted.', facts: { deleted: true } }
  },
})

export const respondToEvent = defineTool({
  name: 'respond_to_event',
  title: 'Answer an invitation',
  description:
    'Accepts or declines an invitation, and tells the organizer. It waits for the approval of a person unless the credential says otherwise.',
  operations: ['calendar.write'],
  annotations: sets,
  approval: ['send', 'invite'],
  grant: true,
  input: {
    event_id: identifierOf('event'),
    calendar_id: ofEvent,
    status: Rsvp.shape.status,
    comment: Rsvp.shape.comment,
  },
  output: { responded: Rsvp.shape.status },
  run: async ({ call, grantId }, { event_id, calendar_id, ...body }) => {
    const params = { grant_id: grantId, event_id }
    await call('events.rsvp', { params, query: { calendar_id }, body: compact(body) })
    return { summary: 'The response is stored.', facts: { responded: body.status } }
  },
})
