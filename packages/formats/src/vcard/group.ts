/**
 * Groups that are cards themselves: KIND:group with MEMBER in version 4 (RFC 6350 §6.1.4), and Apple's form in
 * version 3. Pure.
 */

import { uidKey } from './contact.ts'
import { type Version, writtenValue } from './lines.ts'
import { setShownName } from './names.ts'
import { escapeText, unescapeText } from './values.ts'
import { emptyVCard, type VCard } from './vcard.ts'

const kindNames = ['KIND', 'X-ADDRESSBOOKSERVER-KIND'] as const
const memberNames = ['MEMBER', 'X-ADDRESSBOOKSERVER-MEMBER'] as const

export const isGroup = (card: VCard): boolean =>
  card.lines.some(
    (line) => kindNames.some((name) => name === line.name) && writtenValue(line).trim().toLowerCase() === 'group',
  )

const memberLines = (card: VCard) => card.lines.filter(({ name }) => memberNames.some((each) => each === name))
const memberKey = (value: string): string => uidKey(unescapeText(value))

/** The UID keys of a group's members. */
export const membersOf = (card: VCard): string[] => [
  ...new Set(memberLines(card).map((line) => memberKey(writtenValue(line)))),
]

const memberName = (card: VCard): string =>
  memberLines(card)[0]?.name ?? (card.version === '4.0' ? 'MEMBER' : 'X-ADDRESSBOOKSERVER-MEMBER')

/** Adds a member to a group and returns whether that changed the group. */
export function addMember(card: VCard, uid: string): boolean {
  const lines = memberLines(card)
  if (lines.some((line) => memberKey(writtenValue(line)) === uidKey(uid))) return false
  card.add({ name: memberName(card), value: `urn:uuid:${uid.trim().replace(/^urn:uuid:/i, '')}` }, lines.at(-1))
  return true
}

/** Removes a member from a group and returns whether that changed the group. */
export function removeMember(card: VCard, uid: string): boolean {
  const gone = memberLines(card).filter((line) => memberKey(writtenValue(line)) === uidKey(uid))
  for (const line of gone) card.remove(line)
  return gone.length > 0
}

export const groupName = (card: VCard): string => card.text('FN') ?? card.text('N')?.replace(/(?<!;);+$/, '') ?? ''

/** Renames a group. Apple's programs also write the name as a surname. */
export function renameGroup(card: VCard, name: string): void {
  const line = card.first('N')
  if (line) card.replace(line, { group: line.group, name: 'N', value: `${escapeText(name, card.version)};;;;` })
  setShownName(card, name)
}

export function newGroup(name: string, { uid, version }: { uid: string; version: Version }): VCard {
  const card = emptyVCard(version)
  const written = escapeText(name, version)
  card.add({ name: 'UID', value: version === '4.0' ? `urn:uuid:${uid}` : uid })
  card.add({ name: 'FN', value: written })
  card.add({ name: 'N', value: `${written};;;;` })
  card.add({ name: version === '4.0' ? 'KIND' : 'X-ADDRESSBOOKSERVER-KIND', value: 'group' })
  return card
}
