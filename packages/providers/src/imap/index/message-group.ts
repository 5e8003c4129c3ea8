import type { Entry } from '../entry.ts'

/** One message with its copies. */
export interface Group {
  id: string
  /** The date of the newest copy. */
  date: number
  entries: Entry[]
}
