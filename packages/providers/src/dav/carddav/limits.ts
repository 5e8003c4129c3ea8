/** The request fields that CardDAV servers do not support. */
import { defineLimits, unsupported } from '../../limits.ts'

export const cardDavLimits = defineLimits({
  'contacts.list': {
    query: {
      'source[]': unsupported('there is no directory: ask for `address_book` and `inbox`', { values: ['domain'] }),
    },
  },
})
