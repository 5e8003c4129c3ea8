// MarkAllItemsAsRead and MarkAsJunk.

import type { EwsCall } from '../model.ts'
import { answerEach } from '../soap/answers.ts'
import { folderOf, itemOf } from '../store/lookup.ts'
import { childOf, isTrue } from '../xml/read.ts'
import { element, type Xml } from '../xml/write.ts'

export function markAllItemsAsRead(call: EwsCall): Promise<Xml> {
  const { request } = call
  const isRead = isTrue(request, 'ReadFlag')
  return answerEach(call, childOf(request, 'FolderIds')?.children ?? [], (id) => {
    const folder = folderOf(call, id, 'write')
    for (const item of [...folder.items.values()]) {
      if (item.isRead === isRead) continue
      folder.mailbox.changeRead(item, isRead)
      call.world.registry.typeOf(item).markedRead?.(call, item)
    }
    return []
  })
}

/** The sender is not blocked afterwards: no mail from outside reaches the simulator. */
export function markAsJunk(call: EwsCall): Promise<Xml> {
  const { IsJunk, MoveItem } = call.request.attributes
  return answerEach(call, childOf(call.request, 'ItemIds')?.children ?? [], (id) => {
    const item = itemOf(call, id, 'write')
    if (MoveItem !== 'true' && MoveItem !== '1') return []
    const { mailbox } = item
    mailbox.move(item, mailbox.folders.standard(IsJunk === 'true' || IsJunk === '1' ? 'junkemail' : 'inbox'))
    return [element('m:MovedItemId', { Id: item.id, ChangeKey: item.changeKey })]
  })
}
