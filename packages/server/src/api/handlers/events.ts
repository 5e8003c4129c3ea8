import type { Event, EventListQuery } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { JsonValue } from '@waypost/platform/json/guard'
import { describeEvent, describeEvents } from '@waypost/providers/calendar/text-description'
import type { Page } from '@waypost/providers/operations'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import { expandsRecurring } from '../../applications/settings.ts'
import type { Services } from '../../services/services.ts'
import type { Handlers } from '../pipeline/handler-types.ts'
import { type GrantReading, useFor } from '../pipeline/request-operations.ts'
import { eventChanges } from './event-changes.ts'
import { exportsOf } from './exports.ts'
import { areEventsTagged, tagObject, tagObjects } from './metadata.ts'
import { listTaggedObjects } from './tagged-objects.ts'

/** Lists by metadata or UID return stored events; `expand_recurring` is refused there. */
const expandable = (query: EventListQuery): boolean => query.metadata_pair === undefined && query.ical_uid === undefined

const withDefault = (query: EventListQuery, settings: string): EventListQuery =>
  query.expand_recurring === undefined && expandable(query)
    ? { ...query, expand_recurring: expandsRecurring(settings) }
    : query

export const events = (services: Pick<Services, 'storage' | 'accounts'>): Handlers['events'] => {
  const { database } = services.storage
  const { sessions } = services.accounts
  const shownPage = async (
    { signal, query }: { signal: AbortSignal; query: { select?: string[] | undefined } },
    page: Page<Event>,
  ) => ({
    ...page,
    items: await describeEvents(page.items, { parse: sessions.parse, signal, select: query.select }),
  })
  /** Whether the events contain their metadata: those that we store ourselves do. */
  const holdsOwn = (record: GrantRecord): boolean => sessions.providerOf(record, 'events.list').local !== undefined
  const readerOf = (context: GrantReading) =>
    sessions.operation(context.grant, { resource: 'events', operation: 'get' }, useFor(context, database))

  const listByMetadata = async (context: GrantReading, query: EventListQuery, position: JsonValue | undefined) => {
    const calendar = { resource: 'calendars', operation: 'get' } as const
    const readCalendar = sessions.operation(context.grant, calendar, useFor(context, database))
    const { id: calendarId } = await readCalendar({ calendar_id: query.calendar_id })
    const read = readerOf(context)
    const request = { database, context, query, position }
    const page = await listTaggedObjects<Event>(request, calendarId, async (event_id) => {
      const event = await read({ event_id, calendar_id: calendarId })
      if (event.status === 'cancelled') throw new ApiError('not_found')
      return event
    })
    return { ...page, items: await tagObjects(database, context.grant, page.items, query) }
  }

  const list = async (context: Parameters<Handlers['events']['list']>[0]): Promise<Page<Event>> => {
    const { application, grant, op, position } = context
    const query = withDefault(context.query, application.settings)
    if (holdsOwn(grant)) return op(query, position)
    if (query.metadata_pair !== undefined) return listByMetadata(context, query, position)
    const [page, mayBeTagged] = await Promise.all([op(query, position), areEventsTagged(database, grant, query)])
    return mayBeTagged ? { ...page, items: await tagObjects(database, grant, page.items, query) } : page
  }

  return {
    list: async (context) => shownPage(context, await list(context)),
    import: async (context) => shownPage(context, await context.op(context.query, context.position)),
    export: exportsOf(services).events,
    get: async (context) => {
      const { grant, op, params, query } = context
      const event = await op({ ...params, calendar_id: query.calendar_id, tentative_as_busy: query.tentative_as_busy })
      const tagged = holdsOwn(grant) ? event : await tagObject(database, grant, event)
      return describeEvent(tagged, { parse: sessions.parse, signal: context.signal })
    },
    ...eventChanges(services, { holdsOwn, readerOf }),
    delete: ({ change, params, query }) => change((op) => op({ ...query, ...params })),
    rsvp: ({ change, params, query, body }) => {
      const skip_email = query.skip_email ?? query.skip_nylas_email ?? false
      return change(async (op) => {
        const data = await op({ ...params, calendar_id: query.calendar_id, skip_email }, body)
        const { send_ics_error } = data
        // Clients read the error from either of two places.
        return { data, beside: send_ics_error ? { send_ics_error } : {} }
      })
    },
  }
}
