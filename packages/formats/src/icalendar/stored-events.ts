/** The events of a calendar resource as plain data, which a worker thread can send to the main thread. Pure. */

import type { Steps } from '../recurrence/steps.ts'
import { eventsOf, openCalendarObject, type PlainEvents, type ReadingOptions } from './calendar-object.ts'
import { ContentTooLarge } from './content-lines.ts'

/** `none`: the resource has no event. `too large`: it exceeds a parser limit. */
export type StoredEvents = PlainEvents | 'none' | 'too large'

/** Reads the text of one resource. */
export function storedEvents(text: string, options: ReadingOptions, steps?: Steps): StoredEvents {
  try {
    const object = openCalendarObject(text, steps)
    return object ? plain(eventsOf(object, options)) : 'none'
  } catch (error) {
    if (error instanceof ContentTooLarge) return 'too large'
    throw error
  }
}

/** Removes the components, which cannot be sent between threads. */
const plain = ({ overrides, ...read }: ReturnType<typeof eventsOf>): PlainEvents => ({
  ...read,
  overrides: overrides.map(({ node: _, superseded: __, ...override }) => override),
})
