/** Folders of contacts as groups. A contact is in one of them. */

import { ApiError } from '@waypost/platform/api-error'
import { z } from 'zod'
import { groupOf, groupTooFull, groupWithGroups, systemGroup } from '../../contacts/outlook.ts'
import type { Operations } from '../../operations.ts'
import { hasCode } from '../errors.ts'
import { CreateFolder, DeleteFolder, UpdateFolder } from '../operations/folders.ts'
import { FindItem, MoveItem, page } from '../operations/items.ts'
import type { Session } from '../session.ts'
import { setFolderField } from '../types/changes.ts'
import { distinguished, folder, item } from '../types/ids.ts'
import { field } from '../types/paths.ts'
import { idAnd } from '../types/shapes.ts'
import { type ContactFolder, contactFolders, defaultFolderOf, needFolder } from './contact-folders.ts'

/** The last group of a page. */
const Place = z.string()

/** A group of the user; the system's group cannot be changed. */
async function needOwn(session: Session, id: string): Promise<{ own: ContactFolder; all: ContactFolder[] }> {
  const all = await contactFolders(session)
  const own = needFolder(all, id)
  if (!own.isDefault) return { own, all }
  throw systemGroup()
}

const perRound = 100
const maxRounds = 50

/** Moves the contents out of a group that is deleted: Exchange would delete them with their folder. */
async function releaseItems(session: Session, from: ContactFolder, to: ContactFolder): Promise<void> {
  for (let count = 0; count < maxRounds; count += 1) {
    const { RootFolder } = await session.call(FindItem, {
      Traversal: 'Shallow',
      ItemShape: idAnd(),
      View: page(0, perRound),
      ParentFolderIds: [folder(from.ewsId)],
    })
    const ids = (RootFolder?.Items ?? []).flatMap(({ ItemId }) => (ItemId ? [item(ItemId.Id)] : []))
    if (ids.length === 0) return
    for (const moved of await session.each(MoveItem, { ToFolderId: folder(to.ewsId), ItemIds: ids })) {
      if (moved instanceof Error && !hasCode(moved, 'ErrorItemNotFound')) throw moved
    }
    if (RootFolder?.IncludesLastItemInRange) return
  }
  throw groupTooFull()
}

export const contactGroups: Operations<Session>['contactGroups'] = {
  async list(session, { limit }, position) {
    const all = await contactFolders(session)
    const last = position === undefined ? undefined : Place.parse(position)
    const from = last === undefined ? 0 : all.findIndex(({ id }) => id === last) + 1
    const items = all.slice(from, from + limit).map((one) => groupOf(one, session.grant.id))
    const end = items.at(-1)
    return end && from + limit < all.length ? { items, next: end.id } : { items }
  },
  async get(session, at) {
    return groupOf(needFolder(await contactFolders(session), at.group_id), session.grant.id)
  },
  async create(session, { name }, { once } = {}) {
    try {
      const { Folders } = await session.call(CreateFolder, {
        ParentFolderId: distinguished('contacts'),
        Folders: [{ kind: 'ContactsFolder', DisplayName: name }],
      })
      const made = Folders?.[0]?.FolderId?.Id
      const shown = (await contactFolders(session)).find(({ ewsId }) => ewsId === made)
      if (shown) return groupOf(shown, session.grant.id)
    } catch (error) {
      if (!once?.again || !hasCode(error, 'ErrorFolderExists')) throw error
      const all = await contactFolders(session)
      const { id } = defaultFolderOf(all)
      const named = all.find((one) => one.parentId === id && one.name === name)
      if (named) return groupOf(named, session.grant.id)
      throw error
    }
    throw new ApiError('provider_unavailable', 'Exchange made the group and does not list it yet; try again')
  },
  async update(session, at, { name }) {
    const { own } = await needOwn(session, at.group_id)
    const value = { kind: 'ContactsFolder', DisplayName: name } as const
    await session.call(UpdateFolder, {
      FolderChanges: [{ Id: folder(own.ewsId), Updates: [setFolderField(field('folder:DisplayName'), value)] }],
    })
    return groupOf({ ...own, name }, session.grant.id)
  },
  async delete(session, at) {
    const { own, all } = await needOwn(session, at.group_id)
    if (all.some(({ parentId }) => parentId === own.id)) throw groupWithGroups()
    await releaseItems(session, own, defaultFolderOf(all))
    await session.call(DeleteFolder, { DeleteType: 'MoveToDeletedItems', FolderIds: [folder(own.ewsId)] })
  },
}
