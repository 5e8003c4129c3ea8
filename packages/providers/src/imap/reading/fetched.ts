/** Messages while they are being fetched and parsed. */
import type { LeanMessage } from '@waypost/formats/parse-worker'
import type { Marked } from '../entry.ts'

/** A parsed message, or the reason why it could not be parsed. */
export interface Parsed {
  parsed?: LeanMessage
  problem?: string
}

/** A message, or a part of it, that is being fetched. */
export interface Fetched {
  /** Its copies, with their flags. */
  places: Marked[]
  source?: Buffer | undefined
  /** The header of a large message, which is read in parts. */
  header?: Buffer
  /** Parsing runs while the next messages are fetched. */
  parsing?: Promise<Parsed>
}
