/**
 * What is kept of a card that was told, to know the next time what of it is different: of a contact what others name it by,
 * and what was shown; of a group its members. Pure.
 */
import { shortHash } from '../known-objects.ts'
import type { KnownCard } from './mapping/card.ts'
import { isGroupCard } from './mapping/card.ts'

export type CardNote = { kind: 'person'; uid: string; shown: string } | { kind: 'group'; members: ReadonlySet<string> }

/** Something that is no card. */
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

/** Undefined where it is no card. */
export function readNote(text: string): CardNote | undefined {
  const parts = text.slice(1).split(',')
  if (text.startsWith('g')) return { kind: 'group', members: new Set(parts.filter((part) => part !== '')) }
  if (text.startsWith('p')) return { kind: 'person', uid: parts[0] ?? '', shown: parts[1] ?? '' }
  return undefined
}

/** Who came into a group, or left it. */
export function movedBetween(before: CardNote | undefined, after: CardNote | undefined): string[] {
  const membersOf = (note: CardNote | undefined): ReadonlySet<string> =>
    note?.kind === 'group' ? note.members : new Set()
  return [...membersOf(before).symmetricDifference(membersOf(after))]
}
