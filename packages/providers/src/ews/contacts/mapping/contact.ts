/** Maps Exchange's contacts to the API. Pure. */
import type { Contact } from '@waypost/contract'
import { birthdayOf, displayNameOf, emptyContact } from '../../../contacts/outlook.ts'
import type { Attachment } from '../../types/attachment.ts'
import { addressKeys, type Contact as EwsContact, emailKeys, imKeys, phoneKeys } from '../../types/contact.ts'
import { propertyText } from '../../types/paths.ts'
import { emailNames } from '../contacts-api.ts'

const text = (value: string | undefined): string | null => value || null

const halfDay = 43_200_000

/**
 * The day of a birthday. Outlook writes midnight of the user's time zone, other clients noon. The nearest midnight in
 * UTC is that of the intended day.
 */
function birthdayIn(moment: number | undefined): string | null {
  return moment === undefined ? null : birthdayOf(new Date(moment + halfDay).toISOString().slice(0, 10))
}

/** The types of addresses and phone numbers, by Exchange's names. */
const placeTypes = { Business: 'work', Home: 'home', Other: 'other' } as const
const phoneTypes = {
  BusinessPhone: 'work',
  BusinessPhone2: 'work',
  HomePhone: 'home',
  HomePhone2: 'home',
  MobilePhone: 'mobile',
  OtherTelephone: 'other',
} as const

/** The entries in the order of their keys; Exchange returns them in any order. */
function entriesOf<K extends string, E extends { Key: K | '' }>(
  entries: readonly E[] | undefined,
  keys: readonly K[],
): (E & { Key: K })[] {
  const isShown = (entry: E): entry is E & { Key: K } => keys.some((key) => key === entry.Key)
  const place = ({ Key }: { Key: K }): number => keys.indexOf(Key)
  return (entries ?? []).filter(isShown).sort((a, b) => place(a) - place(b))
}

/** An entry of the same organization is stored by its directory name, with the mail address in another field. */
function addressOf(
  contact: EwsContact,
  entry: { Key: string; value: string; RoutingType?: string | undefined },
): string {
  if (entry.RoutingType?.toUpperCase() !== 'EX' && !entry.value.startsWith('/')) return withoutRouting(entry.value)
  const shown = emailNames.get(entry.Key)
  const beside = shown && propertyText(contact.ExtendedProperty, shown)
  return beside?.includes('@') ? beside : ''
}

/** The directory returns addresses with their type: `SMTP:ada@example.org`. */
export const withoutRouting = (address: string): string => address.replace(/^smtp:/i, '')

const emailsOf = (contact: EwsContact): Contact['emails'] =>
  entriesOf(contact.EmailAddresses, emailKeys)
    .map((entry) => addressOf(contact, entry))
    .flatMap((email) => (email ? [{ email }] : []))

const phonesOf = ({ PhoneNumbers }: EwsContact): Contact['phone_numbers'] =>
  entriesOf(PhoneNumbers, phoneKeys).flatMap(({ Key, value: number }) =>
    number ? [{ number, type: phoneTypes[Key] }] : [],
  )

const addressesOf = ({ PhysicalAddresses }: EwsContact): Contact['physical_addresses'] =>
  entriesOf(PhysicalAddresses, addressKeys).flatMap((entry) => {
    const { Key, Street, City, State, PostalCode, CountryOrRegion } = entry
    if (![Street, City, State, PostalCode, CountryOrRegion].some((part) => part)) return []
    return [
      {
        type: placeTypes[Key],
        street_address: text(Street),
        city: text(City),
        state: text(State),
        postal_code: text(PostalCode),
        country: text(CountryOrRegion),
      },
    ]
  })

const photoName = /^ContactPicture\.jpg$/i

/** The attachments that are a contact's picture: one, unless another program added more. */
export const photosOf = (attachments: readonly Attachment[] | undefined): Attachment[] =>
  (attachments ?? []).filter(
    (one) => one.kind === 'FileAttachment' && (one.IsContactPhoto || photoName.test(one.Name ?? '')),
  )

/** The fields that contacts and directory entries share. */
function shownFields(contact: EwsContact) {
  const emails = emailsOf(contact)
  const { GivenName, MiddleName, Surname, Generation, CompanyName, DisplayName, CompleteName } = contact
  const own = displayNameOf([GivenName, MiddleName, Surname, Generation], CompanyName, emails[0]?.email)
  return {
    ...emptyContact,
    object: 'contact' as const,
    display_name: DisplayName || CompleteName?.FullName || own,
    given_name: text(GivenName),
    middle_name: text(MiddleName),
    surname: text(Surname),
    suffix: text(Generation),
    nickname: text(contact.Nickname),
    birthday: birthdayIn(contact.Birthday),
    company_name: text(CompanyName),
    job_title: text(contact.JobTitle),
    manager_name: text(contact.Manager),
    office_location: text(contact.OfficeLocation),
    emails,
    phone_numbers: phonesOf(contact),
    im_addresses: entriesOf(contact.ImAddresses, imKeys).flatMap(({ value }) => (value ? [{ im_address: value }] : [])),
    physical_addresses: addressesOf(contact),
    web_pages: contact.BusinessHomePage ? [{ url: contact.BusinessHomePage, type: 'work' }] : [],
  }
}

export interface ContactContext {
  id: string
  grantId: string
  /** The id of its folder in the API. */
  groupId: string | undefined
  /** The URL of its picture, if it has one. */
  pictureUrl: string
}

/** Exchange appends a line end to the text. */
const notesOf = ({ Body }: EwsContact): string | null => text(Body?.value.replaceAll('\r\n', '\n').replace(/\n+$/, ''))

/** Maps a contact of the address book. */
export function fromContact(contact: EwsContact, { id, grantId, groupId, pictureUrl }: ContactContext): Contact {
  const isPictured = photosOf(contact.Attachments).length > 0
  return {
    ...shownFields(contact),
    id,
    grant_id: grantId,
    source: 'address_book',
    notes: notesOf(contact),
    groups: groupId === undefined ? [] : [{ id: groupId }],
    ...(isPictured ? { picture_url: pictureUrl } : {}),
  }
}

/** Maps a directory entry. */
export function fromResolution(
  { address, name, contact }: { address: string; name: string | undefined; contact: EwsContact | undefined },
  { id, grantId }: Pick<ContactContext, 'id' | 'grantId'>,
): Contact {
  const known = shownFields(contact ?? {})
  const others = known.emails.filter(({ email }) => email.toLowerCase() !== address.toLowerCase())
  return {
    ...known,
    id,
    grant_id: grantId,
    source: 'domain',
    display_name: contact?.DisplayName || name || known.display_name || address,
    emails: [{ email: address }, ...others],
  }
}
