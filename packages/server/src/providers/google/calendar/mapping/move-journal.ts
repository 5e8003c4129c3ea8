/**
 * What is left to do of a move of a series, kept in private properties of the series until it is done: they are written
 * together with the move, so that whoever finds them after a crash can finish it. Pure.
 */
import { packJournal, unpackJournal } from '../../../calendar/packed-journal.ts'
import type { GoogleEvent } from '../calendar-api.ts'
import type { GoogleFields } from './event-draft.ts'

/** A changed occurrence as it is written again, at its place in the moved series. */
export interface MovedOccurrence {
  slot: string
  body: GoogleFields
}

const prefix = 'waypost-move-'
/** Google takes values of 1,024 characters, and 32 KB in all properties of an event. */
const pieceLength = 1000
const maxPieces = 24

const isJournal = (name: string): boolean => name.startsWith(prefix)

/** Properties of an event without what is kept here. */
export const withoutJournal = (properties: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => !isJournal(name)))

/** The properties that keep what is to be done; undefined where there is too much for them. */
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

/** What takes the properties away again. */
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

/** What is left to do of a move; undefined where none was interrupted, empty where it cannot be read. */
export function readJournal(event: GoogleEvent): MovedOccurrence[] | undefined {
  const pieces = Object.entries(propertiesOf(event))
    .filter(([name]) => isJournal(name))
    .sort(([a], [b]) => Number(a.slice(prefix.length)) - Number(b.slice(prefix.length)))
  if (pieces.length === 0) return undefined
  const value = unpackJournal(pieces.map(([, text]) => text).join(''))
  return Array.isArray(value) ? value.filter(isMoved) : []
}
