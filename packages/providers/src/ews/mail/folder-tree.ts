/**
 * The mail folders of a mailbox, read with one call and cached. A list over all folders starts with the cached ones
 * and concurrently checks whether they are still complete.
 */
import { RetainedValue } from '../../shared/retained-value.ts'
import { isMissing } from '../errors.ts'
import { folderPaths, listFolders } from '../folder-list.ts'
import { GetFolder } from '../operations/folders.ts'
import { type AnyFolderId, folder } from '../types/ids.ts'
import { idAnd } from '../types/shapes.ts'
import { isDenied, type Mailbox, wellKnownIds } from './mail-api.ts'
import { type MailFolder, mailFolder, mailPaths, uses } from './mapping/folder.ts'

/** The mail folders within one, or at all depths. */
export async function readFolders({ session }: Mailbox, under: AnyFolderId, isShallow = false): Promise<MailFolder[]> {
  const found = await listFolders(session, { under, also: mailPaths, isShallow })
  return found.flatMap((each) => mailFolder(each) ?? [])
}

const shape = idAnd(...folderPaths, ...mailPaths)

export async function readFolder({ session }: Mailbox, id: AnyFolderId): Promise<MailFolder | undefined> {
  const { Folders } = await session.call(GetFolder, { FolderShape: shape, FolderIds: [id] })
  const [found] = Folders ?? []
  return found && mailFolder(found)
}

/** All mail folders. If the account may not read the top of a shared mailbox: the accessible well-known folders. */
async function readAll(mailbox: Mailbox): Promise<MailFolder[]> {
  try {
    return await readFolders(mailbox, mailbox.place('msgfolderroot'))
  } catch (error) {
    if (mailbox.sharedFrom === undefined || !(isDenied(error) || isMissing(error))) throw error
    const open = await readOpen(mailbox)
    if (open.length === 0) throw error
    return open
  }
}

async function readOpen(mailbox: Mailbox): Promise<MailFolder[]> {
  const ids = await wellKnownIds(mailbox)
  const names = Object.keys(uses).flatMap((name) => ids.get(name as keyof typeof uses) ?? [])
  if (names.length === 0) return []
  const FolderIds = names.map((id) => folder(id))
  const answers = await mailbox.session.each(GetFolder, { FolderShape: shape, FolderIds })
  return answers.flatMap((answer) => {
    const [found] = answer instanceof Error ? [] : (answer.Folders ?? [])
    return (found && mailFolder(found)) ?? []
  })
}

/** Folders, and when they were read in milliseconds. */
interface ReadFolders {
  folders: readonly MailFolder[]
  at: number
}

/** The cached folders of a mailbox on this node. */
const knownFolders = ({ session, owner }: Mailbox): RetainedValue<ReadFolders> =>
  session.io.retained(`mail folders of ${owner}`, () => new RetainedValue<ReadFolders>())

/** All mail folders, read now. */
export async function freshFolders(mailbox: Mailbox): Promise<readonly MailFolder[]> {
  const known = knownFolders(mailbox)
  const folders = await readAll(mailbox)
  known.value = { folders, at: mailbox.session.io.clock.now() }
  return folders
}

/** The cached folders, if there are any, and their age in milliseconds. */
export function lastFolders(mailbox: Mailbox): { folders: readonly MailFolder[]; ageMs: number } | undefined {
  const { value } = knownFolders(mailbox)
  return value && { folders: value.folders, ageMs: mailbox.session.io.clock.now() - value.at }
}
