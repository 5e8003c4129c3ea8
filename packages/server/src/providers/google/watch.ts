/** Noticing changes: Google tells by push that there is something new, or is asked again and again. */
import { watchedParts } from '../shared/watched-parts.ts'
import type { Session } from './session.ts'
import { calendar } from './watch-calendar.ts'
import { contacts } from './watch-contacts.ts'
import { mail } from './watch-mail.ts'

export const changes = watchedParts<Session>([mail, calendar, contacts])
