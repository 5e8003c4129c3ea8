// Folders of mail. https://learn.microsoft.com/graph/api/resources/mailfolder
import type { JsonObject } from '../../shared/http.ts'
import { GraphError, invalidBody } from '../errors.ts'
import type { GraphAnswer, GraphCall, GraphRoute } from '../http.ts'
import { type ItemOptions, itemAnswer, listAnswer } from '../odata/collection.ts'
import { deltaAnswer } from '../odata/delta.ts'
import type { EntityType } from '../odata/entity.ts'
import { mailboxRoutes } from '../part.ts'
import { type Mailbox, mailboxOf } from './mailbox.ts'
import { READ_BASIC, WRITE } from './scopes.ts'
import type { StoredFolder } from './stored.ts'

const FOLDER: EntityType = {
  name: 'mailFolder',
  properties: [
    'id',
    'displayName',
    'parentFolderId',
    'childFolderCount',
    'unreadItemCount',
    'totalItemCount',
    'isHidden',
  ],
  navigations: ['childFolders', 'messages', 'messageRules'],
}

export const folderRoutes: readonly GraphRoute[] = [
  ...mailboxRoutes('GET /mailFolders', READ_BASIC, (call) => list(call, top(call))),
  ...mailboxRoutes('POST /mailFolders', WRITE, (call) => create(call, top(call))),
  ...mailboxRoutes('GET /mailFolders/delta', READ_BASIC, delta),
  ...mailboxRoutes('GET /mailFolders/:folderId', READ_BASIC, (call) => one(call, found(call))),
  ...mailboxRoutes('PATCH /mailFolders/:folderId', WRITE, rename),
  ...mailboxRoutes('DELETE /mailFolders/:folderId', WRITE, remove),
  ...mailboxRoutes('POST /mailFolders/:folderId/permanentDelete', WRITE, (call) => {
    purge(mailboxOf(call.owner), own(found(call)))
    return {}
  }),
  ...mailboxRoutes('GET /mailFolders/:folderId/childFolders', READ_BASIC, (call) => list(call, found(call))),
  ...mailboxRoutes('POST /mailFolders/:folderId/childFolders', WRITE, (call) => create(call, found(call))),
  ...mailboxRoutes('POST /mailFolders/:folderId/move', WRITE, (call) => {
    const folder = own(found(call))
    mailboxOf(call.owner).folders.move(folder, destination(call))
    return one(call, folder, 201)
  }),
  ...mailboxRoutes('POST /mailFolders/:folderId/copy', WRITE, (call) =>
    one(call, copy(mailboxOf(call.owner), own(found(call)), destination(call)), 201),
  ),
]

function top({ owner }: GraphCall): StoredFolder {
  return mailboxOf(owner).folders.wellKnown('msgfolderroot')
}

function found({ owner, params }: GraphCall): StoredFolder {
  return mailboxOf(owner).folders.find(params.folderId ?? '')
}

/** Requires a folder that the user created; only those may be changed. */
function own(folder: StoredFolder): StoredFolder {
  if (folder.wellKnownName === undefined) return folder
  throw new GraphError(403, 'ErrorDeleteDistinguishedFolder', 'Distinguished folders cannot be deleted or changed.')
}

function optionsOf(call: GraphCall): ItemOptions<StoredFolder> {
  const mailbox = mailboxOf(call.owner)
  const json = (folder: StoredFolder) => folderJson(mailbox, folder)
  return {
    type: FOLDER,
    context: `users('${call.owner.id}')/mailFolders`,
    json,
    expand: (folder, { name }) => (name === 'childFolders' ? visible(call, folder).map(json) : undefined),
  }
}

function visible({ owner, query }: GraphCall, parent: StoredFolder): StoredFolder[] {
  const showsHidden = query.get('includeHiddenFolders')?.toLowerCase() === 'true'
  return mailboxOf(owner)
    .folders.childrenOf(parent)
    .filter(({ isHidden }) => showsHidden || !isHidden)
}

function list(call: GraphCall, parent: StoredFolder): GraphAnswer {
  return listAnswer(call, visible(call, parent), optionsOf(call))
}

function one(call: GraphCall, folder: StoredFolder, status = 200): GraphAnswer {
  return itemAnswer(call, folder, optionsOf(call), status)
}

function create(call: GraphCall, parent: StoredFolder): GraphAnswer {
  const { displayName, isHidden } = call.json()
  if (typeof displayName !== 'string') throw invalidBody("The property 'displayName' is missing.")
  const folder = mailboxOf(call.owner).folders.create(displayName, parent, isHidden === true)
  return one(call, folder, 201)
}

function rename(call: GraphCall): GraphAnswer {
  const { displayName } = call.json()
  if (typeof displayName !== 'string') throw invalidBody("The property 'displayName' is missing.")
  const folder = own(found(call))
  mailboxOf(call.owner).folders.rename(folder, displayName)
  return one(call, folder)
}

/** Moves a folder with its contents to Deleted Items, or deletes it permanently if it is already there. */
function remove(call: GraphCall): GraphAnswer {
  const mailbox = mailboxOf(call.owner)
  const folder = own(found(call))
  const deleted = mailbox.folders.wellKnown('deleteditems')
  if (mailbox.folders.isBelow(folder, deleted)) {
    purge(mailbox, folder)
    return {}
  }
  const name = mailbox.folders.freeName(folder.displayName, deleted)
  folder.displayName = name
  mailbox.folders.move(folder, deleted)
  return {}
}

function purge(mailbox: Mailbox, folder: StoredFolder): void {
  for (const child of mailbox.folders.childrenOf(folder)) purge(mailbox, child)
  for (const message of mailbox.list(folder)) mailbox.purge(message)
  mailbox.folders.remove(folder)
}

function copy(mailbox: Mailbox, folder: StoredFolder, parent: StoredFolder): StoredFolder {
  const copied = mailbox.folders.create(folder.displayName, parent)
  for (const message of mailbox.list(folder)) mailbox.copy(message, copied)
  for (const child of mailbox.folders.childrenOf(folder)) if (child !== copied) copy(mailbox, child, copied)
  return copied
}

function destination(call: GraphCall): StoredFolder {
  const { destinationId, DestinationId } = call.json()
  return mailboxOf(call.owner).folders.find(String(destinationId ?? DestinationId ?? ''))
}

function delta(call: GraphCall): GraphAnswer {
  const mailbox = mailboxOf(call.owner)
  const { folders } = mailbox
  return deltaAnswer(call, {
    type: FOLDER,
    log: folders.log,
    context: 'Collection(mailFolder)',
    keys: () => folders.all().map(({ id }) => id),
    json(id) {
      const folder = folders.get(id)
      return folder === undefined || !folders.all().includes(folder) ? undefined : folderJson(mailbox, folder)
    },
    removedId: (id) => id,
    takes: ['$select', '$top', 'includeHiddenFolders'],
  })
}

export function folderJson(mailbox: Mailbox, folder: StoredFolder): JsonObject {
  const { total, unread } = mailbox.count(folder)
  return {
    id: folder.id,
    displayName: folder.displayName,
    parentFolderId: folder.parent?.id ?? folder.id,
    childFolderCount: mailbox.folders.childrenOf(folder).filter(({ isHidden }) => !isHidden).length,
    unreadItemCount: unread,
    totalItemCount: total,
    isHidden: folder.isHidden,
  }
}
