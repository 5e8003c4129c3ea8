/** Reads the cards of an address book; those that are too large are left out and logged. */
import { forEachYielding } from '../../../lib/parsing/yielding.ts'
import type { DavObject } from '../client.ts'
import { resourceId } from '../ids.ts'
import type { DavSession } from '../session.ts'
import { readTexts } from '../text-reading.ts'
import type { Books } from './books.ts'
import { type CardContent, cardContent, type KnownCard } from './mapping/card.ts'

/** An object, and the card that it is; none where it is no card. */
export interface ReadCard {
  href: string
  etag: string | undefined
  card: KnownCard | undefined
}

/** The id of a card. Plain ones are of the main address book alone. */
export const cardId = ({ main }: Books, href: string): string => resourceId(main.url, href, '.vcf')

/** What each object says. */
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
