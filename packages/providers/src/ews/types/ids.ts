/** The ids of folders and items, and addresses as Exchange writes them. */
import {
  attributesOnly,
  choice,
  element,
  enumeration,
  listOf,
  one,
  requiredAttribute,
  sequence,
  text,
  type ValueOf,
} from '../soap/description.ts'

export const itemId = attributesOnly({ Id: requiredAttribute(text), ChangeKey: text })
export type ItemId = ValueOf<typeof itemId>

/** EmailAddressType. An address of `RoutingType` EX is a directory name, not a mail address. */
export const mailbox = sequence({
  Name: text,
  EmailAddress: text,
  RoutingType: text,
  ItemId: itemId,
})
export type Mailbox = ValueOf<typeof mailbox>

/** SingleRecipientType: what holds one mailbox, such as From. */
export const recipient = sequence({ Mailbox: mailbox })

export const folderId = attributesOnly({ Id: requiredAttribute(text), ChangeKey: text })
export type FolderId = ValueOf<typeof folderId>

/** Folders that every mailbox has, by names that do not depend on its language. */
export const distinguishedNames = [
  'calendar',
  'contacts',
  'deleteditems',
  'drafts',
  'inbox',
  'outbox',
  'sentitems',
  'msgfolderroot',
  'junkemail',
] as const
export type DistinguishedName = (typeof distinguishedNames)[number]

/** With a mailbox it is that of the sharing account. */
export const distinguishedFolderId = element({
  attributes: { Id: requiredAttribute(enumeration(distinguishedNames)), ChangeKey: text },
  places: { Mailbox: mailbox },
})

export const anyFolderId = choice({ FolderId: folderId, DistinguishedFolderId: distinguishedFolderId })
export type AnyFolderId = ValueOf<typeof anyFolderId>

/** TargetFolderIdType: the destination of an operation. */
export const targetFolder = one(anyFolderId)
export const folderIds = listOf(anyFolderId)

/** The series that an occurrence belongs to. */
const recurringMasterItemId = attributesOnly({ OccurrenceId: requiredAttribute(text), ChangeKey: text })

export const anyItemId = choice({
  ItemId: itemId,
  RecurringMasterItemId: recurringMasterItemId,
})
export type AnyItemId = ValueOf<typeof anyItemId>
export const itemIds = listOf(anyItemId)

export const folder = (Id: string): AnyFolderId => ({ kind: 'FolderId', Id })

/** A folder that every mailbox has: the account's own, or that of an address that shares it. */
export const distinguished = (Id: DistinguishedName, address?: string): AnyFolderId => ({
  kind: 'DistinguishedFolderId',
  Id,
  ...(address === undefined ? {} : { Mailbox: { EmailAddress: address } }),
})

export const item = (Id: string, ChangeKey?: string): AnyItemId => ({ kind: 'ItemId', Id, ChangeKey })
