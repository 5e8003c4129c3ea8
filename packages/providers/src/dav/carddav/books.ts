/** The address books of an account, as listed by the server. */

import { ApiError } from '@waypost/platform/api-error'
import { ifNotFound } from '../../shared/named-objects.ts'
import { providerStatus } from '../errors.ts'
import { collectionAddress, isSameCollection } from '../hrefs.ts'
import type { DavResponse } from '../multistatus.ts'
import type { DavService, DavSession, Home } from '../session.ts'

export interface Book {
  /** Absolute, with a trailing slash. */
  url: string
  /** Changes with every change in the address book; absent if the server sends none. */
  tag: string | undefined
  /** Present only if it was requested. */
  syncToken: string | undefined
  /** The supported versions of vCard, if the server lists them. */
  versions: readonly string[]
}

export interface Books {
  home: Home
  /** The address book for new contacts and plain ids; it may have to be created first. */
  main: Pick<Book, 'url' | 'versions'>
  /** The main one first; empty if the account has none yet. */
  all: readonly Book[]
}

/** The property by which a server indicates changes of an address book. */
export type TagName = 'CS:getctag' | 'D:sync-token'

const tagNames: readonly TagName[] = ['CS:getctag', 'D:sync-token']

/** The account's CardDAV service. */
export function serviceOf({ dav }: DavSession): DavService {
  if (dav.contacts) return dav.contacts
  throw new ApiError('not_supported_by_provider', 'the account has no address book: its server names none')
}

/** The name of an address book that we create. */
const newBook = 'contacts'

/** The names that servers use for the default address book. */
const mainNames: readonly string[] = ['default', 'card', 'contacts', 'personal', 'addressbook', 'address%20book']

/**
 * The rank of an address book among several. It must not depend on the others, because ids depend on which one is the
 * main one.
 */
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

/** No account has more address books. */
const maxBooks = 200

/** The address books of a home: its members, or the home itself if it is one. */
function booksIn(responses: readonly DavResponse[], home: Home): Book[] {
  const books = responses.filter(isBook)
  const inside = books.filter(({ href }) => !isSameCollection(href, home.url))
  return (inside.length > 0 ? inside : books)
    .slice(0, maxBooks)
    .map(bookOf)
    .sort((a, b) => rankOf(a) - rankOf(b) || (a.url < b.url ? -1 : 1))
}

/**
 * Lists the address books with one request. Some servers read all cards to create a tag, so the caller selects the
 * tags.
 */
export async function readBooks(session: DavSession, tags: readonly TagName[] = tagNames): Promise<Books> {
  const { responses, home } = await serviceOf(session).listHome([
    'D:resourcetype',
    'CR:supported-address-data',
    ...tags,
  ])
  const all = booksIn(responses, home)
  return { home, all, main: all[0] ?? { url: `${collectionAddress(home.url)}${newBook}/`, versions: [] } }
}

/** The tag that indicates changes of an address book. */
export async function readTag(session: DavSession, url: string, name: TagName): Promise<string | 'gone' | undefined> {
  const found = await serviceOf(session).client.propsOf(url, [name]).catch(ifNotFound(undefined))
  return found === undefined ? 'gone' : found.props.text(name)
}

/** Creates the main address book of an account without one. */
export async function makeMainBook(session: DavSession, { all, main }: Books): Promise<void> {
  if (all.length > 0) return
  try {
    await serviceOf(session).client.mkcol(main.url, ['CR:addressbook'], { 'D:displayname': 'Contacts' })
  } catch (error) {
    // It was created concurrently.
    if (providerStatus(error) !== 405) throw error
  }
}
