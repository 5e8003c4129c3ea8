/** The folders of contacts, and their changes since the last poll. */
import { nonEmptyText, object, text } from '@waypost/platform/json/reader'
import { isMissing, needsResync } from '../errors.ts'
import { type DeltaPage, deltaPage, listAll } from '../graph-pages.ts'
import type { Session } from '../session.ts'
import { contactsPath, folderPath, readDefaultFolder } from './contact-folders.ts'
import { graphContact } from './contacts-api.ts'

const removed = { '@removed': object({}, { reason: text }) }
const changedFolder = object({ id: nonEmptyText }, removed)
/** A contact of a delta. The change date is absent for a deleted one. */
export const changedContact = object({ id: nonEmptyText }, { ...removed, lastModifiedDateTime: text })

export const pageSize = 500
const prefer = [`odata.maxpagesize=${pageSize}`]
const maxPages = 20
/** At most this many contacts of a deleted folder are read. */
const maxDeleted = 500_000

export interface FolderChanges {
  /** The folders that exist, among those that were reported. */
  there: string[]
  gone: string[]
  /** The link for later changes. */
  link: string
  /** All folders were reported, because there was no link or Graph has forgotten it. */
  whole: boolean
}

const firstFolders = (session: Session) => ({
  path: `${folderPath(session)}/delta`,
  query: { $select: 'id' },
  prefer,
})

async function readRound(session: Session, link: string | undefined): Promise<FolderChanges> {
  const there: string[] = []
  const gone: string[] = []
  let from = link
  for (let count = 0; count < maxPages; count += 1) {
    const start = from === undefined ? firstFolders(session) : { link: from, prefer }
    const page: DeltaPage<{ id: string; '@removed'?: unknown }> = await deltaPage(session, start, changedFolder)
    for (const folder of page.items) (folder['@removed'] ? gone : there).push(folder.id)
    from = page.delta ?? page.next
    if (page.next === undefined) break
  }
  return { there, gone, link: from ?? link ?? '', whole: link === undefined }
}

/** The changes of the folders; without a link all of them, including the default folder. */
export async function readFolderChanges(session: Session, link?: string): Promise<FolderChanges> {
  if (link !== undefined) {
    try {
      return await readRound(session, link)
    } catch (error) {
      if (!needsResync(error)) throw error
    }
  }
  const [round, { id }] = await Promise.all([readRound(session, undefined), readDefaultFolder(session)])
  return { ...round, there: [...new Set([id, ...round.there])] }
}

/** The first page of the contacts of a folder and of their later changes. */
export const firstContacts = (session: Session, folderId: string) => ({
  path: `${contactsPath(session, folderId)}/delta`,
  query: { $select: 'id,lastModifiedDateTime' },
  prefer,
})

/** The contacts of a deleted folder: it is in Deleted Items for a while, with everything in it. */
export async function readDeletedContacts(session: Session, folderId: string): Promise<string[]> {
  const list = { path: contactsPath(session, folderId), query: { $select: 'id', $top: pageSize }, read: graphContact }
  try {
    return (await listAll(session, list, { maxPages: maxDeleted / pageSize })).map(({ id }) => id)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}
