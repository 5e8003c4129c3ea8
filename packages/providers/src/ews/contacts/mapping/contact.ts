/** Maps Exchange's contacts to the API. Pure. */
import type { Contact } from '@waypost/contract'
import { birthdayOf, emptyContact } from '../../../contacts/outlook.ts'
import type { Attachment } from '../../types/attachment.ts'
import type { Contact as EwsContact } from '../../types/contact.ts'
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

const keysOf = <T extends object>(types: T): (keyof T & string)[] => Object.keys(types) as (keyof T & string)[]

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
  entriesOf(contact.EmailAddresses, ['EmailAddress1', 'EmailAddress2', 'EmailAddress3'])
    .map((entry) => addressOf(contact, entry))
    .flatMap((email) => (email ? [{ email }] : []))

const phonesOf = ({ PhoneNumbers }: EwsContact): Contact['phone_numbers'] =>
  entriesOf(PhoneNumbers, keysOf(phoneTypes)).flatMap(({ Key, value: number }) =>
    number ? [{ number, type: phoneTypes[Key] }] : [],
  )

const addressesOf = ({ PhysicalAddresses }: EwsContact): Contact['physical_addresses'] =>
  entriesOf(PhysicalAddresses, keysOf(placeTypes)).flatMap((entry) => {
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

/** The display name of a contact that has none of its own. */
export function displayNameOf(contact: {
  given?: string | null | undefined
  middle?: string | null | undefined
  surname?: string | null | undefined
  suffix?: string | null | undefined
  company?: string | null | undefined
  email?: string | undefined
}): string {
  const whole = [contact.given, contact.middle, contact.surname, contact.suffix].filter((part) => part).join(' ')
  return whole || contact.company || contact.email || ''
}

const ownDisplayName = (contact: EwsContact, emails: Contact['emails']): string =>
  displayNameOf({
    given: contact.GivenName,
    middle: contact.MiddleName,
    surname: contact.Surname,
    suffix: contact.Generation,
    company: contact.CompanyName,
    email: emails[0]?.email,
  })

/** The fields that contacts and directory entries share. */
function shownFields(contact: EwsContact) {
  const emails = emailsOf(contact)
  return {
    ...emptyContact,
    object: 'contact' as const,
    display_name: contact.DisplayName || contact.CompleteName?.FullName || ownDisplayName(contact, emails),
    given_name: text(contact.GivenName),
    middle_name: text(contact.MiddleName),
    surname: text(contact.Surname),
    suffix: text(contact.Generation),
    nickname: text(contact.Nickname),
    birthday: birthdayIn(contact.Birthday),
    company_name: text(contact.CompanyName),
    job_title: text(contact.JobTitle),
    manager_name: text(contact.Manager),
    office_location: text(contact.OfficeLocation),
    emails,
    phone_numbers: phonesOf(contact),
    im_addresses: entriesOf(contact.ImAddresses, ['ImAddress1', 'ImAddress2', 'ImAddress3']).flatMap(({ value }) =>
      value ? [{ im_address: value }] : [],
    ),
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
