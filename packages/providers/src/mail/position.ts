/**
 * The position of a list of messages: a second, and the messages of that second that were already listed. An offset,
 * as providers count, would skip messages after others are deleted.
 */
import { hash } from 'node:crypto'
import type { JsonValue } from '@waypost/platform/json/guard'
import { z } from 'zod'

const Stored = z.object({ date: z.number(), seen: z.array(z.string()) })

export interface Position {
  /** Seconds. */
  date: number
  /** Short hashes of the ids of that second. */
  seen: readonly string[]
}

/** A stable name and the time of receipt in seconds. */
export interface ListPlace {
  id: string
  date: number
}

const hashOf = (id: string): string => hash('sha256', id, 'base64url').slice(0, 8)

/** Parses the position in a cursor. */
export const readPosition = (stored: JsonValue | undefined): Position | undefined => Stored.safeParse(stored).data

/** The position after a message. */
export function after(position: Position | undefined, { id, date }: ListPlace): Position {
  const seen = position?.date === date ? position.seen : []
  return { date, seen: [...seen, hashOf(id)] }
}

/** Whether a message was listed before a position. */
export function isBefore(position: Position | undefined, { id, date }: ListPlace): boolean {
  if (position === undefined) return false
  return date > position.date || (date === position.date && position.seen.includes(hashOf(id)))
}

export const stored = ({ date, seen }: Position): JsonValue => ({ date, seen: [...seen] })

/** Newest first; a stable order within one second. */
export const newestFirst = (a: ListPlace, b: ListPlace): number =>
  b.date - a.date || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
