/** Watching for changes: Google pushes that something changed, or is polled. */
import { watchedParts } from '../shared/watched-parts.ts'
import { calendar } from './calendar/watch.ts'
import { mail } from './gmail/watch.ts'
import { contacts } from './people/watch.ts'
import type { Session } from './session.ts'

export const changes = watchedParts<Session>([mail, calendar, contacts])
