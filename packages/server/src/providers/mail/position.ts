/**
 * Where a list of messages goes on: after a second, and after those of its messages that were shown. A number of messages to
 * skip, as providers count them, would miss some as soon as others are deleted.
 */
import { hash } from 'node:crypto'
import { z } from 'zod'
import type { JsonValue } from '../../lib/json/guard.ts'

const Stored = z.object({ date: z.number(), seen: z.array(z.string()) })

export interface Position {
  /** Seconds. */
  date: number
  /** Short hashes of the ids of that second. */
  seen: readonly string[]
}

/** What has a place in a list of messages: a name that stays, and when it was received, in seconds. */
export interface Placed {
  id: string
  date: number
}

const hashOf = (id: string): string => hash('sha256', id, 'base64url').slice(0, 8)

/** The position in a cursor of ours. */
export const readPosition = (stored: JsonValue | undefined): Position | undefined => Stored.safeParse(stored).data

/** The position after a message, which comes after another position. */
export function after(position: Position | undefined, { id, date }: Placed): Position {
  const seen = position?.date === date ? position.seen : []
  return { date, seen: [...seen, hashOf(id)] }
}

/** Whether a message was shown before a position, or comes before all that were. */
export function isBefore(position: Position | undefined, { id, date }: Placed): boolean {
  if (position === undefined) return false
  return date > position.date || (date === position.date && position.seen.includes(hashOf(id)))
}

export const stored = ({ date, seen }: Position): JsonValue => ({ date, seen: [...seen] })

/** Newest first; those of one second have some order that stays. */
export const newestFirst = (a: Placed, b: Placed): number => b.date - a.date || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
