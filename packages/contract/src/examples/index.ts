/** An example of every operation of the API. Whoever takes these takes no schema. */
import type { Waypost } from '../index.ts'
import { calendarExamples, virtualCalendarExamples } from './calendars.ts'
import type { AnyExample, Examples } from './example.ts'
import { grantExamples } from './grants.ts'

/** By resource and operation, as in the contract and in its order. */
export const examples: Partial<Examples<Waypost>> = {
  grants: grantExamples,
  calendars: calendarExamples,
  virtualCalendars: virtualCalendarExamples,
}

/** The example of an operation, for those who go through all routes. */
export function exampleOf(resource: string, operation: string): AnyExample | undefined {
  const operations: unknown = Reflect.get(examples, resource)
  return operations === undefined ? undefined : Reflect.get(operations as object, operation)
}

export type * from './example.ts'
export * from './shared.ts'
