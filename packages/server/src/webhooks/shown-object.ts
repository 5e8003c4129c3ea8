/** The object of a notification as receivers get it: an event has the plain text of its description. */

import type { Event } from '@waypost/contract'
import { fieldOf } from '@waypost/platform/json/values'
import { withTextDescription } from '@waypost/providers/calendar/text-description'
import type { Notified } from '../grants/notify.ts'

const ofEvents: ReadonlySet<string> = new Set(['event.created', 'event.updated'])

export const shownObject = ({ trigger, object }: Pick<Notified, 'trigger' | 'object'>): object | null =>
  ofEvents.has(trigger) && isDescribed(object) ? withTextDescription(object) : object

const isDescribed = (object: object | null): object is Pick<Event, 'description'> => {
  const description = fieldOf(object, 'description')
  return description === null || typeof description === 'string'
}
