/** Parses the cards of an address book; cards that are too large are skipped and logged. */
import { forEachYielding } from '@waypost/platform/parsing/yielding'
import type { DavObject } from '../client.ts'
import { resourceId } from '../ids.ts'
import type { DavSession } from '../session.ts'
import { readTexts } from '../text-reading.ts'
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
export async function readCards(
  { io, grant }: DavSession,
  books: Books,
  objects: readonly DavObject[],
): Promise<ReadCard[]> {
  const texts = objects.map(({ data }) => data)
  const read = await readTexts<CardContent>(io, texts, { kind: 'cards', zone: 'UTC', readHere: cardContent })
  const count = read.filter((content) => content === 'too large').length
  if (count > 0) {
    io.log.warn({ grant_id: grant.id, count }, 'cards of an address book are too large to be read; they are left out')
  }
  const found: ReadCard[] = []
  await forEachYielding(objects, ({ href, etag }) => {
    const content = read[found.length]
    const card =
      content === undefined || typeof content === 'string'
        ? undefined
        : { ...content, id: cardId(books, href), href, etag: etag ?? '' }
    found.push({ href, etag, card })
  })
  return found
}
