/** An example of every operation of the API. Whoever takes these takes no schema. */
import type { Waypost } from '../index.ts'
import { availabilityExamples } from './availability.ts'
import { calendarExamples, virtualCalendarExamples } from './calendars.ts'
import { contactExamples, contactGroupExamples } from './contacts.ts'
import { eventExamples } from './events.ts'
import type { AnyExample, Examples } from './example.ts'
import { grantExamples } from './grants.ts'
import { attachmentExamples, folderExamples, threadExamples } from './mailbox.ts'
import { roomResourceExamples } from './room-resources.ts'
import { serviceExamples } from './service.ts'

/** By resource and operation, as in the contract and in its order. */
export const examples: Partial<Examples<Waypost>> = {
  grants: grantExamples,
  calendars: calendarExamples,
  virtualCalendars: virtualCalendarExamples,
  roomResources: roomResourceExamples,
  events: eventExamples,
  threads: threadExamples,
  folders: folderExamples,
  attachments: attachmentExamples,
  contactGroups: contactGroupExamples,
  contacts: contactExamples,
  availability: availabilityExamples,
  service: serviceExamples,
}

/** The example of an operation, for those who go through all routes. */
export function exampleOf(resource: string, operation: string): AnyExample | undefined {
  const operations: unknown = Reflect.get(examples, resource)
  return operations === undefined ? undefined : Reflect.get(operations as object, operation)
}

export type * from './example.ts'
export * from './shared.ts'
