import { z } from 'zod'
import { Event } from '../event-objects.ts'
import { Conferencing, WhenInput } from '../event-parts.ts'
import {
  booleanParam,
  cursorPaging,
  Id,
  identifier,
  identifierParam,
  inSeconds,
  lastSecond,
  line,
  momentParam,
  notifyParam,
} from '../fields.ts'
import { limits } from '../limits.ts'
import { route } from '../route.ts'
import { BookingReminder } from './configuration-parts.ts'

const EmailText = line(320).refine((text) => text.trim() !== '', { error: 'must not be empty' })
const Moment = z.int().min(0).max(lastSecond, { error: inSeconds })
const Capacity = z.int().min(1).max(500).nullish().meta({
  description:
    'Seats of the event, 1 to 500; default: `default_capacity` of the configuration, or 10. `ews` accepts only the default',
})

const GroupEventHost = z
  .object({
    email: EmailText.meta({ description: 'Address of the person' }),
    name: line(320).nullish().meta({ description: 'Name of the person' }),
    is_organizer: z.boolean().nullish().meta({ description: 'Whether the person is the organizer of the event' }),
    timezone: line(64).nullish().meta({ description: 'Accepted without effect; public components send it' }),
  })
  .meta({ id: 'GroupEventHost', description: 'A person who takes part in a group event without a seat' })

const eventFields = {
  calendar_id: identifier().nullish().meta({
    description: 'Calendar of the event; default: `group_booking.calendar_id` of the configuration',
  }),
  capacity: Capacity,
  participants: z.array(GroupEventHost).max(50).nullish().meta({
    description: 'Hosts of the event. They are invited and take no seat; default: only the organizer',
  }),
  description: z.string().max(65_535).nullish().meta({ description: 'Description; can be HTML' }),
  location: z.string().max(255).nullish().meta({ description: 'Location as free text' }),
  busy: z.boolean().nullish().meta({ description: 'Whether it counts as busy; default `true`' }),
  recurrence: z.array(z.string().min(1).max(100_000)).max(500).nullish().meta({
    description: 'Makes it a series: RRULE and EXDATE lines (RFC 5545). `icloud` has no series of group events',
  }),
  conferencing: Conferencing.nullish().meta({
    description: 'Conference; default for a new event: that of the configuration. In a change, `{}` removes it',
  }),
  reminders: z.array(BookingReminder).max(10).nullish().meta({
    description: 'Reminders for the guests of this event; default: those of the configuration',
  }),
}

export const GroupEventDraft = z
  .object({
    title: z.string().min(1).max(1024).meta({ description: 'Title' }),
    when: WhenInput.meta({ description: 'Time of the event: `start_time` and `end_time`' }),
    ...eventFields,
  })
  .meta({ id: 'GroupEventDraft', description: 'A new group event' })
export type GroupEventDraft = z.output<typeof GroupEventDraft>

export const GroupEventChange = GroupEventDraft.extend({
  title: GroupEventDraft.shape.title.nullish().meta({ description: 'Title' }),
  when: WhenInput.nullish().meta({ description: 'Time of the event: `start_time` and `end_time`' }),
}).meta({ id: 'GroupEventChange', description: 'Changes of a group event. Absent fields stay unchanged.' })
export type GroupEventChange = z.output<typeof GroupEventChange>

export const GroupEventInfo = z
  .object({
    event_id: z.string().meta({ description: 'Id of the event' }),
    calendar_id: z.string().meta({ description: 'Id of its calendar' }),
    master_id: z.string().nullable().meta({ description: 'On an occurrence: id of its series, otherwise null' }),
    config_id: Id.meta({ description: 'Id of the configuration' }),
    capacity: z.int().meta({ description: 'Seats of the event' }),
    type: z.enum(['single_event', 'master_event', 'updated_event']).meta({
      description: '`updated_event` is an occurrence with its own capacity',
    }),
    booked: z.boolean().meta({ description: 'Whether somebody has booked a seat' }),
    booked_seats: z.int().meta({ description: 'Seats that are taken: by bookings, and by other guests of the event' }),
    finished: z.boolean().meta({ description: 'Whether the event is over' }),
    participants: z
      .array(
        z.object({
          email: z.string().meta({ description: 'Address of the host' }),
          name: z.string().meta({ description: 'Name of the host; empty if unknown' }),
          is_organizer: z.boolean().meta({ description: 'Whether it is the organizer' }),
        }),
      )
      .meta({ description: 'Hosts, who take no seat' }),
    rrule: z.array(z.string()).meta({ description: 'Rule of the series; empty for a single event' }),
    exceptions: z
      .array(
        z.object({
          event_id: z.string().meta({ description: 'Id of the occurrence' }),
          capacity: z.int().meta({ description: 'Seats of the occurrence' }),
        }),
      )
      .meta({ description: 'Occurrences of the series with their own capacity' }),
    reminders: z.array(BookingReminder).meta({ description: 'Reminders of this event; empty for the usual ones' }),
    snapshot: z.null().meta({ description: 'Always null' }),
    snapshot_expires_at: z.int().meta({ description: 'Always 0' }),
  })
  .meta({ id: 'GroupEventInfo', description: 'Seats, hosts and configuration of a group event' })
export type GroupEventInfo = z.output<typeof GroupEventInfo>

export const GroupEvent = z
  .object({
    ...Event.shape,
    event: Event,
    group_event_info: GroupEventInfo.optional().meta({
      description: 'Absent for an event that is no group event of the configuration',
    }),
  })
  .meta({
    id: 'GroupEvent',
    description: 'A group event: the fields of the event, the same event as `event`, and its seats',
  })
export type GroupEvent = z.output<typeof GroupEvent>

export const GroupEventImport = z
  .object({
    calendar_id: identifier().meta({ description: 'Calendar of the event' }),
    event_id: identifier().meta({ description: 'Id of the event, or of the series' }),
    capacity: Capacity,
    exceptions: z
      .array(
        z.object({
          event_id: identifier().meta({ description: 'Id of the occurrence' }),
          capacity: z.int().min(1).max(500).meta({ description: 'Seats of the occurrence' }),
        }),
      )
      .max(100)
      .nullish()
      .meta({ description: 'Occurrences of the series with their own capacity' }),
    participants: eventFields.participants,
  })
  .meta({ id: 'GroupEventImport', description: 'An event of the calendar that becomes a group event' })
export type GroupEventImport = z.output<typeof GroupEventImport>

const Imports = z
  .array(GroupEventImport)
  .min(1)
  .max(limits.groupEventImports)
  .meta({ id: 'GroupEventImports', description: 'Events to import, up to 20' })

export const GroupEventImportResult = z
  .object({
    imported_events: z
      .array(z.object({ event_id: z.string().meta({ description: 'Id of the event' }) }))
      .meta({ description: 'Events that are group events now' }),
    import_failed: z
      .array(
        z.object({
          event_id: z.string().meta({ description: 'Id of the event' }),
          reason: z.string().meta({ description: 'Why it was not imported' }),
        }),
      )
      .meta({ description: 'Events that were not imported' }),
  })
  .meta({ id: 'GroupEventImportResult', description: 'What an import did with each event' })
export type GroupEventImportResult = z.output<typeof GroupEventImportResult>

export const GroupTimeslot = z
  .object({
    calendar_id: identifier().meta({ description: 'Calendar of the event' }),
    event_id: identifier().meta({ description: 'Id of the event' }),
    master_id: identifier().nullish().meta({ description: 'Id of its series, for an occurrence' }),
    start_time: Moment.meta({ description: 'Start that the guest chose, in Unix seconds' }),
    end_time: Moment.meta({ description: 'End that the guest chose, in Unix seconds' }),
    capacity: z.int().min(0).max(500).nullish().meta({
      description: 'Free seats that the guest saw. Accepted without effect: the event needs one free seat',
    }),
    emails: z.array(line(320)).max(500).nullish().meta({ description: 'Hosts. Accepted without effect' }),
  })
  .meta({ id: 'GroupTimeslot', description: 'A group event as a guest chose it' })
export type GroupTimeslot = z.output<typeof GroupTimeslot>

const at = '/v3/grants/:grant_id/scheduling/configurations/:configuration_id/group-events'
const own = { audience: 'grant', own: true, returns: GroupEvent } as const
const inCalendar = {
  calendar_id: identifierParam().meta({
    description: 'Calendar of the event; default: `group_booking.calendar_id` of the configuration',
  }),
}
const accountErrors = ['not_found', 'not_supported_by_provider', 'provider_unavailable', 'conflict'] as const
const importing = {
  summary: 'Import events as group events',
  description:
    'Makes up to 20 events of the calendar group events of the configuration. The events themselves do not change. Guests of the event take seats, except those in `participants`.',
  body: Imports,
  returns: GroupEventImportResult,
  errors: accountErrors,
} as const

export const groupEvents = {
  list: route({
    right: 'scheduling',
    ...own,
    method: 'GET',
    path: at,
    summary: 'List the group events of a configuration',
    description:
      'Returns the group events in a window, with every occurrence of a series, ordered by start. `show_all=true` also returns the other events of the calendar, without `group_event_info`.',
    query: z.object({
      ...inCalendar,
      start_time: momentParam().meta({ description: 'Start of the window in Unix seconds. Default: now' }),
      end_time: momentParam().meta({
        description: 'End of the window in Unix seconds. Default: one month after its start',
      }),
      show_all: booleanParam().meta({ description: 'Whether to return all events of the calendar; default `false`' }),
      ...cursorPaging(limits.pageMax),
    }),
    list: 'cursor',
    errors: accountErrors,
  }),
  create: route({
    right: 'scheduling',
    ...own,
    method: 'POST',
    path: at,
    summary: 'Create a group event',
    description: 'Creates an event or a series in the calendar, which guests can join up to its capacity.',
    query: z.object(inCalendar),
    body: GroupEventDraft,
    errors: accountErrors,
  }),
  update: route({
    right: 'scheduling',
    ...own,
    method: 'PUT',
    path: `${at}/:event_id`,
    summary: 'Change a group event, a series, or one occurrence',
    description:
      'The id of a series changes the whole series; the id of an occurrence changes only that one. Guests keep their seats: `participants` replaces only the hosts, and `capacity` cannot be smaller than the number of seats that are taken.',
    query: z.object({ ...inCalendar, ...notifyParam }),
    body: GroupEventChange,
    errors: accountErrors,
  }),
  delete: route({
    right: 'scheduling',
    audience: 'grant',
    own: true,
    method: 'DELETE',
    path: `${at}/:event_id`,
    summary: 'Delete a group event, a series, or one occurrence',
    description: 'Deletes the event from the calendar. Bookings of its seats are cancelled with the event.',
    query: z.object({ ...inCalendar, ...notifyParam }),
    errors: accountErrors,
  }),
  importForGrant: route({
    right: 'scheduling',
    ...importing,
    audience: 'grant',
    own: true,
    method: 'POST',
    path: '/v3/grants/:grant_id/scheduling/configurations/:configuration_id/import-group-events',
  }),
  import: route({
    right: 'scheduling',
    ...importing,
    audience: 'application',
    method: 'POST',
    path: '/v3/scheduling/configurations/:configuration_id/import-group-events',
  }),
  validateTimeslot: route({
    right: 'scheduling',
    audience: 'guest',
    method: 'POST',
    path: '/v3/scheduling/configurations/:configuration_id/group-events/validate-timeslot',
    summary: 'Check whether a group event can still be booked',
    description:
      'Succeeds if the event exists at this time, can be booked now, and has a free seat. Otherwise it fails with `timeslot_not_available`. Nothing is reserved.',
    body: GroupTimeslot,
    errors: ['not_found', 'invalid_session', 'timeslot_not_available', 'provider_unavailable'],
  }),
}
