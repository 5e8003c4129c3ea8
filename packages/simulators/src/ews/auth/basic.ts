// Who signs in with a name and a password, and what IIS says to who does not.
import { type RawAnswer, textAnswer } from '../../shared/http.ts'
import type { World } from '../model.ts'
import type { Account, SignInProblem } from '../owner.ts'

export type Scheme = 'Negotiate' | 'NTLM' | 'Basic'

/** The user that `Authorization: Basic …` names, and the password given. */
export function readBasic(header: string): { readonly user: string; readonly password: string } | undefined {
  const match = /^Basic ([\w+/=]+)$/i.exec(header)
  if (match === null) return undefined
  const text = Buffer.from(match[1] ?? '', 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 0 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) }
}

/** By `DOMAIN\name`, by the address or the name alone. */
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

/** What Windows says of an account that cannot sign in, in the page that comes with the 401. */
const PROBLEMS: Readonly<Record<SignInProblem, string>> = {
  locked: 'The referenced account is currently locked out and may not be logged on to.',
  disabled: "This user can't sign in because this account is currently disabled.",
  passwordExpired: "The user's account has expired, or the password has expired.",
  mustChangePassword: "The user's password must be changed before signing in.",
}

export function unauthorized(schemes: readonly Scheme[], world: World, problem?: SignInProblem): RawAnswer {
  const { host } = new URL(world.url)
  const offered = schemes.map((scheme) => (scheme === 'Basic' ? `Basic realm="${host}"` : scheme))
  const page =
    problem === undefined ? '' : `<!DOCTYPE html><title>401 - Unauthorized</title><p>${PROBLEMS[problem]}</p>`
  return textAnswer(401, page, { 'www-authenticate': offered.join('\n'), server: 'Microsoft-IIS/10.0' })
}
