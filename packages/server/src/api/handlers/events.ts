import type { EventListQuery } from '@waypost/contract'
import { expandsRecurring } from '../../applications/settings.ts'
import type { Handlers } from './index.ts'

/** Lists by metadata or UID take stored events as they are: there `expand_recurring` has no meaning and is refused. */
const expandable = (query: EventListQuery): boolean => query.metadata_pair === undefined && query.ical_uid === undefined

const withDefault = (query: EventListQuery, settings: string): EventListQuery =>
  query.expand_recurring === undefined && expandable(query)
    ? { ...query, expand_recurring: expandsRecurring(settings) }
    : query

export const events: Handlers['events'] = {
  list: ({ application, op, query, position }) => op(withDefault(query, application.settings), position),
  import: ({ op, query, position }) => op(query, position),
  get: ({ op, params, query }) => op({ ...params, calendar_id: query.calendar_id }),
  create: ({ change, query, body }) => change((op) => op(query, body)),
  update: ({ change, params, query, body }) => change((op) => op({ ...query, ...params }, body)),
  delete: ({ change, params, query }) => change((op) => op({ ...query, ...params })),
  rsvp: ({ change, params, query, body }) => {
    const skip_email = query.skip_email ?? query.skip_nylas_email ?? false
    return change((op) => op({ ...params, calendar_id: query.calendar_id, skip_email }, body))
  },
}
