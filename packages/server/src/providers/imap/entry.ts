/** A message at a place. */
export interface Entry {
  path: string
  /** What the UIDs of its folder hold for. */
  uidValidity: string
  uid: number
  /** When the server received it, Unix seconds. */
  date: number
  size: number
  /** What names it, as far as that is known without its bytes: different messages may share it. */
  key: string
  /** The server's name for its bytes (EMAILID, RFC 8474 §5.1; X-GM-MSGID): the same name is the same message. */
  emailId?: string | undefined
  /** The hash of its bytes, once they had to be compared with those of others; empty where they cannot be read. */
  digest?: string | undefined
  /** Its id by its place, once it was needed: it is asked for again after each change of an index. */
  placeId?: string
  /** Its Message-ID, where it has a usable one. */
  messageId?: string | undefined
  /** Message-IDs of those it answers, the first of the thread first. */
  references: readonly string[]
}
