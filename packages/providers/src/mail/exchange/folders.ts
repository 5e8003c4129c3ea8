/** Folders of a mailbox: a tree, listed flat with the ids of the parents. A message is in exactly one of them. */
import type { Folder, FolderListQuery } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import type { Operations, Shared } from '../../operations.ts'
import { pageByKey } from '../../shared/key-pages.ts'

export const noParent = (): ApiError => invalidField('parent_id', 'is not the id of a folder of this account')

export interface FolderStorage<S, B, F> {
  mailboxFor(session: S, at?: Shared): B
  /** Throws `not_found` if there is none. */
  read(mailbox: B, id: string): Promise<F>
  nameOf(folder: F): string
  /** Whether a folder is in the parent that an id of the API names. */
  isIn(folder: F, parentId: string): boolean
  shown(mailbox: B, folder: F): Promise<Folder>
  /** Folders with the key that orders them: names from the top down, so that a folder follows its parent. */
  list(mailbox: B, query: FolderListQuery): Promise<readonly { key: string; folder: Folder }[]>
  findByName(mailbox: B, name: string, parentId: string | undefined): Promise<F | undefined>
  create(mailbox: B, name: string, parentId: string | undefined): Promise<F>
  /** Moves and renames; returns the folder as it is then. */
  change(mailbox: B, folder: F, change: { name?: string; parentId?: string }): Promise<F>
  /** Deletes a folder with everything in it, not by way of Deleted Items. */
  remove(mailbox: B, folder: F): Promise<void>
  isWellKnown(mailbox: B, folder: F): Promise<boolean>
  isMissing(error: unknown): boolean
  isNameTaken(error: unknown): boolean
}

/** The key of a folder in a list. */
export const folderKey = (names: readonly string[], id: string): string => `${names.join('\0')}\0\0${id}`

export function folderOperations<S, B, F>(storage: FolderStorage<S, B, F>): Operations<S>['folders'] {
  const { mailboxFor, read, shown, nameOf } = storage

  const refusal = (error: unknown): unknown =>
    storage.isNameTaken(error) ? new ApiError('conflict', 'name: a folder of this name already exists') : error

  /** Exchange does not let the folders be changed that every mailbox has. */
  async function refuseWellKnown(mailbox: B, folder: F, what: string): Promise<void> {
    if (!(await storage.isWellKnown(mailbox, folder))) return
    throw new ApiError('provider_refused', `${nameOf(folder)} is a folder that every mailbox has: it cannot be ${what}`)
  }

  return {
    async list(session, query, position) {
      const all = await storage.list(mailboxFor(session, query), query)
      const { items, ...next } = pageByKey(all, ({ key }) => key, { position, limit: query.limit })
      return { items: items.map(({ folder }) => folder), ...next }
    },

    async get(session, at) {
      const mailbox = mailboxFor(session, at)
      return shown(mailbox, await read(mailbox, at.folder_id))
    },

    async create(session, at, { name, parent_id: parent }) {
      const mailbox = mailboxFor(session, at)
      const parentId = parent ?? undefined
      const made = at.once?.again ? await storage.findByName(mailbox, name, parentId) : undefined
      if (made) return shown(mailbox, made)
      try {
        return await shown(mailbox, await storage.create(mailbox, name, parentId))
      } catch (error) {
        throw parentId !== undefined && storage.isMissing(error) ? noParent() : refusal(error)
      }
    },

    async update(session, at, { name, parent_id: parentId }) {
      const mailbox = mailboxFor(session, at)
      const folder = await read(mailbox, at.folder_id)
      const change = {
        ...(name !== undefined && name !== nameOf(folder) ? { name } : {}),
        ...(parentId != null && !storage.isIn(folder, parentId) ? { parentId } : {}),
      }
      if (Object.keys(change).length === 0) return shown(mailbox, folder)
      await refuseWellKnown(mailbox, folder, 'changed')
      const changed = await storage.change(mailbox, folder, change).catch((error: unknown) => {
        throw refusal(error)
      })
      return shown(mailbox, changed)
    },

    async delete(session, at) {
      const mailbox = mailboxFor(session, at)
      const folder = await read(mailbox, at.folder_id)
      await refuseWellKnown(mailbox, folder, 'deleted')
      await storage.remove(mailbox, folder)
    },
  }
}
