// GetFolder and FindFolder.

import { readRestriction } from '../find/restriction.ts'
import type { EwsCall } from '../model.ts'
import { folderXml, readFolderShape } from '../shapes/folder-shape.ts'
import { pageOf, readPageView } from '../shapes/paging.ts'
import { answerEach } from '../soap/answers.ts'
import { schemaViolation } from '../soap/errors.ts'
import { folderOf, mayUse } from '../store/lookup.ts'
import type { StoredFolder } from '../store/stored.ts'
import { childOf, type XmlNode } from '../xml/read.ts'
import { element, type Xml } from '../xml/write.ts'
import { folderProperties } from './properties.ts'

export function getFolder(call: EwsCall): Promise<Xml> {
  const shape = readFolderShape(childOf(call.request, 'FolderShape'))
  return answerEach(call, childOf(call.request, 'FolderIds')?.children ?? [], (id) => [
    element('m:Folders', [folderXml(call, folderOf(call, id), shape)]),
  ])
}

export function findFolder(call: EwsCall): Promise<Xml> {
  const { request } = call
  const shape = readFolderShape(childOf(request, 'FolderShape'))
  const view = readPageView(request, 'Folder')
  const restriction = childOf(request, 'Restriction')
  return answerEach(call, childOf(request, 'ParentFolderIds')?.children ?? [], (id) => {
    const test = restriction === undefined ? () => true : readRestriction(restriction, folderProperties(call))
    const found = below(call, id).filter(test)
    const { rows, attributes } = pageOf(found, view)
    const folders = element(
      't:Folders',
      rows.map((folder) => folderXml(call, folder, shape)),
    )
    return [element('m:RootFolder', attributes, [folders])]
  })
}

function below(call: EwsCall, id: XmlNode): StoredFolder[] {
  const parent = folderOf(call, id)
  const { folders } = parent.mailbox
  const isVisible = (folder: StoredFolder) => mayUse(call.account, folder, 'read')
  switch (call.request.attributes.Traversal) {
    case 'Shallow':
      return folders.children(parent).filter(isVisible)
    case 'Deep':
      return folders.descendants(parent).filter(isVisible)
    case 'SoftDeleted':
      return []
    default:
      throw schemaViolation("The required attribute 'Traversal' is missing.")
  }
}
