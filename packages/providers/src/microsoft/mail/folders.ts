/** Folders by Graph. */

import { object, readableItems, text } from '@waypost/platform/json/reader'
import { folderKey, folderOperations, noParent } from '../../mail/exchange/folders.ts'
import { providerReason, providerStatus } from '../../shared/refusal.ts'
import { isMissing } from '../errors.ts'
import { listAll } from '../graph-pages.ts'
import {
  foundOf,
  type GraphFolder,
  graphFolder,
  idPath,
  type Mailbox,
  mailboxFor,
  named,
  orNotFound,
} from './mail-api.ts'
import { fromFolder } from './mapping/folder.ts'
import { attributesOf, wellKnownIds } from './well-known-folders.ts'

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

const pathOf = (mailbox: Mailbox, id: string): string => mailbox.path(`mailFolders/${idPath('folder', id)}`)

const read = (mailbox: Mailbox, id: string): Promise<GraphFolder> =>
  orNotFound('folder', () =>
    mailbox.session.call('GET', pathOf(mailbox, id), { query: folderQuery, read: graphFolder }),
  )

async function move(mailbox: Mailbox, { id }: GraphFolder, parentId: string): Promise<GraphFolder> {
  const body = { destinationId: parentId }
  const path = `${pathOf(mailbox, id)}/move`
  const moved = await mailbox.session.call('POST', path, { body, read: named }).catch((error: unknown) => {
    throw isMissing(error) ? noParent() : error
  })
  return read(mailbox, moved.id)
}

async function rename(mailbox: Mailbox, folder: GraphFolder, name: string): Promise<GraphFolder> {
  await mailbox.session.execute('PATCH', pathOf(mailbox, folder.id), { body: { displayName: name } })
  return { ...folder, displayName: name }
}

export const folders = folderOperations({
  mailboxFor,
  read,
  nameOf: ({ displayName = '' }: GraphFolder) => displayName,
  isIn: ({ parentFolderId }, parentId) => parentFolderId === parentId,
  async shown(mailbox, folder) {
    const attributes = attributesOf(await wellKnownIds(mailbox))
    return fromFolder(folder, mailbox.session.grant.id, attributes.get(folder.id))
  },
  async list(mailbox, query) {
    const { parent_id: parentId, include_hidden_folders: hidden = false, single_level: singleLevel = false } = query
    const [attributes, tree] = await Promise.all([
      wellKnownIds(mailbox).then(attributesOf),
      readTree(mailbox, { parentId, hidden, singleLevel }),
    ])
    return tree.map(({ folder, names }) => ({
      key: folderKey(names, folder.id),
      folder: fromFolder(folder, mailbox.session.grant.id, attributes.get(folder.id)),
    }))
  },
  async findByName(mailbox, name, parentId) {
    const tree = await readTree(mailbox, { parentId, hidden: true, singleLevel: true })
    return tree.map(({ folder }) => folder).find(({ displayName }) => displayName === name)
  },
  create(mailbox, name, parentId) {
    const path = parentId === undefined ? 'mailFolders' : `mailFolders/${idPath('folder', parentId)}/childFolders`
    return mailbox.session.call('POST', mailbox.path(path), { body: { displayName: name }, read: graphFolder })
  },
  async change(mailbox, folder, { name, parentId }) {
    const moved = parentId === undefined ? folder : await move(mailbox, folder, parentId)
    return name === undefined ? moved : rename(mailbox, moved, name)
  },
  remove: (mailbox, { id }) =>
    orNotFound('folder', () => mailbox.session.execute('POST', `${pathOf(mailbox, id)}/permanentDelete`)),
  isWellKnown: async (mailbox, { id }) => attributesOf(await wellKnownIds(mailbox)).has(id),
  isMissing,
  isNameTaken: (error) => providerStatus(error) === 409 || providerReason(error) === 'ErrorFolderExists',
})
