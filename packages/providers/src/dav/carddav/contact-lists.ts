/**
 * Lists contacts: those of the address books, and those gathered from the account's mail. Each source has its own
 * stable order, by address or id, so that added and deleted contacts do not shift pages.
 */
import type { Contact, ContactListQuery } from '@waypost/contract'
import { invalidField } from '@waypost/platform/api-error'
import type { JsonValue } from '@waypost/platform/json/guard'
import { z } from 'zod'
import { emailKeyOf, shownContact as shownGathered } from '../../contacts/contact.ts'
import { isSameNumber, sameNumberKey } from '../../contacts/phone-number.ts'
import type { Page } from '../../operations.ts'
import { notFound } from '../../shared/named-objects.ts'
import type { DavSession } from '../session.ts'
import { findGroup, membershipsOf, memberTest } from './contact-groups.ts'
import { inspectCards } from './known-cards.ts'
import { type PersonCard, shownContact } from './mapping/card.ts'
import type { CardDavTraits } from './traits.ts'

/** The source in which a page ended, and the address or id of its last contact; '' before the first. */
const Place = z.tuple([z.enum(['address_book', 'inbox']), z.string()])
type Place = z.output<typeof Place>

/** A contact and its position in the list. */
interface ListedContact {
  place: Place
  contact: Contact
}

function filterOf({ email, phone_number: phone }: ContactListQuery): (card: PersonCard) => boolean {
  const wanted = email === undefined ? undefined : emailKeyOf(email)
  return ({ contact }) =>
    (wanted === undefined || contact.emails.some((one) => emailKeyOf(one.email) === wanted)) &&
    (phone === undefined || contact.phone_numbers.some(({ number }) => isSameNumber(number, phone)))
}

/** The contacts of the address books after an address: up to `limit`, and one more if there is a next page. */
async function ofBooks(
  session: DavSession,
  traits: CardDavTraits,
  query: ContactListQuery,
  after: string,
): Promise<ListedContact[]> {
  const cards = await inspectCards(session, after !== '')
  const group = query.group === undefined ? undefined : findGroup(cards, traits, query.group)
  if (query.group !== undefined && !group) throw notFound('contact group')
  const isMember = group ? memberTest(cards, group, query.recurse ?? false) : () => true
  const fits = filterOf(query)
  const found: PersonCard[] = []
  for (const card of cards.people) {
    if (found.length > query.limit) break
    if (card.href > after && isMember(card) && fits(card)) found.push(card)
  }
  const memberships = membershipsOf(cards, traits)
  return found.map((card) => ({
    place: ['address_book', card.href],
    contact: shownContact(card, session.grant.id, memberships(card)),
  }))
}

/** The contacts gathered from the account's mail. */
async function ofMail(
  session: DavSession,
  { email, phone_number: phone }: ContactListQuery,
  after: string,
  limit: number,
): Promise<ListedContact[]> {
  const phoneKey = phone === undefined ? undefined : sameNumberKey(phone)
  if (phoneKey === '') return []
  const rows = await session.io.gathered.list({
    source: 'inbox',
    emailKey: email === undefined ? undefined : emailKeyOf(email),
    phoneKey,
    after: after || undefined,
    limit,
  })
  return rows.map((row) => ({
    place: ['inbox', row.id],
    contact: shownGathered(row, session.grant.id, session.io.baseUrl),
  }))
}

export const listContacts =
  (traits: CardDavTraits) =>
  async (session: DavSession, query: ContactListQuery, position: JsonValue | undefined): Promise<Page<Contact>> => {
    const { source = ['address_book'], group, limit } = query
    const [part, after] = position === undefined ? (['address_book', ''] as const) : Place.parse(position)
    const hasBooks = source.includes('address_book')
    if (group !== undefined && !hasBooks) throw invalidField('group', 'groups are those of the address book')
    const found = hasBooks && part === 'address_book' ? await ofBooks(session, traits, query, after) : []
    const left = limit + 1 - found.length
    // Gathered contacts are in no group.
    if (source.includes('inbox') && group === undefined && left > 0) {
      found.push(...(await ofMail(session, query, part === 'inbox' ? after : '', left)))
    }
    const page = found.slice(0, limit)
    const last = page.at(-1)
    const items = page.map(({ contact }) => contact)
    return last && found.length > limit ? { items, next: last.place } : { items }
  }
