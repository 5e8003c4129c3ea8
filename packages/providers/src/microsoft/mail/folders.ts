/** Folders by Graph. */
import { folderKey, folderOperations, noParent } from '../../mail/exchange/folders.ts'
import { providerReason, providerStatus } from '../../shared/refusal.ts'
import { isMissing } from '../errors.ts'
import { folderQuery, readTree } from './folder-tree.ts'
import { type GraphFolder, graphFolder, idPath, type Mailbox, mailboxFor, named, orNotFound } from './mail-api.ts'
import { fromFolder } from './mapping/folder.ts'
import { attributesOf, wellKnownIds } from './well-known-folders.ts'

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
