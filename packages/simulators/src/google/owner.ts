// Who a user of the simulated Google is.
export interface AccountOwner {
  readonly email: string
  /** Google's stable number of the user. */
  readonly sub: string
  readonly name: string
  readonly timezone: string
  readonly aliases: readonly string[]
}
