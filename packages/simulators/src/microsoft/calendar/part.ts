// Calendars, events and free/busy of Graph.

import { readId } from '../item-ids.ts'
import type { GraphPart } from '../part.ts'
import { actionsRoutes } from './actions-routes.ts'
import { attachmentRoutes } from './attachments-routes.ts'
import { READ } from './calendar-call.ts'
import { calendarsRoutes } from './calendars-routes.ts'
import { allEvents, calendarCollection, defaultEvents } from './changes.ts'
import { deltaRoutes } from './delta.ts'
import { eventsRoutes } from './events-routes.ts'
import { zonesRoutes } from './zones-routes.ts'

export const calendarPart: GraphPart = {
  routes: [...calendarsRoutes, ...eventsRoutes, ...actionsRoutes, ...attachmentRoutes, ...deltaRoutes, ...zonesRoutes],
  subscribable: [
    { path: '/events', scopes: READ, collection: () => allEvents },
    { path: '/calendar/events', scopes: READ, collection: () => defaultEvents },
    {
      path: '/calendars/:calendarId/events',
      scopes: READ,
      collection: (owner, { calendarId = '' }) => calendarCollection(readId(owner, calendarId).key),
    },
  ],
}
