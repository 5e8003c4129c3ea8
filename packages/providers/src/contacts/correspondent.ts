/** A person in the headers of a message of the account: its sender or one of its recipients. */
export interface Correspondent {
  email: string
  /** As in the message; empty if it has none. */
  name: string
  /** When the message arrived, in Unix seconds. */
  at: number
  /** Whether the message arrived while the account was watched; then a new contact is reported. */
  isNews: boolean
}
