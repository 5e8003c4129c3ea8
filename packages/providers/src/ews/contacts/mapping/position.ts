/**
 * The position in a list of contacts: a folder, the second in which the last contact was created, and the contacts of
 * that second that were returned. An offset would skip contacts as soon as others are deleted. Pure.
 */
import { hash } from 'node:crypto'
import type { JsonValue } from '@waypost/platform/json/guard'
import { z } from 'zod'

const Stored = z.object({ folder: z.string(), date: z.number(), seen: z.array(z.string()) })

export interface Position {
  /** Exchange's id. */
  folder: string
  /** Seconds. */
  date: number
  /** Short hashes of the ids of that second. */
  seen: readonly string[]
}

/** The facts that determine a contact's place in a list. */
export interface ListedContact {
  id: string
  /** Seconds. */
  date: number
}

const hashOf = (id: string): string => hash('sha256', id, 'base64url').slice(0, 8)

export const readPosition = (stored: JsonValue | undefined): Position | undefined => Stored.safeParse(stored).data
export const storedPosition = ({ folder, date, seen }: Position): JsonValue => ({ folder, date, seen: [...seen] })

/** The start of a folder. */
export const beginningOf = (folder: string): Position => ({ folder, date: 0, seen: [] })

/** The position after a contact, which follows another position in the same folder. */
export const after = ({ folder, date, seen }: Position, contact: ListedContact): Position => ({
  folder,
  date: contact.date,
  seen: [...(date === contact.date ? seen : []), hashOf(contact.id)],
})

/** Whether a contact was returned before a position, or precedes it. */
export const isBefore = ({ date, seen }: Position, contact: ListedContact): boolean =>
  contact.date < date || (contact.date === date && seen.includes(hashOf(contact.id)))
