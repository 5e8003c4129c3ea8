/** An address, as Exchange writes it. */
import { attributesOnly, enumeration, requiredAttribute, sequence, text, type ValueOf } from '../soap/description.ts'

export const itemId = attributesOnly({ Id: requiredAttribute(text), ChangeKey: text })
export type ItemId = ValueOf<typeof itemId>

export const mailboxTypes = [
  'Unknown',
  'OneOff',
  'Mailbox',
  'PublicDL',
  'PrivateDL',
  'Contact',
  'PublicFolder',
  'GroupMailbox',
  'ImplicitContact',
] as const

/** EmailAddressType. An address of `RoutingType` EX is a directory name, not a mail address. */
export const mailbox = sequence({
  Name: text,
  EmailAddress: text,
  RoutingType: text,
  MailboxType: enumeration(mailboxTypes),
  ItemId: itemId,
  OriginalDisplayName: text,
})
export type Mailbox = ValueOf<typeof mailbox>

/** SingleRecipientType: what holds one mailbox, such as From. */
export const recipient = sequence({ Mailbox: mailbox })
