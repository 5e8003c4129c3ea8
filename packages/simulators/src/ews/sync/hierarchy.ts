// SyncFolderHierarchy: new, changed and deleted folders. A changed item count is not a change of the folder.
import type { EwsCall } from '../model.ts'
import { type FolderShape, folderXml, readFolderShape } from '../shapes/folder-shape.ts'
import { answerOne } from '../soap/answers.ts'
import { folderIn, mayUse } from '../store/lookup.ts'
import type { StoredFolder } from '../store/stored.ts'
import { childOf, textOf } from '../xml/read.ts'
import { element, type Xml } from '../xml/write.ts'
import { createSeen } from './seen.ts'
import { invalidState, readState, writeState } from './state.ts'

export function syncFolderHierarchy(call: EwsCall): Promise<Xml> {
  const shape = readFolderShape(childOf(call.request, 'FolderShape'))
  return answerOne(call, () => {
    const { mailbox } = call.account
    const root = folderIn(call, childOf(call.request, 'SyncFolderId')) ?? mailbox.folders.standard('msgfolderroot')
    return sync(call, root, shape)
  })
}

function sync(call: EwsCall, root: StoredFolder, shape: FolderShape): Xml[] {
  const { mailbox } = root
  const about = { mailbox: mailbox.id, of: `hierarchy ${root.id}`, epoch: call.world.syncEpoch() }
  const before = readState(textOf(call.request, 'SyncState'), about)
  const seen = createSeen(before)
  const { forgottenFolders } = mailbox
  if (before.length > 0 && forgottenFolders > 0 && !seen.has(forgottenFolders)) throw invalidState()
  const below = mailbox.folders.descendants(root).filter((folder) => mayUse(call.account, folder, 'read'))
  const changed = below
    .filter((folder) => !seen.has(folder.changed))
    .map((folder) => element(seen.has(folder.created) ? 't:Update' : 't:Create', [folderXml(call, folder, shape)]))
  const gone = mailbox.removedFolders
    .filter(({ removed, created }) => !seen.has(removed) && seen.has(created))
    .map(({ id }) => element('t:Delete', [element('t:FolderId', { Id: id })]))
  return [
    element('m:SyncState', writeState({ ...about, seen: [[0, mailbox.lastChange()]] })),
    element('m:IncludesLastFolderInRange', true),
    element('m:Changes', [...changed, ...gone]),
  ]
}
