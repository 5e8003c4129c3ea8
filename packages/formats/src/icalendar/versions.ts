/**
 * Decides which of two VEVENTs or answers is newer (RFC 5546 §2.1.5): by SEQUENCE, then by DTSTAMP. The last received
 * version is stored in the copy and in the attendee's line, under Thunderbird's names. DTSTAMP itself cannot be used,
 * because it changes when the account changes its copy.
 */
import { parseBasic } from '../recurrence/series.ts'
import { SECONDS_PER_DAY } from '../timezones/dates.ts'
import { sequenceIn } from './calendar-object.ts'
import { instantIn } from './calendar-times.ts'
import { changedLine, putProperty } from './content-line-changes.ts'
import type { ComponentNode, ContentLine, Item } from './content-lines.ts'
import { type Property, plain, utcTime } from './icalendar.ts'

export interface Version {
  readonly sequence: number
  /** DTSTAMP in Unix seconds; 0 if there is none. */
  readonly stamp: number
}

const numberIn = (text: string | undefined): number | undefined => {
  const number = Number.parseInt(text ?? '', 10)
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined
}

/** The version of a VEVENT as it was sent. Exchange counts in its own property while SEQUENCE stays 0. */
export function versionOf(event: ComponentNode): Version {
  const own = numberIn(event.line('X-MICROSOFT-CDO-APPT-SEQUENCE')?.value)
  return { sequence: sequenceIn(event) || (own ?? 0), stamp: instantIn(event.line('DTSTAMP')) ?? 0 }
}

const SEQUENCE = 'X-MOZ-RECEIVED-SEQUENCE'
const STAMP = 'X-MOZ-RECEIVED-DTSTAMP'

/** The version in which a guest's copy was last received. */
export function copyVersion(copy: ComponentNode): Version {
  const sequence = numberIn(copy.line(SEQUENCE)?.value)
  const stamp = instantIn(copy.line(STAMP))
  return sequence === undefined || stamp === null ? versionOf(copy) : { sequence, stamp }
}

/** The lines of a copy with the received version. */
export const withVersion = (items: readonly Item[], { sequence, stamp }: Version): Item[] =>
  putProperty(putProperty(items, plain(SEQUENCE, String(sequence))), utcTime(STAMP, stamp))

export const isNewer = (a: Version, b: Version): boolean =>
  a.sequence > b.sequence || (a.sequence === b.sequence && a.stamp > b.stamp)

/** The version of the last stored answer of an attendee, or undefined if there is none. */
export function receivedVersion(attendee: ContentLine): Version | undefined {
  const sequence = numberIn(attendee.parameter('RECEIVED-SEQUENCE'))
  const time = parseBasic(attendee.parameter('RECEIVED-DTSTAMP') ?? '')
  return sequence === undefined
    ? undefined
    : { sequence, stamp: time ? time.day * SECONDS_PER_DAY + (time.seconds ?? 0) : 0 }
}

/** The attendee's line with the version of its answer. */
export const withReceived = (attendee: ContentLine, { sequence, stamp }: Version): ContentLine =>
  changedLine(attendee, {
    parameters: { 'RECEIVED-SEQUENCE': String(sequence), 'RECEIVED-DTSTAMP': utcTime('DTSTAMP', stamp).value },
  })

export const ASKED = 'X-WAYPOST-ASKED-SEQUENCE'

/**
 * The lowest SEQUENCE that an answer may refer to. If SEQUENCE grew without a new invitation (other guests were
 * added), answers to the former number still count. The object records that number, which is valid until another
 * program raises SEQUENCE.
 */
export function requestedSequence(event: ComponentNode): number {
  const sequence = sequenceIn(event)
  const line = event.line(ASKED)
  const requested = numberIn(line?.value)
  const isOurs = line?.parameter('X-SEQUENCE') === String(sequence)
  return isOurs && requested !== undefined ? Math.min(requested, sequence) : sequence
}

/** The line that records that number. */
export const requestedProperty = (requested: number, sequence: number): Property =>
  plain(ASKED, String(requested), { 'X-SEQUENCE': String(sequence) })
