// Contact folders, which can be nested. The list contains the children of the default folder, not that folder itself.
import { GraphError } from '../errors.ts'
import type { GraphAnswer, GraphCall, GraphRoute } from '../http.ts'
import { itemAnswer, listAnswer } from '../odata/collection.ts'
import { deltaAnswer } from '../odata/delta.ts'
import { mailboxRoutes } from '../part.ts'
import { FOLDER, folderJson } from './contact-json.ts'
import { folderOfCall, READ, stateOf, WRITE } from './contacts-routes.ts'
import { addFolder, checkFolderName, deleteFolder, folderOf, type StoredFolder } from './state.ts'

function optionsOf(call: GraphCall) {
  const state = stateOf(call)
  return {
    type: FOLDER,
    context: `users('${encodeURIComponent(call.owner.id)}')/contactFolders`,
    json: (folder: StoredFolder) => folderJson(state, folder),
  }
}

/** The folder whose children are listed or created: the default folder unless the path names another. */
function parentOf(call: GraphCall): StoredFolder {
  const { parentId } = call.params
  return parentId === undefined ? stateOf(call).defaultFolder : folderOf(stateOf(call), parentId)
}

function list(call: GraphCall): GraphAnswer {
  const parent = parentOf(call)
  const children = [...stateOf(call).folders.values()].filter((folder) => folder.parent === parent.key)
  return listAnswer(call, children, optionsOf(call))
}

function nameOf(call: GraphCall): string {
  const { displayName } = call.json()
  if (typeof displayName === 'string' && displayName.trim() !== '') return displayName
  throw new GraphError(400, 'ErrorInvalidParameter', "The value of parameter 'DisplayName' is invalid.")
}

function post(call: GraphCall): GraphAnswer {
  const folder = addFolder(stateOf(call), parentOf(call), nameOf(call))
  return itemAnswer(call, folder, optionsOf(call), 201)
}

function get(call: GraphCall): GraphAnswer {
  return itemAnswer(call, folderOfCall(call), optionsOf(call))
}

function patch(call: GraphCall): GraphAnswer {
  const state = stateOf(call)
  const folder = folderOfCall(call)
  const name = nameOf(call)
  if (folder === state.defaultFolder) {
    throw new GraphError(400, 'ErrorRenameDistinguishedFolder', 'Distinguished folders cannot be renamed.')
  }
  if (name.toLowerCase() !== folder.name.toLowerCase()) checkFolderName(state, folder.parent, name)
  folder.name = name
  state.log.record(folder.key, 'updated')
  return itemAnswer(call, folder, optionsOf(call))
}

function remove(call: GraphCall): GraphAnswer {
  deleteFolder(stateOf(call), folderOfCall(call))
  return {}
}

function delta(call: GraphCall): GraphAnswer {
  const { folders, log } = stateOf(call)
  const { json, type, context } = optionsOf(call)
  return deltaAnswer(call, {
    type,
    log,
    context,
    keys: () => folders.keys(),
    json(key) {
      const folder = folders.get(key)
      return folder && json(folder)
    },
    removedId: (_, was) => was ?? '',
    takes: ['$select'],
  })
}

const CHILDREN = '/contactFolders/:parentId/childFolders'

export const foldersRoutes: readonly GraphRoute[] = [
  ...['/contactFolders', CHILDREN].flatMap((path) => [
    ...mailboxRoutes(`GET ${path}`, READ, list),
    ...mailboxRoutes(`POST ${path}`, WRITE, post),
    ...mailboxRoutes(`GET ${path}/:folderId`, READ, get),
    ...mailboxRoutes(`PATCH ${path}/:folderId`, WRITE, patch),
    ...mailboxRoutes(`DELETE ${path}/:folderId`, WRITE, remove),
  ]),
  ...mailboxRoutes('GET /contactFolders/delta', READ, delta),
]
