// Contacts of Graph.
import { readId } from '../item-ids.ts'
import type { GraphPart } from '../part.ts'
import { contactsRoutes, READ } from './contacts-routes.ts'
import { foldersRoutes } from './folders-routes.ts'
import { photosRoutes } from './photos-routes.ts'
import { allContacts, folderCollection } from './state.ts'

export const contactsPart: GraphPart = {
  routes: [...contactsRoutes, ...foldersRoutes, ...photosRoutes],
  subscribable: [
    { path: '/contacts', scopes: READ, collection: () => allContacts },
    {
      path: '/contactFolders/:folderId/contacts',
      scopes: READ,
      collection: (owner, { folderId = '' }) => folderCollection(readId(owner, folderId).key),
    },
  ],
}
