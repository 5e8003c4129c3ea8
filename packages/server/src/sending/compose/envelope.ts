/**
 * The envelope of a message: who answers for it, and who gets it. An account answers for what it sends under its own address,
 * whatever `From` says: reports of failure come to its mailbox, and nobody sends in the name of a stranger's domain (RFC 5321
 * §2.3.1). A message that names another author names the account as `Sender` (RFC 5322 §3.6.2), and its server decides.
 */
import { limits } from '@waypost/contract'
import { invalidField } from '../../lib/api-error.ts'
import { mailAddress } from './headers.ts'

/** The address that an account sends under. */
export const ownAddress = ({ email }: { email: string }): string => mailAddress('from.0.email', email)

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** Whether a message by these authors must name its sender as well. */
export const needsSender = (authors: readonly string[], own: string): boolean =>
  authors.length !== 1 || !same(authors[0] ?? '', own)

/** Refuses a sender that is not the account. */
export function checkSender(field: string, senders: readonly string[], own: string): void {
  if (senders.some((sender) => !same(sender, own))) {
    throw invalidField(field, `has a Sender that is not ${own}, the address of the account`)
  }
}

/** Those who get a message, each once. `to`, `cc` and `bcc` count together, and who is named twice counts twice. */
export function recipientsOf(field: string, named: readonly string[]): string[] {
  if (named.length > limits.recipients) {
    throw invalidField(field, `to, cc and bcc together must name at most ${limits.recipients} addresses`)
  }
  return [...new Set(named)]
}
