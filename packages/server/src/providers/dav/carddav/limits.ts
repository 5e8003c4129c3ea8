/** What contacts at a CardDAV server do not take. */
import { defineLimits, unsupported } from '../../limits.ts'

export const cardDavLimits = defineLimits({
  'contacts.list': {
    query: {
      'source[]': unsupported('there is no directory: ask for `address_book` and `inbox`', { values: ['domain'] }),
    },
  },
})
