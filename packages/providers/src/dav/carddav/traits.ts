/** The differences between providers with a CardDAV server. */
import type { Version } from '@waypost/formats/vcard/lines'
import { defineLimits, unsupported } from '../../limits.ts'

export interface CardDavTraits {
  /** The name of the service in messages for clients. */
  title: string
  /** The version of new cards; if absent, the address book decides. */
  version?: Version
  /** Whether categories count as groups, in addition to groups that are cards. */
  hasCategories: boolean
  /** Maximum bytes of a picture. */
  maxPictureBytes?: number
  /** Maximum bytes of a card. */
  maxCardBytes?: number
}

/** Any CardDAV server. */
export const cardDavTraits: CardDavTraits = { title: 'CardDAV', hasCategories: true }

/** iCloud: Apple's programs support groups that are cards, but not categories. */
export const iCloudCardTraits: CardDavTraits = {
  title: 'iCloud',
  version: '3.0',
  hasCategories: false,
  maxPictureBytes: 224 * 1024,
  maxCardBytes: 256 * 1024,
}

export const cardDavLimits = defineLimits({
  'contacts.list': {
    query: {
      'source[]': unsupported('there is no directory: ask for `address_book` and `inbox`', { values: ['domain'] }),
    },
  },
})
