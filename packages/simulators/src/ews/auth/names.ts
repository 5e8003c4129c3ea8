// The sign-in names of users.
import type { World } from '../model.ts'
import type { Account } from '../owner.ts'

/** Finds an account by `DOMAIN\name`, address or name. */
export function accountNamed(world: World, name: string): Account | undefined {
  const wanted = name.toLowerCase()
  const backslash = wanted.indexOf('\\')
  if (backslash < 0 && wanted.includes('@')) return world.findAccount(wanted)
  const user = wanted.slice(backslash + 1)
  const domain = backslash < 0 ? undefined : wanted.slice(0, backslash)
  const fits = (account: Account) =>
    account.username.toLowerCase() === user && (domain === undefined || domain === account.domain.toLowerCase())
  return world.accounts().find(fits)
}
