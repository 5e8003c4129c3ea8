/**
 * A note about a reported card, which the next poll compares: the UID and a hash of a contact, or the members of a
 * group. Pure.
 */
import { shortHash } from '../known-objects.ts'
import type { KnownCard } from './mapping/card.ts'
import { isGroupCard } from './mapping/card.ts'

export type CardNote = { kind: 'person'; uid: string; shown: string } | { kind: 'group'; members: ReadonlySet<string> }

/** The note of an object that is not a card. */
export const noCardNote = '-'

export const uidNote = (uid: string | undefined): string => shortHash(uid ?? '', 8)

export function noteOf(card: KnownCard): CardNote {
  if (isGroupCard(card)) return { kind: 'group', members: new Set(card.members.map(uidNote)) }
  const { contact, categories, photo, uid } = card
  return { kind: 'person', uid: uidNote(uid), shown: shortHash(JSON.stringify([contact, categories, photo])) }
}

export const writeNote = (note: CardNote): string =>
  note.kind === 'group' ? `g${[...note.members].join(',')}` : `p${note.uid},${note.shown}`

export const isGroupNote = (text: string): boolean => text.startsWith('g')

/** Undefined if it is not a card. */
export function readNote(text: string): CardNote | undefined {
  const parts = text.slice(1).split(',')
  if (text.startsWith('g')) return { kind: 'group', members: new Set(parts.filter((part) => part !== '')) }
  if (text.startsWith('p')) return { kind: 'person', uid: parts[0] ?? '', shown: parts[1] ?? '' }
  return undefined
}

/** The members that were added to a group or removed from it. */
export function movedBetween(before: CardNote | undefined, after: CardNote | undefined): string[] {
  const membersOf = (note: CardNote | undefined): ReadonlySet<string> =>
    note?.kind === 'group' ? note.members : new Set()
  return [...membersOf(before).symmetricDifference(membersOf(after))]
}
