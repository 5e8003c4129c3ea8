// The folders of a mailbox.
import { EwsError } from '../soap/errors.ts'
import { changeKey, writeId } from './ids.ts'
import type { Folders, Mailbox, NewFolder, StoredFolder } from './stored.ts'
import { WELL_KNOWN } from './well-known.ts'

export function createFolders(mailbox: Mailbox, now: number): Folders {
  const byNumber = new Map<number, StoredFolder>()
  let last = 0x100

  function children(parent: StoredFolder): StoredFolder[] {
    return [...byNumber.values()].filter((folder) => folder.parent === parent)
  }

  const folders: Folders = {
    all: () => [...byNumber.values()],
    byNumber: (number) => byNumber.get(number),
    wellKnown: (name) => byNumber.values().find(({ wellKnownName }) => wellKnownName === name),
    standard(name) {
      const found = folders.wellKnown(name)
      if (found === undefined) throw new Error(`There is no folder ${name}`)
      return found
    },
    children,
    descendants: (parent) => children(parent).flatMap((child) => [child, ...folders.descendants(child)]),
    add(wish, change, at) {
      folders.checkName(wish.displayName, wish.parent)
      const folder = newFolder(mailbox, ++last, wish, change, at)
      byNumber.set(folder.number, folder)
      return folder
    },
    drop: ({ number }) => byNumber.delete(number),
    checkName(displayName, parent, except) {
      const wanted = displayName.toLowerCase()
      const isSame = (folder: StoredFolder) =>
        folder !== except && folder.parent === parent && folder.displayName.toLowerCase() === wanted
      if (parent !== undefined && byNumber.values().some(isSame)) {
        throw new EwsError('ErrorFolderExists', 'A folder with the specified name already exists.')
      }
    },
  }
  for (const { name, parent, ...rest } of WELL_KNOWN) {
    const above = parent === undefined ? undefined : folders.standard(parent)
    folders.add({ ...rest, parent: above, ...(name === undefined ? {} : { wellKnownName: name }) }, 1, now)
  }
  return folders
}

function newFolder(mailbox: Mailbox, number: number, wish: NewFolder, change: number, now: number): StoredFolder {
  const { displayName, parent, element = 'Folder', folderClass = 'IPF.Note', wellKnownName, isHidden = false } = wish
  return {
    mailbox,
    number,
    id: writeId({ kind: 'folder', mailbox: mailbox.id, folder: number, item: 0 }),
    wellKnownName,
    element,
    isHidden,
    folderClass,
    displayName,
    parent,
    changeKey: changeKey(mailbox.id, change),
    extended: new Map(),
    committedAt: now,
    deletedCount: 0,
    created: change,
    changed: change,
    items: new Map(),
    removed: [],
    forgotten: 0,
    permissions: new Map(),
  }
}
