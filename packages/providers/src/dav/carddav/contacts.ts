/** Contacts on a CardDAV server. */
import type { Contact, ContactChange } from '@waypost/contract'
import { type CardChange, changeCard, markChanged, newCard } from '@waypost/formats/vcard/changes'
import { uidOf } from '@waypost/formats/vcard/contact'
import { addMember, removeMember } from '@waypost/formats/vcard/group'
import { readPhoto } from '@waypost/formats/vcard/photo'
import { readVCard } from '@waypost/formats/vcard/vcard'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { newId } from '@waypost/platform/ids'
import { checkBirthday, shownContact as shownGathered } from '../../contacts/contact.ts'
import { pictureUri } from '../../contacts/picture.ts'
import type { Once, Operations } from '../../operations.ts'
import { notFound } from '../../shared/named-objects.ts'
import type { DavSession } from '../session.ts'
import { isChangedMeanwhile } from '../writes.ts'
import { type Books, makeMainBook, serviceOf } from './books.ts'
import { readCards } from './card-reading.ts'
import { newUid, putNew, readObject, removeCard, rewriteCard, versionFor, type WrittenCard } from './card-writes.ts'
import { membershipsOf, wantedGroups } from './contact-groups.ts'
import { listContacts } from './contact-lists.ts'
import { type Cards, inspectCards } from './known-cards.ts'
import { type GroupCard, isGroupCard, type PersonCard, shownContact } from './mapping/card.ts'
import type { CardDavTraits } from './traits.ts'

const notWritable = (): ApiError =>
  new ApiError('invalid_request', 'only contacts of the address book can be changed or deleted')

const findPerson = (cards: Cards, id: string): PersonCard | undefined => {
  const card = cards.byId.get(id)
  return card && !isGroupCard(card) ? card : undefined
}

/** A contact of the address books; contacts gathered from mail cannot be written. */
async function needPerson(session: DavSession, cards: Cards, id: string): Promise<PersonCard> {
  const card = findPerson(cards, id)
  if (card) return card
  throw (await session.io.gathered.get(id)) ? notWritable() : notFound('contact')
}

/** A client's change in the form for a card. */
function cardChange(change: ContactChange, traits: CardDavTraits, categories: string[] | undefined): CardChange {
  checkBirthday(change.birthday)
  const { groups: _, picture, display_name: __, source: ___, picture_url: ____, ...fields } = change
  return {
    ...fields,
    picture: givenPicture(picture, traits),
    ...(traits.hasCategories && categories ? { categories } : {}),
  }
}

/** Adds a contact to groups that are cards, and removes it from others. */
async function moveBetween(
  session: DavSession,
  traits: CardDavTraits,
  uid: string,
  { into, out }: { into: readonly GroupCard[]; out: readonly GroupCard[] },
): Promise<void> {
  const change = (group: GroupCard, work: typeof addMember) =>
    rewriteCard(session, traits, { href: group.href, what: 'contact group' }, (card) => {
      const isChanged = work(card, uid)
      if (isChanged) markChanged(card, session.io.clock.now())
      return isChanged
    })
  for (const group of into) await change(group, addMember)
  for (const group of out) await change(group, removeMember)
}

/** The written card as a contact. */
async function writtenContact(session: DavSession, books: Books, written: WrittenCard): Promise<PersonCard> {
  const [read] = await readCards(session, books, [written])
  if (!read?.card || isGroupCard(read.card))
    throw new ApiError('provider_refused', 'the server keeps another card than was written')
  return read.card
}

const shown = (session: DavSession, card: PersonCard, groups: readonly string[]): Contact =>
  shownContact(card, session.grant.id, groups)

/** Requires at least one field by which a contact can be found. */
function needNamed({ contact }: PersonCard, change: ContactChange): void {
  const after = { ...contact, ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) }
  if (after.given_name || after.surname || after.company_name || after.emails?.length || contact.display_name) return
  throw invalidField('given_name', 'a contact needs at least one of given_name, surname, company_name and emails')
}

async function createContact(session: DavSession, traits: CardDavTraits, draft: ContactChange, once: Once | undefined) {
  const cards = await inspectCards(session)
  const { books } = cards
  const groups = wantedGroups(cards, traits, draft.groups ?? [])
  const uid = newUid(once)
  const change = cardChange(draft, traits, groups.categories)
  const card = newCard(change, { uid, version: versionFor(books, traits), now: session.io.clock.now() })
  const url = `${books.main.url}${uid}.vcf`
  await makeMainBook(session, books)
  const written = await putNew(session, traits, url, card).catch((error: unknown) => {
    // An earlier attempt of the same request has already created it.
    if (once?.again && isChangedMeanwhile(error)) return readObject(session, url, 'contact')
    throw error
  })
  await moveBetween(session, traits, uid, { into: groups.cards, out: [] })
  const person = await writtenContact(session, books, { ...written, etag: written.etag ?? '' })
  return shown(session, person, membershipsOf({ ...cards, groups: joined(groups.cards, person) }, traits)(person))
}

/** The groups after the contact was added to them. */
const joined = (groups: readonly GroupCard[], { uid }: PersonCard): GroupCard[] =>
  groups.map((group) => ({ ...group, members: uid === undefined ? [] : [uid] }))

async function updateContact(session: DavSession, traits: CardDavTraits, id: string, change: ContactChange) {
  const cards = await inspectCards(session)
  const before = await needPerson(session, cards, id)
  needNamed(before, change)
  const groups = change.groups === undefined ? undefined : wantedGroups(cards, traits, change.groups ?? [])
  const wanted = cardChange(change, traits, groups?.categories)
  const now = session.io.clock.now()
  let uid = ''
  const written = await rewriteCard(session, traits, { href: before.href, what: 'contact' }, (card) => {
    const isChanged = changeCard(card, wanted, now)
    const known = uidOf(card)
    uid = known ?? newId()
    // Groups refer to their members by UID.
    const isNamed = known === undefined && groups !== undefined && groups.cards.length > 0
    if (isNamed) card.add({ name: 'UID', value: uid })
    return isChanged || isNamed
  })
  const person = await writtenContact(session, cards.books, written)
  if (!groups) return shown(session, person, membershipsOf(cards, traits)(person))
  const isIn = ({ members }: GroupCard): boolean => person.uid !== undefined && members.includes(person.uid)
  await moveBetween(session, traits, uid, {
    into: groups.cards.filter((group) => !isIn(group)),
    out: cards.groups.filter((group) => isIn(group) && !groups.cards.some(({ id: retained }) => retained === group.id)),
  })
  return shown(session, person, membershipsOf({ ...cards, groups: joined(groups.cards, person) }, traits)(person))
}

export const contactOperations = (traits: CardDavTraits): Operations<DavSession>['contacts'] => ({
  list: listContacts(traits),
  async get(session, at) {
    const cards = await inspectCards(session)
    const person = findPerson(cards, at.contact_id)
    if (!person) {
      const row = await session.io.gathered.get(at.contact_id)
      if (row?.source !== 'inbox') throw notFound('contact')
      return shownGathered(row, session.grant.id, session.io.baseUrl)
    }
    const contact = shown(session, person, membershipsOf(cards, traits)(person))
    if (!at.profile_picture || person.photo === false) return contact
    const picture = await pictureOf(session, (await readObject(session, person.href, 'contact')).data)
    return picture === undefined ? contact : { ...contact, picture }
  },
  create: (session, draft, { once } = {}) => createContact(session, traits, draft, once),
  update: (session, at, change) => updateContact(session, traits, at.contact_id, change),
  async delete(session, at) {
    const { href, etag } = await needPerson(session, await inspectCards(session), at.contact_id)
    await removeCard(session, { href, etag, what: 'contact' })
  },
})

const maxBytes = 5 * 1024 * 1024

/** A client's picture as a data: URI; throws if it is invalid or too large. */
function givenPicture(
  picture: string | null | undefined,
  { maxPictureBytes: max, title }: CardDavTraits,
): string | null | undefined {
  if (!picture) return picture === undefined ? undefined : null
  const uri = pictureUri(picture)
  const bytes = Buffer.byteLength(uri.slice(uri.indexOf(',') + 1), 'base64')
  if (max !== undefined && bytes > max) {
    throw invalidField('picture', `a picture at ${title} has at most ${max / 1024} KB`)
  }
  return uri
}

/** A picture as a data: URI, with the type detected from its bytes, or else the declared type. */
function uriOf(base64: string, mediaType: string | undefined): string | undefined {
  try {
    return pictureUri(base64)
  } catch {
    const type = /^image\/[\w.+-]+/i.exec(mediaType ?? '')?.[0]
    return type === undefined ? undefined : `data:${type.toLowerCase()};base64,${base64}`
  }
}

/** The picture of a card; undefined if it has none, or if it is on a foreign host. */
async function pictureOf(session: DavSession, data: string): Promise<string | undefined> {
  const card = readVCard(data)
  const photo = card && readPhoto(card)
  if (!photo) return undefined
  if ('base64' in photo) return uriOf(photo.base64, photo.mediaType)
  try {
    const found = await serviceOf(session).client.download(photo.url, { maxBytes })
    return found && uriOf(found.body.toString('base64'), found.contentType)
  } catch (error) {
    // A picture that cannot be loaded is omitted; a rejected account is an error.
    if (session.io.signal.aborted || !(error instanceof ApiError) || error.code === 'grant_invalid') throw error
    return undefined
  }
}
