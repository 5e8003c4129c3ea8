/** Contacts and lists of addresses. */
import { sequence, text, type ValueOf } from '../soap/description.ts'
import { itemFields } from './item.ts'

export const contact = sequence(itemFields)
export type Contact = ValueOf<typeof contact>

export const distributionList = sequence({ ...itemFields, DisplayName: text, FileAs: text })
