/** Folders of a mailbox: a tree, told as one list with the ids of the parents. A message is in one of them. */

import type { Folder } from '@waypost/contract'
import { ApiError, invalidField } from '../../../lib/api-error.ts'
import type { Operations } from '../../operations.ts'
import { pageByKey } from '../../shared/key-pages.ts'
import { notFound } from '../../shared/named-objects.ts'
import { hasCode, isMissing } from '../errors.ts'
import { CreateFolder, DeleteFolder, EmptyFolder, MoveFolder, UpdateFolder } from '../operations/folders.ts'
import type { Session } from '../session.ts'
import { setFolderField } from '../types/changes.ts'
import { folder as folderRef } from '../types/ids.ts'
import { field } from '../types/paths.ts'
import { freshFolders, readFolder, readFolders } from './folder-tree.ts'
import { folderNamed, type Mailbox, mailboxFor, orNotFound } from './mail-api.ts'
import { fromFolder, type MailFolder } from './mapping/folder.ts'
import { folderOfId } from './mapping/names.ts'
import { attributesOf, wellKnownIds } from './well-known-folders.ts'

async function read(mailbox: Mailbox, id: string): Promise<MailFolder> {
  const found = await orNotFound('folder', () => readFolder(mailbox, folderNamed(id)))
  if (!found) throw notFound('folder')
  return found
}

/** A folder that was read alone may be the archive, unless another has a better name: all must be known. */
async function shown(mailbox: Mailbox, folder: MailFolder): Promise<Folder> {
  const ids = await wellKnownIds(mailbox)
  const mayBeArchive = attributesOf(ids, [folder]).get(folder.id) === '\\Archive'
  const others = mayBeArchive ? await freshFolders(mailbox) : []
  return fromFolder(folder, mailbox.session.grant.id, attributesOf(ids, [...others, folder]).get(folder.id))
}

/** The names of those that a folder lies in, with its own; where it stands in the list: after the one that it lies in. */
function keyOf(folder: MailFolder, byId: ReadonlyMap<string, MailFolder>): string {
  const names = [folder.name]
  const seen = new Set([folder.id])
  for (let at = folder.parentId; at !== undefined && !seen.has(at); at = byId.get(at)?.parentId) {
    seen.add(at)
    const parent = byId.get(at)
    if (parent) names.unshift(parent.name)
  }
  return `${names.join('\0')}\0\0${folder.id}`
}

/** What Exchange refused of a name. */
const refusal = (error: unknown): unknown =>
  hasCode(error, 'ErrorFolderExists') ? new ApiError('conflict', 'name: there is a folder of this name already') : error

const noParent = (): ApiError => invalidField('parent_id', 'is not the id of a folder of this account')

function parentNamed(id: string): ReturnType<typeof folderNamed> {
  try {
    return folderNamed(id)
  } catch {
    throw noParent()
  }
}

/** Folders that Exchange keeps for itself. */
async function refuseWellKnown(mailbox: Mailbox, { id, name }: MailFolder, what: string): Promise<void> {
  if (![...(await wellKnownIds(mailbox)).values()].includes(id)) return
  throw new ApiError('provider_refused', `${name} is a folder that every mailbox has: it cannot be ${what}`)
}

async function rename(mailbox: Mailbox, id: string, name: string): Promise<void> {
  const update = setFolderField(field('folder:DisplayName'), { kind: 'Folder', DisplayName: name })
  const change = { Id: { kind: 'FolderId' as const, Id: id }, Updates: [update] }
  await orNotFound('folder', () => mailbox.session.call(UpdateFolder, { FolderChanges: [change] }))
}

async function move(mailbox: Mailbox, id: string, parentId: string): Promise<void> {
  try {
    await mailbox.session.call(MoveFolder, { ToFolderId: parentNamed(parentId), FolderIds: [folderRef(id)] })
  } catch (error) {
    throw isMissing(error) ? noParent() : error
  }
}

async function listed(
  mailbox: Mailbox,
  {
    parent_id: parent,
    single_level: singleLevel,
  }: { parent_id?: string | undefined; single_level?: boolean | undefined },
): Promise<readonly MailFolder[]> {
  if (parent === undefined && !singleLevel) return freshFolders(mailbox)
  const within = parent === undefined ? mailbox.place('msgfolderroot') : folderNamed(parent)
  return orNotFound('folder', () => readFolders(mailbox, within, singleLevel))
}

async function create(mailbox: Mailbox, name: string, parentId: string | undefined): Promise<MailFolder> {
  const parent = parentId === undefined ? mailbox.place('msgfolderroot') : parentNamed(parentId)
  const made = { kind: 'Folder' as const, FolderClass: 'IPF.Note', DisplayName: name }
  const { Folders } = await mailbox.session.call(CreateFolder, { ParentFolderId: parent, Folders: [made] })
  const id = Folders?.[0]?.FolderId?.Id ?? ''
  const root = (await wellKnownIds(mailbox)).get('msgfolderroot')
  const within = parentId === undefined ? root : folderOfId(parentId)
  return { id, name, parentId: within, total: 0, unread: 0, children: 0, isHidden: false }
}

/** Deletes a folder. Some servers do so with empty ones alone. */
async function deleteWhole(session: Session, id: string): Promise<void> {
  const request = { DeleteType: 'HardDelete' as const, FolderIds: [folderRef(id)] }
  try {
    await session.call(DeleteFolder, request)
  } catch (error) {
    if (!hasCode(error, 'ErrorCannotDeleteObject')) throw error
    await session.call(EmptyFolder, { ...request, DeleteSubFolders: true })
    await session.call(DeleteFolder, request)
  }
}

export const folders: Operations<Session>['folders'] = {
  async list(session, query, position) {
    const mailbox = mailboxFor(session, query)
    const [ids, all] = await Promise.all([wellKnownIds(mailbox), listed(mailbox, query)])
    const attributes = attributesOf(ids, all)
    const byId = new Map(all.map((folder) => [folder.id, folder]))
    const visible = all.filter(({ isHidden }) => query.include_hidden_folders || !isHidden)
    const page = { position, limit: query.limit }
    const { items, ...next } = pageByKey(visible, (folder) => keyOf(folder, byId), page)
    return {
      items: items.map((folder) => fromFolder(folder, session.grant.id, attributes.get(folder.id))),
      ...next,
    }
  },

  async get(session, at) {
    const mailbox = mailboxFor(session, at)
    return shown(mailbox, await read(mailbox, at.folder_id))
  },

  async create(session, at, { name, parent_id: parent }) {
    const mailbox = mailboxFor(session, at)
    const parentId = parent ?? undefined
    if (at.once?.again) {
      const there = await listed(mailbox, { parent_id: parentId, single_level: true })
      const known = there.find((folder) => folder.name === name)
      if (known) return shown(mailbox, known)
    }
    try {
      return await shown(mailbox, await create(mailbox, name, parentId))
    } catch (error) {
      throw parentId !== undefined && isMissing(error) ? noParent() : refusal(error)
    }
  },

  async update(session, at, { name, parent_id: parentId }) {
    const mailbox = mailboxFor(session, at)
    const folder = await read(mailbox, at.folder_id)
    const isRenamed = name !== undefined && name !== folder.name
    const isMoved = parentId != null && folderOfId(parentId) !== folder.parentId
    if (!isRenamed && !isMoved) return shown(mailbox, folder)
    await refuseWellKnown(mailbox, folder, 'changed')
    try {
      if (isMoved) await move(mailbox, folder.id, parentId)
      if (isRenamed) await rename(mailbox, folder.id, name)
    } catch (error) {
      throw refusal(error)
    }
    return shown(mailbox, await read(mailbox, at.folder_id))
  },

  /** A folder goes with all that is in it, and not by way of Deleted Items. */
  async delete(session, at) {
    const mailbox = mailboxFor(session, at)
    const folder = await read(mailbox, at.folder_id)
    await refuseWellKnown(mailbox, folder, 'deleted')
    await orNotFound('folder', () => deleteWhole(session, folder.id))
  },
}
