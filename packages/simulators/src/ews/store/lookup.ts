// Finds the folders and items that a request names, and checks the caller's access rights.

import type { EwsCall } from '../model.ts'
import type { Account } from '../owner.ts'
import { accessDenied, EwsError, folderNotFound, itemNotFound, malformedId, schemaViolation } from '../soap/errors.ts'
import { isSince } from '../soap/versions.ts'
import { textOf, within, type XmlNode } from '../xml/read.ts'
import { readId } from './ids.ts'
import type { FolderRights, StoredFolder, StoredItem } from './stored.ts'
import { WELL_KNOWN } from './well-known.ts'

export type Wanted = keyof FolderRights

/** Finds a folder by `FolderId` or `DistinguishedFolderId`; any other element is a schema violation. */
export function folderOf(call: EwsCall, node: XmlNode | undefined, wanted: Wanted = 'read'): StoredFolder {
  if (node?.name === 'DistinguishedFolderId') return distinguished(call, node, wanted)
  if (node?.name !== 'FolderId') throw schemaViolation("The element 'FolderId' or 'DistinguishedFolderId' is missing.")
  const { Id: text = '' } = node.attributes
  if (text === '') throw new EwsError('ErrorInvalidIdEmpty', 'Id must be non-empty.')
  const id = readId(text)
  if (id.kind === 'item') {
    throw new EwsError('ErrorCannotUseItemIdForFolderId', 'Item Id cannot be used where a folder Id is expected.')
  }
  const folder = call.world.findAccountById(id.mailbox)?.mailbox.folders.byNumber(id.folder)
  if (folder === undefined || !mayUse(call.account, folder, 'read')) throw folderNotFound()
  return allowed(call, folder, wanted)
}

/** The folder inside an element such as `<m:ParentFolderId>`; undefined without that element. */
export function folderIn(call: EwsCall, node: XmlNode | undefined, wanted: Wanted = 'read'): StoredFolder | undefined {
  return node === undefined ? undefined : folderOf(call, node.children[0], wanted)
}

function distinguished(call: EwsCall, node: XmlNode, wanted: Wanted): StoredFolder {
  const { Id: name = '' } = node.attributes
  const known = WELL_KNOWN.find((folder) => folder.name === name)
  if (known !== undefined && !isSince(call.world.server.schema, known.since ?? 'Exchange2007')) {
    throw schemaViolation(`The 'Id' attribute is invalid - The value '${name}' is invalid according to its datatype.`)
  }
  const address = textOf(within(node, 'Mailbox'), 'EmailAddress')
  const owner = address === undefined ? call.account : call.world.findAccount(address)
  if (owner === undefined) {
    throw new EwsError('ErrorNonExistentMailbox', 'The SMTP address has no mailbox associated with it.')
  }
  const folder = owner.mailbox.folders.wellKnown(name)
  if (folder === undefined) throw folderNotFound()
  // Another user's folder that the caller may not see is reported as not found.
  if (!mayUse(call.account, folder, 'read')) throw folderNotFound()
  return allowed(call, folder, wanted)
}

/** Finds an item by `ItemId`, or by another kind of id that a part defines. */
export function itemOf(call: EwsCall, node: XmlNode, wanted: Wanted = 'read'): StoredItem {
  const other = Object.hasOwn(call.world.registry.itemIds, node.name)
    ? call.world.registry.itemIds[node.name]
    : undefined
  if (other !== undefined) return other(call, node)
  if (node.name !== 'ItemId') throw schemaViolation(`The element '${node.name}' is not expected.`)
  return itemOfId(call, node.attributes.Id ?? '', wanted)
}

export function itemOfId(call: EwsCall, text: string, wanted: Wanted = 'read'): StoredItem {
  if (text === '') throw new EwsError('ErrorInvalidIdEmpty', 'Id must be non-empty.')
  const id = readId(text)
  if (id.kind === 'folder') {
    throw new EwsError('ErrorCannotUseFolderIdForItemId', 'Folder Id cannot be used where an item Id is expected.')
  }
  const stored = call.world.findAccountById(id.mailbox)?.mailbox.itemByNumber(id.item)
  if (stored === undefined || stored.folder.number !== id.folder) throw itemNotFound()
  if (!mayUse(call.account, stored.folder, 'read')) throw itemNotFound()
  allowed(call, stored.folder, wanted)
  if (id.extra.length === 0) return stored
  const type = call.world.registry.typeOf(stored)
  if (type.expand === undefined) throw malformedId()
  return type.expand(stored, id.extra)
}

function allowed(call: EwsCall, folder: StoredFolder, wanted: Wanted): StoredFolder {
  if (!mayUse(call.account, folder, wanted)) throw accessDenied()
  return folder
}

/** Whether an account may read or change a folder: its own, one in a mailbox opened to it, or one shared with it. */
export function mayUse(account: Account, folder: StoredFolder, wanted: Wanted): boolean {
  if (folder.mailbox === account.mailbox) return true
  if (folder.mailbox.delegates.has(account.id)) return true
  return folder.permissions.get(account.id)?.[wanted] === true
}
