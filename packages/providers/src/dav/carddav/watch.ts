/**
 * Detects changes of an account's contacts. One request for the home returns a tag for every address book; only
 * changed ones are read. The cursor stores the reported state.
 */

import type { SinceOptions } from '../../provider.ts'
import { ifNotFound } from '../../shared/named-objects.ts'
import { type PartFound, pacedPart, type WatchedPart } from '../../shared/watched-parts.ts'
import { KnownObjects } from '../known-objects.ts'
import type { DavSession } from '../session.ts'
import { type Books, readBooks, serviceOf } from './books.ts'
import { type BookState, beginCards, type CardPoll, cardsSince, dropCard, stateOf, tellMoved } from './card-changes.ts'
import type { CardDavTraits } from './traits.ts'

export interface ContactsState {
  /** When a change was last reported, in milliseconds. */
  at: number
  /** By URL path. */
  books: Record<string, BookState>
}

const pathOf = (url: string): string => new URL(url).pathname

async function inspect(
  session: DavSession,
  traits: CardDavTraits,
  books: Books,
  before: ContactsState | undefined,
): Promise<CardPoll> {
  const { origin } = new URL(books.home.url)
  const known = new Map<string, KnownObjects>()
  for (const { url } of books.all) known.set(url, await KnownObjects.open(before?.books[pathOf(url)]?.cards))
  for (const [path, { cards }] of Object.entries(before?.books ?? {})) {
    const url = `${origin}${path}`
    if (!known.has(url)) known.set(url, await KnownObjects.open(cards))
  }
  return { session, traits, books, known, moved: new Set(), changes: new Map() }
}

/** Whether no address book has changed. */
const isQuiet = ({ all }: Books, { books }: ContactsState): boolean =>
  Object.keys(books).length === all.length &&
  all.every(({ url, tag }) => tag !== undefined && books[pathOf(url)]?.tag === tag)

async function begin(
  poll: CardPoll,
  { now, beganAt }: { now: number; beganAt: number },
): Promise<PartFound<ContactsState>> {
  await beginCards(poll, beganAt)
  const books: Record<string, BookState> = {}
  for (const book of poll.books.all) {
    const known = poll.known.get(book.url) ?? new KnownObjects()
    books[pathOf(book.url)] = await stateOf(book, known, { token: book.syncToken, now })
  }
  return { changes: [...poll.changes.values()], state: { at: now, books } }
}

/** Address books missing from the list: deleted if the server confirms it, otherwise only invisible now. */
async function leftBooks(poll: CardPoll, before: ContactsState): Promise<Record<string, BookState>> {
  const retained: Record<string, BookState> = {}
  const listed = new Set(poll.books.all.map(({ url }) => url))
  for (const [url, known] of poll.known) {
    const state = before.books[pathOf(url)]
    if (listed.has(url) || !state) continue
    if (await isGone(poll.session, url)) for (const name of [...known.names()]) dropCard(poll, url, name)
    else retained[pathOf(url)] = state
  }
  return retained
}

const isGone = (session: DavSession, url: string): Promise<boolean> =>
  serviceOf(session)
    .client.propsOf(url, ['D:resourcetype'])
    .then(() => false, ifNotFound(true))

async function since(
  session: DavSession,
  traits: CardDavTraits,
  before: ContactsState | undefined,
  { notBefore, beganAt = notBefore }: SinceOptions,
): Promise<PartFound<ContactsState>> {
  const found = await readBooks(session)
  const now = session.io.clock.now()
  if (before && isQuiet(found, before)) return { changes: [], state: before }
  const poll = await inspect(session, traits, found, before)
  if (!before) return begin(poll, { now, beganAt })
  const books = await leftBooks(poll, before)
  let more = false
  for (const book of found.all) {
    const one = await cardsSince(poll, book, before.books[pathOf(book.url)] ?? { after: before.at })
    books[pathOf(book.url)] = one.state
    more ||= one.more
  }
  await tellMoved(poll)
  return { changes: [...poll.changes.values()], state: { at: now, books }, ...(more ? { more } : {}) }
}

/** The contacts of a provider's accounts, as a watched part. */
export const watchedContacts = <S extends DavSession>(traits: CardDavTraits): WatchedPart<S, ContactsState> =>
  pacedPart({
    name: 'contacts',
    polled: true,
    isWatched: ({ dav }) => dav.contacts !== undefined,
    since: (session, state, options) => since(session, traits, state, options),
  })
