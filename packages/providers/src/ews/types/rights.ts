/** The access rights of the account to an item or folder. */
import { boolean, sequence } from '../soap/description.ts'

export const effectiveRights = sequence({
  CreateAssociated: boolean,
  CreateContents: boolean,
  CreateHierarchy: boolean,
  Delete: boolean,
  Modify: boolean,
  Read: boolean,
  ViewPrivateItems: boolean,
})
