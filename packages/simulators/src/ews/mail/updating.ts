// What happens to a message after `UpdateItem` changed it.
import type { EwsCall } from '../model.ts'
import { folderIn } from '../store/lookup.ts'
import { childOf } from '../xml/read.ts'
import type { MailItem } from './content.ts'
import { dispositionOf } from './creating.ts'
import { takeHeaderProperties } from './headers.ts'
import { sendStored } from './sending.ts'

export function updateMessage(call: EwsCall, item: MailItem, uris: ReadonlySet<string>): void {
  const disposition = dispositionOf(call)
  if (item.content.isDraft) takeHeaderProperties(item)
  if (uris.size > 0) item.mailbox.change(item)
  if (disposition === 'SaveOnly') return
  const saved = folderIn(call, childOf(call.request, 'SavedItemFolderId'), 'write')
  const copyTo = saved ?? item.mailbox.folders.standard('sentitems')
  sendStored(call, item, disposition === 'SendOnly' ? undefined : copyTo)
}
