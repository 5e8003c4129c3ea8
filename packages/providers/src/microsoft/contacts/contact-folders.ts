/**
 * The folders of contacts (https://learn.microsoft.com/graph/api/resources/contactfolder). Every mailbox has the
 * folder `contacts`, which contains the others. Graph lists the children of a folder, and returns `contacts` only by
 * its name.
 */
import { ApiError } from '@waypost/platform/api-error'
import { object, readableItems, text } from '@waypost/platform/json/reader'
import { foundOf } from '../../shared/named-objects.ts'
import { isMissing } from '../errors.ts'
import { deltaPage, type List, type ListPage, listAll, listPage } from '../graph-pages.ts'
import { mailboxPath, type Session } from '../session.ts'
import { folderQuery, type GraphContact, type GraphFolder, graphContact, graphFolder } from './contacts-api.ts'

export const folderPath = (session: Session, id?: string): string =>
  mailboxPath(session, id === undefined ? 'contactFolders' : `contactFolders/${encodeURIComponent(id)}`)

/** The path of the contacts of a folder; without an id those of the default folder. */
export const contactsPath = (session: Session, folderId?: string): string =>
  folderId === undefined ? mailboxPath(session, 'contacts') : `${folderPath(session, folderId)}/contacts`

/** The name of the default folder, which every mailbox has. */
export const defaultFolder = 'contacts'

export const readDefaultFolder = (session: Session): Promise<GraphFolder> =>
  session.call('GET', folderPath(session, defaultFolder), { query: folderQuery, read: graphFolder })

/** A folder and the default folder, in one request. */
export async function readFolder(
  session: Session,
  id: string,
): Promise<{ folder: GraphFolder; defaultId: string | undefined }> {
  const calls = [id, defaultFolder].map((each) => ({ path: folderPath(session, each), query: folderQuery }))
  const [folder, own] = await session.batch(calls, graphFolder)
  if (folder instanceof ApiError || folder === undefined) throw folder ?? new ApiError('not_found')
  return { folder, defaultId: own instanceof ApiError ? undefined : own?.id }
}

const largestPage = 250
const prefer = [`odata.maxpagesize=${largestPage}`]
const maxPages = 20

const listOf = (session: Session, parentId: string | undefined, size: number): List<GraphFolder> => ({
  path: parentId === undefined ? folderPath(session) : `${folderPath(session, parentId)}/childFolders`,
  query: { ...folderQuery, $top: size },
  read: graphFolder,
})

/** A page of the folders in the default folder. */
export const listFolders = (session: Session, size: number, place?: string): Promise<ListPage<GraphFolder>> =>
  listPage(session, listOf(session, undefined, size), place)

/** All folders in a folder; without an id in the default folder. */
export const readChildren = (session: Session, parentId?: string): Promise<GraphFolder[]> =>
  listAll(session, listOf(session, parentId, largestPage))

const childPage = object({ value: readableItems(graphFolder) }, { '@odata.nextLink': text })

/**
 * The same for several folders, in their order and 20 per request: Graph does not say which folders have children.
 */
export async function readChildrenOf(session: Session, parentIds: readonly string[]): Promise<GraphFolder[][]> {
  const calls = parentIds.map((id) => {
    const { path, query } = listOf(session, id, largestPage)
    return { path, query }
  })
  const pages = await session.batch(calls, childPage)
  return Promise.all(
    pages.map(async (page, index) => {
      if (page instanceof ApiError) {
        // A folder that was deleted meanwhile has none.
        if (isMissing(page)) return []
        throw page
      }
      return page['@odata.nextLink'] === undefined ? page.value : readChildren(session, parentIds[index])
    }),
  )
}

const changedFolder = object({ id: text }, {})

/** The ids of all folders of contacts at any depth, from a first round of changes. */
export async function readFolderIds(session: Session): Promise<Set<string>> {
  const ids = new Set<string>()
  const first = { path: `${folderPath(session)}/delta`, query: { $select: 'id' }, prefer }
  let page = await deltaPage(session, first, changedFolder)
  for (let count = 0; ; count += 1) {
    for (const { id } of page.items) ids.add(id)
    if (page.next === undefined || count === maxPages) return ids
    page = await deltaPage(session, { link: page.next, prefer }, changedFolder)
  }
}

/** Throws if a contact is not in the folder that it was to be moved to. */
export function needMoved({ parentFolderId }: GraphContact, folderId: string): void {
  if (parentFolderId === folderId) return
  throw new ApiError('provider_refused', 'Microsoft did not move the contact to the group')
}

/** Moves contacts to a folder, 20 per request. Contacts that were deleted meanwhile are left out. */
export async function moveContacts(session: Session, ids: readonly string[], folderId: string): Promise<void> {
  const calls = ids.map((id) => ({
    method: 'PATCH' as const,
    path: mailboxPath(session, `contacts/${encodeURIComponent(id)}`),
    body: { parentFolderId: folderId },
  }))
  for (const moved of foundOf(await session.batch(calls, graphContact), isMissing)) needMoved(moved, folderId)
}
