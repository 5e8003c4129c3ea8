/**
 * Contact groups: cards that list their members and, where supported, the categories that cards list themselves. Both
 * can be written. A new group is a card, because a category without members cannot be stored.
 */
import { unknownGroup } from '../../contacts/unknown-group.ts'
import type { Cards } from './known-cards.ts'
import { categoryId, categoryOf, type GroupCard, isGroupCard, type PersonCard } from './mapping/card.ts'
import type { CardDavTraits } from './traits.ts'

/** A group of either kind. */
export interface Group {
  id: string
  name: string
  /** Absent for a category. */
  card?: GroupCard
}

/** All groups of an account, cards first. */
export function groupsOf(cards: Cards, traits: CardDavTraits): Group[] {
  const own = cards.groups.map((card): Group => ({ id: card.id, name: card.name, card }))
  if (!traits.hasCategories) return own
  const names = new Set(cards.people.flatMap(({ categories }) => categories))
  return [...own, ...[...names].sort().map((name) => ({ id: categoryId(name), name }))]
}

export function findGroup(cards: Cards, traits: CardDavTraits, id: string): Group | undefined {
  const card = cards.byId.get(id)
  if (card) return isGroupCard(card) ? { id, name: card.name, card } : undefined
  const name = categoryOf(id)
  const isThere =
    traits.hasCategories && name !== undefined && cards.people.some(({ categories }) => categories.includes(name))
  return isThere ? { id, name } : undefined
}

/** The ids of each contact's groups. */
export function membershipsOf(cards: Cards, traits: CardDavTraits): (card: PersonCard) => string[] {
  const byUid = new Map<string, string[]>()
  for (const { id, members } of cards.groups) {
    for (const uid of members) byUid.getOrInsertComputed(uid, () => []).push(id)
  }
  return ({ uid, categories }) => [
    ...(uid === undefined ? [] : (byUid.get(uid) ?? [])),
    ...(traits.hasCategories ? categories.map(categoryId) : []),
  ]
}

/** Whether a contact is in a group; with `recurse` also in one of its subgroups. */
export function memberTest(cards: Cards, { name, card }: Group, recurse: boolean): (person: PersonCard) => boolean {
  if (!card) return ({ categories }) => categories.includes(name)
  const members = new Set(card.members)
  const within = recurse ? cards.groups.filter(({ uid }) => uid !== undefined && members.has(uid)) : []
  const all = new Set([...members, ...within.flatMap((group) => group.members)])
  return ({ uid }) => uid !== undefined && all.has(uid)
}

/** The groups that a client requests for a contact: cards, and names of categories. */
export function wantedGroups(
  cards: Cards,
  traits: CardDavTraits,
  groups: readonly { id: string }[],
): { cards: GroupCard[]; categories: string[] } {
  const found = [...new Set(groups.map(({ id }) => id))].map((id) => {
    const group = findGroup(cards, traits, id)
    if (!group) throw unknownGroup()
    return group
  })
  return {
    cards: found.flatMap(({ card }) => card ?? []),
    categories: found.flatMap(({ card, name }) => (card ? [] : [name])),
  }
}
