// SendItem.

import { checkChangeKey } from '../items/change-keys.ts'
import type { EwsCall } from '../model.ts'
import { answerEach } from '../soap/answers.ts'
import { EwsError, folderNotFound } from '../soap/errors.ts'
import { folderIn, itemOf } from '../store/lookup.ts'
import type { StoredFolder } from '../store/stored.ts'
import { childOf } from '../xml/read.ts'
import type { Xml } from '../xml/write.ts'
import { isMailItem } from './mail-items.ts'
import { sendStored } from './sending.ts'

export function sendItem(call: EwsCall): Promise<Xml> {
  const { request } = call
  const keepsCopy = ['true', '1'].includes(request.attributes.SaveItemToFolder ?? '')
  return answerEach(call, childOf(request, 'ItemIds')?.children ?? [], (id) => {
    const folder = copyFolder(call)
    if (folder !== undefined && !keepsCopy) {
      throw new EwsError(
        'ErrorInvalidSendItemSaveSettings',
        'SavedItemFolderId cannot be given if the item is not saved to a folder.',
      )
    }
    const item = itemOf(call, id, 'write')
    checkChangeKey(item, id.attributes.ChangeKey)
    if (!isMailItem(item) || !item.content.isDraft) {
      throw new EwsError('ErrorInvalidItemForOperationSendItem', 'The item is not a message that can be sent.')
    }
    sendStored(call, item, keepsCopy ? (folder ?? item.mailbox.folders.standard('sentitems')) : undefined)
    return []
  })
}

function copyFolder(call: EwsCall): StoredFolder | undefined {
  try {
    return folderIn(call, childOf(call.request, 'SavedItemFolderId'), 'write')
  } catch (error) {
    if (!(error instanceof EwsError) || error.code !== folderNotFound().code) throw error
    throw new EwsError('ErrorSavedItemFolderNotFound', 'The specified folder for saved items could not be found.')
  }
}
