/**
 * Writes cards: always based on the server's current version and conditionally, so that concurrent changes are not
 * overwritten.
 */
import { checkChangeable } from '@waypost/formats/icalendar/content-lines'
import type { Version } from '@waypost/formats/vcard/lines'
import { readVCard, type VCard } from '@waypost/formats/vcard/vcard'
import { ApiError } from '@waypost/platform/api-error'
import { newId } from '@waypost/platform/ids'
import type { Once } from '../../operations.ts'
import { isNotFound, notFound, type ObjectKind, orNotFound } from '../../shared/named-objects.ts'
import type { DavClient, DavObject } from '../client.ts'
import type { DavSession } from '../session.ts'
import { isChangedMeanwhile } from '../writes.ts'
import { type Books, serviceOf } from './books.ts'
import { outdateCards } from './known-cards.ts'
import type { CardDavTraits } from './traits.ts'

/** How often a card is read again after concurrent changes. */
const maxTries = 3

export interface WrittenCard {
  href: string
  /** '' if the server sent none. */
  etag: string
  data: string
}

function checkSize(traits: CardDavTraits, data: string): void {
  const { maxCardBytes: max, title } = traits
  if (max !== undefined && Buffer.byteLength(data) > max) {
    throw new ApiError('invalid_request', `a card at ${title} has at most ${max / 1024} KB: give it a smaller picture`)
  }
}

const bare = (etag: string): string => etag.replace(/^W\//, '')

/**
 * The ETag for the guard of a write. Compression in transit weakens it; then the server is queried for the strong
 * one.
 */
async function guardOf(client: DavClient, { href, etag }: DavObject): Promise<string | undefined> {
  if (etag !== undefined && !etag.startsWith('W/')) return etag
  const reported = (await client.propsOf(href, ['D:getetag'])).props.text('D:getetag')
  if (reported === undefined) {
    throw new ApiError('provider_refused', 'the server names no ETag of the card: a change could overwrite another')
  }
  return etag === undefined || bare(etag) === bare(reported) ? reported : undefined
}

function needCard({ data }: DavObject): VCard {
  checkChangeable(data)
  const card = readVCard(data)
  if (!card) throw new ApiError('provider_refused', 'what the server keeps there is no vCard')
  if (data.includes('\ufffd')) {
    throw new ApiError('provider_refused', 'the card is not in UTF-8: a change would destroy letters in it')
  }
  return card
}

/** A card as stored by the server. */
export const readObject = (session: DavSession, href: string, what: ObjectKind): Promise<DavObject> =>
  orNotFound(what, () => serviceOf(session).client.get(href), isNotFound)

/** The stored card. If the server sends no ETag, it may have changed the card, so it is read again. */
async function afterPut(
  session: DavSession,
  url: string,
  data: string,
  put: ReturnType<DavClient['put']>,
): Promise<WrittenCard> {
  const { href, etag } = await put.finally(() => outdateCards(session))
  if (etag !== undefined) return { href, etag, data }
  const retained = await serviceOf(session).client.get(href === '' ? url : href)
  return { href, etag: retained.etag ?? '', data: retained.data }
}

/** Stores a new card. Throws `conflict` if there is already one at the address. */
export function putNew(session: DavSession, traits: CardDavTraits, url: string, card: VCard): Promise<WrittenCard> {
  const data = card.write()
  checkSize(traits, data)
  return afterPut(session, url, data, serviceOf(session).client.put(url, data, { ifNoneMatch: '*' }))
}

/**
 * Changes a card; `change` returns whether it did. After a concurrent change, the card is read again and the change
 * is applied to the new version. After `maxTries` attempts the request fails with `conflict`.
 */
export async function rewriteCard(
  session: DavSession,
  traits: CardDavTraits,
  { href, what }: { href: string; what: ObjectKind },
  change: (card: VCard) => boolean,
): Promise<WrittenCard> {
  const { client } = serviceOf(session)
  for (let tries = 1; ; tries += 1) {
    const object = await readObject(session, href, what)
    const card = needCard(object)
    if (!change(card)) return { href, etag: object.etag ?? '', data: object.data }
    const data = card.write()
    checkSize(traits, data)
    try {
      const ifMatch = await guardOf(client, object)
      if (ifMatch !== undefined) return await afterPut(session, href, data, client.put(href, data, { ifMatch }))
      if (tries === maxTries) throw changedTooOften(what)
    } catch (error) {
      if (isNotFound(error)) throw notFound(what)
      if (!isChangedMeanwhile(error)) throw error
      if (tries === maxTries) throw changedTooOften(what)
    }
  }
}

const changedTooOften = (what: ObjectKind): ApiError =>
  new ApiError('conflict', `the ${what} is being changed by somebody else, and nothing was overwritten; try again`)

/** Deletes a card if it is unchanged since it was read. */
export async function removeCard(
  session: DavSession,
  { href, etag, what }: { href: string; etag: string; what: ObjectKind },
): Promise<void> {
  const { client } = serviceOf(session)
  const object = etag === '' ? await readObject(session, href, what) : { href, etag, data: '' }
  const ifMatch = await guardOf(client, object)
  try {
    if (ifMatch === undefined) throw changedTooOften(what)
    await client.delete(href, { ifMatch }).finally(() => outdateCards(session))
  } catch (error) {
    if (isNotFound(error)) throw notFound(what)
    throw isChangedMeanwhile(error) ? changedTooOften(what) : error
  }
}

/** The UID of a new card. With an Idempotency-Key it is the same in every attempt. */
export const newUid = (once: Once | undefined): string =>
  once ? once.name.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') : newId()

/** The version of a new card in the main address book. */
export function versionFor({ main: { versions } }: Books, { version }: CardDavTraits): Version {
  if (version) return version
  return versions.includes('3.0') || !versions.includes('4.0') ? '3.0' : '4.0'
}
