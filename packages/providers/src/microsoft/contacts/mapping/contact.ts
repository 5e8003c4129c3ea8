/** Maps Graph's contacts to the API, and back. Pure. */
import type { Contact, ContactChange } from '@waypost/contract'
import { invalidField } from '@waypost/platform/api-error'
import { checkBirthday, checkMaxima } from '../../../contacts/contact.ts'
import { birthdayMoment, birthdayOf, displayNameOf, emptyContact } from '../../../contacts/outlook.ts'
import { contactMaxima } from '../../limits.ts'
import { type GraphAddress, type GraphContact, hasPicture } from '../contacts-api.ts'

const text = (value: string | undefined): string | null => value || null

function birthdayIn(moment: string | undefined): string | null {
  const [day] = /^\d{4}-\d\d-\d\d/.exec(moment ?? '') ?? []
  return day === undefined ? null : birthdayOf(day)
}

/** The fields of postal addresses, by type. */
const places = { work: 'businessAddress', home: 'homeAddress', other: 'otherAddress' } as const
type Place = keyof typeof places
const isPlace = (type: string): type is Place => Object.hasOwn(places, type)

const isEmpty = (address: GraphAddress): boolean => !Object.values(address).some((part) => part)

function addressesOf(contact: GraphContact): Contact['physical_addresses'] {
  return Object.entries(places).flatMap(([type, name]) => {
    const address = contact[name]
    if (!address || isEmpty(address)) return []
    return [
      {
        type,
        street_address: text(address.street),
        city: text(address.city),
        state: text(address.state),
        postal_code: text(address.postalCode),
        country: text(address.countryOrRegion),
      },
    ]
  })
}

const typed = (numbers: readonly string[] | undefined, type: string): Contact['phone_numbers'] =>
  (numbers ?? []).flatMap((number) => (number ? [{ number, type }] : []))

/** Maps a contact; `pictureUrl` is the URL of its picture, if it has one. */
export function fromGraphContact(contact: GraphContact, grantId: string, pictureUrl: string): Contact {
  const emails = (contact.emailAddresses ?? []).flatMap(({ address }) => (address ? [{ email: address }] : []))
  const names = [contact.givenName, contact.middleName, contact.surname, contact.generation]
  return {
    ...emptyContact,
    id: contact.id,
    grant_id: grantId,
    object: 'contact',
    source: 'address_book',
    display_name: contact.displayName || displayNameOf(names, contact.companyName, emails[0]?.email),
    given_name: text(contact.givenName),
    middle_name: text(contact.middleName),
    surname: text(contact.surname),
    suffix: text(contact.generation),
    nickname: text(contact.nickName),
    birthday: birthdayIn(contact.birthday),
    company_name: text(contact.companyName),
    job_title: text(contact.jobTitle),
    manager_name: text(contact.manager),
    office_location: text(contact.officeLocation),
    notes: text(contact.personalNotes),
    emails,
    phone_numbers: [
      ...typed(contact.businessPhones, 'work'),
      ...typed(contact.homePhones, 'home'),
      ...typed(contact.mobilePhone ? [contact.mobilePhone] : [], 'mobile'),
    ],
    im_addresses: (contact.imAddresses ?? []).flatMap((one) => (one ? [{ im_address: one }] : [])),
    physical_addresses: addressesOf(contact),
    web_pages: contact.businessHomePage ? [{ url: contact.businessHomePage, type: 'work' }] : [],
    groups: contact.parentFolderId ? [{ id: contact.parentFolderId }] : [],
    ...(isPictured(contact) ? { picture_url: pictureUrl } : {}),
  }
}

const isPictured = ({ singleValueExtendedProperties: properties = [] }: GraphContact): boolean =>
  properties.some(({ id, value }) => id.toLowerCase() === hasPicture.toLowerCase() && /^true$/i.test(value ?? ''))

/** Maps a change; fields that are not given stay as they are. */
export function toGraphContact(change: ContactChange): Record<string, unknown> {
  checkMaxima(change, contactMaxima)
  checkBirthday(change.birthday)
  const fields: Record<string, unknown> = {
    ...texts(change),
    ...phonesOf(change.phone_numbers),
    ...addressFields(change.physical_addresses),
  }
  const { birthday, emails, im_addresses: ims, web_pages: pages } = change
  if (birthday !== undefined) fields.birthday = birthday ? birthdayMoment(birthday) : null
  if (emails !== undefined) fields.emailAddresses = (emails ?? []).map(({ email }) => ({ address: email }))
  if (ims !== undefined) fields.imAddresses = (ims ?? []).map(({ im_address: im }) => im)
  if (pages !== undefined) fields.businessHomePage = pages?.[0]?.url ?? null
  return fields
}

const textFields = {
  given_name: 'givenName',
  middle_name: 'middleName',
  surname: 'surname',
  suffix: 'generation',
  nickname: 'nickName',
  company_name: 'companyName',
  job_title: 'jobTitle',
  manager_name: 'manager',
  office_location: 'officeLocation',
  notes: 'personalNotes',
} as const

function texts(change: ContactChange): Record<string, string | null> {
  const fields: Record<string, string | null> = {}
  for (const name of Object.keys(textFields) as (keyof typeof textFields)[]) {
    const value = change[name]
    if (value !== undefined) fields[textFields[name]] = value || null
  }
  return fields
}

/** Phone numbers by type, limited to the fields that Outlook has. A number without a type is a business number. */
function phonesOf(phones: ContactChange['phone_numbers']): Record<string, unknown> {
  if (phones === undefined) return {}
  const of = (type: string): string[] =>
    (phones ?? []).filter((phone) => (phone.type || 'work') === type).map(({ number }) => number)
  const [work, home, mobile] = [of('work'), of('home'), of('mobile')]
  if (work.length > 2 || home.length > 2 || mobile.length > 1) {
    throw invalidField('phone_numbers', 'a contact at Microsoft has at most two for work, two for home and one mobile')
  }
  return { businessPhones: work, homePhones: home, mobilePhone: mobile[0] ?? null }
}

/**
 * All three addresses. Those that are not given are removed part by part, because Graph retains parts that are not
 * sent.
 */
function addressFields(given: ContactChange['physical_addresses']): Record<string, unknown> {
  if (given === undefined) return {}
  const fields: Record<string, unknown> = {}
  for (const { type, street_address, city, state, postal_code, country } of given ?? []) {
    const name = places[type && isPlace(type) ? type : 'other']
    if (fields[name]) throw invalidField('physical_addresses', 'a contact at Microsoft has one for each type at most')
    fields[name] = {
      street: street_address || null,
      city: city || null,
      state: state || null,
      postalCode: postal_code || null,
      countryOrRegion: country || null,
    }
  }
  const none = { street: null, city: null, state: null, postalCode: null, countryOrRegion: null }
  return Object.fromEntries(Object.values(places).map((name) => [name, fields[name] ?? none]))
}
