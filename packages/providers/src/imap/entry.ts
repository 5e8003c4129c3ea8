/** Messages of a mailbox: their copies, and what was fetched of them. */
import type { LeanMessage } from '@waypost/formats/parse-worker'

/** One copy of a message: its place and what identifies it. */
export interface Entry {
  path: string
  /** UIDVALIDITY of its folder. */
  uidValidity: string
  uid: number
  /** When the server received it, Unix seconds. */
  date: number
  size: number
  /** Identifies the message as far as possible without its bytes; different messages may share it. */
  key: string
  /** The server's id of the content (EMAILID, RFC 8474 §5.1; X-GM-MSGID): equal ids mean the same message. */
  emailId?: string | undefined
  /** The hash of its bytes, once they had to be compared; empty if they cannot be read. */
  digest?: string | undefined
  /** Cached id by place, which is needed again after each change of an index. */
  placeId?: string
  /** Its Message-ID, if usable. */
  messageId?: string | undefined
  /** Message-IDs of its ancestors, the root of the thread first. */
  references: readonly string[]
}

/** A copy of a message with its flags. */
export interface Marked {
  entry: Entry
  flags: Set<string>
}

/** Messages up to this size are fetched completely: one round trip, and no structure to parse. */
export const smallMessage = 128 * 1024

/** One message with its copies. */
export interface Group {
  id: string
  /** The date of the newest copy. */
  date: number
  entries: Entry[]
}

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
