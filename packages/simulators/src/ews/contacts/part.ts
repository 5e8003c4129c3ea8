// Contacts and distribution lists, and the pictures of people.
import type { ExchangePart, ItemType } from '../model.ts'
import { contactType, distributionListType } from './contact-type.ts'
import { getUserPhoto } from './photos.ts'
import { resolveContacts } from './resolving.ts'

export const contactsPart: ExchangePart = {
  operations: { GetUserPhoto: getUserPhoto },
  since: { GetUserPhoto: 'Exchange2013' },
  resolveNames: resolveContacts,
  itemTypes: [contactType as ItemType, distributionListType as ItemType],
}
