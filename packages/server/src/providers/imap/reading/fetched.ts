/** What was fetched of messages, on its way to who asked for them. */
import type { LeanMessage } from '../../../formats/mime/parse-worker.ts'
import type { Entry } from '../entry.ts'

/** What came of a message, or why nothing did. */
export interface Parsed {
  parsed?: LeanMessage
  problem?: string
}

/** The marks of a message at a place. */
export interface Marked {
  entry: Entry
  flags: Set<string>
}

/** A message that was fetched, or a part of it, and who waits for it. */
export interface Fetched {
  /** The places where it was found, with its marks there. */
  places: Marked[]
  source?: Buffer | undefined
  /** Of a large message, which is read by parts. */
  header?: Buffer
  /** Messages are parsed while the next ones are fetched. */
  parsing?: Promise<Parsed>
}
