// The accounts of a simulator.

export interface AccountControls<Seed, Account> {
  addAccount(seed: Seed): Account
  account(email: string): Account
  /** All accounts except rooms. */
  accounts(): Account[]
}

export interface Accounts<Account> {
  /** Keyed by email address in lower case. */
  readonly byEmail: Map<string, Account>
  /** By address, or by another name. */
  find(name: string): Account | undefined
  /** Throws if there is no such account. */
  need(name: string): Account
  list(): Account[]
  /** Throws if the address is taken. */
  add(email: string, create: () => Account): Account
  /** Changes the address of an account; everything else stays the same. */
  rename(email: string, newEmail: string): void
}

/** `namesOf`: the names of an account beside its address, in any case. */
export function createAccounts<Account extends { readonly email: string }>(
  namesOf: (account: Account) => readonly string[],
): Accounts<Account> {
  const byEmail = new Map<string, Account>()

  function find(name: string): Account | undefined {
    const wanted = name.toLowerCase()
    const isWanted = (account: Account) => namesOf(account).some((each) => each.toLowerCase() === wanted)
    return byEmail.get(wanted) ?? byEmail.values().find(isWanted)
  }

  function need(name: string): Account {
    const account = find(name)
    if (account === undefined) throw new Error(`There is no account ${name}`)
    return account
  }

  function needFree(email: string): void {
    if (find(email) !== undefined) throw new Error(`There is an account ${email} already`)
  }

  return {
    byEmail,
    find,
    need,
    list: () => [...byEmail.values()],
    add(email, create) {
      needFree(email)
      const account = create()
      byEmail.set(email.toLowerCase(), account)
      return account
    },
    rename(email, newEmail) {
      const account = need(email)
      needFree(newEmail)
      byEmail.delete(account.email.toLowerCase())
      byEmail.set(newEmail.toLowerCase(), Object.assign(account, { email: newEmail }))
    },
  }
}
