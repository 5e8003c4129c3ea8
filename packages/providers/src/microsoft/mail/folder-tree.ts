/**
 * The folders of a mailbox, level by level: Graph lists the children of one folder, and how many children each has.
 */
import { object, readableItems, text } from '@waypost/platform/json/reader'
import { listAll } from '../graph-pages.ts'
import { foundOf, type GraphFolder, graphFolder, idPath, type Mailbox, orNotFound } from './mail-api.ts'

const fields = 'id,displayName,parentFolderId,childFolderCount,totalItemCount,unreadItemCount,isHidden'
export const folderQuery = { $select: fields }

const perPage = 250
/** Outlook allows a depth of 300, which nobody creates by hand. */
const maxDepth = 50

export interface Tree {
  /** The parent of the listed folders; the top of the mailbox if absent. */
  parentId?: string | undefined
  hidden: boolean
  singleLevel: boolean
}

/** A folder with the names from the top down to it. */
export interface Branch {
  folder: GraphFolder
  names: readonly string[]
}

const level = object({ value: readableItems(graphFolder) }, { '@odata.nextLink': text })

/** All folders; a folder follows its parent. */
export async function readTree(mailbox: Mailbox, { parentId, hidden, singleLevel }: Tree): Promise<Branch[]> {
  const query = { ...folderQuery, $top: perPage, ...(hidden ? { includeHiddenFolders: 'true' } : {}) }
  const first = parentId === undefined ? 'mailFolders' : `mailFolders/${idPath('folder', parentId)}/childFolders`
  const list = { path: mailbox.path(first), query, read: graphFolder }
  const top = await orNotFound('folder', () => listAll(mailbox.session, list))
  const found: Branch[] = top.map((folder) => ({ folder, names: [folder.displayName ?? ''] }))
  let parents = singleLevel ? [] : found.filter(hasChildren)
  for (let depth = 0; depth < maxDepth && parents.length > 0; depth++) {
    const children = await childrenOf(mailbox, parents, query)
    found.push(...children)
    parents = children.filter(hasChildren)
  }
  return found
}

const hasChildren = ({ folder }: Branch): boolean => (folder.childFolderCount ?? 0) > 0

/**
 * The children of some folders, read in a batch. A folder with more children than fit into one answer is read by
 * itself.
 */
async function childrenOf(
  mailbox: Mailbox,
  parents: readonly Branch[],
  query: Record<string, string | number>,
): Promise<Branch[]> {
  const pathOf = ({ folder }: Branch): string => mailbox.path(`mailFolders/${idPath('folder', folder.id)}/childFolders`)
  const calls = parents.map((parent) => ({ path: pathOf(parent), query }))
  const answers = foundOf(
    (await mailbox.session.batch(calls, level)).map((answer, place) =>
      answer instanceof Error ? answer : { answer, parent: parents[place] },
    ),
  )
  const children: Branch[] = []
  for (const { answer, parent } of answers) {
    if (!parent) continue
    const isWhole = answer['@odata.nextLink'] === undefined
    const list = { path: pathOf(parent), query, read: graphFolder }
    const folders = isWhole ? answer.value : await listAll(mailbox.session, list)
    children.push(...folders.map((folder) => ({ folder, names: [...parent.names, folder.displayName ?? ''] })))
  }
  return children
}
