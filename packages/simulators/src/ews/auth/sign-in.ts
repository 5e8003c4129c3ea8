// Authentication: Basic with every request, or NTLM once per connection. Rejected requests get the response of IIS.
import { type RawAnswer, type RawRequest, textAnswer } from '../../shared/http.ts'
import type { World } from '../model.ts'
import type { Account, SignInProblem } from '../owner.ts'
import { faultAnswer } from '../soap/dispatch.ts'
import { EwsError } from '../soap/errors.ts'
import { accountNamed } from './names.ts'
import { createNtlm, type NtlmOptions } from './ntlm.ts'

export type Scheme = 'Negotiate' | 'NTLM' | 'Basic'

export interface SignInOptions {
  readonly schemes: readonly Scheme[]
  readonly ntlm: NtlmOptions
  /** An account is locked after this many consecutive wrong passwords; 0 disables the lock. */
  readonly lockAfter: number
}

export interface SignIn {
  /** The account, or the response for a rejected request. */
  of(request: RawRequest): Account | RawAnswer
}

/** Windows' messages for accounts that cannot sign in, on the page of the 401. */
const pages: Partial<Record<SignInProblem, string>> = {
  locked: 'The referenced account is currently locked out and may not be logged on to.',
  disabled: 'This user cannot sign in because this account is currently disabled.',
}

/** Exchange's errors for accounts that IIS has accepted. */
const faults: Partial<Record<SignInProblem, EwsError>> = {
  passwordExpired: new EwsError('ErrorPasswordExpired', 'The password for this account has expired.'),
  mustChangePassword: new EwsError('ErrorPasswordChangeRequired', 'The password must be changed before signing in.'),
}

export function createSignIn(world: World, { schemes, ntlm, lockAfter }: SignInOptions): SignIn {
  const step = createNtlm(world, ntlm)
  const connections = new WeakMap<object, Account>()
  const failures = new Map<string, number>()

  function refuse(problem?: SignInProblem): RawAnswer {
    const { host } = new URL(world.url)
    const offered = schemes.map((scheme) => (scheme === 'Basic' ? `Basic realm="${host}"` : scheme))
    const page = problem === undefined ? '' : `<!DOCTYPE html><title>401 - Unauthorized</title><p>${pages[problem]}</p>`
    return textAnswer(401, page, { 'www-authenticate': offered.join('\n'), server: 'Microsoft-IIS/10.0' })
  }

  /** Counts a wrong password for an existing account. */
  function wrong(account: Account | undefined): RawAnswer {
    if (account === undefined) return refuse()
    const count = (failures.get(account.id) ?? 0) + 1
    failures.set(account.id, count)
    return refuse(lockAfter > 0 && count >= lockAfter ? 'locked' : undefined)
  }

  function admit(account: Account): Account | RawAnswer {
    const isLocked = lockAfter > 0 && (failures.get(account.id) ?? 0) >= lockAfter
    const problem = isLocked ? 'locked' : account.problem
    if (problem === undefined) failures.delete(account.id)
    if (problem === undefined) return account
    if (problem === 'ewsBlocked') return textAnswer(403, '<h1>403 - Forbidden: Access is denied.</h1>')
    const fault = faults[problem]
    return fault === undefined ? refuse(problem) : faultAnswer(fault)
  }

  function byNtlm(scheme: string, token: string, connection: object): Account | RawAnswer {
    connections.delete(connection)
    const outcome = step(connection, Buffer.from(token, 'base64'))
    if ('challenge' in outcome) {
      const header = `${scheme} ${outcome.challenge.toString('base64')}`
      return textAnswer(401, '', { 'www-authenticate': header, server: 'Microsoft-IIS/10.0' })
    }
    if ('refused' in outcome) return wrong(outcome.refused)
    const admitted = admit(outcome.account)
    if (!('status' in admitted)) connections.set(connection, admitted)
    return admitted
  }

  /** Clients encode non-ASCII characters as UTF-8 or, in older versions, as Latin-1. */
  function byPassword(token: Buffer): Account | RawAnswer {
    const forms = (['utf8', 'latin1'] as const).map((encoding) => {
      const text = token.toString(encoding)
      const colon = text.indexOf(':')
      return { account: accountNamed(world, text.slice(0, colon)), password: text.slice(colon + 1) }
    })
    const good = forms.find(({ account, password }) => account?.password === password)?.account
    return good === undefined ? wrong(forms[0]?.account) : admit(good)
  }

  return {
    of({ headers, connection = {} }) {
      const [scheme = '', token = ''] = (headers.get('authorization') ?? '').split(/\s+/, 2)
      const known = schemes.find((each) => each.toLowerCase() === scheme.toLowerCase())
      if (known === undefined) {
        const account = scheme === '' ? connections.get(connection) : undefined
        return account === undefined ? refuse() : admit(account)
      }
      if (known !== 'Basic') return byNtlm(known, token, connection)
      return byPassword(Buffer.from(token, 'base64'))
    },
  }
}
