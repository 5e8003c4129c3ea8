/** The address books of an account, as the server lists them. */
import { ApiError } from '../../../lib/api-error.ts'
import { providerStatus } from '../errors.ts'
import { collectionAddress, isSameCollection } from '../hrefs.ts'
import type { DavResponse } from '../multistatus.ts'
import type { DavService, DavSession, Home } from '../session.ts'

export interface Book {
  /** Absolute, with a slash at its end. */
  url: string
  /** Another one where anything in it changed; absent where the server tells none. */
  tag: string | undefined
  /** Where it was asked for. */
  syncToken: string | undefined
  /** The versions of vCard that it takes, where the server says so. */
  versions: readonly string[]
}

export interface Books {
  home: Home
  /** Where new contacts go, and where plain ids are looked for; it may have to be made first. */
  main: Pick<Book, 'url' | 'versions'>
  /** The main one first; none where the account has none yet. */
  all: readonly Book[]
}

/** The property by which a server tells that an address book has changed. */
export type TagName = 'CS:getctag' | 'D:sync-token'

const tagNames: readonly TagName[] = ['CS:getctag', 'D:sync-token']

/** The server of the account's contacts. */
export function serviceOf({ dav }: DavSession): DavService {
  if (dav.contacts) return dav.contacts
  throw new ApiError('not_supported_by_provider', 'the account has no address book: its server names none')
}

/** The name of an address book that we make. */
const newBook = 'contacts'

/** What servers call the address book that everybody has. */
const mainNames: readonly string[] = ['default', 'card', 'contacts', 'personal', 'addressbook', 'address%20book']

/** The place of an address book among several. It must not change with the others: ids hang on which one is the main one. */
function rankOf({ url }: Book): number {
  const name = url.slice(0, -1).split('/').at(-1)?.toLowerCase() ?? ''
  const rank = mainNames.indexOf(name)
  return rank === -1 ? mainNames.length : rank
}

const isBook = ({ props }: Pick<DavResponse, 'props'>): boolean =>
  props.names('D:resourcetype').includes('CR:addressbook')

function bookOf({ href, props }: DavResponse): Book {
  const syncToken = props.text('D:sync-token')
  const versions = (props.get('CR:supported-address-data')?.children ?? [])
    .filter(({ attributes }) => /vcard/i.test(attributes['content-type'] ?? 'text/vcard'))
    .flatMap(({ attributes }) => attributes.version ?? [])
  return { url: collectionAddress(href), tag: props.text('CS:getctag') ?? syncToken, syncToken, versions }
}

/** Nobody has more address books. */
const mostBooks = 200

/** The address books of a home: those in it, or itself where it is one. */
function booksIn(responses: readonly DavResponse[], home: Home): Book[] {
  const books = responses.filter(isBook)
  const inside = books.filter(({ href }) => !isSameCollection(href, home.url))
  return (inside.length > 0 ? inside : books)
    .slice(0, mostBooks)
    .map(bookOf)
    .sort((a, b) => rankOf(a) - rankOf(b) || (a.url < b.url ? -1 : 1))
}

/** By one request. Some servers read through all cards to make a tag: who needs one alone asks for one. */
export async function readBooks(session: DavSession, tags: readonly TagName[] = tagNames): Promise<Books> {
  const { responses, home } = await serviceOf(session).listHome([
    'D:resourcetype',
    'CR:supported-address-data',
    ...tags,
  ])
  const all = booksIn(responses, home)
  return { home, all, main: all[0] ?? { url: `${collectionAddress(home.url)}${newBook}/`, versions: [] } }
}

/** What says whether anything in an address book has changed. */
export async function readTag(session: DavSession, url: string, name: TagName): Promise<string | 'gone' | undefined> {
  try {
    return (await serviceOf(session).client.propsOf(url, [name])).props.text(name)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return 'gone'
    throw error
  }
}

/** Makes the main address book of an account that has none. */
export async function makeMainBook(session: DavSession, { all, main }: Books): Promise<void> {
  if (all.length > 0) return
  try {
    await serviceOf(session).client.mkcol(main.url, ['CR:addressbook'], { 'D:displayname': 'Contacts' })
  } catch (error) {
    // There is one by now.
    if (providerStatus(error) !== 405) throw error
  }
}
