/** What the account may do with an item or a folder. */
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
