/** What is known of a card: the fields of a contact, or a group and its members. Pure. */
import type { Contact, ContactGroup } from '@waypost/contract'
import { ContentTooLarge } from '../../../../formats/icalendar/content-lines.ts'
import { type CardContact, categoriesOf, contactOf, uidKey, uidOf } from '../../../../formats/vcard/contact.ts'
import { groupName, isGroup, membersOf } from '../../../../formats/vcard/group.ts'
import { hasPhoto } from '../../../../formats/vcard/photo.ts'
import { readVCard } from '../../../../formats/vcard/vcard.ts'

interface Stored {
  id: string
  /** Absolute. */
  href: string
  /** As the server wrote it; '' where it told none. */
  etag: string
}

interface Card extends Stored {
  /** What groups name it by, where it has a UID. */
  uid: string | undefined
}

export interface PersonCard extends Card {
  contact: CardContact
  categories: readonly string[]
  /** Whether it holds a picture, or where that is. */
  photo: boolean | string
}

export interface GroupCard extends Card {
  name: string
  /** By the UIDs of their cards. */
  members: readonly string[]
}

export type KnownCard = PersonCard | GroupCard

export const isGroupCard = (card: KnownCard): card is GroupCard => 'members' in card

/** What is in a card, wherever it is stored. `none`: it is no card. `too large`: it exceeds a limit of reading. */
export type CardContent = Omit<PersonCard, keyof Stored> | Omit<GroupCard, keyof Stored> | 'none' | 'too large'

/** Reads one card. */
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

/** Groups by category have no card: their ids hold their names. A colon is in no id of a card. */
const categoryMark = 'c:'
export const categoryId = (name: string): string => `${categoryMark}${Buffer.from(name).toString('base64url')}`
/** The category that an id names; undefined where it is the id of something else. */
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
  // The address of a picture in the card is that of the card: both are read with the account's password.
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
