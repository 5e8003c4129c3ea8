/** Somebody whom a message of the account names, as its sender or as one of those it went to. */
export interface Correspondent {
  email: string
  /** As the message writes it; empty where it has none. */
  name: string
  /** When the message came, Unix seconds. */
  at: number
  /** The message came while the account was watched: who is new is told of. */
  isNews: boolean
}
