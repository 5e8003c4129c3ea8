// The folder tree of one mailbox, including the well-known folders.
import { GraphError, itemNotFound } from '../errors.ts'
import { folderId, readId } from '../item-ids.ts'
import { ChangeLog } from '../odata/change-log.ts'
import type { AccountOwner } from '../owner.ts'
import type { StoredFolder } from './stored.ts'
import { WELL_KNOWN } from './well-known.ts'

export class Folders {
  readonly #owner: AccountOwner
  readonly #folders = new Map<string, StoredFolder>()
  readonly #wellKnown = new Map<string, StoredFolder>()
  #lastNumber = 0x100
  /** Changes of the folders themselves. */
  readonly log = new ChangeLog()

  constructor(owner: AccountOwner) {
    this.#owner = owner
    for (const { name, displayName, parent, isHidden = false } of WELL_KNOWN) {
      const folder = this.#make(displayName, {
        parent: this.#wellKnown.get(parent ?? ''),
        isHidden,
        wellKnownName: name,
      })
      this.#wellKnown.set(name, folder)
    }
  }

  wellKnown(name: string): StoredFolder {
    const folder = this.#wellKnown.get(name)
    if (folder === undefined) throw new Error(`There is no folder ${name}`)
    return folder
  }

  /** Finds a folder by id or well-known name. */
  find(id: string): StoredFolder {
    const folder = this.#wellKnown.get(id.toLowerCase()) ?? this.#folders.get(id)
    if (folder !== undefined) return folder
    readId(this.#owner, id)
    throw itemNotFound('The specified folder could not be found in the store.')
  }

  /** Finds a folder by id; undefined if it does not exist. */
  get(id: string): StoredFolder | undefined {
    return this.#folders.get(id)
  }

  /** All folders that a user can see or request. */
  all(): StoredFolder[] {
    const top = this.wellKnown('msgfolderroot')
    return [...this.#folders.values()].filter((folder) => folder !== top && this.isBelow(folder, top))
  }

  childrenOf(parent: StoredFolder): StoredFolder[] {
    return [...this.#folders.values()]
      .filter((folder) => folder.parent === parent)
      .sort((left, right) => left.displayName.localeCompare(right.displayName))
  }

  /** Whether a folder equals another or is below it. */
  isBelow(folder: StoredFolder, ancestor: StoredFolder): boolean {
    for (let at: StoredFolder | undefined = folder; at !== undefined; at = at.parent) if (at === ancestor) return true
    return false
  }

  create(displayName: string, parent: StoredFolder, isHidden = false): StoredFolder {
    this.#checkName(displayName, parent)
    const folder = this.#make(displayName, { parent, isHidden, wellKnownName: undefined })
    this.log.record(folder.id, 'created')
    return folder
  }

  rename(folder: StoredFolder, displayName: string): void {
    if (displayName === folder.displayName) return
    if (folder.parent !== undefined) this.#checkName(displayName, folder.parent, folder)
    folder.displayName = displayName
    this.log.record(folder.id, 'updated')
  }

  move(folder: StoredFolder, parent: StoredFolder): void {
    if (this.isBelow(parent, folder)) {
      throw new GraphError(400, 'ErrorMoveCopyFailed', 'The move or copy operation failed.')
    }
    this.#checkName(folder.displayName, parent, folder)
    folder.parent = parent
    this.log.record(folder.id, 'updated')
  }

  /** A name that no child of the folder uses. */
  freeName(displayName: string, parent: StoredFolder): string {
    for (let count = 0; ; count++) {
      const name = count === 0 ? displayName : `${displayName}${count}`
      if (!this.childrenOf(parent).some((each) => isSame(each.displayName, name))) return name
    }
  }

  /** Removes a folder; its messages and children must be deleted first. */
  remove(folder: StoredFolder): void {
    this.#folders.delete(folder.id)
    this.log.record(folder.id, 'deleted')
  }

  /** Records changed counts, which the delta of the folder hierarchy reports. */
  touch(folder: StoredFolder): void {
    this.log.record(folder.id, 'updated')
  }

  #make(displayName: string, given: Pick<StoredFolder, 'parent' | 'isHidden' | 'wellKnownName'>): StoredFolder {
    this.#lastNumber++
    const number = this.#lastNumber
    const folder = {
      id: folderId(this.#owner, `mail folder ${number}`),
      number,
      displayName,
      ...given,
      log: new ChangeLog(),
    }
    this.#folders.set(folder.id, folder)
    return folder
  }

  #checkName(displayName: string, parent: StoredFolder, except?: StoredFolder): void {
    if (displayName.trim() === '') {
      throw new GraphError(400, 'ErrorInvalidRequest', 'The folder display name is not valid.')
    }
    if (this.childrenOf(parent).every((each) => each === except || !isSame(each.displayName, displayName))) return
    throw new GraphError(409, 'ErrorFolderExists', 'A folder with the specified name already exists.')
  }
}

function isSame(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase()
}
