/** A contact of Exchange as ours. Pure. */
import type { Contact } from '@waypost/contract'
import { birthdayOf, emptyContact } from '../../../contacts/outlook.ts'
import type { Attachment } from '../../types/attachment.ts'
import type { Contact as EwsContact } from '../../types/contact.ts'
import { propertyText } from '../../types/paths.ts'
import { emailNames } from '../contacts-api.ts'

const text = (value: string | undefined): string | null => value || null

const halfDay = 43_200_000

/**
 * The day of a birthday. Outlook writes the midnight of the user's own time zone, others noon: the midnight that is nearest
 * is that of the day that is meant.
 */
function birthdayIn(moment: number | undefined): string | null {
  return moment === undefined ? null : birthdayOf(new Date(moment + halfDay).toISOString().slice(0, 10))
}

/** What addresses of places and numbers are for, by Exchange's names. */
const placeTypes = { Business: 'work', Home: 'home', Other: 'other' } as const
const phoneTypes = {
  BusinessPhone: 'work',
  BusinessPhone2: 'work',
  HomePhone: 'home',
  HomePhone2: 'home',
  MobilePhone: 'mobile',
  OtherTelephone: 'other',
} as const

/** The entries that are shown, in the order of their keys: Exchange lists them in any. */
function entriesOf<K extends string, E extends { Key: K | '' }>(
  entries: readonly E[] | undefined,
  keys: readonly K[],
): (E & { Key: K })[] {
  const isShown = (entry: E): entry is E & { Key: K } => keys.some((key) => key === entry.Key)
  const place = ({ Key }: { Key: K }): number => keys.indexOf(Key)
  return (entries ?? []).filter(isShown).sort((a, b) => place(a) - place(b))
}

const keysOf = <T extends object>(types: T): (keyof T & string)[] => Object.keys(types) as (keyof T & string)[]

/** Somebody of the same organization is kept by their name in the directory; the address of mail stands beside it. */
function addressOf(
  contact: EwsContact,
  entry: { Key: string; value: string; RoutingType?: string | undefined },
): string {
  if (entry.RoutingType?.toUpperCase() !== 'EX' && !entry.value.startsWith('/')) return withoutRouting(entry.value)
  const shown = emailNames.get(entry.Key)
  const beside = shown && propertyText(contact.ExtendedProperty, shown)
  return beside?.includes('@') ? beside : ''
}

/** The directory writes addresses with their kind: `SMTP:ada@example.org`. */
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

/** The files that are a contact's picture: one, unless some program added another. */
export const photosOf = (attachments: readonly Attachment[] | undefined): Attachment[] =>
  (attachments ?? []).filter(
    (one) => one.kind === 'FileAttachment' && (one.IsContactPhoto || photoName.test(one.Name ?? '')),
  )

/** The name that a contact is shown by, where it has none of its own. */
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

/** What a contact of a folder and one of the directory have both. */
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

export interface Shown {
  id: string
  grantId: string
  /** The id of the folder that it is in, as ours. */
  groupId: string | undefined
  /** Where its picture is read, if it has one. */
  pictureUrl: string
}

/** Exchange ends a text with a line end of its own. */
const notesOf = ({ Body }: EwsContact): string | null => text(Body?.value.replaceAll('\r\n', '\n').replace(/\n+$/, ''))

/** A contact of the address book as clients read it. */
export function fromContact(contact: EwsContact, { id, grantId, groupId, pictureUrl }: Shown): Contact {
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

/** Somebody of the directory. */
export function fromResolution(
  { address, name, contact }: { address: string; name: string | undefined; contact: EwsContact | undefined },
  { id, grantId }: Pick<Shown, 'id' | 'grantId'>,
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
