import type { Entry } from '../entry.ts'

/** One message with the places where its copies lie. */
export interface Group {
  id: string
  /** The newest copy's. */
  date: number
  entries: Entry[]
}
