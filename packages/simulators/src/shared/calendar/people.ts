// The attendees of a meeting and their responses.
import type { EventTime } from './event-time.ts'

export type ResponseType = 'none' | 'organizer' | 'tentativelyAccepted' | 'accepted' | 'declined' | 'notResponded'

export interface Response {
  readonly response: ResponseType
  /** Milliseconds; undefined before the first response. */
  readonly time?: number
}

export interface Person {
  readonly name: string
  readonly address: string
}

export interface Attendee extends Person {
  readonly type: 'required' | 'optional' | 'resource'
  readonly status: Response
  readonly proposedNewTime?: { readonly start: EventTime; readonly end: EventTime }
}

export function sameAddress(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase()
}
