// The identity of a mailbox owner on the simulated Exchange.
import type { DelegateRights, Mailbox } from './store/stored.ts'

/** Why a user cannot sign in although the password is correct. */
export type SignInProblem = 'locked' | 'disabled' | 'passwordExpired' | 'mustChangePassword' | 'ewsBlocked'

export interface Account {
  /** A GUID, contained in the ids of the mailbox. */
  readonly id: string
  /** The primary SMTP address. */
  readonly email: string
  readonly aliases: readonly string[]
  readonly name: string
  readonly givenName?: string
  readonly surname?: string
  /** The NetBIOS name of the domain and the name in it: `EXCHANGE\ada`. */
  readonly domain: string
  readonly username: string
  /** IANA name. */
  readonly timezone: string
  readonly password: string
  readonly problem: SignInProblem | undefined
  /** Whether the mailbox is being moved to another database. */
  readonly isMoving: boolean
  readonly mailbox: Mailbox
  /** Users that may also open the whole mailbox, keyed by account id. */
  readonly delegates: Map<string, DelegateRights>
  /** Whether it has the role ApplicationImpersonation. */
  readonly mayImpersonate: boolean
}
