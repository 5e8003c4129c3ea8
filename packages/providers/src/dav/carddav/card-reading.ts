/** Parses the cards of an address book; cards that are too large are skipped and logged. */
import type { DavObject } from '../client.ts'
import { resourceId } from '../ids.ts'
import type { DavSession } from '../session.ts'
import { readContents } from '../text-reading.ts'
import type { Books } from './books.ts'
import { type CardContent, cardContent, type KnownCard } from './mapping/card.ts'

/** An object and its parsed card; undefined if it is not a card. */
export interface ReadCard {
  href: string
  etag: string | undefined
  card: KnownCard | undefined
}

/** The id of a card. Only cards of the main address book have plain ids. */
export const cardId = ({ main }: Books, href: string): string => resourceId(main.url, href, '.vcf')

/** Parses each object. */
export async function readCards(session: DavSession, books: Books, objects: readonly DavObject[]): Promise<ReadCard[]> {
  const leftOut = 'cards of an address book are too large to be read; they are left out'
  const reading = { kind: 'cards', zone: 'UTC', readHere: cardContent, leftOut } as const
  const found = await readContents<DavObject, CardContent>(session, objects, reading)
  return found.map(({ object: { href, etag }, content }) => {
    const stored = { id: cardId(books, href), href, etag: etag ?? '' }
    return { href, etag, card: typeof content === 'string' ? undefined : { ...content, ...stored } }
  })
}
