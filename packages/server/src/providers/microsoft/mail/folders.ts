/** Folders of a mailbox: a tree, told as one list with the ids of the parents. A message is in one of them. */

import type { Folder, FolderChange } from '@waypost/contract'
import { ApiError, invalidField } from '../../../lib/api-error.ts'
import type { Operations } from '../../operations.ts'
import { pageByKey } from '../../shared/key-pages.ts'
import { providerReason, providerStatus } from '../../shared/refusal.ts'
import { isMissing } from '../errors.ts'
import type { Session } from '../session.ts'
import { type Branch, folderQuery, readTree } from './folder-tree.ts'
import { type GraphFolder, graphFolder, idPath, type Mailbox, mailboxFor, named, orNotFound } from './mail-api.ts'
import { fromFolder } from './mapping/folder.ts'
import { attributesOf, wellKnownIds } from './well-known-folders.ts'

const pathOf = (mailbox: Mailbox, id: string): string => mailbox.path(`mailFolders/${idPath('folder', id)}`)

const read = (mailbox: Mailbox, id: string): Promise<GraphFolder> =>
  orNotFound('folder', () =>
    mailbox.session.call('GET', pathOf(mailbox, id), { query: folderQuery, read: graphFolder }),
  )

async function shown(mailbox: Mailbox, folder: GraphFolder): Promise<Folder> {
  const attributes = attributesOf(await wellKnownIds(mailbox))
  return fromFolder(folder, mailbox.session.grant.id, attributes.get(folder.id))
}

/** Where a folder stands in the list: after the one that it lies in. */
const keyOf = ({ names, folder }: Branch): string => `${names.join('\0')}\0\0${folder.id}`

/** What Graph refused of a name or a parent. */
function refusal(error: unknown): unknown {
  const reason = providerReason(error)
  if (providerStatus(error) === 409 || reason === 'ErrorFolderExists') {
    return new ApiError('conflict', 'name: there is a folder of this name already')
  }
  return error
}

const noParent = (): ApiError => invalidField('parent_id', 'is not the id of a folder of this account')

/** Folders that Exchange keeps for itself. */
async function refuseWellKnown(mailbox: Mailbox, { id, displayName = '' }: GraphFolder, what: string): Promise<void> {
  if (!attributesOf(await wellKnownIds(mailbox)).has(id)) return
  throw new ApiError('provider_refused', `${displayName} is a folder that every mailbox has: it cannot be ${what}`)
}

async function childrenNamed(mailbox: Mailbox, parentId: string | undefined, name: string): Promise<GraphFolder[]> {
  const tree = await readTree(mailbox, { parentId, hidden: true, singleLevel: true })
  return tree.map(({ folder }) => folder).filter(({ displayName }) => displayName === name)
}

const patchOf = ({ name }: FolderChange, known: GraphFolder): object | undefined =>
  name === undefined || name === known.displayName ? undefined : { displayName: name }

export const folders: Operations<Session>['folders'] = {
  async list(session, query, position) {
    const mailbox = mailboxFor(session, query)
    const { parent_id: parentId, include_hidden_folders: hidden = false, single_level: singleLevel = false } = query
    const [attributes, tree] = await Promise.all([
      wellKnownIds(mailbox).then(attributesOf),
      readTree(mailbox, { parentId, hidden, singleLevel }),
    ])
    const { items, ...next } = pageByKey(tree, keyOf, { position, limit: query.limit })
    return {
      items: items.map(({ folder }) => fromFolder(folder, session.grant.id, attributes.get(folder.id))),
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
      const [there] = await childrenNamed(mailbox, parentId, name)
      if (there) return shown(mailbox, there)
    }
    const path =
      parentId === undefined
        ? mailbox.path('mailFolders')
        : mailbox.path(`mailFolders/${idPath('folder', parentId)}/childFolders`)
    try {
      const made = await session.call('POST', path, { body: { displayName: name }, read: graphFolder })
      return await shown(mailbox, made)
    } catch (error) {
      throw parentId !== undefined && isMissing(error) ? noParent() : refusal(error)
    }
  },

  async update(session, at, change) {
    const mailbox = mailboxFor(session, at)
    let folder = await read(mailbox, at.folder_id)
    const { parent_id: parentId } = change
    const patch = patchOf(change, folder)
    const isMoved = parentId != null && parentId !== folder.parentFolderId
    if (!patch && !isMoved) return shown(mailbox, folder)
    await refuseWellKnown(mailbox, folder, 'changed')
    const path = pathOf(mailbox, folder.id)
    try {
      if (isMoved) {
        const body = { destinationId: parentId }
        const moved = await session.call('POST', `${path}/move`, { body, read: named }).catch((error: unknown) => {
          throw isMissing(error) ? noParent() : error
        })
        folder = await read(mailbox, moved.id)
      }
      if (patch) {
        await session.execute('PATCH', pathOf(mailbox, folder.id), { body: patch })
        folder = { ...folder, displayName: change.name ?? '' }
      }
    } catch (error) {
      throw refusal(error)
    }
    return shown(mailbox, folder)
  },

  /** A folder goes with all that is in it, and not by way of the trash. */
  async delete(session, at) {
    const mailbox = mailboxFor(session, at)
    const folder = await read(mailbox, at.folder_id)
    await refuseWellKnown(mailbox, folder, 'deleted')
    await orNotFound('folder', () => session.execute('POST', `${pathOf(mailbox, folder.id)}/permanentDelete`))
  },
}
