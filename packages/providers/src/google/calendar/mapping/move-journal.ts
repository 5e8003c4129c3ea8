/**
 * The remaining steps of moving a series, stored in private properties of the series until they are done. They are
 * written together with the move, so that an interrupted move can be finished after a crash. Pure.
 */
import { packJournal, unpackJournal } from '../../../calendar/series.ts'
import type { GoogleEvent } from '../calendar-api.ts'
import type { GoogleFields } from './event-draft.ts'

/** A changed occurrence that is to be written at its place in the moved series. */
export interface MovedOccurrence {
  slot: string
  body: GoogleFields
}

const prefix = 'waypost-move-'
/** Google accepts values of 1,024 characters, and 32 KB in all properties of an event. */
const pieceLength = 1000
const maxPieces = 24

const isJournal = (name: string): boolean => name.startsWith(prefix)

/** The properties of an event without the journal. */
export const withoutJournal = (properties: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => !isJournal(name)))

/** The properties that store the remaining steps; undefined if they do not fit. */
export function writeJournal(occurrences: readonly MovedOccurrence[]): Record<string, string> | undefined {
  const text = packJournal(occurrences)
  const count = Math.ceil(text.length / pieceLength)
  if (count > maxPieces) return undefined
  const pieces = Array.from({ length: count }, (_, place) => [
    `${prefix}${place}`,
    text.slice(place * pieceLength, (place + 1) * pieceLength),
  ])
  return Object.fromEntries(pieces)
}

const propertiesOf = ({ extendedProperties }: GoogleEvent): Record<string, string> => extendedProperties?.private ?? {}

/** The change that removes the journal. */
export const clearedJournal = (event: GoogleEvent): Record<string, null> =>
  Object.fromEntries(
    Object.keys(propertiesOf(event))
      .filter(isJournal)
      .map((name) => [name, null]),
  )

const isMoved = (value: unknown): value is MovedOccurrence =>
  typeof value === 'object' &&
  value !== null &&
  'slot' in value &&
  typeof value.slot === 'string' &&
  'body' in value &&
  typeof value.body === 'object'

/** The remaining steps of a move; undefined if none was interrupted, empty if the journal cannot be read. */
export function readJournal(event: GoogleEvent): MovedOccurrence[] | undefined {
  const pieces = Object.entries(propertiesOf(event))
    .filter(([name]) => isJournal(name))
    .sort(([a], [b]) => Number(a.slice(prefix.length)) - Number(b.slice(prefix.length)))
  if (pieces.length === 0) return undefined
  const value = unpackJournal(pieces.map(([, text]) => text).join(''))
  return Array.isArray(value) ? value.filter(isMoved) : []
}
