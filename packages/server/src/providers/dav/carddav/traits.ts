/** What differs between the kinds of accounts whose contacts are at a CardDAV server. */
import type { Version } from '../../../formats/vcard/lines.ts'

export interface CardDavTraits {
  /** What the service is called in words for clients. */
  title: string
  /** The version that new cards are written in; where it is absent, what the address book takes. */
  version?: Version
  /** Whether the categories that cards name are groups, beside the groups that are cards themselves. */
  hasCategories: boolean
  /** Bytes of a picture at most. */
  maxPictureBytes?: number
  /** Bytes of a card at most. */
  maxCardBytes?: number
}

/** Any server that speaks CardDAV. */
export const cardDavTraits: CardDavTraits = { title: 'CardDAV', hasCategories: true }

/** Apple's: its programs know groups that are cards, and show no categories. */
export const iCloudCardTraits: CardDavTraits = {
  title: 'iCloud',
  version: '3.0',
  hasCategories: false,
  maxPictureBytes: 224 * 1024,
  maxCardBytes: 256 * 1024,
}
