/** What contacts at Exchange do not have. */
import type { ContactMaxima } from '../../contacts/contact.ts'
import { ignored, unsupported } from '../../limits.ts'

export const contactFieldLimits = {
  'emails[].type': ignored('Outlook does not keep what an address is for'),
  'im_addresses[].type': ignored('Outlook does not keep what an address is for'),
  'web_pages[].type': ignored('the one page of a contact is for work', { except: ['work'] }),
} as const

export const contactListLimits = {
  'source[]': unsupported('Exchange does not tell whom the user writes to', { values: ['inbox'] }),
} as const

/**
 * How many values each list of a contact has: of numbers two for work, two for home, a mobile and another one; of places one
 * for each type.
 */
export const contactMaxima: ContactMaxima = {
  emails: 3,
  im_addresses: 3,
  phone_numbers: 6,
  physical_addresses: 3,
  web_pages: 1,
  groups: 1,
}
