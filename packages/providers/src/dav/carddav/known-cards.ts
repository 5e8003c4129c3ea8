/**
 * An in-memory cache of an account's cards, without pictures. Before each use, the tags of the address books are
 * requested, and only changed ones are read. The cache expires a minute after the last use.
 */
import { ApiError } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import { forEachYielding } from '@waypost/platform/parsing/yielding'
import type { DavObject } from '../client.ts'
import { providerStatus } from '../errors.ts'
import { isInside } from '../hrefs.ts'
import type { DavSession } from '../session.ts'
import { type Book, type Books, readBooks, readTag, serviceOf, type TagName } from './books.ts'
import { readCards } from './card-reading.ts'
import { type GroupCard, isGroupCard, type KnownCard, type PersonCard } from './mapping/card.ts'

const retainedMs = 60_000
/** The maximum delay until an address book that was created elsewhere is seen. */
const listedMs = 60_000
/** The maximum age of the data that later pages of a list reuse. */
const pagingMs = 5_000
/** More than any service allows. */
const maxCards = 50_000
/** Limit for all groups together; groups beyond it are omitted. */
const maxMembers = 100_000
/** After this many sync rounds without an end, the complete list is requested. */
const maxRounds = 100

/** The cards of one address book at the time of its tag. */
interface KnownBook {
  tag: string | undefined
  /** Requested when the address book changes for the first time. */
  token: string | undefined
  /** By address. Objects that are not cards are also cached, by ETag, so that they are read once. */
  cards: Map<string, { etag: string; card: KnownCard | undefined }>
}

/** The current cards of an account. */
export interface Cards {
  books: Books
  /** Sorted by address. */
  people: readonly PersonCard[]
  groups: readonly GroupCard[]
  byId: ReadonlyMap<string, KnownCard>
}

class CardCache implements AsyncDisposable {
  readonly #books = new Map<string, KnownBook>()
  readonly #forget: () => void
  #turn: Promise<unknown> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #made: Cards | undefined
  #checkedAt = Number.NEGATIVE_INFINITY
  #tagName: TagName = 'CS:getctag'
  #listed: { at: number; books: Books } | undefined

  constructor(forget: () => void) {
    this.#forget = forget
  }

  /** The current cards. Requests of one account run in sequence, so that the second finds what the first has read. */
  async poll(session: DavSession, goesOn: boolean): Promise<Cards> {
    const { clock } = session.io
    if (goesOn && this.#made && Math.abs(clock.now() - this.#checkedAt) < pagingMs) return this.#made
    clearTimeout(this.#timer)
    const before = this.#turn
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#turn = promise
    try {
      await before
      session.io.signal.throwIfAborted()
      const now = clock.now()
      const cards = await this.#refresh(session)
      this.#checkedAt = now
      return cards
    } finally {
      resolve()
      clearTimeout(this.#timer)
      this.#timer = setTimeout(this.#forget, retainedMs).unref()
    }
  }

  /** Marks the cache as outdated after a write. */
  outdate(): void {
    this.#checkedAt = Number.NEGATIVE_INFINITY
    if (this.#books.size === 0) this.#listed = undefined
  }

  /**
   * The address books, with the tags of the cached ones. Some servers read everything in a home, including calendars,
   * to list all tags. So only the cached address books are queried, and the home is listed once a minute.
   */
  async #readBooks(session: DavSession): Promise<Books> {
    const now = session.io.clock.now()
    const isFresh = this.#listed !== undefined && Math.abs(now - this.#listed.at) < listedMs
    const [listed, tags] = await Promise.all([isFresh ? undefined : readBooks(session, []), this.#readTags(session)])
    if (listed) this.#listed = { at: now, books: listed }
    const known = this.#listed?.books
    // An address book was deleted, so the home is listed again.
    if (!known || tags === undefined) {
      this.#listed = undefined
      this.#books.clear()
      return this.#readBooks(session)
    }
    const all = known.all.map((book): Book => {
      const tag = tags.get(book.url)
      return { ...book, tag, syncToken: this.#tagName === 'D:sync-token' ? tag : undefined }
    })
    return { ...known, all }
  }

  /** The tags by address; undefined if an address book no longer exists. */
  async #readTags(session: DavSession): Promise<Map<string, string | undefined> | undefined> {
    const name = this.#tagName
    const urls = [...this.#books.keys()]
    const tags = await Promise.all(urls.map((url) => readTag(session, url, name)))
    if (tags.includes('gone')) return undefined
    if (name === 'D:sync-token' || urls.length === 0 || tags.some((tag) => tag !== undefined)) {
      return new Map(urls.map((url, at) => [url, tags[at]]))
    }
    this.#tagName = 'D:sync-token'
    return this.#readTags(session)
  }

  async #refresh(session: DavSession): Promise<Cards> {
    const now = seconds(session.io.clock.now())
    const books = await this.#readBooks(session)
    const urls = new Set(books.all.map(({ url }) => url))
    let isChanged = this.#made === undefined || this.#books.size !== urls.size
    for (const url of this.#books.keys()) if (!urls.has(url)) this.#books.delete(url)
    for (const book of books.all) {
      const known = this.#books.get(book.url)
      if (known && known.tag !== undefined && known.tag === book.tag) continue
      if (isOfLate(book.tag, now)) book.tag = undefined
      const cards = known ? await changedCards(session, books, book, known) : await allCards(session, books, book)
      isChanged ||= cards !== known
      this.#books.set(book.url, cards)
    }
    if (!isChanged && this.#made) return { ...this.#made, books }
    const all = [...this.#books.values()].flatMap(({ cards }) => [...cards.values()].flatMap(({ card }) => card ?? []))
    this.#made = await cardsOf(books, all, ({ id }) =>
      session.io.log.warn(
        { grant_id: session.grant.id, id },
        'a group of contacts has too many members; it is left out',
      ),
    )
    return this.#made
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer)
    this.#books.clear()
    this.#made = undefined
  }
}

async function cardsOf(books: Books, all: readonly KnownCard[], onLeftOut: (group: GroupCard) => void): Promise<Cards> {
  const people: PersonCard[] = []
  const groups: GroupCard[] = []
  const byId = new Map<string, KnownCard>()
  let members = 0
  const sorted = all.toSorted((a, b) => (a.href < b.href ? -1 : 1))
  await forEachYielding(sorted, (card) => {
    if (isGroupCard(card)) {
      if (members + card.members.length > maxMembers) return onLeftOut(card)
      members += card.members.length
      groups.push(card)
    } else people.push(card)
    byId.set(card.id, card)
  })
  return { books, people, groups, byId }
}

/** Adds the server's objects to the cache. */
async function addCards(
  session: DavSession,
  known: KnownBook,
  books: Books,
  objects: readonly DavObject[],
): Promise<void> {
  for (const { href, etag = '', card } of await readCards(session, books, objects))
    known.cards.set(href, { etag, card })
  if (known.cards.size <= maxCards) return
  throw new ApiError('provider_refused', `the address book has more than ${maxCards} cards, which is more than we read`)
}

/** All cards of an address book: with one query, or by address if the server fails at it. */
async function allCards(session: DavSession, books: Books, book: Book): Promise<KnownBook> {
  const { client } = serviceOf(session)
  const known: KnownBook = { tag: book.tag, token: undefined, cards: new Map() }
  try {
    const found = await client.queryCards(book.url)
    await addCards(
      session,
      known,
      books,
      found.filter(({ href }) => isInside(book.url, href)),
    )
    return known
  } catch (error) {
    session.io.signal.throwIfAborted()
    if (!mayFallBack(error)) throw error
    session.io.log.warn(
      { error },
      'a server of contacts does not answer a query for all cards; they are listed instead',
    )
  }
  return compareEtags(session, books, book, { ...known, cards: new Map() })
}

/** Servers fail at queries in many ways. Rate limits and rejected accounts are no reason for the fallback. */
const mayFallBack = (error: unknown): boolean =>
  error instanceof ApiError &&
  !['grant_invalid', 'not_found', 'provider_rate_limited'].includes(error.code) &&
  providerStatus(error) !== 503

/**
 * Some servers use the second of the last change as tag and token, so further changes within that second do not alter
 * it.
 */
const isSecond = (tag: string | undefined): tag is string => tag !== undefined && /^"?\d{10}"?$/.test(tag)

/** Whether the tag's second may not be over yet, as clocks differ. Such a tag cannot be relied on. */
const isOfLate = (tag: string | undefined, now: number): boolean =>
  isSecond(tag) && Number(tag.replaceAll('"', '')) > now - 60

/** The changes since an address book was cached: by sync token, or by the ETags of all cards. */
async function changedCards(session: DavSession, books: Books, book: Book, before: KnownBook): Promise<KnownBook> {
  const { client } = serviceOf(session)
  const after: KnownBook = { tag: book.tag, token: before.token, cards: new Map(before.cards) }
  /** Without a token, the server returns all members. */
  const reported = before.token === undefined ? new Set<string>() : undefined
  for (let rounds = 0; rounds < maxRounds && !isSecond(after.token); rounds += 1) {
    const found = await client.sync(book.url, after.token)
    if (found === 'expired') break
    for (const href of found.removed) after.cards.delete(href)
    const hrefs = found.changed
      .filter(({ href, etag }) => etag === undefined || after.cards.get(href)?.etag !== etag)
      .map(({ href }) => href)
    for (const { href } of reported ? found.changed : []) reported?.add(href)
    await readInto(session, books, book, after, hrefs)
    after.token = found.token
    if (found.more) continue
    for (const href of reported ? after.cards.keys() : []) if (!reported?.has(href)) after.cards.delete(href)
    return after
  }
  return compareEtags(session, books, book, { ...after, token: undefined })
}

async function compareEtags(session: DavSession, books: Books, book: Book, known: KnownBook): Promise<KnownBook> {
  const etags = await serviceOf(session).client.etags(book.url)
  for (const href of known.cards.keys()) if (!etags.has(href)) known.cards.delete(href)
  const hrefs = [...etags]
    .filter(([href, etag]) => etag === '' || known.cards.get(href)?.etag !== etag)
    .map(([href]) => href)
  await readInto(session, books, book, known, hrefs)
  return known
}

/** Reads in batches, so that not all pictures are in memory at once. */
const atOnce = 100

async function readInto(session: DavSession, books: Books, book: Book, known: KnownBook, hrefs: readonly string[]) {
  const { client } = serviceOf(session)
  for (let at = 0; at < hrefs.length; at += atOnce) {
    const some = hrefs.slice(at, at + atOnce)
    const found = await client.multiget(book.url, some)
    // Cards missing from the answer were deleted.
    for (const href of some) known.cards.delete(href)
    await addCards(session, known, books, found)
  }
}

const cacheOf = ({ io }: DavSession): CardCache => io.retained('carddav cards', (forget) => new CardCache(forget))

/** The account's current cards. `goesOn` is true for later pages of a list. */
export const inspectCards = (session: DavSession, goesOn = false): Promise<Cards> =>
  cacheOf(session).poll(session, goesOn)

/** Must be called after every write. */
export const outdateCards = (session: DavSession): void => cacheOf(session).outdate()
