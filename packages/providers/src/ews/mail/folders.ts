/** Folders by EWS. */
import { folderKey, folderOperations, noParent } from '../../mail/exchange/folders.ts'
import { notFound } from '../../shared/named-objects.ts'
import { hasCode, isMissing } from '../errors.ts'
import { CreateFolder, DeleteFolder, EmptyFolder, MoveFolder, UpdateFolder } from '../operations/folders.ts'
import type { Session } from '../session.ts'
import { setFolderField } from '../types/changes.ts'
import { folder as folderRef } from '../types/ids.ts'
import { field } from '../types/paths.ts'
import { freshFolders, readFolder, readFolders } from './folder-tree.ts'
import { folderNamed, type Mailbox, mailboxFor, orNotFound, wellKnownIds } from './mail-api.ts'
import { attributesOf, fromFolder, type MailFolder } from './mapping/folder.ts'
import { folderIdOf, folderOfId } from './mapping/names.ts'

async function read(mailbox: Mailbox, id: string): Promise<MailFolder> {
  const found = await orNotFound('folder', () => readFolder(mailbox, folderNamed(id)))
  if (!found) throw notFound('folder')
  return found
}

/** The names from the top of the mailbox down to a folder. */
function namesOf(folder: MailFolder, byId: ReadonlyMap<string, MailFolder>): string[] {
  const names = [folder.name]
  const seen = new Set([folder.id])
  for (let at = folder.parentId; at !== undefined && !seen.has(at); at = byId.get(at)?.parentId) {
    seen.add(at)
    const parent = byId.get(at)
    if (parent) names.unshift(parent.name)
  }
  return names
}

function parentNamed(id: string): ReturnType<typeof folderNamed> {
  try {
    return folderNamed(id)
  } catch {
    throw noParent()
  }
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

interface Level {
  parent_id?: string | undefined
  single_level?: boolean | undefined
}

async function listed(mailbox: Mailbox, { parent_id: parent, single_level: singleLevel }: Level) {
  if (parent === undefined && !singleLevel) return freshFolders(mailbox)
  const within = parent === undefined ? mailbox.place('msgfolderroot') : folderNamed(parent)
  return orNotFound('folder', () => readFolders(mailbox, within, singleLevel))
}

/** Deletes a folder. Some servers delete only empty ones. */
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

export const folders = folderOperations({
  mailboxFor,
  read,
  nameOf: ({ name }: MailFolder) => name,
  isIn: (folder, parentId) => folderOfId(parentId) === folder.parentId,
  /** The archive is the folder with the best name, so a candidate is compared with all folders. */
  async shown(mailbox, folder) {
    const ids = await wellKnownIds(mailbox)
    const mayBeArchive = attributesOf(ids, [folder]).get(folder.id) === '\\Archive'
    const others = mayBeArchive ? await freshFolders(mailbox) : []
    return fromFolder(folder, mailbox.session.grant.id, attributesOf(ids, [...others, folder]).get(folder.id))
  },
  async list(mailbox, query) {
    const [ids, all] = await Promise.all([wellKnownIds(mailbox), listed(mailbox, query)])
    const attributes = attributesOf(ids, all)
    const byId = new Map(all.map((folder) => [folder.id, folder]))
    return all
      .filter(({ isHidden }) => query.include_hidden_folders || !isHidden)
      .map((folder) => ({
        key: folderKey(namesOf(folder, byId), folder.id),
        folder: fromFolder(folder, mailbox.session.grant.id, attributes.get(folder.id)),
      }))
  },
  async findByName(mailbox, name, parentId) {
    const there = await listed(mailbox, { parent_id: parentId, single_level: true })
    return there.find((folder) => folder.name === name)
  },
  async create(mailbox, name, parentId) {
    const parent = parentId === undefined ? mailbox.place('msgfolderroot') : parentNamed(parentId)
    const made = { kind: 'Folder' as const, FolderClass: 'IPF.Note', DisplayName: name }
    const { Folders } = await mailbox.session.call(CreateFolder, { ParentFolderId: parent, Folders: [made] })
    const id = Folders?.[0]?.FolderId?.Id ?? ''
    const root = (await wellKnownIds(mailbox)).get('msgfolderroot')
    const within = parentId === undefined ? root : folderOfId(parentId)
    return { id, name, parentId: within, total: 0, unread: 0, children: 0, isHidden: false }
  },
  async change(mailbox, { id }, { name, parentId }) {
    if (parentId !== undefined) await move(mailbox, id, parentId)
    if (name !== undefined) await rename(mailbox, id, name)
    return read(mailbox, folderIdOf(id))
  },
  remove: (mailbox, { id }) => orNotFound('folder', () => deleteWhole(mailbox.session, id)),
  isWellKnown: async (mailbox, { id }) => [...(await wellKnownIds(mailbox)).values()].includes(id),
  isMissing,
  isNameTaken: (error) => hasCode(error, 'ErrorFolderExists'),
})
