// Who has a mailbox on the simulated Exchange.
import type { DelegateRights, Mailbox } from './store/stored.ts'

/** Why somebody cannot sign in though the password is right. */
export type SignInProblem = 'locked' | 'disabled' | 'passwordExpired' | 'mustChangePassword' | 'ewsBlocked'

export interface Account {
  /** A GUID, which the ids of the mailbox name. */
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
  /** IANA. */
  readonly timezone: string
  readonly password: string
  readonly problem: SignInProblem | undefined
  /** Whether the mailbox is being moved to another database. */
  readonly isMoving: boolean
  readonly mailbox: Mailbox
  /** Who else may open the whole mailbox, by the account's id. */
  readonly delegates: Map<string, DelegateRights>
  /** Whether it has the role ApplicationImpersonation. */
  readonly mayImpersonate: boolean
}
