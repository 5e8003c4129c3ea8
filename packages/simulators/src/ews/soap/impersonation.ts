// The acting account of a request: the authenticated user, or the one named in the header `ExchangeImpersonation`.
import type { World } from '../model.ts'
import type { Account } from '../owner.ts'
import { childOf, within, type XmlNode } from '../xml/read.ts'
import { EwsError } from './errors.ts'

export function actingAccount(world: World, header: XmlNode | undefined, signedIn: Account): Account {
  const impersonation = childOf(header, 'ExchangeImpersonation')
  if (impersonation === undefined) return signedIn
  const named = within(impersonation, 'ConnectingSID')?.children[0]
  const name = named?.text.trim() ?? ''
  if (name === '') {
    const message = 'ExchangeImpersonation SOAP header must be present and have a valid connecting user.'
    throw new EwsError('ErrorInvalidExchangeImpersonationHeaderData', message)
  }
  if (!signedIn.mayImpersonate) {
    const message = 'The account does not have permission to impersonate the requested user.'
    throw new EwsError('ErrorImpersonateUserDenied', message)
  }
  const account = named?.name === 'SID' ? undefined : find(world, named?.name ?? '', name)
  if (account === undefined) {
    throw new EwsError('ErrorNonExistentMailbox', 'The SMTP address has no mailbox associated with it.')
  }
  return account
}

/** `PrimarySmtpAddress` accepts only the primary address; the other kinds accept aliases too. */
function find(world: World, kind: string, name: string): Account | undefined {
  const account = world.findAccount(name)
  const isPrimary = account?.email.toLowerCase() === name.toLowerCase()
  return kind === 'PrimarySmtpAddress' && !isPrimary ? undefined : account
}
