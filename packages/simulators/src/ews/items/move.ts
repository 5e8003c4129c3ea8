// MoveItem and CopyItem.

import type { EwsCall } from '../model.ts'
import { itemIdOnlyXml } from '../shapes/item-shape.ts'
import { answerEach } from '../soap/answers.ts'
import { EwsError, folderNotFound, schemaViolation } from '../soap/errors.ts'
import { folderIn, itemOf } from '../store/lookup.ts'
import type { StoredFolder, StoredItem } from '../store/stored.ts'
import { childOf, textOf, type XmlNode } from '../xml/read.ts'
import { element, type Xml } from '../xml/write.ts'

export const moveItem = (call: EwsCall): Promise<Xml> =>
  intoFolder(call, (item, to) => {
    if (to.mailbox !== item.mailbox) {
      item.mailbox.copy(item, to)
      item.mailbox.remove(item)
      return undefined
    }
    item.mailbox.move(item, to)
    return item
  })

export const copyItem = (call: EwsCall): Promise<Xml> =>
  intoFolder(call, (item, to) => {
    const copied = item.mailbox.copy(item, to)
    return to.mailbox === item.mailbox ? copied : undefined
  })

type Work = (item: StoredItem, to: StoredFolder) => StoredItem | undefined

/** The response contains the new id, unless the client does not want it or the target is another mailbox. */
function intoFolder(call: EwsCall, work: Work): Promise<Xml> {
  const { request } = call
  const isWanted = textOf(request, 'ReturnNewItemIds') !== 'false'
  const tellsIds = isWanted && call.world.oddities.tellsNoNewIds !== true
  const wanted = call.operation === 'MoveItem' ? 'write' : 'read'
  return answerEach(call, childOf(request, 'ItemIds')?.children ?? [], (id) => {
    const to = targetFolder(call)
    const item = itemOf(call, id, wanted)
    checkStored(item, id)
    const now = work(item, to)
    return [element('m:Items', tellsIds && now !== undefined ? [itemIdOnlyXml(now)] : [])]
  })
}

function targetFolder(call: EwsCall): StoredFolder {
  try {
    const folder = folderIn(call, childOf(call.request, 'ToFolderId'), 'write')
    if (folder === undefined) throw schemaViolation("The element 'ToFolderId' is missing.")
    if (folder.element === 'SearchFolder') throw moveFailed()
    return folder
  } catch (error) {
    if (!(error instanceof EwsError) || error.code !== folderNotFound().code) throw error
    throw new EwsError('ErrorToFolderNotFound', 'The folder to save to could not be found.')
  }
}

/** Occurrences of a series cannot be moved. */
function checkStored(item: StoredItem, { name }: XmlNode): void {
  if (item.mailbox.itemByNumber(item.number) === item && name === 'ItemId') return
  throw new EwsError('ErrorCalendarCannotMoveOrCopyOccurrence', 'An occurrence of a series cannot be moved or copied.')
}

const moveFailed = (): EwsError => new EwsError('ErrorMoveCopyFailed', 'The move or copy operation failed.')
