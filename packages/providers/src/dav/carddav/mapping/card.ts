/** The content of a card: the fields of a contact, or a group with its members. Pure. */
import type { Contact, ContactGroup } from '@waypost/contract'
import { ContentTooLarge } from '@waypost/formats/icalendar/content-lines'
import { type CardContact, categoriesOf, contactOf, uidKey, uidOf } from '@waypost/formats/vcard/contact'
import { groupName, isGroup, membersOf } from '@waypost/formats/vcard/group'
import { hasPhoto } from '@waypost/formats/vcard/photo'
import { readVCard } from '@waypost/formats/vcard/vcard'

interface StoredCard {
  id: string
  /** Absolute. */
  href: string
  /** As the server wrote it; '' if it sent none. */
  etag: string
}

interface Card extends StoredCard {
  /** The UID by which groups refer to the card, if it has one. */
  uid: string | undefined
}

export interface PersonCard extends Card {
  contact: CardContact
  categories: readonly string[]
  /** Whether the card contains a picture, or the picture's address. */
  photo: boolean | string
}

export interface GroupCard extends Card {
  name: string
  /** The UIDs of the members' cards. */
  members: readonly string[]
}

export type KnownCard = PersonCard | GroupCard

export const isGroupCard = (card: KnownCard): card is GroupCard => 'members' in card

/** The content of a card without its storage fields. `none`: not a card. `too large`: it exceeds a parser limit. */
export type CardContent = Omit<PersonCard, keyof StoredCard> | Omit<GroupCard, keyof StoredCard> | 'none' | 'too large'

/** Parses one card. */
export function cardContent(data: string): CardContent {
  try {
    const card = readVCard(data)
    if (!card) return 'none'
    const uid = uidOf(card)
    const base = { uid: uid === undefined ? undefined : uidKey(uid) }
    if (isGroup(card)) return { ...base, name: groupName(card), members: membersOf(card) }
    return { ...base, contact: contactOf(card), categories: categoriesOf(card), photo: hasPhoto(card) }
  } catch (error) {
    if (error instanceof ContentTooLarge) return 'too large'
    throw error
  }
}

/** Categories have no card, so their ids contain their names. Ids of cards contain no colon. */
const categoryMark = 'c:'
export const categoryId = (name: string): string => `${categoryMark}${Buffer.from(name).toString('base64url')}`
/** The category with an id; undefined for any other id. */
export const categoryOf = (id: string): string | undefined =>
  id.startsWith(categoryMark) ? Buffer.from(id.slice(categoryMark.length), 'base64url').toString() : undefined

export const shownContact = (
  { id, href, contact, photo }: PersonCard,
  grantId: string,
  groups: readonly string[],
): Contact => ({
  id,
  grant_id: grantId,
  object: 'contact',
  source: 'address_book',
  ...contact,
  groups: groups.map((group) => ({ id: group })),
  // The address of a picture inside a card is the card's address: both are read with the account's password.
  ...(photo === false ? {} : { picture_url: photo === true ? href : photo }),
})

export const shownGroup = ({ id, name }: { id: string; name: string }, grantId: string): ContactGroup => ({
  id,
  grant_id: grantId,
  object: 'contact_group',
  name,
  group_type: 'user',
  path: id,
})
