/** Detects changes to the cards in the address books of an account, and to the members of groups. */
import { yieldBetween } from '@waypost/platform/parsing/yielding'
import type { Change } from '../../provider.ts'
import { datedAfter, differencesIn, lastingTags, modifiedSince, nameIn } from '../collection-changes.ts'
import { resourceId } from '../ids.ts'
import { KnownObjects, shortHash } from '../known-objects.ts'
import type { DavSession } from '../session.ts'
import { type Book, type Books, serviceOf } from './books.ts'
import { cardId, type ReadCard, readCards } from './card-reading.ts'
import { inspectCards } from './known-cards.ts'
import { categoryId, isGroupCard, type KnownCard, type PersonCard, shownContact } from './mapping/card.ts'
import type { CardDavTraits } from './traits.ts'

export interface BookState {
  /** The server's tag at the last read; absent if there are more cards to read. */
  tag?: string
  token?: string
  /** The reported state of the cards, compressed. */
  cards: string
}

/** The data of one poll of an account's cards. */
export interface CardPoll {
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
export async function beginCards(poll: CardPoll, after: number): Promise<void> {
  const { session, known, books } = poll
  const { people, groups } = await inspectCards(session)
  for (const card of [...people, ...groups]) {
    const [url, book] = [...known].find(([at]) => card.href.startsWith(at)) ?? []
    if (url !== undefined) book?.set(nameIn(url, card.href), { etag: card.etag, note: writeNote(noteOf(card)) })
  }
  const { client } = serviceOf(session)
  const fresh = new Set((await Promise.all(books.all.map(({ url }) => datedAfter(client, url, after)))).flat())
  for (const card of people) if (fresh.has(card.href)) tellCard(poll, card)
}

export const stateOf = async (
  book: Book,
  known: KnownObjects,
  at: Parameters<typeof lastingTags>[1],
): Promise<BookState> => ({ ...lastingTags(book, at), cards: await known.packed() })

/** The changes in one address book since a state. For a new address book, the cards stored in it since a time. */
export async function cardsSince(
  poll: CardPoll,
  book: Book,
  before: BookState | { after: number },
): Promise<{ state: BookState; more: boolean }> {
  if ('cards' in before && before.tag !== undefined && before.tag === book.tag) return { state: before, more: false }
  const { client } = serviceOf(poll.session)
  const known = poll.known.get(book.url) ?? new KnownObjects()
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
  for (const read of await readCards(poll.session, poll.books, found)) {
    await othersTurn()
    takeCard(poll, book, read, fresh?.has(read.href) ?? true)
  }
  const there = new Set(found.map(({ href }) => nameIn(book.url, href)))
  for (const name of [...removed, ...now.filter((each) => !there.has(each))]) dropCard(poll, book.url, name)
  const more = names.length > now.length
  const next = more && 'cards' in before ? before.token : token
  return { state: await stateOf(book, known, { token: next, now: happened(poll), more }), more }
}

/** Records a card, and reports it if it changed. */
function takeCard(poll: CardPoll, book: Book, { href, etag, card }: ReadCard, isReported: boolean): void {
  const known = poll.known.get(book.url)
  const name = nameIn(book.url, href)
  const before = readNote(known?.get(name)?.note ?? '')
  const after = card && noteOf(card)
  known?.set(name, { etag, note: after ? writeNote(after) : noCardNote })
  if (before?.kind === 'group' || after?.kind === 'group') poll.groups = undefined
  for (const uid of movedBetween(before, after)) poll.moved.add(uid)
  if (before?.kind === 'person' && after?.kind !== 'person') tellGone(poll, href)
  if (!card || isGroupCard(card) || after?.kind !== 'person' || !isReported) return
  if (before?.kind !== 'person' || before.shown !== after.shown) tellCard(poll, card)
}

/** Records and reports a deleted card. */
export function dropCard(poll: CardPoll, url: string, name: string): void {
  const known = poll.known.get(url)
  const before = readNote(known?.get(name)?.note ?? '')
  known?.delete(name)
  if (before?.kind === 'group') poll.groups = undefined
  for (const uid of movedBetween(before, undefined)) poll.moved.add(uid)
  if (before?.kind === 'person') tellGone(poll, `${url}${name}`)
}

const happened = ({ session }: CardPoll): number => session.io.clock.now()

function tellGone(poll: CardPoll, href: string): void {
  const { main } = poll.books
  const object = { id: resourceId(main.url, href, '.vcf'), grant_id: poll.session.grant.id, object: 'contact' as const }
  poll.changes.set(href, { trigger: 'contact.deleted', object, happenedAt: happened(poll) })
}

function tellCard(poll: CardPoll, card: PersonCard): void {
  const object = shownContact(card, poll.session.grant.id, groupsOf(poll, card))
  poll.changes.set(card.href, { trigger: 'contact.updated', object, happenedAt: happened(poll) })
}

/** The groups that contain a card, according to the recorded state. */
function groupsOf(poll: CardPoll, { uid, categories }: PersonCard): string[] {
  const own = uidNote(uid)
  poll.groups ??= groupsByMember(poll)
  const cards = own === '' ? [] : (poll.groups.get(own) ?? [])
  return [...cards, ...(poll.traits.hasCategories ? categories.map(categoryId) : [])]
}

/** The ids of groups by member. Read once for all reported cards, and again after a group has changed. */
function groupsByMember({ known, books }: CardPoll): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [url, book] of known) {
    for (const name of book.names()) {
      const text = book.get(name)?.note ?? ''
      const note = isGroupNote(text) ? readNote(text) : undefined
      if (note?.kind !== 'group') continue
      const id = cardId(books, `${url}${name}`)
      for (const member of note.members) found.getOrInsertComputed(member, () => []).push(id)
    }
  }
  return found
}

/** Reports the contacts that were added to groups or removed from them, because their `groups` field changed. */
export async function tellMoved(poll: CardPoll): Promise<void> {
  const { client } = serviceOf(poll.session)
  // Contacts that were already reported may contain outdated groups.
  for (const [url, book] of poll.moved.size === 0 ? [] : poll.known) {
    const hrefs = [...book.names()]
      .filter((name) => isMoved(poll, book.get(name)?.note ?? ''))
      .map((name) => `${url}${name}`)
    for (const { card } of await readCards(poll.session, poll.books, await client.multiget(url, hrefs))) {
      if (card && !isGroupCard(card)) tellCard(poll, card)
    }
  }
}

const isMoved = ({ moved }: CardPoll, text: string): boolean => {
  const note = readNote(text)
  return note?.kind === 'person' && note.uid !== '' && moved.has(note.uid)
}

/** A note about a reported card, which the next poll compares: a contact's UID and hash, or the members of a group. */
type CardNote = { kind: 'person'; uid: string; shown: string } | { kind: 'group'; members: ReadonlySet<string> }

/** The note of an object that is not a card. */
const noCardNote = '-'

const uidNote = (uid: string | undefined): string => shortHash(uid ?? '', 8)

function noteOf(card: KnownCard): CardNote {
  if (isGroupCard(card)) return { kind: 'group', members: new Set(card.members.map(uidNote)) }
  const { contact, categories, photo, uid } = card
  return { kind: 'person', uid: uidNote(uid), shown: shortHash(JSON.stringify([contact, categories, photo])) }
}

const writeNote = (note: CardNote): string =>
  note.kind === 'group' ? `g${[...note.members].join(',')}` : `p${note.uid},${note.shown}`

const isGroupNote = (text: string): boolean => text.startsWith('g')

/** Undefined if it is not a card. */
function readNote(text: string): CardNote | undefined {
  const parts = text.slice(1).split(',')
  if (text.startsWith('g')) return { kind: 'group', members: new Set(parts.filter((part) => part !== '')) }
  if (text.startsWith('p')) return { kind: 'person', uid: parts[0] ?? '', shown: parts[1] ?? '' }
  return undefined
}

/** The members that were added to a group or removed from it. */
function movedBetween(before: CardNote | undefined, after: CardNote | undefined): string[] {
  const membersOf = (note: CardNote | undefined): ReadonlySet<string> =>
    note?.kind === 'group' ? note.members : new Set()
  return [...membersOf(before).symmetricDifference(membersOf(after))]
}
