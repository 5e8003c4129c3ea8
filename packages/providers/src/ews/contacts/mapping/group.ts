/** A folder of contacts as a group. Pure. */
import type { ContactGroup } from '@waypost/contract'
import type { ContactFolder } from '../contact-folders.ts'

/** The default folder is the system's group; all others are the user's. */
export const fromFolder = ({ id, name, parentId, isDefault }: ContactFolder, grantId: string): ContactGroup => ({
  id,
  grant_id: grantId,
  object: 'contact_group',
  name,
  group_type: isDefault ? 'system' : 'user',
  path: [parentId, id].filter((part) => part).join('/'),
})
