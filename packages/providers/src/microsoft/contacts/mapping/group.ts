/** A folder of contacts as a group. Pure. */
import type { ContactGroup } from '@waypost/contract'
import type { GraphFolder } from '../contacts-api.ts'

/** The default folder is the system's group; all others are the user's. */
export const fromFolder = (folder: GraphFolder, grantId: string, defaultId: string | undefined): ContactGroup => ({
  id: folder.id,
  grant_id: grantId,
  object: 'contact_group',
  name: folder.displayName ?? '',
  group_type: folder.id === defaultId ? 'system' : 'user',
  path: [folder.parentFolderId, folder.id].filter((part) => part).join('/'),
})
