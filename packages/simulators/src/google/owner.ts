// The identity of a user of the simulated Google.
export interface AccountOwner {
  readonly email: string
  /** Google's stable id of the user. */
  readonly sub: string
  readonly name: string
  readonly timezone: string
  readonly aliases: readonly string[]
}
