/** Fields and filters that Exchange contacts do not support. */
import type { ContactMaxima } from '../../contacts/contact.ts'
import { ignored, unsupported } from '../../limits.ts'

export const contactFieldLimits = {
  'emails[].type': ignored('Outlook does not keep what an address is for'),
  'im_addresses[].type': ignored('Outlook does not keep what an address is for'),
  'web_pages[].type': ignored('the one page of a contact is for work', { except: ['work'] }),
} as const

export const contactListLimits = {
  'source[]': unsupported('Exchange does not report whom the user writes to', { values: ['inbox'] }),
} as const

/**
 * The maximum number of values of each list of a contact: two business, two home, one mobile and one other number;
 * one address per type.
 */
export const contactMaxima: ContactMaxima = {
  emails: 3,
  im_addresses: 3,
  phone_numbers: 6,
  physical_addresses: 3,
  web_pages: 1,
  groups: 1,
}
