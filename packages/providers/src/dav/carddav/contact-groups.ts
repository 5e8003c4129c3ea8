/**
 * Contact groups on a CardDAV server: cards that list their members and, where supported, the categories that cards list
 * themselves. Both can be written. A new group is a card, because a category without members cannot be stored.
 */
import type { ContactGroup } from '@waypost/contract'
import { changeCard, markChanged } from '@waypost/formats/vcard/changes'
import { categoriesOf } from '@waypost/formats/vcard/contact'
import { groupName, newGroup, renameGroup } from '@waypost/formats/vcard/group'
import { ApiError } from '@waypost/platform/api-error'
import { unknownGroup } from '../../contacts/unknown-group.ts'
import type { Once, Operations } from '../../operations.ts'
import { pageByKey } from '../../shared/key-pages.ts'
import { ifNotFound, notFound } from '../../shared/named-objects.ts'
import type { DavSession } from '../session.ts'
import { isChangedMeanwhile } from '../writes.ts'
import { makeMainBook } from './books.ts'
import { cardId } from './card-reading.ts'
import { newUid, putNew, readObject, removeCard, rewriteCard, versionFor } from './card-writes.ts'
import { type Cards, inspectCards } from './known-cards.ts'
import { categoryId, categoryOf, type GroupCard, isGroupCard, type PersonCard, shownGroup } from './mapping/card.ts'
import type { CardDavTraits } from './traits.ts'

function needGroup(cards: Cards, traits: CardDavTraits, id: string): Group {
  const group = findGroup(cards, traits, id)
  if (!group) throw notFound('contact group')
  return group
}

function needFreeName(cards: Cards, traits: CardDavTraits, name: string, except?: string): void {
  const taken = groupsOf(cards, traits).find((group) => group.name === name)
  if (taken && taken.id !== except) throw new ApiError('conflict', 'there is a group of this name already')
}

async function createGroup(
  session: DavSession,
  traits: CardDavTraits,
  name: string,
  once: Once | undefined,
): Promise<ContactGroup> {
  const cards = await inspectCards(session)
  const { books } = cards
  const uid = newUid(once)
  const url = `${books.main.url}${uid}.vcf`
  const id = cardId(books, url)
  // An earlier attempt of the same request may have created it.
  if (once?.again && cards.byId.has(id)) return shownGroup(needGroup(cards, traits, id), session.grant.id)
  needFreeName(cards, traits, name)
  await makeMainBook(session, books)
  const card = newGroup(name, { uid, version: versionFor(books, traits) })
  const { href } = await putNew(session, traits, url, card).catch((error: unknown) => {
    if (once?.again && isChangedMeanwhile(error)) return readObject(session, url, 'contact group')
    throw error
  })
  return shownGroup({ id: cardId(books, href), name }, session.grant.id)
}

/** Renames a category in all cards that have it, or removes it from them. */
async function changeCategory(
  session: DavSession,
  traits: CardDavTraits,
  { cards, name, to }: { cards: Cards; name: string; to: string | undefined },
) {
  for (const { href } of cards.people.filter(({ categories }) => categories.includes(name))) {
    await rewriteCard(session, traits, { href, what: 'contact' }, (card) => {
      const others = categoriesOf(card).flatMap((category) => (category === name ? (to ?? []) : [category]))
      return changeCard(card, { categories: others }, session.io.clock.now())
    }).catch(
      // A contact that was deleted meanwhile is in no group.
      ifNotFound(undefined),
    )
  }
}

export const contactGroupOperations = (traits: CardDavTraits): Operations<DavSession>['contactGroups'] => ({
  async list(session, { limit }, position) {
    const groups = groupsOf(await inspectCards(session), traits)
    const { items, ...next } = pageByKey(groups, ({ id }) => id, { position, limit })
    return { items: items.map((group) => shownGroup(group, session.grant.id)), ...next }
  },
  get: async (session, at) => shownGroup(needGroup(await inspectCards(session), traits, at.group_id), session.grant.id),
  create: (session, { name }, { once } = {}) => createGroup(session, traits, name, once),
  async update(session, at, { name }) {
    const cards = await inspectCards(session)
    const group = needGroup(cards, traits, at.group_id)
    needFreeName(cards, traits, name, group.id)
    if (!group.card) {
      await changeCategory(session, traits, { cards, name: group.name, to: name })
      return shownGroup({ id: categoryId(name), name }, session.grant.id)
    }
    await rewriteCard(session, traits, { href: group.card.href, what: 'contact group' }, (card) => {
      if (groupName(card) === name) return false
      renameGroup(card, name)
      markChanged(card, session.io.clock.now())
      return true
    })
    return shownGroup({ id: group.id, name }, session.grant.id)
  },
  async delete(session, at) {
    const cards = await inspectCards(session)
    const { card, name } = needGroup(cards, traits, at.group_id)
    if (card) await removeCard(session, { href: card.href, etag: card.etag, what: 'contact group' })
    else await changeCategory(session, traits, { cards, name, to: undefined })
  },
})

/** A group of either kind. */
interface Group {
  id: string
  name: string
  /** Absent for a category. */
  card?: GroupCard
}

/** All groups of an account, cards first. */
function groupsOf(cards: Cards, traits: CardDavTraits): Group[] {
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
