// CreateItem: the part that defines the type or response object creates the item.

import type { EwsCall, ItemType } from '../model.ts'
import { itemIdOnlyXml } from '../shapes/item-shape.ts'
import { answerEach } from '../soap/answers.ts'
import { EwsError } from '../soap/errors.ts'
import { folderIn } from '../store/lookup.ts'
import type { StoredFolder, StoredItem } from '../store/stored.ts'
import { childOf, textOf, type XmlNode } from '../xml/read.ts'
import { element, type Xml } from '../xml/write.ts'
import { detachedItem, storeDetached } from './detached.ts'
import { setFields } from './writing.ts'

export function createItem(call: EwsCall): Promise<Xml> {
  const { request } = call
  return answerEach(call, childOf(request, 'Items')?.children ?? [], (written) => {
    const folder = folderIn(call, childOf(request, 'SavedItemFolderId'), 'write')
    return [element('m:Items', made(call, written, folder).map(itemIdOnlyXml))]
  })
}

function made(call: EwsCall, written: XmlNode, folder: StoredFolder | undefined): StoredItem[] {
  const { registry } = call.world
  const respond = Object.hasOwn(registry.responses, written.name) ? registry.responses[written.name] : undefined
  if (respond !== undefined) return respond(call, written, folder)
  // `Item` can be any type: the item class decides.
  const named = written.name === 'Item' ? registry.typeOfClass(textOf(written, 'ItemClass') ?? 'IPM.Note') : undefined
  const type = named ?? registry.typeOfElement(written.name)
  if (type?.create !== undefined) return type.create(call, written, folder)
  if (type?.empty !== undefined) return [makePlain(call, { type, content: type.empty() }, { written, folder })]
  throw new EwsError('ErrorInvalidItemForOperationCreateItem', `Items of the type ${written.name} cannot be created.`)
}

interface Wish {
  readonly written: XmlNode
  readonly folder: StoredFolder | undefined
}

/** Creates an item of a type that needs nothing beyond storage. */
function makePlain<Content>(
  call: EwsCall,
  { type, content }: { type: ItemType<Content>; content: Content },
  { written, folder }: Wish,
): StoredItem {
  const home = folder ?? call.account.mailbox.folders.standard('drafts')
  const item = detachedItem(type, content, home) as StoredItem
  setFields(call, item, written)
  return storeDetached(item, home)
}
