/** Detects changes to the cards in the address books of an account, and to the members of groups. */
import { yieldBetween } from '@waypost/platform/parsing/yielding'
import type { Change } from '../../provider.ts'
import { datedAfter, differencesIn, lasting, modifiedSince, nameIn } from '../collection-changes.ts'
import { resourceId } from '../ids.ts'
import { KnownObjects } from '../known-objects.ts'
import type { DavSession } from '../session.ts'
import { type Book, type Books, serviceOf } from './books.ts'
import { isGroupNote, movedBetween, noCardNote, noteOf, readNote, uidNote, writeNote } from './card-notes.ts'
import { cardId, type ReadCard, readCards } from './card-reading.ts'
import { lookAtCards } from './known-cards.ts'
import { categoryId, isGroupCard, type PersonCard, shownContact } from './mapping/card.ts'
import type { CardDavTraits } from './traits.ts'

export interface BookState {
  /** The server's tag at the last read; absent if there are more cards to read. */
  tag?: string
  token?: string
  /** The reported state of the cards, compressed. */
  cards: string
}

/** The data of one poll of an account's cards. */
export interface CardLook {
  session: DavSession
  traits: CardDavTraits
  books: Books
  /** The recorded state of each address book, by address. */
  known: Map<string, KnownObjects>
  /** The UIDs of cards that were added to a group or removed from one. */
  moved: Set<string>
  /** By address; each card is reported once. */
  changes: Map<string, Change>
  /** The ids of groups by member, valid until a group changes. */
  groups?: Map<string, string[]> | undefined
}

/** The number of cards to process at a time. */
const cardsAtOnce = 400

/** The first poll: records all cards, and reports those that were added or changed since a time. */
export async function beginCards(look: CardLook, after: number): Promise<void> {
  const { session, known, books } = look
  const { people, groups } = await lookAtCards(session)
  for (const card of [...people, ...groups]) {
    const [url, book] = [...known].find(([at]) => card.href.startsWith(at)) ?? []
    if (url !== undefined) book?.set(nameIn(url, card.href), { etag: card.etag, note: writeNote(noteOf(card)) })
  }
  const { client } = serviceOf(session)
  const fresh = new Set((await Promise.all(books.all.map(({ url }) => datedAfter(client, url, after)))).flat())
  for (const card of people) if (fresh.has(card.href)) tellCard(look, card)
}

export async function stateOf(
  book: Book,
  known: KnownObjects,
  at: { token: string | undefined; now: number; more?: boolean },
): Promise<BookState> {
  const tag = at.more ? undefined : lasting(book.tag, at.now)
  const token = lasting(at.token, at.now)
  return {
    ...(tag === undefined ? {} : { tag }),
    ...(token === undefined ? {} : { token }),
    cards: await known.packed(),
  }
}

/** The changes in one address book since a state. For a new address book, the cards stored in it since a time. */
export async function cardsSince(
  look: CardLook,
  book: Book,
  before: BookState | { after: number },
): Promise<{ state: BookState; more: boolean }> {
  if ('cards' in before && before.tag !== undefined && before.tag === book.tag) return { state: before, more: false }
  const { client } = serviceOf(look.session)
  const known = look.known.get(book.url) ?? new KnownObjects()
  const { changed, removed, token } = await differencesIn(
    client,
    book,
    'cards' in before ? before.token : undefined,
    known,
  )
  const fresh = 'cards' in before ? undefined : new Set(await modifiedSince(client, book.url, before.after))
  const names = [...changed]
  // Which cards of a new address book to report can be decided only now, so all of them are processed.
  const now = fresh ? names : names.slice(0, cardsAtOnce)
  const found = await client.multiget(
    book.url,
    now.map((name) => `${book.url}${name}`),
  )
  const othersTurn = yieldBetween()
  for (const read of await readCards(look.session, look.books, found)) {
    await othersTurn()
    takeCard(look, book, read, fresh?.has(read.href) ?? true)
  }
  const there = new Set(found.map(({ href }) => nameIn(book.url, href)))
  for (const name of [...removed, ...now.filter((each) => !there.has(each))]) dropCard(look, book.url, name)
  const more = names.length > now.length
  const next = more && 'cards' in before ? before.token : token
  return { state: await stateOf(book, known, { token: next, now: happened(look), more }), more }
}

/** Records a card, and reports it if it changed. */
function takeCard(look: CardLook, book: Book, { href, etag, card }: ReadCard, isTold: boolean): void {
  const known = look.known.get(book.url)
  const name = nameIn(book.url, href)
  const before = readNote(known?.get(name)?.note ?? '')
  const after = card && noteOf(card)
  known?.set(name, { etag, note: after ? writeNote(after) : noCardNote })
  if (before?.kind === 'group' || after?.kind === 'group') look.groups = undefined
  for (const uid of movedBetween(before, after)) look.moved.add(uid)
  if (before?.kind === 'person' && after?.kind !== 'person') tellGone(look, href)
  if (!card || isGroupCard(card) || after?.kind !== 'person' || !isTold) return
  if (before?.kind !== 'person' || before.shown !== after.shown) tellCard(look, card)
}

/** Records and reports a deleted card. */
export function dropCard(look: CardLook, url: string, name: string): void {
  const known = look.known.get(url)
  const before = readNote(known?.get(name)?.note ?? '')
  known?.delete(name)
  if (before?.kind === 'group') look.groups = undefined
  for (const uid of movedBetween(before, undefined)) look.moved.add(uid)
  if (before?.kind === 'person') tellGone(look, `${url}${name}`)
}

const happened = ({ session }: CardLook): number => session.io.clock.now()

function tellGone(look: CardLook, href: string): void {
  const { main } = look.books
  const object = { id: resourceId(main.url, href, '.vcf'), grant_id: look.session.grant.id, object: 'contact' as const }
  look.changes.set(href, { trigger: 'contact.deleted', object, happenedAt: happened(look) })
}

function tellCard(look: CardLook, card: PersonCard): void {
  const object = shownContact(card, look.session.grant.id, groupsOf(look, card))
  look.changes.set(card.href, { trigger: 'contact.updated', object, happenedAt: happened(look) })
}

/** The groups that contain a card, according to the recorded state. */
function groupsOf(look: CardLook, { uid, categories }: PersonCard): string[] {
  const own = uidNote(uid)
  look.groups ??= groupsByMember(look)
  const cards = own === '' ? [] : (look.groups.get(own) ?? [])
  return [...cards, ...(look.traits.hasCategories ? categories.map(categoryId) : [])]
}

/** The ids of groups by member. Read once for all reported cards, and again after a group has changed. */
function groupsByMember({ known, books }: CardLook): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [url, book] of known) {
    for (const name of book.names()) {
      const text = book.get(name)?.note ?? ''
      const note = isGroupNote(text) ? readNote(text) : undefined
      if (note?.kind !== 'group') continue
      const id = cardId(books, `${url}${name}`)
      for (const member of note.members) {
        const ids = found.get(member)
        if (ids) ids.push(id)
        else found.set(member, [id])
      }
    }
  }
  return found
}

/** Reports the contacts that were added to groups or removed from them, because their `groups` field changed. */
export async function tellMoved(look: CardLook): Promise<void> {
  const { client } = serviceOf(look.session)
  // Contacts that were already reported may contain outdated groups.
  for (const [url, book] of look.moved.size === 0 ? [] : look.known) {
    const hrefs = [...book.names()]
      .filter((name) => isMoved(look, book.get(name)?.note ?? ''))
      .map((name) => `${url}${name}`)
    for (const { card } of await readCards(look.session, look.books, await client.multiget(url, hrefs))) {
      if (card && !isGroupCard(card)) tellCard(look, card)
    }
  }
}

const isMoved = ({ moved }: CardLook, text: string): boolean => {
  const note = readNote(text)
  return note?.kind === 'person' && note.uid !== '' && moved.has(note.uid)
}
