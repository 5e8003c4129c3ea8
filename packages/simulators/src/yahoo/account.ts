// A user of the simulated Yahoo.

export interface AccountSeed {
  readonly email: string
  readonly name?: string
}

/** What keeps a user's refresh tokens from being taken, as Yahoo names it. */
export type RefreshProblem = 'TOKEN_EXPIRED' | 'ACCOUNT_NOT_AUTHORIZED' | 'INVALID_GRANT'

export interface SimulatedYahooAccount {
  readonly email: string
  readonly name: string
  /** Yahoo's stable name of the user (GUID). */
  readonly guid: string
  /** The user takes back the consent given to one client, or to all: their tokens end. */
  revokeConsent(clientId?: string): void
  /** Every refresh fails like this from now on, until the user consents anew; `undefined`: none does. */
  refuseRefresh(problem: RefreshProblem | undefined): void
}

export type Accounts = ReadonlyMap<string, SimulatedYahooAccount>

/** By address or GUID. */
export function findAccount(accounts: Accounts, name: string): SimulatedYahooAccount | undefined {
  return accounts.get(name.toLowerCase()) ?? accounts.values().find(({ guid }) => guid === name)
}

/** A GUID as Yahoo's look: capital letters and digits, the same for the same address. */
export function guidOf(email: string): string {
  const digits = [...email.toLowerCase()].reduce(
    (sum, letter) => (sum * 131n + BigInt(letter.codePointAt(0) ?? 0)) % 36n ** 26n,
    7n,
  )
  return digits.toString(36).toUpperCase().padStart(26, 'Y')
}
