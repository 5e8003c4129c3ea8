// CreateFolder, UpdateFolder, MoveFolder, DeleteFolder and EmptyFolder.
import type { EwsCall } from '../model.ts'
import { folderIdOnlyXml } from '../shapes/folder-shape.ts'
import { answerEach } from '../soap/answers.ts'
import { EwsError, schemaViolation } from '../soap/errors.ts'
import { extendedPath, extendedProperty } from '../store/extended.ts'
import { folderIn, folderOf } from '../store/lookup.ts'
import type { StoredFolder } from '../store/stored.ts'
import type { FolderElement } from '../xml/order.ts'
import { childOf, childrenOf, textOf, type XmlNode } from '../xml/read.ts'
import { element, type Xml } from '../xml/write.ts'

/** The default folder class of each element. */
const classes: Readonly<Record<FolderElement, string>> = {
  Folder: 'IPF.Note',
  CalendarFolder: 'IPF.Appointment',
  ContactsFolder: 'IPF.Contact',
  TasksFolder: 'IPF.Task',
  SearchFolder: 'IPF.Note',
}

export function createFolder(call: EwsCall): Promise<Xml> {
  const parent = childOf(call.request, 'ParentFolderId')
  return answerEach(call, childOf(call.request, 'Folders')?.children ?? [], (written) => {
    const folder = create(written, existing(folderIn(call, parent, 'write')))
    return [element('m:Folders', [folderIdOnlyXml(folder)])]
  })
}

function create(written: XmlNode, parent: StoredFolder): StoredFolder {
  const displayName = childOf(written, 'DisplayName')?.text ?? ''
  if (displayName === '') {
    throw new EwsError('ErrorFolderSavePropertyError', 'Folder properties could not be saved: DisplayName.')
  }
  if (parent.element === 'SearchFolder') {
    throw new EwsError('ErrorCannotCreateNewItemInFolder', 'Nothing can be created in a search folder.')
  }
  const requested = written.name as FolderElement
  const folderClass = textOf(written, 'FolderClass') ?? classes[requested]
  // For a generic `Folder`, the folder class determines the element.
  const named = Object.entries(classes).find(([, prefix]) => folderClass.toLowerCase().startsWith(prefix.toLowerCase()))
  const kind = requested === 'Folder' ? ((named?.[0] ?? 'Folder') as FolderElement) : requested
  const folder = parent.mailbox.addFolder({ displayName, parent, element: kind, folderClass })
  for (const property of childrenOf(written, 'ExtendedProperty')) {
    const { path, value } = extendedProperty(property)
    folder.extended.set(path.key, value)
  }
  return folder
}

export function updateFolder(call: EwsCall): Promise<Xml> {
  return answerEach(call, childOf(call.request, 'FolderChanges')?.children ?? [], (change) => {
    const folder = folderOf(call, change.children[0], 'write')
    for (const update of childOf(change, 'Updates')?.children ?? []) applyUpdate(folder, update)
    folder.mailbox.changeFolder(folder)
    return [element('m:Folders', [folderIdOnlyXml(folder)])]
  })
}

function applyUpdate(folder: StoredFolder, update: XmlNode): void {
  const [path, written] = update.children
  if (path?.name === 'ExtendedFieldURI') {
    const { key } = extendedPath(path)
    const property = childOf(written, 'ExtendedProperty')
    if (property === undefined) folder.extended.delete(key)
    else folder.extended.set(key, extendedProperty(property).value)
    return
  }
  const uri = path?.attributes.FieldURI
  if (update.name !== 'SetFolderField') {
    throw new EwsError('ErrorInvalidPropertyDelete', 'Property is not valid for this operation.')
  }
  if (uri === 'folder:DisplayName') rename(folder, childOf(written, 'DisplayName')?.text ?? '')
  else if (uri === 'folder:FolderClass') folder.folderClass = textOf(written, 'FolderClass') ?? folder.folderClass
  else throw new EwsError('ErrorInvalidPropertySet', 'Set action is invalid for property.')
}

function rename(folder: StoredFolder, displayName: string): void {
  if (displayName === '') throw new EwsError('ErrorFolderSavePropertyError', 'Folder properties could not be saved.')
  if (folder.wellKnownName !== undefined) throw new EwsError('ErrorAccessDenied', 'This folder cannot be renamed.')
  folder.mailbox.folders.checkName(displayName, folder.parent, folder)
  folder.displayName = displayName
}

export function moveFolder(call: EwsCall): Promise<Xml> {
  const to = childOf(call.request, 'ToFolderId')
  return answerEach(call, childOf(call.request, 'FolderIds')?.children ?? [], (id) => {
    const folder = folderOf(call, id, 'write')
    checkNotStandard(folder, 'ErrorMoveDistinguishedFolder', 'Distinguished folders cannot be moved.')
    move(folder, existing(folderIn(call, to, 'write')))
    return [element('m:Folders', [folderIdOnlyXml(folder)])]
  })
}

function move(folder: StoredFolder, to: StoredFolder): void {
  const { mailbox } = folder
  if (to.mailbox !== mailbox || to === folder || mailbox.folders.descendants(folder).includes(to)) {
    throw new EwsError('ErrorMoveCopyFailed', 'The move or copy operation failed.')
  }
  mailbox.moveFolder(folder, to)
}

export function deleteFolder(call: EwsCall): Promise<Xml> {
  const type = deleteType(call)
  return answerEach(call, childOf(call.request, 'FolderIds')?.children ?? [], (id) => {
    const folder = folderOf(call, id, 'write')
    checkNotStandard(folder, 'ErrorDeleteDistinguishedFolder', 'Distinguished folders cannot be deleted.')
    if (type === 'MoveToDeletedItems') moveToDeleted(folder)
    else folder.mailbox.removeFolder(folder)
    return []
  })
}

/** In Deleted Items, a name that is already taken gets a number. */
function moveToDeleted(folder: StoredFolder): void {
  const { mailbox, displayName } = folder
  const deleted = mailbox.folders.standard('deleteditems')
  const names = new Set(mailbox.folders.children(deleted).map((each) => each.displayName.toLowerCase()))
  for (let number = 1; names.has(folder.displayName.toLowerCase()); number++)
    folder.displayName = `${displayName}${number}`
  mailbox.moveFolder(folder, deleted)
}

export function emptyFolder(call: EwsCall): Promise<Xml> {
  const type = deleteType(call)
  const deep = ['true', '1'].includes(call.request.attributes.DeleteSubFolders ?? '')
  return answerEach(call, childOf(call.request, 'FolderIds')?.children ?? [], (id) => {
    const folder = folderOf(call, id, 'write')
    if (['CalendarFolder', 'ContactsFolder', 'SearchFolder'].includes(folder.element)) {
      throw new EwsError('ErrorCannotEmptyFolder', 'The folder cannot be emptied.')
    }
    empty(folder, type)
    if (deep) for (const child of folder.mailbox.folders.children(folder)) folder.mailbox.removeFolder(child)
    return []
  })
}

function empty(folder: StoredFolder, type: string): void {
  const { mailbox } = folder
  const to = { MoveToDeletedItems: 'deleteditems', SoftDelete: 'recoverableitemsdeletions' }[type]
  for (const item of [...folder.items.values()]) {
    if (to === undefined) mailbox.remove(item)
    else mailbox.move(item, mailbox.folders.standard(to))
  }
}

function deleteType({ request }: EwsCall): string {
  const { DeleteType: type = '' } = request.attributes
  if (['HardDelete', 'SoftDelete', 'MoveToDeletedItems'].includes(type)) return type
  throw schemaViolation("The required attribute 'DeleteType' is missing.")
}

function existing(folder: StoredFolder | undefined): StoredFolder {
  if (folder === undefined) throw schemaViolation('The folder is missing.')
  return folder
}

/** Rejects changes to standard folders, which cannot be deleted or moved. */
function checkNotStandard({ wellKnownName, parent }: StoredFolder, code: string, message: string): void {
  if (wellKnownName !== undefined || parent === undefined) throw new EwsError(code, message)
}
