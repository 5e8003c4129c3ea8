/**
 * The envelope of a message: its sender and recipients. The envelope sender is always the account's own address,
 * regardless of `From`. So bounces reach its mailbox, and no account sends on behalf of another domain (RFC 5321
 * §2.3.1). If the author is someone else, the account is named as `Sender` (RFC 5322 §3.6.2), and the mail server
 * decides whether to accept it.
 */
import { limits } from '@waypost/contract/limits'
import { invalidField } from '@waypost/platform/api-error'
import { mailAddress } from './headers.ts'

export const ownAddress = ({ email }: { email: string }): string => mailAddress('from.0.email', email)

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** Whether a message by these authors needs a Sender header. */
export const needsSender = (authors: readonly string[], own: string): boolean =>
  authors.length !== 1 || !same(authors[0] ?? '', own)

/** Rejects a Sender other than the account. */
export function checkSender(field: string, senders: readonly string[], own: string): void {
  if (senders.some((sender) => !same(sender, own))) {
    throw invalidField(field, `has a Sender that is not ${own}, the address of the account`)
  }
}

/** All recipients, each once. The limit counts `to`, `cc` and `bcc` together, including duplicates. */
export function recipientsOf(field: string, named: readonly string[]): string[] {
  if (named.length > limits.recipients) {
    throw invalidField(field, `to, cc and bcc together must name at most ${limits.recipients} addresses`)
  }
  return [...new Set(named)]
}
