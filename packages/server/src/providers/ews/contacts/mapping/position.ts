/**
 * Where a list of contacts goes on: in a folder, after a second in which contacts were made, and after those of that second
 * that were shown. A number of contacts to skip would miss some as soon as others are deleted. Pure.
 */
import { hash } from 'node:crypto'
import { z } from 'zod'
import type { JsonValue } from '../../../../lib/json/guard.ts'

const Stored = z.object({ folder: z.string(), date: z.number(), seen: z.array(z.string()) })

export interface Position {
  /** As Exchange writes it. */
  folder: string
  /** Seconds. */
  date: number
  /** Short hashes of the ids of that second. */
  seen: readonly string[]
}

/** A contact as far as its place in a list goes. */
export interface Listed {
  id: string
  /** Seconds. */
  date: number
}

const hashOf = (id: string): string => hash('sha256', id, 'base64url').slice(0, 8)

export const readPosition = (stored: JsonValue | undefined): Position | undefined => Stored.safeParse(stored).data
export const storedPosition = ({ folder, date, seen }: Position): JsonValue => ({ folder, date, seen: [...seen] })

/** A folder from its beginning. */
export const beginningOf = (folder: string): Position => ({ folder, date: 0, seen: [] })

/** The position after a contact, which comes after another position in the same folder. */
export const after = ({ folder, date, seen }: Position, contact: Listed): Position => ({
  folder,
  date: contact.date,
  seen: [...(date === contact.date ? seen : []), hashOf(contact.id)],
})

/** Whether a contact was shown before a position, or comes before all that were. */
export const isBefore = ({ date, seen }: Position, contact: Listed): boolean =>
  contact.date < date || (contact.date === date && seen.includes(hashOf(contact.id)))
