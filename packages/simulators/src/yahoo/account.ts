// A user of the simulated Yahoo.

export interface AccountSeed {
  readonly email: string
  readonly name?: string
}

/** Why a user's refresh tokens are rejected, by Yahoo's error names. */
export type RefreshProblem = 'TOKEN_EXPIRED' | 'ACCOUNT_NOT_AUTHORIZED' | 'INVALID_GRANT'

export interface SimulatedYahooAccount {
  readonly email: string
  readonly name: string
  /** Yahoo's stable id of the user (GUID). */
  readonly guid: string
  /** The user revokes the consent given to one client, or to all clients: their tokens end. */
  revokeConsent(clientId?: string): void
  /** Every refresh fails this way until the user consents again; `undefined` ends the failures. */
  refuseRefresh(problem: RefreshProblem | undefined): void
}

/** A GUID in Yahoo's format: capital letters and digits, always the same for an address. */
export function guidOf(email: string): string {
  const digits = [...email.toLowerCase()].reduce(
    (sum, letter) => (sum * 131n + BigInt(letter.codePointAt(0) ?? 0)) % 36n ** 26n,
    7n,
  )
  return digits.toString(36).toUpperCase().padStart(26, 'Y')
}
